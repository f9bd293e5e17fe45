import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changePassword, checkPasswordLink, requestPasswordReset, setPassword } from '#contract/accounts.ts';
import type { Role } from '#contract/roles.ts';
import { newId } from '#server/platform/ids.ts';
import { invitePeople } from '#server/sign-in/invitations.ts';
import { hashPassword } from '#server/sign-in/password-hash.ts';
import { createSignIns, createSignInWithPassword, removeSignIn } from '#server/sign-in/sign-ins.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { jobsAreDone, linkInMail, mailsTo, sessionOf, signInWith, waitForMails } from '#test/support/sign-in.ts';

const oldPassword = 'Old-Power-1';
const newPassword = 'New-Power-2';

let server: TestApp;
let count = 0;

beforeAll(async () => {
  server = await startTestApp();
  await server.runJobs();
});
afterAll(() => server.close());

async function createPerson(role: Role = 'participant') {
  count += 1;
  const email = `person-${count}@people.example`;
  const facts = { firstName: 'Sam', lastName: 'Sol', role, trackType: null };
  const id = await createSignInWithPassword(server.db, { ...facts, email, password: oldPassword });
  return { id, email };
}

async function invite(people: number) {
  const made = Array.from({ length: people }, () => {
    count += 1;
    return { id: newId(), email: `invited-${count}@people.example`, firstName: 'Kim', lastName: 'Kay' };
  });
  await createSignIns(
    server.db,
    made.map((person) => ({ ...person, role: 'participant', trackType: 'fellowship' })),
  );
  const invited = made.map(({ id, email, firstName }) => ({ userId: id, email, firstName }));
  await invitePeople(server.db, invited, null, server.app);
  return made;
}

async function requestLink(email: string): Promise<URL> {
  const before = (await mailsTo(server.db, email)).length;
  await (await server.as(null)).call(requestPasswordReset, { body: { email } });
  await waitForMails(server.db, email, before + 1);
  return linkInMail(server.db, email);
}

function tokenIn(link: URL): string {
  return new URLSearchParams(link.hash.slice(1)).get('access_token') ?? '';
}

test('AUTH-23 AUTH-24 AUTH-34 AUTH-57 a reset link leads to set-password, sets the password once and ends every session', async () => {
  const person = await createPerson();
  const { cookie } = await signInWith(server, person.email, oldPassword);
  const link = await requestLink(person.email);
  expect(`${link.origin}${link.pathname}`).toBe(`${server.app.config.publicUrl}/set-password`);
  const inHash = new URLSearchParams(link.hash.slice(1));
  expect(inHash.get('type')).toBe('recovery');
  expect(inHash.get('refresh_token')).toBeTruthy();

  const visitor = await server.as(null);
  const token = tokenIn(link);
  expect(await visitor.call(checkPasswordLink, { body: { token } })).toEqual({ email: person.email, kind: 'reset' });
  await visitor.call(setPassword, { body: { token, newPassword } });
  expect((await sessionOf(server, { cookie })).user).toBeNull();
  expect((await signInWith(server, person.email, oldPassword)).status).toBe(401);
  expect((await signInWith(server, person.email, newPassword)).status).toBe(200);
  expect((await mailsTo(server.db, person.email))[0]?.kind).toBe('password_changed');

  const again = await visitor.refused(setPassword, { body: { token, newPassword: oldPassword } });
  expect(again).toMatchObject({ status: 404, problem: { detail: 'Invalid or expired reset link' } });
  expect((await signInWith(server, person.email, newPassword)).status).toBe(200);
});

test('AUTH-21 an unknown address gets the same answer as a known one, and no mail', async () => {
  const person = await createPerson();
  const visitor = await server.as(null);
  const known = await visitor.call(requestPasswordReset, { body: { email: person.email.toUpperCase() } });
  const unknown = await visitor.call(requestPasswordReset, { body: { email: 'nobody@people.example' } });
  expect(unknown).toEqual(known);
  await jobsAreDone(server.db, 'account-mail');
  expect(await mailsTo(server.db, person.email)).toHaveLength(1);
  expect(await mailsTo(server.db, 'nobody@people.example')).toHaveLength(0);
});

