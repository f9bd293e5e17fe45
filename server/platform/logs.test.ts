import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { changePassword, requestPasswordReset, setPassword } from '#contract/accounts.ts';
import { processBulkInvitations } from '#contract/documented-functions.ts';
import { changeOwnNames } from '#contract/own-details.ts';
import { confirmRegistration } from '#contract/registration.ts';
import { requestMailSignIn, signInByMailCode, signInByMailLink } from '#contract/sign-in-ways.ts';
import { buildCohort, buildCourse } from '#test/factories/cohorts.ts';
import { bulkRecordFor } from '#test/factories/imports.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { buildRegistration } from '#test/factories/registrations.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { startMailServer, type TestMailServer } from '#test/support/mail-server.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { signInWith } from '#test/support/sign-in.ts';
import { post } from '#test/support/sign-in-ways.ts';

const patience = { interval: 50 };
const written: string[] = [];
/** No log line may hold these. The test adds everything that was typed, mailed and handed out. */
const secrets = new Set<string>();
const consoles = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) => vi.spyOn(console, name));

let mailServer: TestMailServer;
let server: TestApp;

beforeAll(async () => {
  mailServer = await startMailServer();
  server = await startTestApp(
    { LOG_LEVEL: 'trace', SMTP_URL: mailServer.url, SIGN_IN_BY_MAIL: '1' },
    { write: (line) => void written.push(line) },
  );
  await server.runJobs();
});
afterAll(async () => {
  await server.close();
  await mailServer.close();
  vi.restoreAllMocks();
});

function secret(...texts: string[]): string {
  for (const text of texts) secrets.add(text);
  return texts[0] ?? '';
}

function lines(): Record<string, unknown>[] {
  return written.map((line) => JSON.parse(line));
}

/** The text of the last mail with this subject for an address. SMTP must have given out `count` of them. */
async function mailTo(email: string, subject: string, count = 1): Promise<string> {
  const mails = () => mailServer.received.filter(({ to, mail }) => to.includes(email) && mail.subject === subject);
  await vi.waitFor(() => expect(mails()).toHaveLength(count), patience);
  return mails().at(-1)?.mail.text ?? '';
}

