import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { requestPasswordReset, signIn } from '#contract/accounts.ts';
import { register, resendConfirmation } from '#contract/registration.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { createPerson } from '#test/support/second-factor.ts';

let server: TestApp;
let processes: TestApp[];
let count = 0;

beforeAll(async () => {
  server = await startTestApp();
  const open = () => openTestApp(server.connectionString, { RATE_LIMIT_FACTOR: '0.1' });
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

function newAddress(): string {
  count += 1;
  return `limited-${count}@people.example`;
}

/** Sends the tries to one process after the other. */
async function send(kind: Kind, emails: string[]): Promise<Response[]> {
  const answers = [];
  for (const [index, email] of emails.entries()) {
    const [path, body] = tries[kind](email);
    const { url } = processes[index % processes.length] as TestApp;
    const headers = { 'content-type': 'application/json' };
    answers.push(await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
  }
  return answers;
}

async function expectRefusal(answer: Response | undefined, windowSeconds: number): Promise<void> {
  expect(answer?.status).toBe(429);
  const seconds = Number(answer?.headers.get('retry-after'));
  expect(Number.isInteger(seconds)).toBe(true);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(windowSeconds);
  const problem = await answer?.json();
  expect(problem.code).toBe('too_many_requests');
  expect(problem.detail).toMatch(/^Too many tries\. Please wait \d+ (seconds|minutes) and try again\.$/);
}

test.each(kinds)('two processes share the limit of an account: %s', async (kind) => {
  const email = newAddress();
  const [first, second] = await send(kind, [email, email.toUpperCase()]);
  expect([200, 401]).toContain(first?.status);
  await expectRefusal(second, 600);
  expect((await send(kind, [newAddress()]))[0]?.status, 'another account goes on').toBe(first?.status);

  await sql`update auth.rate_limit set window_ends_at = now()`.execute(server.db);
  expect((await send(kind, [email]))[0]?.status, 'after the time to wait').toBe(first?.status);
});

test.each(kinds)('two processes share the limit of an address, whatever the account: %s', async (kind) => {
  const answers = await send(kind, Array.from({ length: 7 }, newAddress));
  const [first] = answers;
  expect([200, 401]).toContain(first?.status);
  expect(answers.slice(0, 6).map(({ status }) => status)).toEqual(Array(6).fill(first?.status));
  await expectRefusal(answers[6], 600);
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

test('who guesses a password from elsewhere does not keep its owner out', async () => {
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

test('guesses from many addresses are limited for the account; what one address tries beyond its own limit is none', async () => {
  const person = await createPerson(server, 'coach');
  const guessFrom = async (address: string) => {
    const answer = await fetch(`${processes[0]?.url}${signIn.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify({ email: person.email, password: 'not-it' }),
    });
    return answer.status;
  };
  for (let tries = 0; tries < 20; tries += 1) await guessFrom('203.0.113.50');
  for (let host = 1; host < 10; host += 1) expect(await guessFrom(`198.51.100.${host}`)).toBe(401);
  expect(await guessFrom('198.51.100.10')).toBe(429);
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
