import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { register } from '#contract/registration.ts';
import type { Db } from '#server/db/database.ts';
import { requestAccountMail } from '#server/features/accounts/account-mails.ts';
import { refuseGuessablePassword } from '#server/features/accounts/passwords/password-refusals.ts';
import { confirmationLinkFor } from '#server/features/accounts/registration/confirmation-links.ts';
import type { App } from '#server/platform/app-parts.ts';
import { audit } from '#server/platform/audit.ts';
import { newId } from '#server/platform/ids.ts';
import { queueMail, sealMail } from '#server/platform/mailer.ts';
import { countTry } from '#server/platform/rate-limit.ts';
import { changed } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { limitAccountTries, mailLimits } from '#server/sign-in/account-limits.ts';
import { hashPassword } from '#server/sign-in/password-hash.ts';
import { alreadyRegisteredMail, confirmationMail, type MailReader } from '#server/sign-in/sign-in-mails.ts';
import { createSignIns, type NewSignIn, normalEmail } from '#server/sign-in/sign-ins.ts';
import { isUnconfirmedRegistration } from '#server/sign-in/unconfirmed-registrations.ts';

type Registration = ParsedInputOf<typeof register>['body'];

const mailsToExisting = { max: 3, windowSeconds: 3600 };
const mailsToExistingOfDay = { max: 5, windowSeconds: 86_400 };

/**
 * Makes the account, its profile and its confirmation mail, or none of them (AUTH-16). If the address has an account,
 * the answer is the same and a mail says so.
 */
export async function registerPerson(app: App, request: FastifyRequest, registration: Registration) {
  const email = normalEmail(registration.email);
  await limitAccountTries(app, request, 'register', email, mailLimits);
  refuseGuessablePassword(registration.password, { ...registration, email }, 'password');
  const person: NewSignIn = {
    id: newId(),
    email,
    firstName: registration.firstName,
    lastName: registration.lastName,
    trackType: registration.requestedRole === 'participant' ? registration.trackType : null,
    passwordHash: await hashPassword(registration.password),
    ...rolesOf(registration.requestedRole, app.config.selfAssignedRoles),
  };
  await inTransaction(app.db, async (db) => {
    if (await isMade(db, person)) {
      await auditRegistration(db, person);
      const link = await confirmationLinkFor(app, person.email);
      await queueMail(db, sealMail(app.secrets, confirmationMail(person, link)));
    } else {
      await mailExistingPerson(app, db, person.email);
    }
    await changed(db, 'people', []);
  });
  return { user: { id: person.id, email: person.email } };
}

/** AUTH-58: every address gets the same answer. */
export async function sendConfirmationAgain(app: App, request: FastifyRequest, address: string): Promise<void> {
  const email = normalEmail(address);
  await limitAccountTries(app, request, 'resend', email, mailLimits);
  await requestAccountMail(app.db, app.secrets, 'confirmation', email);
}

/** AUTH-17: an admin grants coach and admin. Coach is granted at once if the operator lets people choose. */
function rolesOf(asked: Registration['requestedRole'], isGranted: boolean): Pick<NewSignIn, 'role' | 'requestedRole'> {
  if (asked === 'participant') return { role: 'participant', requestedRole: null };
  const isGrantedAtOnce = isGranted && asked === 'coach';
  return isGrantedAtOnce ? { role: asked, requestedRole: null } : { role: 'participant', requestedRole: asked };
}

/** Returns false if the address has an account, and locks it, so that nobody removes it before the mail is queued. */
async function isMade(db: Db, person: NewSignIn): Promise<boolean> {
  const first = await createSignIns(db, [person]);
  if (first.refusedIds.length === 0) return true;
  const kept = await db
    .selectFrom('profiles')
    .select('id')
    .where('email', '=', person.email)
    .forKeyShare()
    .executeTakeFirst();
  if (kept) return false;
  // The unconfirmed account with this address was removed a moment ago.
  const second = await createSignIns(db, [person]);
  return second.refusedIds.length === 0;
}

/** The entry has no actor, because nobody has confirmed the address yet. */
function auditRegistration(db: Db, { id, role, requestedRole = null }: NewSignIn): Promise<void> {
  const after = { by: 'form', role, requestedRole };
  return audit(db, null, { action: 'user.register', subjectType: 'user', subjectId: id, after });
}

async function mailExistingPerson(app: App, db: Db, email: string): Promise<void> {
  if ((await countTry(db, `already-registered:${email}`, mailsToExisting)) !== null) return;
  if ((await countTry(db, `already-registered-day:${email}`, mailsToExistingOfDay)) !== null) return;
  const found = await sql<MailReader & { isUnconfirmed: boolean | null }>`
    select profile.id, profile.email, profile.first_name, ${isUnconfirmedRegistration} as is_unconfirmed
    from profiles profile left join auth."user" sign_in on sign_in.id = profile.id
    where profile.email = ${email} and profile.deleted_at is null`.execute(db);
  const reader = found.rows[0];
  if (!reader) return;
  const link = await confirmationLinkFor(app, email);
  await queueMail(
    db,
    reader.isUnconfirmed
      ? sealMail(app.secrets, confirmationMail(reader, link))
      : alreadyRegisteredMail(reader, app.config.publicUrl),
  );
}