function tokenIn(mail: string): string {
  const hash = new URLSearchParams(/https?:\/\/[^\s#]+#(\S+)/.exec(mail)?.[1]);
  return secret(hash.get('token') ?? hash.get('access_token') ?? 'no token');
}

/** Registers, confirms, mistypes the password, resets it, signs in by mail, link and code, by password, and changes it. */
async function comeInByEveryDoor(): Promise<string> {
  const person = await buildRegistration(server, { firstName: 'Philippa', lastName: 'Quistrebert' });
  const [wrong, reset, changed] = ['Mistyped-Secret-1', 'Reset-Secret-2', 'Changed-Secret-3'];
  secret(person.email, person.firstName, person.lastName, person.password, wrong, reset, changed);

  const token = tokenIn(await mailTo(person.email, 'Confirm your email address'));
  expect((await post(server, confirmRegistration, { token, password: person.password })).status).toBe(200);
  expect((await signInWith(server, person.email, wrong)).status).toBe(401);
  expect((await signInWith(server, secret('nobody-at-all@people.example'), wrong)).status).toBe(401);
  expect((await post(server, requestPasswordReset, { email: person.email })).status).toBe(200);
  const resetToken = tokenIn(await mailTo(person.email, 'Set a new password'));
  expect((await post(server, setPassword, { token: resetToken, newPassword: reset })).status).toBe(200);

  expect((await post(server, requestMailSignIn, { email: person.email })).status).toBe(200);
  const byLink = await post(server, signInByMailLink, {
    token: tokenIn(await mailTo(person.email, 'Sign in to Switchyard')),
  });
  expect([byLink.status, byLink.cookie]).toEqual([200, expect.stringMatching(/=./)]);
  expect((await post(server, requestMailSignIn, { email: person.email })).status).toBe(200);
  const code = /\b\d{6}\b/.exec(await mailTo(person.email, 'Sign in to Switchyard', 2))?.[0] ?? 'no code';
  const byCode = await post(server, signInByMailCode, { email: person.email, code });
  expect([byCode.status, byCode.cookie]).toEqual([200, expect.stringMatching(/=./)]);
  secret(byLink.cookie.split('=')[1] ?? '', byCode.cookie.split('=')[1] ?? '');

  const { cookie, bearer } = await signInWith(server, person.email, reset);
  secret(cookie.split('=')[1] ?? '', bearer ?? '');
  const body = { currentPassword: reset, newPassword: changed };
  expect((await post(server, changePassword, body, { cookie })).status).toBe(200);
  return (await signInWith(server, person.email, changed)).cookie;
}

test('mails that went through SMTP let a person in; every line of the log is JSON, names its request, and tells nobody’s address, name, password or token', async () => {
  const cookie = await comeInByEveryDoor();

  await buildCourse(server.db);
  const cohort = await buildCohort(server.db);
  const admin = await server.as(await buildAdmin(server.db));
  const row = bulkRecordFor(cohort, { first_name: 'Wilhelmina', last_name: 'Oyelaran', phone: '+12125550147' });
  mailServer.fault = 'refuses';
  await admin.call(processBulkInvitations, { body: { records: [row], filename: 'oyelaran-family.csv' } });
  secret(row.email ?? '', 'Wilhelmina', 'Oyelaran', '2125550147', 'oyelaran-family');
  await vi.waitFor(() => expect(lines()).toContainEqual(expect.objectContaining({ msg: 'a job failed' })), patience);

  const [unsent] = lines().filter(({ msg }) => msg === 'a job failed');
  expect(JSON.stringify(unsent)).toContain('<[address]>: The mailbox is busy');

  const malformed = await fetch(`${server.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret('bearer-of-somebody')}` },
    body: `{"email": "${secret('half-typed@people.example')}", "password": "${secret('Half-Typed-Secret-4')}`,
  });
  expect(malformed.status).toBe(400);
  await fetch(
    `${server.url}/nothing/${secret('in-the-address@people.example')}?token=${secret('token-in-an-address')}`,
  );

  await sql`
    create function refuse_names() returns trigger language plpgsql as
      $$ begin raise exception 'no such names for % (%)', new.email, '+1 (212) 555-0147'; end $$`.execute(server.db);
  await sql`create trigger refuse_names before update on profiles for each row execute function refuse_names()`.execute(
    server.db,
  );
  const failed = await fetch(`${server.url}${changeOwnNames.path}`, {
    method: changeOwnNames.method,
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ firstName: secret('Hildegarde') }),
  });
  expect(failed.status).toBe(500);
  const problem = await problemOf(failed);
  secret('555-0147');

  expect(lines()).toContainEqual(
    expect.objectContaining({
      msg: 'failed',
      level: 50,
      reqId: problem.instance,
      req: expect.objectContaining({ method: 'PATCH', route: changeOwnNames.path }),
      err: expect.objectContaining({ message: 'no such names for [address] ([number])' }),
    }),
  );

  await sql`
    insert into auth.rate_limit (key, count, window_started_at, window_ends_at)
    values ('reset-from:127.0.0.1', 1000000, now(), now() + interval '5 minutes')
    on conflict (key) do update set count = excluded.count, window_ends_at = excluded.window_ends_at`.execute(
    server.db,
  );
  const email = secret('asked-too-often@people.example');
  expect((await post(server, requestPasswordReset, { email })).status).toBe(429);
  const refused = lines().filter(({ msg }) => msg === 'too many tries');
  expect(refused).toMatchObject([{ level: 40, req: { method: 'POST', route: requestPasswordReset.path } }]);
  expect(JSON.stringify(refused)).not.toContain('127.0.0.1');

  const answered = lines().filter(({ msg }) => msg === 'answered');
  expect(answered.length).toBeGreaterThan(8);
  for (const line of answered) {
    expect(line).toMatchObject({ reqId: expect.stringMatching(/^[0-9a-f-]{36}$/), ms: expect.any(Number) });
  }

  const everything = written.join('');
  expect([...secrets].filter((text) => text === '' || everything.includes(text))).toEqual([]);
  expect(everything).not.toMatch(/@people\.example|set-cookie|authorization/i);
  for (const spy of consoles) expect(spy).not.toHaveBeenCalled();
});
