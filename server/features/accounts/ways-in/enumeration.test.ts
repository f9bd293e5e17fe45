import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestPasswordReset, signIn } from '#contract/accounts.ts';
import { requestEmailChange } from '#contract/own-details.ts';
import { register, resendConfirmation } from '#contract/registration.ts';
import { requestMailSignIn, signInByMailCode } from '#contract/sign-in-ways.ts';
import { newId } from '#server/platform/ids.ts';
import { hashPassword, passesOfHashes } from '#server/sign-in/password-hash.ts';
import { createSignIns } from '#server/sign-in/sign-ins.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { countStatements } from '#test/support/statements.ts';

const triesEach = 4;

let server: TestApp;
/** The session of a person who wants to know who else has an account. Only the change of address needs one. */
let cookie: string;

beforeAll(async () => {
  server = await startTestApp({ SIGN_IN_BY_MAIL: '1' });
  cookie = (await server.as(await buildParticipant(server.db))).cookie;
});
afterAll(() => server.close());

const tries = {
  'sign-in': (email: string) => [signIn.path, { email, password: 'not-the-password' }],
  'sign-in after registering the address': (email: string) => [signIn.path, { email, password: 'not-the-password' }],
  reset: (email: string) => [requestPasswordReset.path, { email }],
  'code of a mail': (email: string) => [signInByMailCode.path, { email, code: '000000' }],
  'sign-in by mail': (email: string) => [requestMailSignIn.path, { email }],
  resend: (email: string) => [resendConfirmation.path, { email }],
  registration: (email: string) => [register.path, registrationOf(email, 'participant')],
  'registration with a role': (email: string) => [register.path, registrationOf(email, 'coach')],
  'change of address': (email: string) => [requestEmailChange.path, { email }],
} satisfies Record<string, (email: string) => [string, object]>;
type Kind = keyof typeof tries;

function registrationOf(email: string, requestedRole: 'participant' | 'coach') {
  const trackType = requestedRole === 'participant' ? 'fellowship' : null;
  return { firstName: 'Robin', lastName: 'Reyes', email, password: 'turbine-hall', requestedRole, trackType };
}

async function buildAccounts(
  count: number,
  isEmailConfirmed: boolean,
  passwordHash = hashPassword('The-Password-1'),
): Promise<string[]> {
  const kept = await passwordHash;
  const people = Array.from({ length: count }, () => {
    const id = newId();
    const facts = { firstName: 'Sam', lastName: 'Sol', role: 'participant' as const, trackType: null };
    return { ...facts, id, email: `known-${id}@people.example`, passwordHash: kept, isEmailConfirmed };
  });
  await createSignIns(server.db, people);
  return people.map(({ email }) => email);
}

function buildKnown(kind: Kind, count: number): Promise<string[]> {
  // Only people who still need the confirmation ask for it.
  if (kind === 'resend') return buildAccounts(count, false);
  return buildAccounts(count, true);
}

/**
 * Returns addresses that had no account. A registration may just have made one, which the person who registered does
 * not learn.
 */
async function buildUnknown(kind: Kind, count: number): Promise<string[]> {
  if (kind === 'sign-in after registering the address')
    return buildAccounts(count, false, hashPassword('not-the-password'));
  return Array.from({ length: count }, () => `other-${newId()}@people.example`);
}

/** Makes one request and tells what the server did for it: the passes of all hashes, and the number of statements. */
async function attempt(kind: Kind, email: string) {
  const [path, body] = tries[kind](email);
  const passes: unknown[] = [];
  const note = (made: unknown) => void passes.push(made);
  let seen = '';
  passesOfHashes.subscribe(note);
  const statements = await countStatements(server.app.pool, async () => {
    const answer = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(kind === 'change of address' ? { cookie } : {}) },
      body: JSON.stringify(body),
    });
    const headers = [...answer.headers.keys()].toSorted();
    seen = JSON.stringify({ status: answer.status, headers, body: withoutIds(await answer.text(), email) });
  });
  passesOfHashes.unsubscribe(note);
  return { seen, passes: passes.reduce<number>((sum, made) => sum + Number(made), 0), statements };
}

/** Takes out what differs between any two answers: ids and the address itself. */
function withoutIds(text: string, email: string): string {
  return text.replaceAll(email, 'address').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id');
}

/** Leaves out the first one, because it looks up job queues, which a process does once. */
async function attemptEach(kind: Kind, [first = '', ...others]: string[]) {
  await attempt(kind, first);
  const tried = [];
  for (const email of others) tried.push(await attempt(kind, email));
  return tried;
}

const withPassword = (Object.keys(tries) as Kind[]).filter((kind) => /^(sign-in(?! by)|registration)/.test(kind));

test.each(Object.keys(tries) as Kind[])(
  'AUTH-21 neither words nor status nor timing tell whether an address has an account: %s',
  async (kind) => {
    const known = await attemptEach(kind, await buildKnown(kind, triesEach));
    const unknown = await attemptEach(kind, await buildUnknown(kind, triesEach));
    expect(new Set([...known, ...unknown].map(({ seen }) => seen)).size).toBe(1);
    // The time of an answer is the time of its hashes and statements. Comparing those works on any machine.
    const passes = new Set([...known, ...unknown].map((tried) => tried.passes));
    expect([...passes]).toEqual([withPassword.includes(kind) ? 3 : 0]);
    // A hash takes as long as dozens of statements, so a few more beside it tell nothing.
    const apart = known.map((tried, index) => Math.abs(tried.statements - (unknown[index]?.statements ?? 0)));
    expect(Math.max(...apart)).toBeLessThanOrEqual(withPassword.includes(kind) ? 3 : 0);
  },
);

test('a sign-in tells neither that an account is unconfirmed, nor that it has no password, nor that it is gone', async () => {
  const [confirmed = '', removed = ''] = await buildAccounts(2, true);
  const [unconfirmed = ''] = await buildAccounts(1, false);
  const invited = await buildParticipant(server.db);
  await server.db.deleteFrom('auth.user').where('email', '=', removed).execute();
  const seen = new Set<string>();
  for (const email of [confirmed, unconfirmed, invited.email, removed, 'nobody@people.example']) {
    seen.add((await attempt('sign-in', email)).seen);
  }
  expect([...seen]).toHaveLength(1);
  expect(seen.values().next().value).toContain('Invalid email or password.');
});
