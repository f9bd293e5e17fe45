import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import {
  emailChangeAskedMail,
  emailChangedMail,
  emailChangeMail,
} from '#server/features/accounts/own-details/email-change-mails.ts';
import type { Actor } from '#server/platform/actor.ts';
import type { App } from '#server/platform/app-parts.ts';
import { audit } from '#server/platform/audit.ts';
import { countedAddress } from '#server/platform/client-address.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { queueMail, sealMail } from '#server/platform/mailer.ts';
import { limitAllTriesBeside, limitTries } from '#server/platform/rate-limit.ts';
import { changed } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { dropPasswordLinks, emailChangeOf, hashToken } from '#server/sign-in/password-links.ts';
import { endSessions } from '#server/sign-in/session-end.ts';
import { normalEmail } from '#server/sign-in/sign-ins.ts';
import { isUnconfirmedRegistration, makeRoomFor } from '#server/sign-in/unconfirmed-registrations.ts';

const changeSeconds = 3600;
const changesByPerson = { max: 5, windowSeconds: 600 };
const changesOfDay = { max: 10, windowSeconds: 86_400 };
/** Counts for each mailbox, no matter who asks, because the mailbox may be a stranger's. */
const changesToMailbox = { max: 3, windowSeconds: 3600 };
const confirmationsByAddress = { max: 60, windowSeconds: 600 };

/** AUTH-60: nothing changes until the link in the mail to the new address is opened. The last request counts. */
export async function askForEmailChange(app: App, actor: Actor, address: string): Promise<void> {
  const email = normalEmail(address);
  await limitChanges(app, actor, email);
  if (email === actor.email) {
    const message = 'This is your email address already.';
    throw new AppError('invalid_input', message, { errors: [{ path: 'email', message }] });
  }
  const secret = randomBytes(32).toString('base64url');
  const link = `${app.config.publicUrl}/confirm-email#token=${actor.id}.${secret}`;
  await inTransaction(app.db, async (db) => {
    await keepChange(db, actor.id, secret, email);
    await queueMail(db, [
      ...((await isTaken(db, email)) ? [] : [sealMail(app.secrets, emailChangeMail(actor, email, link))]),
      emailChangeAskedMail(actor, email, app.config.publicUrl),
    ]);
  });
}

/** A refused request does not count for the mailbox. */
async function limitChanges(app: App, { id }: Actor, email: string): Promise<void> {
  const rules = { [`email-change:${id}`]: changesByPerson, [`email-change-day:${id}`]: changesOfDay };
  const onlyThen = { [`email-changes-to:${email}`]: changesToMailbox };
  await limitAllTriesBeside(app.db, { rules, onlyThen, factor: app.config.rateLimitFactor }, sql`select`);
}

/**
 * Ends all sessions of the person except the one that opens the link. Throws 'not_found' if the link is used, ended or
 * overtaken, and 'duplicate' if somebody has the address now.
 */
export async function changeEmailByLink(app: App, request: FastifyRequest, token: string): Promise<{ email: string }> {
  await limitTries(
    app.db,
    `email-change-link:${countedAddress(request)}`,
    confirmationsByAddress,
    app.config.rateLimitFactor,
  );
  return inTransaction(app.db, async (db) => {
    const { userId, email, isRegistered } = await takeChange(db, token);
    if (isRegistered) await makeRoomFor(db, userId, [email]);
    const reader = await storeEmail(db, userId, email);
    await dropPasswordLinks(db, userId);
    await endSessions(db, userId, request.actor?.id === userId ? request.actor.sessionId : null);
    await audit(db, userId, {
      action: 'email.change',
      subjectType: 'user',
      subjectId: userId,
      before: { email: reader.email },
      after: { email },
    });
    await queueMail(db, emailChangedMail(reader, email, app.config.publicUrl));
    await changed(db, 'people', [userId]);
    return { email };
  });
}

async function keepChange(db: Db, userId: string, secret: string, email: string): Promise<void> {
  await sql`
    with overtaken as (
      delete from auth.verification where starts_with(identifier, ${emailChangeOf(userId)})
    )
    insert into auth.verification (identifier, value, expires_at)
    values (${emailChangeOf(userId) + hashToken(secret)}, ${email}, now() + make_interval(secs => ${changeSeconds}))`.execute(
    db,
  );
}

interface TakenChange {
  userId: string;
  email: string;
  /** A person registered with the address and never confirmed it. */
  isRegistered: boolean;
}

async function takeChange(db: Db, token: string): Promise<TakenChange> {
  const [userId = '', secret = ''] = token.split('.');
  const taken = await sql<Omit<TakenChange, 'userId'>>`
    delete from auth.verification
    where identifier = ${emailChangeOf(userId) + hashToken(secret)} and expires_at > now()
    returning value as email, exists (
      select from auth."user" sign_in where sign_in.email = value and ${isUnconfirmedRegistration}
    ) as is_registered`.execute(db);
  const [row] = taken.rows;
  if (!row) throw notFound('This link is invalid, was used before, or has expired.');
  return { userId, ...row };
}

/** An unconfirmed registration with the address does not count. It goes when the mail is opened. */
async function isTaken(db: Db, email: string): Promise<boolean> {
  const found = await sql`
    select from profiles where email = ${email}
      and not exists (select from auth."user" sign_in where id = profiles.id and ${isUnconfirmedRegistration})
    union all
    select from auth."user" sign_in where email = ${email} and not ${isUnconfirmedRegistration}`.execute(db);
  return found.rows.length > 0;
}

/** Returns the person's former address and name. */
async function storeEmail(db: Db, userId: string, email: string) {
  const found = await sql<{ id: string; email: string; firstName: string }>`
    with before as (select id, email, first_name from auth."user" where id = ${userId} for update),
    profile as (update profiles set email = ${email} where id = ${userId} and deleted_at is null),
    sign_in as (
      update auth."user" set email = ${email}, email_verified = true, updated_at = now() where id = ${userId}
    )
    select id, email, first_name from before`.execute(db);
  const [reader] = found.rows;
  if (!reader) throw notFound('This link is invalid, was used before, or has expired.');
  return reader;
}
