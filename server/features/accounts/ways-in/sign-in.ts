import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import type { signIn } from '#contract/accounts.ts';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import type { App } from '#server/platform/app-parts.ts';
import { machineTime } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { limitAllTriesBeside } from '#server/platform/rate-limit.ts';
import { type AccountLimits, accountCounters } from '#server/sign-in/account-limits.ts';
import { readDeviceToken, sessionSeconds } from '#server/sign-in/auth-cookie.ts';
import { hashPassword, isPasswordOf } from '#server/sign-in/password-hash.ts';
import { hashToken } from '#server/sign-in/password-links.ts';
import { startSession } from '#server/sign-in/session-start.ts';
import { normalEmail } from '#server/sign-in/sign-ins.ts';
import { judgeTry, type Try } from '#server/sign-in/tries.ts';

const limits: AccountLimits = {
  byAddress: { max: 60, windowSeconds: 60 },
  /** Only failed tries in a row count. */
  byAccountAndAddress: { max: 10, windowSeconds: 600 },
  byAccount: { max: 100, windowSeconds: 600 },
};

/** Stands in for a missing password hash, so that an unknown address takes as long as a known one. */
const nobodysHash = hashPassword(randomUUID());

interface SignInContext {
  app: App;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * AUTH-50. Throws 'not_authenticated' and 'too_many_requests'. An account that waits for its confirmation is refused
 * like a wrong password (AUTH-07). Otherwise a person who registers an address could see whether it had an account.
 */
export async function signInByPassword(
  context: SignInContext,
  given: ParsedInputOf<typeof signIn>['body'],
): Promise<ReplyOf<typeof signIn>> {
  return judgeTry(context.app, context.request, { of: 'sign_in', way: 'password' }, async (tried) => {
    const { person, isRight, tries } = await checkPassword(context, given, tried);
    if (person?.passwordHash && isRight && person.isConfirmed) {
      const { id, email, passwordHash } = person;
      return beginSession(context, { id, email, checkedHash: passwordHash }, { tried, tries });
    }
    if (person && isRight) tried.isOf({ unconfirmedEmail: person.email });
    throw new AppError('not_authenticated', 'Invalid email or password.');
  });
}

/** Counts the try. An unknown address takes as long as a known one. */
export async function checkPassword(
  { app, request }: SignInContext,
  given: { email: string; password: string },
  tried: Try,
): Promise<CheckedPassword> {
  const email = normalEmail(given.email);
  const knownDevice = await findKnownDevice(app, request, email);
  const { tries, ...counters } = accountCounters(request, 'sign-in', email, limits, knownDevice);
  const factor = app.config.rateLimitFactor;
  const person = await limitAllTriesBeside(app.db, { ...counters, factor }, personOf(email));
  tried.isOf({ userId: person?.id ?? null });
  const isHashOf = await isPasswordOf(person?.passwordHash ?? (await nobodysHash), given.password);
  return { person, isRight: isHashOf && typeof person?.passwordHash === 'string', tries };
}

/**
 * Returns the device of the request if somebody signed in to this account on it before. Looks up only a cookie of ours.
 */
async function findKnownDevice({ db, config }: App, request: FastifyRequest, email: string): Promise<string | null> {
  const token = readDeviceToken(request, config.publicUrl);
  if (token === null) return null;
  const found = await sql<{ id: string }>`
    select device.id from auth.device join auth."user" sign_in on sign_in.id = device.user_id
    where device.token_hash = ${hashToken(token)} and sign_in.email = ${email}`.execute(db);
  return found.rows[0]?.id ?? null;
}

export async function beginSession(
  { app, request, reply }: SignInContext,
  { id, email, checkedHash }: Pick<Person, 'id' | 'email'> & { checkedHash: string },
  { tried, tries }: { tried: Try; tries: string },
): Promise<ReplyOf<typeof signIn>> {
  const token = await startSession(app, request, reply, id, tried, { countedAs: tries, checkedHash });
  const expiresAt = new Date(machineTime().getTime() + sessionSeconds * 1000).toISOString();
  return { user: { id, email }, token, expiresAt };
}

interface CheckedPassword {
  person: Person | undefined;
  isRight: boolean;
  /** A success ends this counter of tries. */
  tries: string;
}

interface Person {
  id: string;
  email: string;
  isConfirmed: boolean;
  passwordHash: string | null;
}

function personOf(email: string): RawBuilder<Person> {
  return sql<Person>`
    select sign_in.id, sign_in.email, sign_in.email_verified as "isConfirmed", account.password as "passwordHash"
    from auth."user" sign_in
    left join auth.account on account.user_id = sign_in.id and account.provider_id = 'credential'
    where sign_in.email = ${email}`;
}
