import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { changePassword, readSession, setPassword, signOut } from '#contract/accounts.ts';
import { createAdminUser } from '#contract/documented-functions.ts';
import { listSessions } from '#contract/sessions.ts';
import { readUser, updateUser } from '#contract/user-management.ts';
import { approveRoleRequest } from '#contract/users.ts';
import type { RunningJobs } from '#server/platform/jobs.ts';
import { accessList } from '#server/platform/serve.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { readContract } from '#test/support/contract.ts';
import { createPerson, signInAs } from '#test/support/second-factor.ts';
import { linkInMail, mailsTo, sessionOf, signInWith, waitForMails } from '#test/support/sign-in.ts';

let server: TestApp;
let jobs: RunningJobs;
let ada: Awaited<ReturnType<typeof buildAdmin>>;
let bea: Awaited<ReturnType<typeof buildAdmin>>;
let asAda: Client;

beforeAll(async () => {
  server = await startTestApp();
  jobs = await server.runJobs();
  ada = await buildAdmin(server.db);
  bea = await buildAdmin(server.db, { firstName: 'Bea', lastName: 'Board' });
  asAda = await server.as(ada);
});
afterAll(async () => {
  await jobs.stop();
  await server.close();
});

const given = 'Given-by-Ada-7';
const own = 'Turbine-7-hall';

/** Creates one as Ada does on the Create Superadmin screen. */
async function create(email: string) {
  const answer = await asAda.call(createAdminUser, {
    body: { email, password: given, firstName: 'Nia', lastName: 'Nox' },
  });
  expect(answer).toEqual({ success: true, error: null });
  const { id } = await server.db
    .selectFrom('profiles')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return { id, email };
}

test('SUPER-09 a person who signs in with a given password can do nothing before they have set one of their own', async () => {
  const { id, email } = await create('given@people.example');
  const browser = await signInAs(server, { id, email, password: given });
  expect(await browser.call(readSession)).toMatchObject({ user: { role: 'admin' }, mustChangePassword: true });
  const closed = (await readContract()).filter(
    ({ name, access }) => !['public', 'signed', 'pending'].includes(access) && name !== changePassword.name,
  );
  const forAdmins = closed.filter((endpoint) => accessList(endpoint).includes('admin'));
  expect(forAdmins.length).toBeGreaterThan(50);
  for (const endpoint of forAdmins) {
    const answer = await browser.send(endpoint, { body: endpoint.body ? {} : undefined });
    expect(await answer.json(), endpoint.name).toMatchObject({ code: 'password_change_required', status: 403 });
  }
  const change = (newPassword: string) => ({ body: { currentPassword: given, newPassword } });
  expect((await browser.refused(changePassword, change(given))).code).toBe('invalid_input');
  await browser.call(changePassword, change(own));
  expect(await browser.call(readSession)).toMatchObject({ mustChangePassword: false });
  expect((await browser.call(listSessions)).rows).toHaveLength(1);
  expect((await signInWith(server, email, given)).status).toBe(401);
  expect((await asAda.call(readUser, { params: { id } })).invitation?.state).toBe('accepted');
  await browser.call(signOut);
});

test('a created admin is mailed a link that sets their password, and a password of their own ends the mark', async () => {
  const { email } = await create('linked@people.example');
  await waitForMails(server.db, email, 1);
  expect(await mailsTo(server.db, email)).toMatchObject([{ kind: 'invitation' }]);
  const token = new URLSearchParams((await linkInMail(server.db, email)).hash.slice(1)).get('access_token') ?? '';
  await (await server.as(null)).call(setPassword, { body: { token, newPassword: own } });
  const { cookie } = await signInWith(server, email, own);
  expect(await sessionOf(server, { cookie })).toMatchObject({ user: { role: 'admin' }, mustChangePassword: false });
  expect((await signInWith(server, email, given)).status).toBe(401);
});

test('all admins are told by mail of everybody who is made an admin, and of no coach', async () => {
  const toldOf = async (reader: { email: string }, person: { email: string }) =>
    (await mailsTo(server.db, reader.email))
      .filter(({ kind, textBody }) => kind === 'new_admin' && textBody?.includes(`(${person.email})`))
      .map(({ subject }) => subject);
  const created = await create('told@people.example');
  const raised = await buildParticipant(server.db, { firstName: 'Rae', lastName: 'Raised' });
  await asAda.call(updateUser, { params: { id: raised.id }, body: { role: 'coach', version: raised.version } });
  const { version } = await asAda.call(readUser, { params: { id: raised.id } });
  await asAda.call(updateUser, { params: { id: raised.id }, body: { role: 'admin', version } });
  const applicant = await buildParticipant(server.db, { firstName: 'Abe', lastName: 'Asked' });
  for (const table of ['profiles', 'auth.user'] as const) {
    await server.db.updateTable(table).set({ requestedRole: 'admin' }).where('id', '=', applicant.id).execute();
  }
  await asAda.call(approveRoleRequest, { params: { id: applicant.id }, body: { requestedRole: 'admin' } });
  for (const [person, name] of [
    [created, 'Nia Nox'],
    [raised, 'Rae Raised'],
    [applicant, 'Abe Asked'],
  ] as const) {
    // The giver hears of it too: somebody else may have been in their session.
    for (const reader of [ada, bea]) {
      await vi.waitFor(async () => expect(await toldOf(reader, person)).toEqual([`${name} is an admin now`]), 20_000);
    }
    expect(await toldOf(person, person)).toEqual([]);
  }
  expect((await mailsTo(server.db, applicant.email)).map(({ subject }) => subject)).toContain('You are an admin now');
});

test('a person who made their account themself, or got it at the shell, has nothing to change', async () => {
  const person = await createPerson(server, 'admin');
  const browser = await signInAs(server, person);
  expect(await browser.call(readSession)).toMatchObject({ mustChangePassword: false });
  expect((await browser.call(listSessions)).rows).toHaveLength(1);
});
