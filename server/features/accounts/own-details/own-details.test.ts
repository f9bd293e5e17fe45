import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changePassword, checkPasswordLink, readSession } from '#contract/accounts.ts';
import { changeOwnNames, confirmEmailChange, requestEmailChange } from '#contract/own-details.ts';
import { mailProofCode } from '#contract/second-factor.ts';
import { createMissingProfiles } from '#server/sign-in/missing-profiles.ts';
import { issuePasswordLinks, mailSignInOf } from '#server/sign-in/password-links.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildRegistration } from '#test/factories/registrations.ts';
import { type Client, openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { linkInMail, mailsTo, sessionOf, signInWith } from '#test/support/sign-in.ts';

let server: TestApp;
let count = 0;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

async function createPerson() {
  count += 1;
  const person = {
    email: `own-${count}@people.example`,
    password: 'Power-Up-1',
    newEmail: `new-${count}@people.example`,
  };
  const { email, password } = person;
  const names = { firstName: 'Sam', lastName: 'Sol', role: 'participant', trackType: 'fellowship' } as const;
  const id = await createSignInWithPassword(server.db, { email, password, ...names });
  return { ...person, id, client: await server.as({ id }) };
}

async function confirm(email: string) {
  return { body: { token: await tokenIn(email) } };
}

async function tokenIn(email: string): Promise<string> {
  const link = await linkInMail(server.db, email);
  expect(link.pathname).toBe('/confirm-email');
  return new URLSearchParams(link.hash.slice(1)).get('token') ?? '';
}

test('AUTH-60 a person changes their own names; a role or metadata in the body changes nothing', async () => {
  const robin = await buildParticipant(server.db);
  const other = await buildParticipant(server.db);
  const client = await server.as(robin);
  const smuggled = { role: 'admin', requestedRole: 'admin', trackType: null, data: { role: 'admin' }, id: other.id };
  const answer = await client.fetch(changeOwnNames.path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ firstName: ' Łukasz ', ...smuggled }),
  });
  expect(await answer.json()).toEqual({ firstName: 'Łukasz', lastName: 'Reyes' });
  const profiles = await server.db.selectFrom('profiles').selectAll().where('id', 'in', [robin.id, other.id]).execute();
  expect(profiles.find(({ id }) => id === robin.id)).toMatchObject({
    firstName: 'Łukasz',
    lastName: 'Reyes',
    role: 'participant',
    requestedRole: null,
    trackType: 'fellowship',
  });
  expect(profiles.find(({ id }) => id === other.id)).toMatchObject({ firstName: 'Robin', role: 'participant' });
  expect((await client.call(readSession)).user).toMatchObject({ firstName: 'Łukasz', role: 'participant' });
  expect((await client.refused(changeOwnNames, { body: { lastName: '  ' } })).problem.errors).toMatchObject([
    { path: 'lastName', message: 'Please enter your last name' },
  ]);
});

test('AUTH-60 a role written into the metadata of the sign-in gives no powers', async () => {
  const robin = await buildParticipant(server.db);
  const client = await server.as(robin);
  await sql`update auth."user" set requested_role = 'admin' where id = ${robin.id}`.execute(server.db);
  expect((await client.call(readSession)).user?.role).toBe('participant');
  await server.db.deleteFrom('profiles').where('id', '=', robin.id).execute();
  await createMissingProfiles(server.db, [robin.id]);
  expect((await client.call(readSession)).user).toMatchObject({ role: 'participant', requestedRole: 'admin' });
});

