import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { areRulesMet, changePasswordRules, type PasswordRule, resetPasswordRules } from '#contract/passwords.ts';
import type { Db } from '#server/db/database.ts';
import { requestAccountMail } from '#server/features/accounts/account-mails.ts';
import { refuseGuessablePassword } from '#server/features/accounts/passwords/password-refusals.ts';
import type { Actor } from '#server/platform/actor.ts';
import type { App } from '#server/platform/app-parts.ts';
import { audit } from '#server/platform/audit.ts';
import { countedAddress } from '#server/platform/client-address.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { queueMail } from '#server/platform/mailer.ts';
import { limitTries } from '#server/platform/rate-limit.ts';
import { changed } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { limitAccountTries, mailLimits } from '#server/sign-in/account-limits.ts';
import { hashPassword, isPasswordOf } from '#server/sign-in/password-hash.ts';
import {
  dropPasswordLinks,
  findPasswordLink,
  type PasswordLink,
  takePasswordLink,
} from '#server/sign-in/password-links.ts';
import { endSessions } from '#server/sign-in/session-end.ts';
import { passwordChangedMail } from '#server/sign-in/sign-in-mails.ts';
import { normalEmail } from '#server/sign-in/sign-ins.ts';
import { judgeTry } from '#server/sign-in/tries.ts';

const linksByAddress = { max: 120, windowSeconds: 600 };
const changesByPerson = { max: 10, windowSeconds: 600 };

/** AUTH-21: every address gets the same answer. A person with a pending invitation gets a fresh one instead. */
export async function requestReset(app: App, request: FastifyRequest, address: string): Promise<void> {
  const email = normalEmail(address);
  await limitAccountTries(app, request, 'reset', email, mailLimits);
  await requestAccountMail(app.db, app.secrets, 'new-password', email);
}

export async function checkLink(app: App, request: FastifyRequest, token: string) {
  await limitTries(app.db, `password-link:${countedAddress(request)}`, linksByAddress, app.config.rateLimitFactor);
  const { email, kind } = requireOwner(await findPasswordLink(app.db, token));
  return { email, kind };
}

/** AUTH-23, AUTH-33: sets the password, uses up the link, ends every session and accepts an invitation. */
export async function setPasswordByLink(app: App, request: FastifyRequest, token: string, password: string) {
  await limitTries(app.db, `password-link:${countedAddress(request)}`, linksByAddress, app.config.rateLimitFactor);
  requireRules(resetPasswordRules(password, password));
  await inTransaction(app.db, async (db) => {
    const link = requireOwner(await takePasswordLink(db, token));
    refuseGuessablePassword(password, link, 'newPassword');
    await storePassword(db, link.userId, await hashPassword(password), { isByMail: true });
    await endSessions(db, link.userId);
    await changed(db, 'ways-in', [link.userId]);
    await audit(db, link.userId, {
      action: 'password.set',
      subjectType: 'user',
      subjectId: link.userId,
      after: { by: link.kind },
    });
    if (link.kind === 'reset') {
      await queueMail(db, passwordChangedMail({ ...link, id: link.userId }, app.config.publicUrl));
    }
  });
}

/** PWD-09 to PWD-14: requires the current password and ends the person's other sessions. */
export async function changeOwnPassword(
  app: App,
  request: FastifyRequest,
  actor: Actor,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<void> {
  await limitTries(app.db, `change-password:${actor.id}`, changesByPerson, app.config.rateLimitFactor);
  requireRules(changePasswordRules(newPassword, newPassword));
  refuseGuessablePassword(newPassword, actor, 'newPassword');
  const kept = await readPasswordHash(app.db, actor.id);
  if (!kept)
    throw new AppError('conflict', 'Your account has no password yet. Use "Forgot your password?" to set one.');
  await judgeTry(app, request, { of: 'proof', way: 'password' }, async (tried) => {
    tried.isOf({ userId: actor.id });
    if (await isPasswordOf(kept, currentPassword)) return tried.succeed();
    const message = 'The current password is not correct.';
    throw new AppError('invalid_input', message, { errors: [{ path: 'currentPassword', message }] });
  });
  if (newPassword === currentPassword) {
    const message = 'This is your current password. Please choose a new one.';
    throw new AppError('invalid_input', message, { errors: [{ path: 'newPassword', message }] });
  }
  const passwordHash = await hashPassword(newPassword);
  await inTransaction(app.db, async (db) => {
    await requireUnchanged(db, actor, kept);
    await storePassword(db, actor.id, passwordHash, { isByMail: false });
    await endSessions(db, actor.id, actor.sessionId);
    await changed(db, 'ways-in', [actor.id]);
    await audit(db, actor.id, { action: 'password.change', subjectType: 'user', subjectId: actor.id });
    await queueMail(db, passwordChangedMail(actor, app.config.publicUrl));
  });
}

/**
 * A reset that came in while the password was checked wins. Its owner reads the mailbox, and this session may be
 * stolen.
 */
async function requireUnchanged(db: Db, actor: Actor, passwordHash: string): Promise<void> {
  const present = await sql`
    select from auth.account
    join auth.session on session.user_id = account.user_id and session.id = ${actor.sessionId}
    where account.user_id = ${actor.id} and provider_id = 'credential' and password = ${passwordHash}
    for update of account`.execute(db);
  if (present.rows.length === 0) {
    throw new AppError('conflict', 'Your password was changed a moment ago. Please sign in with the new one.');
  }
}

type OwnedLink = PasswordLink & { email: string };

function requireOwner(link: PasswordLink | undefined): OwnedLink {
  if (!link) throw notFound('Invalid or expired reset link');
  const { email } = link;
  if (email === null) throw notFound('No user found for this reset token');
  return { ...link, email };
}

function requireRules(rules: PasswordRule[]): void {
  if (areRulesMet(rules)) return;
  const errors = rules.filter((rule) => !rule.isMet).map((rule) => ({ path: 'newPassword', message: rule.label }));
  throw new AppError('invalid_input', 'Please ensure your password meets all requirements.', { errors });
}

export async function readPasswordHash(db: Db, userId: string): Promise<string | null> {
  const found = await sql<{ password: string | null }>`
    select password from auth.account where provider_id = 'credential' and user_id = ${userId}`.execute(db);
  return found.rows[0]?.password ?? null;
}

/**
 * Ends every link of the person, makes every device ask for the second factor again, and accepts an invitation. A
 * person who came by mail reads the mailbox, so their address is confirmed.
 */
async function storePassword(db: Db, userId: string, passwordHash: string, { isByMail }: { isByMail: boolean }) {
  await sql`
    with devices as (
      update auth.device set remembered_until = null where user_id = ${userId} and remembered_until is not null
    ), accepted as (
      update invitations set accepted_at = now() where user_id = ${userId} and accepted_at is null
    ), confirmed as (
      update auth."user" set email_verified = true, updated_at = now() where ${isByMail} and id = ${userId}
    )
    insert into auth.account (user_id, account_id, provider_id, password)
    values (${userId}, ${userId}, 'credential', ${passwordHash})
    on conflict (provider_id, account_id) do update
      set password = excluded.password, must_be_changed = false, updated_at = now()`.execute(db);
  await dropPasswordLinks(db, userId);
}