test('AUTH-23 a link is refused after its hour, and one that never was likewise', async () => {
  const person = await createPerson();
  const token = tokenIn(await requestLink(person.email));
  const visitor = await server.as(null);
  const minutesLeft = await sql<{ left: number }>`
    select round(extract(epoch from expires_at - now()) / 60)::int as left from auth.password_link
    where user_id = ${person.id}`.execute(server.db);
  expect(minutesLeft.rows).toEqual([{ left: 60 }]);
  await sql`update auth.password_link set expires_at = now() where user_id = ${person.id}`.execute(server.db);
  for (const bad of [token, 'never-was']) {
    const check = await visitor.refused(checkPasswordLink, { body: { token: bad } });
    expect(check.problem.detail).toBe('Invalid or expired reset link');
    await visitor.refused(setPassword, { body: { token: bad, newPassword } });
  }
  expect((await signInWith(server, person.email, oldPassword)).status).toBe(200);
});

test('the link of somebody who was deleted meanwhile names nobody', async () => {
  const person = await createPerson();
  const token = tokenIn(await requestLink(person.email));
  await removeSignIn(server.db, person.id);
  const visitor = await server.as(null);
  const check = await visitor.refused(checkPasswordLink, { body: { token } });
  expect(check).toMatchObject({ status: 404, problem: { detail: 'No user found for this reset token' } });
  await visitor.refused(setPassword, { body: { token, newPassword } });
});

test('AUTH-31 AUTH-33 the server refuses a password that misses a rule, and the link stays usable', async () => {
  const person = await createPerson();
  const token = tokenIn(await requestLink(person.email));
  const visitor = await server.as(null);
  for (const weak of ['Ab1!xyz', 'abcdefg1!', 'ABCDEFG1!', 'Abcdefgh!', 'Abcdefgh1', '']) {
    const { problem } = await visitor.refused(setPassword, { body: { token, newPassword: weak } });
    expect(problem).toMatchObject({ status: 422, detail: 'Please ensure your password meets all requirements.' });
  }
  await visitor.call(setPassword, { body: { token, newPassword: 'Rotor-1!' } });
  expect((await signInWith(server, person.email, 'Rotor-1!')).status).toBe(200);
});