test('AUTH-56 AUTH-60 a new address counts when its mail is confirmed, once; the former one is told', async () => {
  const { id, email, newEmail, password, client } = await createPerson();
  await client.call(requestEmailChange, { body: { email: newEmail.toUpperCase() } });
  expect((await client.call(readSession)).user?.email).toBe(email);
  expect(await mailsTo(server.db, newEmail)).toMatchObject([{ kind: 'email_change', recipientId: id }]);
  const [asked] = await mailsTo(server.db, email);
  expect(asked?.kind).toBe('email_change_asked');
  expect(asked?.textBody).toContain(newEmail);
  expect(asked?.textBody).not.toContain('confirm-email');

  const token = await tokenIn(newEmail);
  const kept = await server.db.selectFrom('auth.verification').selectAll().execute();
  expect(JSON.stringify(kept)).not.toContain(token.split('.')[1]);
  const visitor = await server.as(null);
  expect(await visitor.call(confirmEmailChange, { body: { token } })).toEqual({ email: newEmail });
  expect((await visitor.refused(confirmEmailChange, { body: { token } })).status).toBe(404);
  expect((await mailsTo(server.db, email)).map(({ kind }) => kind)).toEqual(['email_changed', 'email_change_asked']);
  expect((await signInWith(server, email, password)).status).toBe(401);
  const { cookie } = await signInWith(server, newEmail, password);
  expect((await sessionOf(server, { cookie })).user).toMatchObject({ id, role: 'participant', firstName: 'Sam' });
});

test('AUTH-60 with the address every session ends but the one that confirms; what was mailed before stays as it was', async () => {
  const { id, email, newEmail, password, client } = await createPerson();
  const stranger = await createPerson();
  const elsewhere = await signInWith(server, email, password);
  await client.call(requestEmailChange, { body: { email: newEmail } });
  const before = await mailsTo(server.db, email);
  await client.call(confirmEmailChange, await confirm(newEmail));
  expect((await client.call(readSession)).user).toMatchObject({ id, email: newEmail });
  expect((await sessionOf(server, { cookie: elsewhere.cookie })).user).toBeNull();
  expect((await mailsTo(server.db, email)).slice(1)).toEqual(before);

  await client.call(requestEmailChange, { body: { email: `next-${newEmail}` } });
  await stranger.client.call(confirmEmailChange, await confirm(`next-${newEmail}`));
  expect((await client.call(readSession)).user).toBeNull();
  expect((await stranger.client.call(readSession)).user?.id).toBe(stranger.id);
});

test('AUTH-60 with the address every link and code that was mailed to the former one stops working', async () => {
  const { id, email, newEmail, client } = await createPerson();
  const visitor = await server.as(null);
  const [link = ''] = await issuePasswordLinks(server.db, 'http://hub.example', [{ userId: id, invitationId: null }]);
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('access_token') ?? '';
  await client.call(mailProofCode);
  await sql`
    insert into auth.verification (identifier, value, expires_at)
    values (${mailSignInOf(id)}, 'hash', now() + interval '1 hour')`.execute(server.db);
  expect(await visitor.call(checkPasswordLink, { body: { token } })).toMatchObject({ email });
  await client.call(requestEmailChange, { body: { email: newEmail } });
  await client.call(confirmEmailChange, await confirm(newEmail));
  expect((await visitor.refused(checkPasswordLink, { body: { token } })).status).toBe(404);
  const left = await sql`
    select user_id from auth.mailed_code where user_id = ${id}
    union all select user_id from auth.password_link where user_id = ${id}
    union all select null from auth.verification where identifier = ${mailSignInOf(id)}`.execute(server.db);
  expect(left.rows).toEqual([]);
});

test('AUTH-60 a person changes their own password; the link of a change of address ends with it, after an hour, with the next one', async () => {
  const { email, newEmail, password, client } = await createPerson();
  const visitor = await server.as(null);
  const ask = (email: string) => client.call(requestEmailChange, { body: { email } });
  const isRefused = async (email: string) => (await visitor.refused(confirmEmailChange, await confirm(email))).status;

  await ask(newEmail);
  const token = await tokenIn(newEmail);
  const altered = `${token.slice(0, -4)}AAAA`;
  expect((await visitor.refused(confirmEmailChange, { body: { token: altered } })).status).toBe(404);
  await sql`update auth.verification set expires_at = now() where identifier like 'email-change:%'`.execute(server.db);
  expect(await isRefused(newEmail)).toBe(404);

  await ask(newEmail);
  await ask(`other-${newEmail}`);
  expect(await isRefused(newEmail)).toBe(404);

  await client.call(changePassword, { body: { currentPassword: password, newPassword: 'Another-Turbine-7' } });
  expect((await signInWith(server, email, password)).status).toBe(401);
  expect((await signInWith(server, email, 'Another-Turbine-7')).status).toBe(200);
  expect(await isRefused(`other-${newEmail}`)).toBe(404);
});

