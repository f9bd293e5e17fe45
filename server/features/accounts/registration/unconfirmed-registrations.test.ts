import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminUser } from '#contract/documented-functions.ts';
import { confirmRegistration, resendConfirmation } from '#contract/registration.ts';
import { accountJobs } from '#server/features/accounts/account-jobs.ts';
import { newId } from '#server/platform/ids.ts';
import { invitePeople } from '#server/sign-in/invitations.ts';
import { createSignIns } from '#server/sign-in/sign-ins.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildPerson } from '#test/factories/people.ts';
import { buildRegistration } from '#test/factories/registrations.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { createPerson } from '#test/support/second-factor.ts';
import { jobsAreDone, linkInMail, mailsTo, sessionOf, signInWith } from '#test/support/sign-in.ts';
import { post } from '#test/support/sign-in-ways.ts';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
  await server.runJobs();
});
afterAll(() => server.close());

type Registration = Awaited<ReturnType<typeof buildRegistration>>;

/** Makes the registration of the person, and its mails, so many days old. */
async function age({ id }: { id: string }, days: number): Promise<void> {
  const at = sql<Date>`now() - make_interval(days => ${days})`;
  await server.db.updateTable('auth.user').set({ createdAt: at }).where('id', '=', id).execute();
  await server.db.updateTable('deliveries').set({ createdAt: at }).where('recipientId', '=', id).execute();
}

async function clear(): Promise<void> {
  const job = accountJobs.find(({ name }) => name === 'clear-unconfirmed-registrations');
  await job?.run(server.app, {}, { number: 1, isLast: true });
}

async function isThere({ id }: { id: string }): Promise<boolean> {
  const { db } = server;
  const [signIn, profile] = await Promise.all([
    db.selectFrom('auth.user').select('id').where('id', '=', id).executeTakeFirst(),
    db.selectFrom('profiles').select('id').where('id', '=', id).executeTakeFirst(),
  ]);
  expect(signIn === undefined).toBe(profile === undefined);
  return signIn !== undefined;
}

async function confirmed(person: Registration) {
  const link = await linkInMail(server.db, person.email);
  const token = new URLSearchParams(link.hash.slice(1)).get('token') ?? '';
  return post(server, confirmRegistration, { token, password: person.password });
}

test('a registration that nobody confirmed for 7 days goes with what the product wrote about it, and its address is free', async () => {
  const person = await buildRegistration(server, { requestedRole: 'coach', trackType: null });
  await server.db.insertInto('notices').values({ userId: person.id, kind: 'test', title: 'News' }).execute();
  const old = await linkInMail(server.db, person.email);
  await age(person, 6);
  await clear();
  expect(await isThere(person)).toBe(true);
  await age(person, 8);
  await clear();
  expect(await isThere(person)).toBe(false);

  expect(await mailsTo(server.db, person.email)).toMatchObject([{ kind: 'confirm_email', recipientId: null }]);
  const audited = server.db.selectFrom('auditLog').select(['actorId', 'action', 'reason']);
  expect(
    await audited.where('subjectId', '=', person.id).where('action', '=', 'registration.remove').execute(),
  ).toEqual([{ actorId: null, action: 'registration.remove', reason: 'never_confirmed' }]);
  const token = new URLSearchParams(old.hash.slice(1)).get('token') ?? '';
  const { password } = person;
  expect((await post(server, confirmRegistration, { token, password })).status).toBe(404);

  const again = await buildRegistration(server, { email: person.email, password: 'another-turbine' });
  expect(again.id).not.toBe(person.id);
  expect((await post(server, confirmRegistration, { token, password })).status).toBe(422);
  expect((await confirmed(again)).status).toBe(200);
});

test('a person who was confirmed, invited, or entered by an admin stays, however old', async () => {
  const confirmedPerson = await buildRegistration(server);
  expect((await confirmed(confirmedPerson)).status).toBe(200);
  const member = await buildRegistration(server);
  await enrol(server.db, { cohortId: (await buildCohort(server.db)).id, participantId: member.id });
  const invited = { id: newId(), email: `invited-${newId()}@people.example`, firstName: 'In', lastName: 'Vited' };
  await createSignIns(server.db, [{ ...invited, role: 'participant', trackType: 'fellowship' }]);
  await invitePeople(server.db, [{ ...invited, userId: invited.id }], null, server.app);
  const admitted = await buildPerson(server.db);
  for (const person of [confirmedPerson, member, invited, admitted]) {
    await age(person, 400);
    await clear();
    expect(await isThere(person)).toBe(true);
  }
});

test('a confirmation that was sent again keeps its 24 hours', async () => {
  const person = await buildRegistration(server);
  await age(person, 8);
  await (await server.as(null)).call(resendConfirmation, { body: { email: person.email } });
  await jobsAreDone(server.db, 'account-mail');
  await clear();
  expect(await isThere(person)).toBe(true);
  expect((await confirmed(person)).status).toBe(200);
});

test('an admin is made with an address that somebody registered and nobody confirmed; the password from before opens nothing', async () => {
  const squatted = await buildRegistration(server, { requestedRole: 'admin', trackType: null });
  const before = await server.as({ id: squatted.id });
  const { cookie } = await signInWith(server, ...(await credentialsOfAdmin()));
  const { email } = squatted;
  const body = { email, password: 'Owner-Power-1', firstName: 'Nia', lastName: 'Nox' };
  const answer = await post(server, createAdminUser, body, { cookie });
  expect(await answer.json()).toEqual({ success: true, error: null });
  expect((await sessionOf(server, { cookie: before.cookie })).user).toBeNull();
  expect((await signInWith(server, email, squatted.password)).status).toBe(401);
  const own = await signInWith(server, email, 'Owner-Power-1');
  expect((await sessionOf(server, { cookie: own.cookie })).user).toMatchObject({ role: 'admin', firstName: 'Nia' });
});

async function credentialsOfAdmin(): Promise<[string, string]> {
  const admin = await createPerson(server, 'admin');
  return [admin.email, admin.password];
}
