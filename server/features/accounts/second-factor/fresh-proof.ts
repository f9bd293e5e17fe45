import { randomInt, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { type giveProof, mailedCodeMinutes, mailedCodeTries } from '#contract/second-factor.ts';
import type { Db } from '#server/db/database.ts';
import { readPasswordHash } from '#server/features/accounts/passwords/passwords.ts';
import { acceptCode, limitCodeTries } from '#server/features/accounts/second-factor/second-factor-codes.ts';
import { proofCodeMail } from '#server/features/accounts/second-factor/second-factor-mails.ts';
import type { Actor } from '#server/platform/actor.ts';
import type { App } from '#server/platform/app-parts.ts';
import { AppError } from '#server/platform/errors.ts';
import { queueMail, sealMail } from '#server/platform/mailer.ts';
import { forgetTries, limitTries } from '#server/platform/rate-limit.ts';
import { acceptedHashes, hashCode } from '#server/platform/secret-box.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { isPasswordOf } from '#server/sign-in/password-hash.ts';
import { noteProof } from '#server/sign-in/session-assurance.ts';
import { judgeTry } from '#server/sign-in/tries.ts';

type Proof = ParsedInputOf<typeof giveProof>['body'];

const proofsByPerson = { max: 10, windowSeconds: 600 };
const mailsByPerson = { max: 5, windowSeconds: 600 };

/** Opens the acts that need a fresh proof. */
export async function proveAgain(app: App, actor: Actor, proof: Proof, request: FastifyRequest): Promise<void> {
  const tries = `proof:${actor.id}`;
  await limitTries(app.db, tries, proofsByPerson, app.config.rateLimitFactor);
  const way = proof.kind === 'code' ? 'second_factor' : proof.kind;
  await judgeTry(app, request, { of: 'proof', way }, async (tried) => {
    tried.isOf({ userId: actor.id });
    if (proof.kind === 'password') await requirePassword(app.db, actor, proof.password);
    else if (proof.kind === 'mailed_code') await acceptMailedCode(app, actor, proof.code);
    else await requireGeneratedCode(app, actor, proof.code, request);
    await noteProof(app.db, actor.sessionId, tried);
  });
  await forgetTries(app.db, tries);
}

/** AUTH-61. A new code replaces the last one. */
export async function mailCode(app: App, actor: Actor): Promise<void> {
  await limitTries(app.db, `proof-mail:${actor.id}`, mailsByPerson, app.config.rateLimitFactor);
  const code = randomInt(1_000_000).toString().padStart(6, '0');
  await inTransaction(app.db, async (db) => {
    await sql`
      insert into auth.mailed_code (user_id, code_hash, expires_at)
      values (${actor.id}, ${hashCode(app.secrets, purposeOf(actor), code)}, now() + make_interval(mins => ${mailedCodeMinutes}))
      on conflict (user_id) do update set
        code_hash = excluded.code_hash, expires_at = excluded.expires_at, tries = 0`.execute(db);
    await queueMail(db, sealMail(app.secrets, proofCodeMail(actor, code)));
  });
}

async function requirePassword(db: Db, actor: Actor, password: string): Promise<void> {
  const kept = await readPasswordHash(db, actor.id);
  if (!kept) throw new AppError('conflict', 'Your account has no password. Use a code instead.');
  if (!(await isPasswordOf(kept, password))) throw refused('password', 'The password is not correct.');
}

async function requireGeneratedCode(app: App, actor: Actor, code: string, request: FastifyRequest): Promise<void> {
  const tries = await limitCodeTries(app, request, actor.id);
  await acceptCode(app, app.db, actor, { kind: 'code', code }, tries);
}

/** The try counts first, so that guesses sent at the same moment count one by one. */
async function acceptMailedCode(app: App, actor: Actor, code: string): Promise<void> {
  const tried = await sql<{ codeHash: string }>`
    update auth.mailed_code set tries = tries + 1
    where user_id = ${actor.id} and expires_at > now() and tries < ${mailedCodeTries}
    returning code_hash`.execute(app.db);
  const kept = tried.rows[0]?.codeHash;
  if (kept === undefined) throw refused('code', 'This code no longer works. Ask for a new one.');
  const isRight = acceptedHashes(app.secrets, purposeOf(actor), code).some((given) =>
    timingSafeEqual(Buffer.from(given), Buffer.from(kept)),
  );
  if (!isRight) throw refused('code', 'This code is not right.');
  const used = await sql`
    delete from auth.mailed_code where user_id = ${actor.id} and code_hash = ${kept} returning user_id`.execute(app.db);
  if (used.rows.length === 0) throw refused('code', 'This code was used before. Ask for a new one.');
}

function purposeOf({ id }: Actor): string {
  return `mailed-code:${id}`;
}

function refused(path: string, message: string): AppError {
  return new AppError('invalid_input', message, { errors: [{ path, message }] });
}