test('AUTH-60 nobody signed out, nobody without a fresh proof, and not to the own address', async () => {
  const { email, newEmail, client, id } = await createPerson();
  expect((await (await server.as(null)).refused(requestEmailChange, { body: { email: newEmail } })).status).toBe(401);
  expect((await client.refused(requestEmailChange, { body: { email } })).problem).toMatchObject({
    code: 'invalid_input',
    errors: [{ path: 'email' }],
  });
  await sql`update auth.session set proved_at = now() - interval '16 minutes' where user_id = ${id}`.execute(server.db);
  expect((await client.refused(requestEmailChange, { body: { email: newEmail } })).problem.code).toBe('proof_required');
  expect(await mailsTo(server.db, newEmail)).toEqual([]);
});

test('an address that has an account gets the same answer and no mail, and cannot be taken later either', async () => {
  const { newEmail, client } = await createPerson();
  const coach = await buildCoach(server.db);
  expect(await client.call(requestEmailChange, { body: { email: coach.email } })).toEqual({ done: true });
  expect(await mailsTo(server.db, coach.email)).toEqual([]);

  await client.call(requestEmailChange, { body: { email: newEmail } });
  const overtaking = await buildCoach(server.db, { email: newEmail });
  const refused = await (await server.as(null)).refused(confirmEmailChange, await confirm(newEmail));
  expect(refused.problem.code).toBe('duplicate');
  const owner = await server.db.selectFrom('profiles').select('id').where('email', '=', newEmail).executeTakeFirst();
  expect(owner?.id).toBe(overtaking.id);
});

test('AUTH-60 a registration with the new address that nobody confirmed stands in nobody’s way', async () => {
  const { id, newEmail, client } = await createPerson();
  const squatter = await buildRegistration(server, { email: newEmail });
  await client.call(requestEmailChange, { body: { email: newEmail } });
  expect(await client.call(confirmEmailChange, await confirm(newEmail))).toEqual({ email: newEmail });
  const owners = await server.db.selectFrom('profiles').select('id').where('email', '=', newEmail).execute();
  expect(owners).toEqual([{ id }]);
  const left = await sql`select from auth."user" where id = ${squatter.id}`.execute(server.db);
  expect(left.rows).toEqual([]);
});

async function askFor(client: Client, email: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email });
  return (await client.fetch(requestEmailChange.path, { method: requestEmailChange.method, headers, body })).status;
}

test('changes of address are limited by person, for ten minutes and for a day', async () => {
  const strict = await openTestApp(server.connectionString, { RATE_LIMIT_FACTOR: '1' });
  const { id } = await createPerson();
  const client = await strict.as({ id });
  const ask = async () => {
    count += 1;
    return askFor(client, `target-${count}@people.example`);
  };
  const statuses: number[] = [];
  for (let index = 0; index < 6; index += 1) statuses.push(await ask());
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  const passTenMinutes = () =>
    sql`update auth.rate_limit set window_ends_at = now() where key = ${`email-change:${id}`}`.execute(server.db);
  await passTenMinutes();
  for (let index = 0; index < 4; index += 1) statuses.push(await ask());
  expect(statuses.slice(6)).toEqual([200, 200, 200, 200]);
  await passTenMinutes();
  expect(await ask()).toBe(429);
  await strict.close();
});

test('one mailbox gets three mails an hour about a change of address, no matter who asks for them', async () => {
  const strict = await openTestApp(server.connectionString, { RATE_LIMIT_FACTOR: '1' });
  const email = 'flooded@people.example';
  const statuses: number[] = [];
  for (let index = 0; index < 4; index += 1) {
    const { id } = await createPerson();
    statuses.push(await askFor(await strict.as({ id }), email));
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect(await mailsTo(server.db, email)).toHaveLength(3);
  await strict.close();
});
