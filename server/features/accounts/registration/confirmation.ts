import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import type { confirmRegistration } from '#contract/registration.ts';
import type { Db } from '#server/db/database.ts';
import { readConfirmationToken } from '#server/features/accounts/registration/confirmation-links.ts';
import { beginSession, checkPassword } from '#server/features/accounts/ways-in/sign-in.ts';
import type { App } from '#server/platform/app-parts.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { changed } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { judgeTry } from '#server/sign-in/tries.ts';

/**
 * AUTH-56: enables an account by the link in its mail and its password. The mailbox alone is not enough. A stranger may
 * have registered with it, and their password would then open the account of a person who trusts the mail.
 */
export async function confirmByLink(
  context: { app: App; request: FastifyRequest; reply: FastifyReply },
  { token, password }: ParsedInputOf<typeof confirmRegistration>['body'],
): Promise<ReplyOf<typeof confirmRegistration>> {
  const { app } = context;
  const email = await readConfirmationToken(app, token);
  if (email === null) throw unusableLink();
  return judgeTry(app, context.request, { of: 'sign_in', way: 'password' }, async (tried) => {
    const { person, isRight, tries } = await checkPassword(context, { email, password }, tried);
    if (!person?.passwordHash || person.isConfirmed) throw unusableLink();
    const { id, passwordHash } = person;
    if (!isRight) {
      const message = 'This is not the password you chose when you registered.';
      throw new AppError('invalid_input', message, { errors: [{ path: 'password', message }] });
    }
    await inTransaction(app.db, (db) => confirm(db, id, passwordHash));
    return beginSession(context, { id, email: person.email, checkedHash: passwordHash }, { tried, tries });
  });
}

/** If two requests arrive together, one confirms. Neither does if the password that was checked is gone. */
async function confirm(db: Db, userId: string, passwordHash: string): Promise<void> {
  const confirmed = await sql`
    update auth."user" sign_in set email_verified = true, updated_at = now()
    from auth.account
    where sign_in.id = ${userId} and not sign_in.email_verified
      and account.user_id = sign_in.id and account.provider_id = 'credential' and account.password = ${passwordHash}
    returning sign_in.id`.execute(db);
  if (confirmed.rows.length === 0) throw unusableLink();
  await changed(db, ['people', 'ways-in'], [userId]);
  await audit(db, userId, {
    action: 'email.confirm',
    subjectType: 'user',
    subjectId: userId,
    after: { by: 'confirmation_mail' },
  });
}

function unusableLink(): AppError {
  return notFound('This link was used before, is older than 24 hours, or is not complete.');
}
