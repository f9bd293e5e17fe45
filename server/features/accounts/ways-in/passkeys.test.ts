import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPasskey, listWaysIn, renamePasskey, requestPasskey } from '#contract/identities.ts';
import { requestPasskeySignIn, signInByPasskey } from '#contract/sign-in-ways.ts';
import { buildPerson } from '#test/factories/people.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { newAuthenticator, type TestAuthenticator } from '#test/support/authenticator.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { mailsTo, sessionOf } from '#test/support/sign-in.ts';
import { confirmSecondFactor, post } from '#test/support/sign-in-ways.ts';

const site = 'switchyard.example';
const origin = `https://${site}`;
let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ PASSKEYS: '1', PUBLIC_URL: origin });
});
afterAll(() => server.close());

async function personWithPasskey() {
  const person = await buildPerson(server.db);
  const client = await server.as(person);
  const device = newAuthenticator(site);
  const { options } = await client.call(requestPasskey);
  const response = device.create({ challenge: String(options.challenge), origin });
  const { id } = await client.call(addPasskey, { body: { name: 'Phone', response } });
  return { person, client, device, id };
}

async function question(): Promise<string> {
  const { options } = await (await server.as(null)).call(requestPasskeySignIn);
  return String(options.challenge);
}

type Wrong = NonNullable<Parameters<TestAuthenticator['answer']>[1]>;

async function signIn(device: TestAuthenticator, userHandle: string, wrong: Wrong = {}, from = origin) {
  const response = device.answer({ challenge: await question(), origin: from }, { userHandle, ...wrong });
  return post(server, signInByPasskey, { response });
}

async function expectRefused(answer: Response & { cookie: string }): Promise<void> {
  expect([answer.status, (await problemOf(answer)).code, answer.cookie]).toEqual([401, 'not_authenticated', '']);
}

test('a passkey signs in, is listed and renamed; adding it is told, both are recorded', async () => {
  const { person, client, device, id } = await personWithPasskey();
  expect((await mailsTo(server.db, person.email))[0]?.textBody).toContain(
    'You can now sign in to your account with the passkey "Phone".',
  );

  const answer = await signIn(device, person.id);
  expect(await answer.json()).toEqual({ done: true });
  expect((await sessionOf(server, { cookie: answer.cookie })).user?.id).toBe(person.id);
  await client.call(renamePasskey, { params: { id }, body: { name: 'My phone' } });
  const { passkeys } = await client.call(listWaysIn);
  expect(passkeys).toMatchObject([{ id, name: 'My phone', canRemove: false }]);
  expect(passkeys[0]?.lastUsedAt).not.toBeNull();
  const audit = server.db.selectFrom('auditLog').selectAll().where('subjectId', '=', person.id).orderBy('id');
  expect(await audit.execute()).toMatchObject([
    { action: 'passkey.add', actorId: person.id, after: { name: 'Phone' } },
    { action: 'passkey.rename', actorId: person.id, before: { name: 'Phone' }, after: { name: 'My phone' } },
  ]);
});

test('a question to a passkey is kept as a hash, works once and for 10 minutes', async () => {
  const { person, device } = await personWithPasskey();
  const challenge = await question();
  expect(JSON.stringify(await server.db.selectFrom('auth.verification').selectAll().execute())).not.toContain(
    challenge,
  );
  const response = device.answer({ challenge, origin }, { userHandle: person.id });
  expect((await post(server, signInByPasskey, { response })).status).toBe(200);
  await expectRefused(await post(server, signInByPasskey, { response }));
  const again = device.answer({ challenge, origin }, { userHandle: person.id });
  await expectRefused(await post(server, signInByPasskey, { response: again }));

  const late = device.answer({ challenge: await question(), origin }, { userHandle: person.id });
  await sql`update auth.verification set expires_at = now()`.execute(server.db);
  await expectRefused(await post(server, signInByPasskey, { response: late }));
});

