import { globSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signOut } from '#contract/accounts.ts';
import { verifySecondFactor } from '#contract/second-factor.ts';
import { accountJobs } from '#server/features/accounts/account-jobs.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { codeFor, createProtected, openBrowser, signInAs } from '#test/support/second-factor.ts';
import { mailsTo, signInWith } from '#test/support/sign-in.ts';

const chrome =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0';
const inBrowser = (userAgent: string, cookie?: string) => ({
  'sec-fetch-site': 'same-origin',
  'user-agent': userAgent,
  ...(cookie ? { cookie } : {}),
});

let server: TestApp;
let count = 0;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

async function createPerson() {
  count += 1;
  const person = { email: `person-${count}@people.example`, password: 'Power-Up-1' };
  const names = { firstName: 'Sam', lastName: 'Sol', role: 'participant', trackType: null } as const;
  return { ...person, id: await createSignInWithPassword(server.db, { ...person, ...names }) };
}

function devicesOf(userId: string) {
  return server.db.selectFrom('auth.device').selectAll().where('userId', '=', userId).execute();
}

test('the first sign-in of all is no news; a second device is told by mail, once, in words and with what to do', async () => {
  const { email, password, id } = await createPerson();
  await signInWith(server, email, password, inBrowser(chrome));
  expect(await mailsTo(server.db, email)).toEqual([]);

  const { deviceCookie } = await signInWith(server, email, password, inBrowser(firefox));
  const [mail, ...others] = await mailsTo(server.db, email);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ kind: 'new_device', recipientId: id, subject: 'New device signed in to your account' });
  expect(mail?.textBody).toContain('Device: Firefox on Linux computer. Place: This computer.');
  expect(mail?.textBody).toMatch(/Time: \w{3} \d{1,2} \w{3}, \d{1,2}:\d{2} [AP]M ET\./);
  expect(mail?.textBody).toContain('/account/security');
  expect(mail?.textBody).toContain('change your password at once');

  expect(deviceCookie).toMatch(/^switchyard\.device=/);
  await signInWith(server, email, password, inBrowser(firefox, deviceCookie));
  expect(await mailsTo(server.db, email)).toHaveLength(1);
  expect(await devicesOf(id)).toHaveLength(2);
});

test('a person who has a second factor is told that a sign-in was begun, and only after the code that somebody signed in', async () => {
  const { person, secret } = await createProtected(server);
  const mails = async () => (await mailsTo(server.db, person.email)).filter(({ kind }) => kind === 'new_device');
  const browser = await signInAs(server, person, openBrowser(server, inBrowser(firefox)));
  const [begun, ...others] = await mails();
  expect(others).toEqual([]);
  expect(begun?.subject).toBe('Sign-in started on a new device');
  expect(begun?.textBody).toContain('They have not entered the second factor, so they are not signed in.');
  expect(begun?.textBody).not.toContain('Somebody signed in');

  const given = { kind: 'code' as const, code: codeFor(secret) };
  await browser.call(verifySecondFactor, { body: { given, isDeviceRemembered: false } });
  const told = await mails();
  expect(told).toHaveLength(2);
  expect(told.find(({ subject }) => subject === 'New device signed in to your account')?.textBody).toContain(
    'Somebody signed in to your Switchyard account',
  );
  await browser.call(signOut, {});
  await signInAs(server, person, browser);
  expect(await mails()).toHaveLength(2);
});

test('the cookie of a device says nothing for somebody else who signs in there: they are told', async () => {
  const [robin, sam] = [await createPerson(), await createPerson()];
  const { deviceCookie } = await signInWith(server, robin.email, robin.password, inBrowser(chrome));
  await signInWith(server, sam.email, sam.password, inBrowser(firefox));
  await signInWith(server, sam.email, sam.password, inBrowser(chrome, deviceCookie));
  expect(await mailsTo(server.db, sam.email)).toMatchObject([{ kind: 'new_device' }]);
  expect(await mailsTo(server.db, robin.email)).toEqual([]);
});

test('a program that keeps no cookies is told of once for each place; a browser that forgot its cookie again', async () => {
  const { email, password } = await createPerson();
  await signInWith(server, email, password, inBrowser(chrome));
  const asProgram = (name: string) => signInWith(server, email, password, { 'user-agent': name });
  await asProgram('payroll-sync/2.1');
  await asProgram('payroll-sync/2.1');
  expect(await mailsTo(server.db, email)).toHaveLength(1);
  await asProgram('something-else/1.0');
  expect(await mailsTo(server.db, email)).toHaveLength(2);
  await signInWith(server, email, password, inBrowser(chrome));
  expect(await mailsTo(server.db, email)).toHaveLength(3);
});

test('a refused sign-in notes no device', async () => {
  const { email, id } = await createPerson();
  expect((await signInWith(server, email, 'not-it', inBrowser(chrome))).status).toBe(401);
  expect(await devicesOf(id)).toEqual([]);
});

test('a device is forgotten 400 days after its last use, unless somebody is still signed in there', async () => {
  const { email, password, id } = await createPerson();
  const { cookie } = await signInWith(server, email, password, inBrowser(chrome));
  const age = (days: number) =>
    sql`update auth.device set last_used_at = now() - make_interval(days => ${days}) where user_id = ${id}`.execute(
      server.db,
    );
  const clear = () =>
    accountJobs.find(({ name }) => name === 'clear-sign-in-remains')?.run(server.app, {}, { number: 1, isLast: true });
  await age(401);
  await clear();
  expect(await devicesOf(id)).toHaveLength(1);
  await fetch(`${server.url}${signOut.path}`, { method: 'POST', headers: { cookie } });
  await age(399);
  await clear();
  expect(await devicesOf(id)).toHaveLength(1);
  await age(401);
  await clear();
  expect(await devicesOf(id)).toEqual([]);
});

test('device, session and notice are written together or not at all', async () => {
  const { email, password, id } = await createPerson();
  await signInWith(server, email, password, inBrowser(chrome));
  await sql`alter table deliveries add constraint no_mail check (kind <> 'new_device') not valid`.execute(server.db);
  const failed = await signInWith(server, email, password, inBrowser(firefox));
  await sql`alter table deliveries drop constraint no_mail`.execute(server.db);
  expect(failed).toMatchObject({ status: 500, cookie: '' });
  expect(await devicesOf(id)).toHaveLength(1);
  const sessions = await server.db.selectFrom('auth.session').select('id').where('userId', '=', id).execute();
  expect(sessions).toHaveLength(1);
});

test('no way of signing in begins a session past the place that notes the device', () => {
  const files = globSync('server/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(100);
  const beginning = files.filter((file) =>
    /insert into auth\.session|insertInto\('auth\.session'\)/.test(readFileSync(file, 'utf8')),
  );
  expect(beginning).toEqual(['server/sign-in/session-start.ts']);
});
