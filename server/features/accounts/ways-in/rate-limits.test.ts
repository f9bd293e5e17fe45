import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { requestPasswordReset, signIn } from '#contract/accounts.ts';
import { register, resendConfirmation } from '#contract/registration.ts';
import { requestMailSignIn, signInByMailCode } from '#contract/sign-in-ways.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { createPerson } from '#test/support/second-factor.ts';

let server: TestApp;
let processes: TestApp[];
let count = 0;

beforeAll(async () => {
  server = await startTestApp();
  const open = () => openTestApp(server.connectionString, { SIGN_IN_BY_MAIL: '1', RATE_LIMIT_FACTOR: '0.1' });
  processes = [await open(), await open()];
});
afterAll(async () => {
  for (const one of processes) await one.close();
  await server.close();
});
beforeEach(() => server.db.deleteFrom('auth.rateLimit').execute());

const tries = {
  'sign-in': (email: string) => [signIn.path, { email, password: 'not-it' }],
  reset: (email: string) => [requestPasswordReset.path, { email }],
  resend: (email: string) => [resendConfirmation.path, { email }],
  'sign-in by mail': (email: string) => [requestMailSignIn.path, { email }],
  'code of a mail': (email: string) => [signInByMailCode.path, { email, code: '000000' }],
  registration: (email: string) => [
    register.path,
    {
      firstName: 'Robin',
      lastName: 'Reyes',
      email,
      password: 'turbine-hall',
      requestedRole: 'participant',
      trackType: 'fellowship',
    },
  ],
} satisfies Record<string, (email: string) => [string, object]>;
type Kind = keyof typeof tries;
const kinds = Object.keys(tries) as Kind[];

/** These are a tenth of what the product allows. One address has a single try for an account. Waits are in seconds. */
const mails = { fromOneAddress: 6, forOneAccount: 2, longestWait: 600 };
const limits: Record<Kind, typeof mails> = {
  'sign-in': { fromOneAddress: 6, forOneAccount: 10, longestWait: 600 },
  reset: mails,
  resend: mails,
  'sign-in by mail': mails,
  'code of a mail': { fromOneAddress: 12, forOneAccount: 3, longestWait: 3600 },
  registration: mails,
};
/** A try that is not refused for its number gets one of these. */
const allowed = [200, 401, 404];

function newAddress(): string {
  count += 1;
  return `limited-${count}@people.example`;
}