test('AUTH-23 of two requests with one link at once, one sets the password', async () => {
  const person = await createPerson();
  const token = tokenIn(await requestLink(person.email));
  const set = (password: string) =>
    fetch(`${server.url}${setPassword.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, newPassword: password }),
    });
  const answers = await Promise.all([set('First-Power-1'), set('Second-Power-2')]);
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 404]);
  const winner = answers[0].ok ? 'First-Power-1' : 'Second-Power-2';
  expect((await signInWith(server, person.email, winner)).status).toBe(200);
});

test('only the hash of a link is kept', async () => {
  const person = await createPerson();
  const token = tokenIn(await requestLink(person.email));
  const kept = await server.db.selectFrom('auth.passwordLink').selectAll().where('userId', '=', person.id).execute();
  expect(JSON.stringify(kept)).not.toContain(token);
});

test('an invitation works for 7 days, confirms the email, is accepted by the first password and replaces the one before', async () => {
  const [person] = await invite(3);
  if (!person) throw new Error('Nobody was invited.');
  const first = tokenIn(await linkInMail(server.db, person.email));
  const { id: userId, email, firstName } = person;
  await invitePeople(server.db, [{ userId, email, firstName }], null, server.app);
  const token = tokenIn(await linkInMail(server.db, person.email));
  const visitor = await server.as(null);
  await visitor.refused(checkPasswordLink, { body: { token: first } });
  expect(await visitor.call(checkPasswordLink, { body: { token } })).toEqual({ email, kind: 'invitation' });

  const days = await sql<{ days: number }>`
    select round(extract(epoch from expires_at - sent_at) / 86400)::int as days from invitations
    where user_id = ${userId} and accepted_at is null`.execute(server.db);
  expect(days.rows).toEqual([{ days: 7 }, { days: 7 }]);
  await visitor.call(setPassword, { body: { token, newPassword } });
  expect((await signInWith(server, email, newPassword)).status).toBe(200);
  const open = await server.db
    .selectFrom('invitations')
    .select('id')
    .where('userId', '=', userId)
    .where('acceptedAt', 'is', null)
    .execute();
  expect(open).toEqual([]);
});

test('somebody with a pending invitation who asks for a reset gets a fresh invitation of 7 days', async () => {
  const [person] = await invite(1);
  if (!person) throw new Error('Nobody was invited.');
  const first = tokenIn(await linkInMail(server.db, person.email));
  const token = tokenIn(await requestLink(person.email));
  expect((await mailsTo(server.db, person.email)).map(({ kind }) => kind)).toEqual(['invitation', 'invitation']);
  const visitor = await server.as(null);
  expect((await visitor.refused(checkPasswordLink, { body: { token: first } })).status).toBe(404);
  expect(await visitor.call(checkPasswordLink, { body: { token } })).toMatchObject({ kind: 'invitation' });
  const left = await sql<{ days: number }>`
    select round(extract(epoch from expires_at - now()) / 86400)::int as days from auth.password_link
    where user_id = ${person.id}`.execute(server.db);
  expect(left.rows).toEqual([{ days: 7 }]);

  await visitor.call(setPassword, { body: { token, newPassword } });
  expect((await signInWith(server, person.email, newPassword)).status).toBe(200);
  const reset = await visitor.call(checkPasswordLink, {
    body: { token: tokenIn(await requestLink(person.email)) },
  });
  expect(reset.kind).toBe('reset');
});

test('the expired invitation of a coach or an admin is not renewed by asking for a reset: the mail names an admin', async () => {
  for (const role of ['coach', 'admin', 'participant'] as const) {
    const [person] = await invite(1);
    if (!person) throw new Error('Nobody was invited.');
    await server.db.updateTable('profiles').set({ role }).where('id', '=', person.id).execute();
    const expiresAt = new Date(Date.now() - 1000);
    await server.db.updateTable('invitations').set({ expiresAt }).where('userId', '=', person.id).execute();
    await (await server.as(null)).call(requestPasswordReset, { body: { email: person.email } });
    await waitForMails(server.db, person.email, 2);
    const [mail] = await mailsTo(server.db, person.email);
    expect([role, mail?.kind]).toEqual([role, role === 'participant' ? 'invitation' : 'invitation_expired']);
    if (role !== 'participant') expect(mail?.textBody).not.toContain('set-password');
  }
});

test('an invitation is refused after its 7 days, and when it was used', async () => {
  const [late, used] = await invite(2);
  if (!late || !used) throw new Error('Nobody was invited.');
  const visitor = await server.as(null);
  const lateToken = tokenIn(await linkInMail(server.db, late.email));
  await sql`
    update auth.password_link set expires_at = expires_at - interval '7 days' where user_id = ${late.id}`.execute(
    server.db,
  );
  const usedToken = tokenIn(await linkInMail(server.db, used.email));
  await visitor.call(setPassword, { body: { token: usedToken, newPassword } });
  for (const token of [lateToken, usedToken]) {
    const { status, problem } = await visitor.refused(setPassword, { body: { token, newPassword: 'Another-3' } });
    expect([status, problem.detail]).toEqual([404, 'Invalid or expired reset link']);
  }
  expect((await signInWith(server, late.email, 'Another-3')).status).toBe(401);
  expect((await signInWith(server, used.email, newPassword)).status).toBe(200);
});

test('every open link of a person dies when the password is set by one of them', async () => {
  const person = await createPerson();
  const [one, other] = [tokenIn(await requestLink(person.email)), tokenIn(await requestLink(person.email))];
  const visitor = await server.as(null);
  await visitor.call(setPassword, { body: { token: one, newPassword } });
  expect((await visitor.refused(setPassword, { body: { token: other, newPassword: 'Another-3' } })).status).toBe(404);
  expect((await signInWith(server, person.email, newPassword)).status).toBe(200);
});

test('people whose email has an account are refused in a set, the others are made', async () => {
  const person = await createPerson();
  const others = [newId(), newId(), newId()];
  const facts = { firstName: 'Lee', lastName: 'Low', role: 'coach' as const, trackType: null };
  const { refusedIds } = await createSignIns(server.db, [
    { ...facts, id: others[0] ?? '', email: person.email.toUpperCase() },
    { ...facts, id: others[1] ?? '', email: 'lee-low@people.example' },
    { ...facts, id: others[2] ?? '', email: 'Lee-Low@people.example' },
  ]);
  expect(refusedIds).toEqual([others[0], others[2]]);
  const made = await server.db.selectFrom('profiles').select(['id', 'role']).where('id', 'in', others).execute();
  expect(made).toEqual([{ id: others[1], role: 'coach' }]);
  expect((await signInWith(server, person.email, oldPassword)).status).toBe(200);
});

test.each(['participant', 'coach', 'admin'] as const)(
  'PWD-13 a %s changes the own password, and nobody else’s',
  async (role) => {
    const [own, bystander] = [await createPerson(role), await createPerson(role)];
    const body = { currentPassword: oldPassword, newPassword };
    await (await server.as(own)).call(changePassword, { body });
    expect((await signInWith(server, own.email, newPassword)).status).toBe(200);
    expect((await signInWith(server, bystander.email, newPassword)).status).toBe(401);
    expect((await signInWith(server, bystander.email, oldPassword)).status).toBe(200);
  },
);

test('PWD-09 PWD-11 a change takes the new password, ends the other sessions and links, and keeps this session', async () => {
  const person = await createPerson();
  const other = await signInWith(server, person.email, oldPassword);
  const link = tokenIn(await requestLink(person.email));
  const client = await server.as(person);
  await client.call(changePassword, { body: { currentPassword: oldPassword, newPassword } });
  expect((await sessionOf(server, { cookie: client.cookie })).user?.id).toBe(person.id);
  expect((await sessionOf(server, { cookie: other.cookie })).user).toBeNull();
  await (await server.as(null)).refused(checkPasswordLink, { body: { token: link } });
  expect((await signInWith(server, person.email, newPassword)).status).toBe(200);
  expect((await signInWith(server, person.email, oldPassword)).status).toBe(401);
  const noted = await server.db.selectFrom('auditLog').selectAll().where('subjectId', '=', person.id).execute();
  expect(noted).toMatchObject([{ action: 'password.change', actorId: person.id }]);
});

test('PWD-10 PWD-12 a wrong current password is refused at its field and changes nothing', async () => {
  const person = await createPerson();
  const client = await server.as(person);
  const body = { currentPassword: 'not-it', newPassword };
  const { status, problem } = await client.refused(changePassword, { body });
  expect({ status, errors: problem.errors }).toMatchObject({ status: 422, errors: [{ path: 'currentPassword' }] });
  expect((await signInWith(server, person.email, oldPassword)).status).toBe(200);
});

test('the present password is refused as the new one, at its field', async () => {
  const person = await createPerson();
  const body = { currentPassword: oldPassword, newPassword: oldPassword };
  const { status, problem } = await (await server.as(person)).refused(changePassword, { body });
  expect({ status, errors: problem.errors }).toMatchObject({ status: 422, errors: [{ path: 'newPassword' }] });
});

test('PWD-04 PWD-05 PWD-14 the server holds the rules of a change, and needs no special character', async () => {
  const person = await createPerson();
  const client = await server.as(person);
  for (const weak of ['Abcdef1', 'abcdefg1', 'ABCDEFG1', 'Abcdefgh']) {
    const body = { currentPassword: oldPassword, newPassword: weak };
    const { problem } = await client.refused(changePassword, { body });
    expect(problem).toMatchObject({ status: 422, detail: 'Please ensure your password meets all requirements.' });
  }
  await client.call(changePassword, { body: { currentPassword: oldPassword, newPassword: 'Turbine7' } });
  expect((await signInWith(server, person.email, 'Turbine7')).status).toBe(200);
});

test('SEC-02 a change without a session is refused', async () => {
  const body = { currentPassword: oldPassword, newPassword };
  expect((await (await server.as(null)).refused(changePassword, { body })).status).toBe(401);
});

test('guesses at the current password and requests for one address are limited', async () => {
  const limited = await openTestApp(server.connectionString, { RATE_LIMIT_FACTOR: '0.2' });
  await server.db.deleteFrom('auth.rateLimit').execute();
  const person = await createPerson();
  const client = await limited.as(person);
  const guess = () => client.refused(changePassword, { body: { currentPassword: 'not-it', newPassword } });
  expect([(await guess()).status, (await guess()).status, (await guess()).status]).toEqual([422, 422, 429]);
  const visitor = await limited.as(null);
  await visitor.call(requestPasswordReset, { body: { email: person.email } });
  const refused = await visitor.refused(requestPasswordReset, { body: { email: person.email } });
  await limited.close();
  expect(refused.problem.code).toBe('too_many_requests');
  await jobsAreDone(server.db, 'account-mail');
  expect(await mailsTo(server.db, person.email)).toHaveLength(1);
});

test('of changes with the same current password at the same moment one is taken', async () => {
  const person = await createPerson();
  const client = await server.as(person);
  const passwords = ['New-Power-2', 'New-Power-3', 'New-Power-4', 'New-Power-5'];
  const answers = await Promise.all(
    passwords.map((newPassword) =>
      client.fetch(changePassword.path, {
        method: changePassword.method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ currentPassword: oldPassword, newPassword }),
      }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  // The others are refused at the end. One that reads the password only after the change is refused for a wrong current
  // one.
  for (const status of statuses) expect([200, 409, 422]).toContain(status);
  const taken = passwords[statuses.indexOf(200)] ?? '';
  expect((await signInWith(server, person.email, taken)).status).toBe(200);
});

test('a change that began before a reset does not undo it', async () => {
  const person = await createPerson();
  const thief = await server.as(person);
  const ownersHash = await hashPassword('Owners-Power-4!');
  const { change } = await server.db.transaction().execute(async (reset) => {
    await sql`update auth.account set password = ${ownersHash} where user_id = ${person.id}`.execute(reset);
    const change = thief.refused(changePassword, {
      body: { currentPassword: oldPassword, newPassword: 'Thiefs-Power-3' },
    });
    await expect.poll(countWaiting).toBe(1);
    return { change };
  });
  expect(await change).toMatchObject({ status: 409, problem: { code: 'conflict' } });
  expect((await signInWith(server, person.email, 'Thiefs-Power-3')).status).toBe(401);
  expect((await signInWith(server, person.email, 'Owners-Power-4!')).status).toBe(200);
});

test('a sign-in that began before a reset leaves no session', async () => {
  const person = await createPerson();
  const ownersHash = await hashPassword('Owners-Power-4!');
  const { signedIn } = await server.db.transaction().execute(async (reset) => {
    await sql`update auth.account set password = ${ownersHash} where user_id = ${person.id}`.execute(reset);
    const signedIn = signInWith(server, person.email, oldPassword);
    await expect.poll(countWaiting).toBe(1);
    return { signedIn };
  });
  expect((await signedIn).status).toBe(401);
  const sessions = await server.db.selectFrom('auth.session').select('id').where('userId', '=', person.id).execute();
  expect(sessions).toEqual([]);
  expect((await signInWith(server, person.email, 'Owners-Power-4!')).status).toBe(200);
});

/** Counts statements that wait for a row that another transaction holds. */
async function countWaiting(): Promise<number> {
  const found = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(server.db);
  return found.rows[0]?.n ?? 0;
}
