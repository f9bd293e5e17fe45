import { randomBytes, randomInt } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { confirmMailbox } from '#server/features/accounts/registration/confirmed-mailboxes.ts';
import { requireMailSignIn } from '#server/features/accounts/ways-in/sign-in-ways.ts';
import type { App } from '#server/platform/app-parts.ts';
import { audit } from '#server/platform/audit.ts';
import { countedAddress } from '#server/platform/client-address.ts';
import { AppError } from '#server/platform/errors.ts';
import { defineJob, defineQueue, enqueue } from '#server/platform/jobs.ts';
import { mailTemplate } from '#server/platform/mail-template.ts';
import { queueMail, type SecretMail, sealMail } from '#server/platform/mailer.ts';
import { forgetTries, limitTries } from '#server/platform/rate-limit.ts';
import { acceptedHashes, hashCode } from '#server/platform/secret-box.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { type AccountLimits, limitAccountTries, mailLimits } from '#server/sign-in/account-limits.ts';
import { hashToken, mailSignInOf } from '#server/sign-in/password-links.ts';
import { openAddress, SealedAddress, sealAddress } from '#server/sign-in/sealed-addresses.ts';
import { startSession } from '#server/sign-in/session-start.ts';
import type { MailReader } from '#server/sign-in/sign-in-mails.ts';
import { normalEmail } from '#server/sign-in/sign-ins.ts';
import { judgeTry, type Try } from '#server/sign-in/tries.ts';

const byMail = { of: 'sign_in', way: 'mail' } as const;
const mailSignInSeconds = 600;
const linksByAddress = { max: 120, windowSeconds: 600 };
/**
 * They allow 720 tries a day, of a million codes. If others have used up an owner's tries, the owner still has the
 * link.
 */
const codeLimits: AccountLimits = {
  byAddress: { max: 120, windowSeconds: 600 },
  byAccountAndAddress: { max: 5, windowSeconds: 1800 },
  byAccount: { max: 30, windowSeconds: 3600 },
};

const mailSignInQueue = defineQueue(
  'mail-sign-in',
  z.object({ email: SealedAddress, next: z.string().nullable().default(null) }),
);
const linkUnusable = 'This sign-in link was used before or is older than 10 minutes. Please ask for a new one.';
const codeUnusable = 'The code is not correct or no longer works.';

/** AUTH-55. A job looks up whether the address has an account, so neither answer nor timing tells. */
export async function requestMailSignIn(
  app: App,
  request: FastifyRequest,
  { email: address, next = null }: { email: string; next?: string | null | undefined },
): Promise<void> {
  requireMailSignIn(app.config);
  const email = normalEmail(address);
  await limitAccountTries(app, request, 'sign-in-mail', email, mailLimits);
  await enqueue(app.db, mailSignInQueue, { email: sealAddress(app.secrets, email), next });
}

export const mailSignInJob = defineJob({
  ...mailSignInQueue,
  run: (app, { email, next }) =>
    inTransaction(app.db, (db) => mailSignIn(app, db, { email: openAddress(app.secrets, email), next })),
});

export async function checkMailLink(app: App, request: FastifyRequest, token: string): Promise<{ email: string }> {
  requireMailSignIn(app.config);
  await limitTries(app.db, `sign-in-link:${countedAddress(request)}`, linksByAddress, app.config.rateLimitFactor);
  return judgeTry(app, request, byMail, async (tried) => {
    const [id, secret] = readLinkToken(token);
    const found = await sql<{ email: string }>`
      select sign_in.email from auth.verification kept ${ownerOfLink(id, secret)}`.execute(app.db);
    const owner = found.rows[0];
    if (!owner) throw new AppError('not_found', linkUnusable);
    tried.succeed();
    return owner;
  });
}

/** AUTH-56 */
export async function signInByLink(app: App, request: FastifyRequest, reply: FastifyReply, token: string) {
  requireMailSignIn(app.config);
  await limitTries(app.db, `sign-in-link:${countedAddress(request)}`, linksByAddress, app.config.rateLimitFactor);
  return finish(app, request, reply, linkUnusable, (db) => {
    const [id, secret] = readLinkToken(token);
    return sql<Owner>`
      with kept as (
        delete from auth.verification where id = ${id} and identifier like 'mail-sign-in:%'
          and split_part(value, '.', 1) = ${hashToken(secret)} and expires_at > now()
        returning substr(identifier, 14)::uuid as user_id
      )
      select sign_in.id, sign_in.email_verified
      from kept join auth."user" sign_in on sign_in.id = kept.user_id`.execute(db);
  });
}