test('a passkey’s answer for another origin, another site, another person or without the person checked is refused', async () => {
  const { person, device } = await personWithPasskey();
  const other = await personWithPasskey();
  await expectRefused(await signIn(device, person.id, {}, 'https://evil.example'));
  await expectRefused(await signIn(device, person.id, {}, `https://sub.${site}`));
  await expectRefused(await signIn(device, person.id, { site: 'evil.example' }));
  await expectRefused(await signIn(device, other.person.id));
  await expectRefused(await signIn(device, person.id, { isVerified: false }));

  const forged = newAuthenticator(site).answer({ challenge: await question(), origin }, { userHandle: person.id });
  const impostor = { ...forged, id: device.credentialId, rawId: device.credentialId };
  await expectRefused(await post(server, signInByPasskey, { response: impostor }));
  await expectRefused(await signIn(newAuthenticator(site), person.id));
  await expectRefused(await post(server, signInByPasskey, { response: {} }));
  await expectRefused(await post(server, signInByPasskey, { response: { id: device.credentialId } }));
});

test('a copied passkey, whose counter went back, is refused', async () => {
  const { person, device } = await personWithPasskey();
  expect((await signIn(device, person.id, { counter: 7 })).status).toBe(200);
  await expectRefused(await signIn(device, person.id, { counter: 7 }));
  await expectRefused(await signIn(device, person.id, { counter: 3 }));
  expect((await signIn(device, person.id, { counter: 8 })).status).toBe(200);
});

test('of two answers of one passkey at once with the same counter one signs in', async () => {
  const { person, device } = await personWithPasskey();
  const answers = await Promise.all([1, 2].map(() => signIn(device, person.id, { counter: 5 })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
});

test('a new passkey for another origin, person or question is not kept, nor one of somebody else', async () => {
  const { client, device } = await personWithPasskey();
  const other = await server.as(await buildPerson(server.db));
  const ask = async (by = client) => String((await by.call(requestPasskey)).options.challenge);
  const add = (response: Record<string, unknown>, by = client) =>
    by.refused(addPasskey, { body: { name: 'Wrong', response } });

  const fresh = newAuthenticator(site);
  const foreign = { challenge: await ask(), origin: 'https://evil.example' };
  expect((await add(fresh.create(foreign))).problem.code).toBe('invalid_input');
  const theirs = { challenge: await ask(other), origin };
  expect((await add(fresh.create(theirs))).problem.code).toBe('invalid_input');
  const forSignIn = { challenge: await question(), origin };
  expect((await add(fresh.create(forSignIn))).problem.code).toBe('invalid_input');
  expect((await add(fresh.create({ challenge: await ask(), origin }, { isVerified: false }))).status).toBe(422);
  expect((await add({})).status).toBe(422);
  const taken = device.create({ challenge: await ask(other), origin });
  expect((await add(taken, other)).problem.code).toBe('conflict');
});

test('a passkey gives no access to somebody with a second factor', async () => {
  const { person, device } = await personWithPasskey();
  await confirmSecondFactor(server.db, person.id);
  const { status, cookie } = await signIn(device, person.id);
  expect(status).toBe(200);
  expect((await sessionOf(server, { cookie })).user).toBeNull();
  expect((await fetch(`${server.url}${listWaysIn.path}`, { headers: { cookie } })).status).toBe(401);
});

test('an instance that did not switch passkeys on says so', async () => {
  const off = await openTestApp(server.connectionString, {});
  expect((await post(off, requestPasskeySignIn)).status).toBe(503);
  expect(await (await post(off, signInByPasskey, { response: {} })).json()).toMatchObject({ code: 'not_configured' });
  const client = await off.as(await buildPerson(server.db));
  expect((await client.refused(requestPasskey)).problem.code).toBe('not_configured');
  const body = { name: 'Phone', response: {} };
  expect((await client.refused(addPasskey, { body })).problem.code).toBe('not_configured');
  await off.close();
});
