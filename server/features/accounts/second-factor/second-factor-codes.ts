import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { type CodeOrRecoveryCode, recoveryCodeCount } from '#contract/second-factor.ts';
import type { Db } from '#server/db/database.ts';
import { factorPurposeOf } from '#server/features/accounts/second-factor/sealed-factor-queries.ts';
import { recoveryCodeUsedMail } from '#server/features/accounts/second-factor/second-factor-mails.ts';
import type { App } from '#server/platform/app-parts.ts';
import type { AuditEntry } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import type { Mail } from '#server/platform/mailer.ts';
import { acceptedHashes, hashCode, openText, type Secrets, sealText, signsOf } from '#server/platform/secret-box.ts';
import { type AccountLimits, limitAccountTries } from '#server/sign-in/account-limits.ts';
import type { MailReader } from '#server/sign-in/sign-in-mails.ts';

const issuer = 'Switchyard';
const secretBytes = 20;
const periodSeconds = 30;
/** A clock that is wrong by half a minute still gives codes that work. */
const toleratedSteps = 1;

/** They allow 1440 tries a day. Three of a million codes are right at a time. */
const codeLimits: AccountLimits = {
  byAddress: { max: 60, windowSeconds: 300 },
  byAccountAndAddress: { max: 5, windowSeconds: 900 },
  byAccount: { max: 60, windowSeconds: 3600 },
};

/** It leaves out letters and digits that look alike. */
const recoveryAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const recoveryCodeLength = 12;

/** The use of a code leaves these behind. The caller writes the entries and sends the mails together with its own. */
interface AcceptedCode {
  entries: AuditEntry[];
  mails: Mail[];
}

/** Counts a try before any code is looked at. Returns the counter that a right code ends. */
export function limitCodeTries(app: App, request: FastifyRequest, userId: string): Promise<string> {
  return limitAccountTries(app, request, 'second-factor', userId, codeLimits);
}

export function newSecret(secrets: Secrets, person: MailReader) {
  const generator = generatorOf(new Secret({ size: secretBytes }), person.email);
  return {
    secret: generator.secret.base32,
    uri: generator.toString(),
    encryptedSecret: sealText(secrets, factorPurposeOf(person.id), generator.secret.base32),
  };
}

/** Returns the 30-second step that the code belongs to. Throws 'invalid_input' if the code fits no present step. */
export function requireStep(secrets: Secrets, person: MailReader, encryptedSecret: string, code: string): number {
  const key = Secret.fromBase32(openText(secrets, factorPurposeOf(person.id), encryptedSecret));
  const timestamp = now().getTime();
  const delta = generatorOf(key, person.email).validate({ token: code, timestamp, window: toleratedSteps });
  if (delta === null) throw wrongCode('This code is not right. Use the one that your app shows now.');
  return TOTP.counter({ period: periodSeconds, timestamp }) + delta;
}

/**
 * Uses up a code of the confirmed second factor. However many requests bring the same code, one gets through. The
 * counted `tries` are forgotten.
 */
export async function acceptCode(
  app: App,
  db: Db,
  person: MailReader,
  given: CodeOrRecoveryCode,
  tries: string,
): Promise<AcceptedCode> {
  if (given.kind === 'recovery_code') return acceptRecoveryCode(app, db, person, given.code, tries);
  const found = await sql<{ encryptedSecret: string }>`
    select encrypted_secret from auth.second_factor
    where user_id = ${person.id} and confirmed_at is not null`.execute(db);
  const factor = found.rows[0];
  if (!factor) throw new AppError('conflict', 'You have no second factor.');
  const step = requireStep(app.secrets, person, factor.encryptedSecret, given.code);
  const used = await sql`
    with used as (
      update auth.second_factor set last_step = ${step}
      where user_id = ${person.id} and encrypted_secret = ${factor.encryptedSecret} and last_step < ${step}
      returning user_id
    ), forgiven as (delete from auth.rate_limit where key = ${tries} and exists (select from used))
    select from used`.execute(db);
  if (used.rows.length === 0) throw wrongCode('This code was used before. Wait for the next one.');
  return { entries: [], mails: [] };
}

/** Replaces all earlier recovery codes. */
export async function issueRecoveryCodes(db: Db, secrets: Secrets, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  const hashes = codes.map((code) => hashCode(secrets, recoveryPurposeOf(userId), bareCode(code)));
  await sql`
    with gone as (delete from auth.recovery_code where user_id = ${userId})
    insert into auth.recovery_code (user_id, code_hash, secret_sign)
    select ${userId}::uuid, unnest(${hashes}::text[]), ${signsOf(secrets)[0]}`.execute(db);
  return codes;
}

async function acceptRecoveryCode(
  app: App,
  db: Db,
  person: MailReader,
  code: string,
  tries: string,
): Promise<AcceptedCode> {
  const used = await sql<{ left: number }>`
    with used as (
      update auth.recovery_code set used_at = now()
      where user_id = ${person.id} and used_at is null
        and code_hash = any(${acceptedHashes(app.secrets, recoveryPurposeOf(person.id), bareCode(code))}::text[])
      returning user_id
    ), forgiven as (delete from auth.rate_limit where key = ${tries} and exists (select from used))
    select count(*)::int - 1 as left from auth.recovery_code join used using (user_id) where used_at is null
    having count(*) > 0`.execute(db);
  const [row] = used.rows;
  if (!row) throw wrongCode('This recovery code is not right, or was used before.');
  const left = { left: row.left };
  const entry: AuditEntry = { action: 'recovery_code.use', subjectType: 'user', subjectId: person.id, after: left };
  return { entries: [entry], mails: [recoveryCodeUsedMail(person, row.left, app.config.publicUrl)] };
}

function generatorOf(secret: Secret, email: string): TOTP {
  return new TOTP({ issuer, label: email, secret, algorithm: 'SHA1', digits: 6, period: periodSeconds });
}

function newRecoveryCode(): string {
  const letters: string[] = [];
  while (letters.length < recoveryCodeLength) {
    // Bytes beyond a whole multiple of the alphabet would make its first letters more likely.
    for (const byte of randomBytes(recoveryCodeLength)) {
      const letter = byte < 248 ? recoveryAlphabet[byte % recoveryAlphabet.length] : undefined;
      if (letter !== undefined && letters.length < recoveryCodeLength) letters.push(letter);
    }
  }
  return letters.join('').replace(/(.{4})(?=.)/g, '$1-');
}

function recoveryPurposeOf(userId: string): string {
  return `recovery-code:${userId}`;
}

function bareCode(code: string): string {
  return code.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function wrongCode(message: string): AppError {
  return new AppError('invalid_input', message, { errors: [{ path: 'code', message }] });
}