/** AUTH-56 */
export async function signInByCode(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { email: address, code }: { email: string; code: string },
) {
  requireMailSignIn(app.config);
  const email = normalEmail(address);
  const tries = await limitAccountTries(app, request, 'sign-in-code', email, codeLimits);
  const codeHashes = acceptedHashes(app.secrets, purposeOf(email), code);
  const done = await finish(app, request, reply, codeUnusable, (db, tried) => {
    tried.isOf({ email });
    return sql<Owner>`
      delete from auth.verification kept using auth."user" sign_in
      where sign_in.email = ${email} and kept.identifier = 'mail-sign-in:' || sign_in.id
        and split_part(kept.value, '.', 2) = any(${codeHashes}::text[]) and kept.expires_at > now()
      returning sign_in.id, sign_in.email_verified`.execute(db);
  });
  await forgetTries(app.db, tries);
  return done;
}

/** A new mail replaces the link and the code of the one before. */
async function mailSignIn(app: App, db: Db, { email, next }: { email: string; next: string | null }): Promise<void> {
  const found = await sql<MailReader>`
    select id, email, first_name from auth."user" where email = ${email} for update`.execute(db);
  const reader = found.rows[0];
  if (!reader) return;
  const secret = randomBytes(32).toString('base64url');
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const value = `${hashToken(secret)}.${hashCode(app.secrets, purposeOf(email), code)}`;
  const identifier = mailSignInOf(reader.id);
  await sql`delete from auth.verification where identifier = ${identifier}`.execute(db);
  const kept = await sql<{ id: string }>`
    insert into auth.verification (identifier, value, expires_at)
    values (${identifier}, ${value}, now() + make_interval(secs => ${mailSignInSeconds}))
    returning id`.execute(db);
  const page = next === null ? '/login/mail' : `/login/mail?${new URLSearchParams({ next })}`;
  const link = `${app.config.publicUrl}${page}#token=${kept.rows[0]?.id}.${secret}`;
  await queueMail(db, sealMail(app.secrets, signInMail(reader, link, code)));
}

interface Owner {
  id: string;
  emailVerified: boolean;
}

async function finish(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: string,
  takeOwner: (db: Db, tried: Try) => Promise<{ rows: Owner[] }>,
) {
  return judgeTry(app, request, byMail, async (tried) => {
    const { owner, isPasswordRemoved } = await inTransaction(app.db, async (db) => {
      const [owner] = (await takeOwner(db, tried)).rows;
      if (!owner) throw new AppError('not_found', refusal);
      if (owner.emailVerified) return { owner, isPasswordRemoved: false };
      const { isPasswordRemoved, entry } = await confirmMailbox(db, owner.id, 'sign_in_mail');
      await audit(db, owner.id, entry);
      return { owner, isPasswordRemoved };
    });
    await startSession(app, request, reply, owner.id, tried);
    return { done: true as const, isPasswordRemoved };
  });
}

function ownerOfLink(id: string, secret: string) {
  return sql`
    join auth."user" sign_in on sign_in.id = substr(kept.identifier, 14)::uuid
    where kept.id = ${id} and kept.identifier like 'mail-sign-in:%'
      and split_part(kept.value, '.', 1) = ${hashToken(secret)} and kept.expires_at > now()`;
}

function readLinkToken(token: string): [id: string, secret: string] {
  const [id, secret] = token.split('.');
  if (!secret || !z.uuid().safeParse(id).success) throw new AppError('not_found', linkUnusable);
  return [id ?? '', secret];
}

function purposeOf(email: string): string {
  return `mail-sign-in:${email}`;
}

function signInMail(reader: MailReader, link: string, code: string): SecretMail {
  return {
    holdsSecret: true,
    kind: 'sign_in',
    recipientId: reader.id,
    address: reader.email,
    subject: 'Sign in to Switchyard',
    ...mailTemplate({
      greeting: reader.firstName ? `Hello ${reader.firstName},` : 'Hello,',
      paragraphs: [
        'Open the link below to sign in. It works once and for 10 minutes.',
        `Or type this code on the sign-in page: ${code}`,
        'If you did not ask for it, you can ignore this email. Share the code with nobody.',
      ],
      action: { label: 'Sign in', url: link },
    }),
  };
}