/** Sends the tries to the processes in turn. */
async function send(kind: Kind, emails: string[], from?: string): Promise<Response[]> {
  const answers = [];
  for (const [index, email] of emails.entries()) {
    const [path, body] = tries[kind](email);
    const { url } = processes[index % processes.length] as TestApp;
    const headers = { 'content-type': 'application/json', ...(from ? { 'x-forwarded-for': from } : {}) };
    answers.push(await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
  }
  return answers;
}

async function expectRefusal(answer: Response | undefined, windowSeconds: number): Promise<void> {
  if (!answer) throw new Error('There is no such answer.');
  expect(answer.status).toBe(429);
  const seconds = Number(answer.headers.get('retry-after'));
  expect(Number.isInteger(seconds)).toBe(true);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(windowSeconds);
  const problem = await problemOf(answer);
  expect(problem.code).toBe('too_many_requests');
  expect(problem.detail).toMatch(/^Too many tries\. Please wait \d+ (seconds|minutes) and try again\.$/);
}

test.each(kinds)('two processes share the limit of an account at one address: %s', async (kind) => {
  const email = newAddress();
  const [first, second] = await send(kind, [email, email.toUpperCase()]);
  expect(allowed).toContain(first?.status);
  await expectRefusal(second, limits[kind].longestWait);
  expect((await send(kind, [newAddress()]))[0]?.status, 'another account goes on').toBe(first?.status);

  await sql`update auth.rate_limit set window_ends_at = now()`.execute(server.db);
  expect((await send(kind, [email]))[0]?.status, 'after the time to wait').toBe(first?.status);
});

test.each(kinds)(
  'a person who uses up the tries for an account at one address leaves it to others: %s',
  async (kind) => {
    const email = newAddress();
    const attempts = await send(kind, Array(20).fill(email), '203.0.113.50');
    await expectRefusal(attempts.at(-1), limits[kind].longestWait);
    const [owner] = await send(kind, [email], '198.51.100.4');
    expect(allowed).toContain(owner?.status);
  },
);

test.each(kinds)('tries for an account from ever other addresses have an end: %s', async (kind) => {
  const email = newAddress();
  const max = limits[kind].forOneAccount;
  for (let host = 1; host <= max; host += 1) {
    const [answer] = await send(kind, [email], `198.51.100.${host}`);
    expect(allowed).toContain(answer?.status);
  }
  const [refused] = await send(kind, [email], '198.51.100.200');
  await expectRefusal(refused, limits[kind].longestWait);
});

test.each(kinds)('two processes share the limit of an address, whatever the account: %s', async (kind) => {
  const max = limits[kind].fromOneAddress;
  const answers = await send(kind, Array.from({ length: max + 1 }, newAddress));
  const [first] = answers;
  expect(allowed).toContain(first?.status);
  expect(answers.slice(0, max).map(({ status }) => status)).toEqual(Array(max).fill(first?.status));
  await expectRefusal(answers[max], 600);
});

test('addresses of one IPv6 network are one, those of the next are not', async () => {
  const email = newAddress();
  const statusFrom = async (address: string) => (await send('reset', [email], address))[0]?.status;
  expect(await statusFrom('2001:db8:7:1::1')).toBe(200);
  expect(await statusFrom('2001:db8:7:1:ffff:ffff:ffff:ffff')).toBe(429);
  expect(await statusFrom('2001:0db8:0007:0001:aa::2')).toBe(429);
  expect(await statusFrom('2001:db8:7:2::1')).toBe(200);
});

test('one site does not try on and on from ever other networks of its own', async () => {
  const email = newAddress();
  const statusFrom = async (address: string) => (await send('sign-in', [email], address))[0]?.status;
  const statuses = [];
  for (let network = 1; network <= 6; network += 1) statuses.push(await statusFrom(`2001:db8:8:${network}::1`));
  expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
  expect(await statusFrom('2001:db8:9:1::1')).toBe(401);
});

test('strangers who use the tries for an account up do not keep a device out that its owner signed in on', async () => {
  const person = await createPerson(server, 'coach');
  const signInFrom = (address: string, password: string, cookie = '') =>
    fetch(`${processes[0]?.url}${signIn.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address, cookie },
      body: JSON.stringify({ email: person.email, password }),
    });
  const known = (await signInFrom('198.51.100.4', person.password)).headers.getSetCookie()[1]?.split(';')[0] ?? '';
  expect(known).toContain('device');
  for (let host = 1; host <= limits['sign-in'].forOneAccount + 1; host += 1) {
    await signInFrom(`203.0.113.${host}`, 'not-it');
  }
  // The same holds for the address of such a stranger.
  expect((await signInFrom('203.0.113.1', person.password)).status).toBe(429);
  expect((await signInFrom('198.51.100.99', person.password)).status).toBe(429);
  expect((await signInFrom('203.0.113.1', person.password, known)).status).toBe(200);
  expect((await signInFrom('198.51.100.99', person.password, known)).status).toBe(200);
  const made = known.replace(/=.*/, `=${'a'.repeat(43)}`);
  expect((await signInFrom('198.51.100.98', person.password, made)).status).toBe(429);
  // The device has a limit of its own.
  expect((await signInFrom('198.51.100.97', 'not-it', known)).status).toBe(401);
  expect((await signInFrom('198.51.100.96', 'not-it', known)).status).toBe(429);
});

test('tries sent at once to both processes are all counted', async () => {
  const email = newAddress();
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => {
      const { url } = processes[index % 2] as TestApp;
      const headers = { 'content-type': 'application/json' };
      return fetch(`${url}${requestPasswordReset.path}`, { method: 'POST', headers, body: JSON.stringify({ email }) });
    }),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a person who guesses a password from elsewhere does not keep its owner out', async () => {
  const person = await createPerson(server, 'coach');
  const signInFrom = (address: string, password: string) =>
    fetch(`${processes[0]?.url}${signIn.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ email: person.email, password }),
    });
  expect((await signInFrom('203.0.113.7', 'not-it')).status).toBe(401);
  expect((await signInFrom('203.0.113.7', 'not-it')).status).toBe(429);
  expect((await signInFrom('198.51.100.4', person.password)).status).toBe(200);
});

test('an address that looks like the counter of somebody else does not count for them', async () => {
  const person = await createPerson(server, 'coach');
  const crafted = [`${person.email}:127.0.0.1`, `127.0.0.1 ${person.email}`];
  for (const email of [...crafted, ...crafted]) await send('sign-in', [email, email]);
  await sql`delete from auth.rate_limit where key like 'sign-in-from:%'`.execute(server.db);
  const answer = await fetch(`${processes[0]?.url}${signIn.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: person.email, password: person.password }),
  });
  expect(answer.status).toBe(200);
});
