import { dictionary } from '@zxcvbn-ts/language-common';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changePassword, createFirstAdmin, setPassword } from '#contract/accounts.ts';
import { createAdminUser } from '#contract/documented-functions.ts';
import type { Endpoint, InputOf } from '#contract/endpoint.ts';
import { registerPasswordLength } from '#contract/passwords.ts';
import { register } from '#contract/registration.ts';
import { refuseGuessablePassword } from '#server/features/accounts/passwords/password-refusals.ts';
import { firstAdminToken } from '#server/features/accounts/registration/first-admin.ts';
import { newId } from '#server/platform/ids.ts';
import { demoPassword } from '#server/sign-in/demo-accounts.ts';
import { issuePasswordLinks } from '#server/sign-in/password-links.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { registrationOf } from '#test/factories/registrations.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { signInWith } from '#test/support/sign-in.ts';

const mostUsed = 'This is one of the most common passwords, so it is easy to guess. Please choose another.';
const closeToMostUsed = 'This password is too close to one of the most common ones. Please choose another.';
const repeated = 'Characters that repeat are easy to guess. Please choose another.';
const patterned = 'Characters in a row, from the alphabet or the keyboard, are easy to guess. Please choose another.';
const dated = 'Dates and years are easy to guess. Please choose another.';
const published = 'Everybody knows this password from the demo accounts. Please choose another.';
const ownName = 'Your name, your email address and our name are easy to guess. Please choose another.';

let server: TestApp;

beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const robin = { email: 'robin.reyes-1@people.example', firstName: 'Robin', lastName: 'Reyes' };

async function reasonOf<E extends Endpoint>(client: Client, endpoint: E, input: InputOf<E>) {
  const { status, problem } = await client.refused(endpoint, input);
  expect(status, problem.detail).toBe(422);
  expect(problem.errors).toEqual([
    { path: expect.stringMatching(/^(password|newPassword)$/), message: problem.detail },
  ]);
  return problem.detail;
}

/** For each place where people choose a password, tries one as Robin Reyes. */
const places: Record<string, () => Promise<(password: string) => Promise<string>>> = {
  'a registration': async () => {
    const client = await server.as(null);
    return (password) =>
      reasonOf(client, register, {
        body: { ...robin, password, requestedRole: 'participant', trackType: 'fellowship' },
      });
  },
  'a mailed link': async () => {
    const client = await server.as(null);
    const { id } = await buildParticipant(server.db, robin);
    const [link = ''] = await issuePasswordLinks(server.db, 'http://host', [{ userId: id, invitationId: null }]);
    const token = new URLSearchParams(new URL(link).hash.slice(1)).get('access_token') ?? '';
    return (password) => reasonOf(client, setPassword, { body: { token, newPassword: password } });
  },
  'a change': async () => {
    const currentPassword = 'Old-Power-1';
    const facts = { ...robin, email: `changing.${robin.email}`, role: 'participant' as const, trackType: null };
    const id = await createSignInWithPassword(server.db, { ...facts, password: currentPassword });
    const client = await server.as({ id });
    return (password) => reasonOf(client, changePassword, { body: { currentPassword, newPassword: password } });
  },
  'the superadmin form': async () => {
    const client = await server.as(await buildAdmin(server.db));
    const admin = { ...robin, email: `super.${robin.email}` };
    return (password) => reasonOf(client, createAdminUser, { body: { ...admin, password } });
  },
  'the first admin': async () => {
    await server.db.updateTable('profiles').set({ deletedAt: new Date() }).where('role', '=', 'admin').execute();
    const token = (await firstAdminToken(server.app)) ?? '';
    const client = await server.as(null);
    const admin = { ...robin, email: `first.${robin.email}` };
    return (password) => reasonOf(client, createFirstAdmin, { body: { ...admin, token, password } });
  },
};

test.each(Object.keys(places))(
  'a password that the library scores 0 is refused with its reason at the field by %s',
  async (place) => {
    const attempt = await places[place]?.();
    if (!attempt) throw new Error(`There is no place called ${place}.`);
    expect(await attempt('P@ssw0rd')).toBe(closeToMostUsed);
    expect(await attempt('1_reyesRobin')).toBe(ownName);
    expect(await attempt('Switchyard-1')).toBe(ownName);
  },
);

test('AUTH-13 of six characters those of a pattern are refused, and those of none pass', async () => {
  const visitor = await server.as(null);
  const bodyOf = (password: string) => ({
    body: registrationOf({ ...robin, email: `six-${newId()}@people.example`, password }),
  });
  expect(await reasonOf(visitor, register, bodyOf('      '))).toBe(repeated);
  expect(await reasonOf(visitor, register, bodyOf('aaaaaa'))).toBe(repeated);
  for (const password of ['abc12!', 'k7#mQ2']) await visitor.call(register, bodyOf(password));
});

test('SUPER-04 of eight characters those of a pattern are refused, and plain ones pass', async () => {
  const admin = await server.as(await buildAdmin(server.db));
  const bodyOf = (password: string) => ({ body: { ...robin, email: `eight-${newId()}@people.example`, password } });
  expect(await reasonOf(admin, createAdminUser, bodyOf('abcdefgh'))).toBe(patterned);
  expect(await reasonOf(admin, createAdminUser, bodyOf('20041224'))).toBe(dated);
  expect(await admin.call(createAdminUser, bodyOf('turbineq'))).toMatchObject({ success: true });
});

test('every password of the list of the most used ones is refused, in any case of letters, no matter who has the address', async () => {
  const visitor = await server.as(null);
  const known = await buildParticipant(server.db);
  for (const password of ['qwerty', 'QwErTy', '123456', 'iloveyou']) {
    for (const email of [known.email, 'nobody@people.example']) {
      const body = { ...robin, email, password, requestedRole: 'coach' as const, trackType: null };
      expect(await reasonOf(visitor, register, { body })).toBe(mostUsed);
    }
  }
  const last = dictionary['passwords-common'].filter(({ length }) => length >= registerPasswordLength).slice(-100);
  for (const password of last) {
    expect(() => refuseGuessablePassword(password, robin, 'password'), password).toThrow(/easy to guess|too close to/);
  }
});

test('nobody chooses the password of the demo accounts, which everybody can read', async () => {
  const client = await server.as(await buildAdmin(server.db));
  const visitor = await server.as(null);
  const admin = { ...robin, email: 'demo-like@people.example', password: demoPassword };
  expect(await reasonOf(client, createAdminUser, { body: admin })).toBe(published);
  const body = { ...admin, requestedRole: 'coach' as const, trackType: null };
  expect(await reasonOf(visitor, register, { body })).toBe(published);
  expect((await signInWith(server, admin.email, demoPassword)).status).toBe(401);
});
