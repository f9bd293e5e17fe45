import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { confirmationLinkFor } from '#server/features/accounts/registration/confirmation-links.ts';
import type { App } from '#server/platform/app-parts.ts';
import { audit } from '#server/platform/audit.ts';
import { defineJob, defineQueue, enqueue } from '#server/platform/jobs.ts';
import { queueMail, sealMail } from '#server/platform/mailer.ts';
import type { Secrets } from '#server/platform/secret-box.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { invitePeople } from '#server/sign-in/invitations.ts';
import { issuePasswordLinks } from '#server/sign-in/password-links.ts';
import { openAddress, SealedAddress, sealAddress } from '#server/sign-in/sealed-addresses.ts';
import { confirmationMail, invitationExpiredMail, type MailReader, resetMail } from '#server/sign-in/sign-in-mails.ts';

type Wish = 'new-password' | 'confirmation';

interface AccountState extends MailReader {
  emailVerified: boolean;
  /** An admin made the account for this person, and nobody has chosen a password yet. */
  isInvitationPending: boolean;
  /** A coach's or an admin's invitation has expired. Only an admin may send a new one. */
  isOnlyForAdmins: boolean;
  importId: string | null;
}

const accountMailQueue = defineQueue(
  'account-mail',
  z.object({ wish: z.enum(['new-password', 'confirmation']), email: SealedAddress }),
);

/** A job looks up whether the address has an account. So neither the answer nor its timing can tell (AUTH-21). */
export function requestAccountMail(db: Db, secrets: Secrets, wish: Wish, email: string): Promise<void> {
  return enqueue(db, accountMailQueue, { wish, email: sealAddress(secrets, email) });
}

export const accountMailJob = defineJob({
  ...accountMailQueue,
  run: (app, { wish, email }) =>
    inTransaction(app.db, (db) => mailAccount(app, db, wish, openAddress(app.secrets, email))),
});

async function mailAccount(app: App, db: Db, wish: Wish, email: string): Promise<void> {
  const account = await findAccount(db, email);
  if (!account) return;
  const { publicUrl } = app.config;
  if (account.isInvitationPending && account.isOnlyForAdmins) {
    await queueMail(db, invitationExpiredMail(account));
  } else if (account.isInvitationPending) {
    const { id: userId, firstName, importId } = account;
    await invitePeople(db, [{ userId, email: account.email, firstName }], importId, app);
    await audit(db, null, { action: 'invitation.renew', subjectType: 'user', subjectId: userId });
  } else if (wish === 'new-password') {
    const [link] = await issuePasswordLinks(db, publicUrl, [{ userId: account.id, invitationId: null }]);
    if (link) await queueMail(db, sealMail(app.secrets, resetMail(account, link)));
  } else if (!account.emailVerified) {
    const link = await confirmationLinkFor(app, account.email);
    await queueMail(db, sealMail(app.secrets, confirmationMail(account, link)));
  }
}

/** Locks the account until the mail is written. If two people ask at once, the second mail replaces the first. */
async function findAccount(db: Db, email: string): Promise<AccountState | undefined> {
  const found = await sql<AccountState>`
    select sign_in.id, sign_in.email, sign_in.first_name, sign_in.email_verified, invitation.import_id,
      invitation.id is not null and not exists (
        select from auth.account where account.user_id = sign_in.id and account.password is not null
      ) as is_invitation_pending,
      coalesce(invitation.expires_at < now() and profile.role in ('coach', 'admin'), false) as is_only_for_admins
    from auth."user" sign_in
    left join profiles profile on profile.id = sign_in.id
    left join lateral (
      select id, import_id, expires_at from invitations
      where invitations.user_id = sign_in.id and accepted_at is null order by sent_at desc, id desc limit 1
    ) invitation on true
    where sign_in.email = ${email}
    for update of sign_in`.execute(db);
  return found.rows[0];
}
