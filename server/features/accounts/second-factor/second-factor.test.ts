import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { changePassword, readSession, signOut } from '#contract/accounts.ts';
import {
  confirmSecondFactor,
  enrolSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
  turnOffSecondFactor,
  verifySecondFactor,
} from '#contract/second-factor.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { type StoppedClock, stopClock } from '#test/support/clock.ts';
import {
  codeFor,
  createPerson,
  createProtected,
  openBrowser,
  setUpSecondFactor,
  signInAs,
  wrongCodeFor,
} from '#test/support/second-factor.ts';
import { mailsTo } from '#test/support/sign-in.ts';

let server: TestApp;
let clock: StoppedClock;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());
beforeEach(() => {
  clock = stopClock();
});
afterEach(() => clock.restore());

function withCode(code: string, isDeviceRemembered = false) {
  return { body: { given: { kind: 'code' as const, code }, isDeviceRemembered } };
}

function auditOf({ id }: { id: string }, actions: string) {
  return server.db
    .selectFrom('auditLog')
    .select(['action', 'actorId', 'after'])
    .where('subjectId', '=', id)
    .where('action', 'like', actions)
    .orderBy('id')
    .execute();
}

function withRecoveryCode(code: string) {
  return { body: { given: { kind: 'recovery_code' as const, code } } };
}

test('AUTH-65 an enrolled second factor counts for nothing until a first right code confirms it', async () => {
  const person = await createPerson(server);
  const browser = await signInAs(server, person);
  const { secret, uri } = await browser.call(enrolSecondFactor, {});
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const address = new URL(uri);
  expect(decodeURIComponent(address.pathname)).toBe(`/Switchyard:${person.email}`);
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    issuer: 'Switchyard',
    secret,
    digits: '6',
    period: '30',
  });

  expect((await browser.call(readSecondFactor)).confirmedAt).toBeNull();
  const other = await signInAs(server, person);
  expect(await other.call(readSession)).toMatchObject({ awaitsSecondFactor: false, user: { id: person.id } });

  const refusal = await browser.refused(confirmSecondFactor, { body: { code: wrongCodeFor(secret) } });
  expect(refusal).toMatchObject({ code: 'invalid_input', errors: [{ path: 'code' }] });
  expect((await browser.call(readSecondFactor)).confirmedAt).toBeNull();

  const { recoveryCodes } = await browser.call(confirmSecondFactor, { body: { code: codeFor(secret) } });
  expect(new Set(recoveryCodes).size).toBe(10);
  for (const code of recoveryCodes) expect(code).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/);
  const view = await browser.call(readSecondFactor);
  expect(view).toMatchObject({ recoveryCodesLeft: 10, rememberedDevices: 0, isRequired: false });
  expect(view.confirmedAt).not.toBeNull();
  expect(await browser.call(readSession)).toMatchObject({ user: { id: person.id }, assuranceLevel: 'aal2' });
});

test('turning it on ends all other sessions and tells by mail', async () => {
  const person = await createPerson(server);
  const other = await signInAs(server, person);
  const browser = await signInAs(server, person);
  await setUpSecondFactor(browser);
  expect(await other.call(readSession)).toMatchObject({ user: null, awaitsSecondFactor: false });
  expect((await browser.call(readSession)).user?.id).toBe(person.id);
  expect(await mailsTo(server.db, person.email)).toMatchObject([{ kind: 'second_factor_on' }]);
});

test('nothing of the secret and the recovery codes can be read in the database', async () => {
  const { person, secret, recoveryCodes } = await createProtected(server);
  const kept = await sql<{ text: string }>`
    select (to_jsonb(factor) || jsonb_build_object('codes',
      (select jsonb_agg(to_jsonb(code)) from auth.recovery_code code where user_id = factor.user_id)))::text as text
    from auth.second_factor factor where user_id = ${person.id}`.execute(server.db);
  const text = kept.rows[0]?.text ?? '';
  expect(text).toContain('code_hash');
  for (const plain of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))]) {
    expect(text).not.toContain(plain);
  }
});

test('a second factor that is on is not enrolled anew, and one that was never begun is not confirmed', async () => {
  const { browser, secret } = await createProtected(server);
  expect(await browser.refused(enrolSecondFactor, {})).toMatchObject({ status: 409, code: 'conflict' });
  const again = await browser.refused(confirmSecondFactor, { body: { code: codeFor(secret) } });
  expect(again).toMatchObject({ status: 409, code: 'conflict' });
  const nobody = await signInAs(server, await createPerson(server));
  expect(await nobody.refused(confirmSecondFactor, { body: { code: '123456' } })).toMatchObject({ code: 'conflict' });
});

test('AUTH-66 the right code raises the session to aal2; a wrong or expired one is refused', async () => {
  const { person, secret } = await createProtected(server);
  const browser = await signInAs(server, person);
  expect(await browser.call(readSession)).toMatchObject({
    user: null,
    awaitsSecondFactor: true,
    assuranceLevel: null,
    expiresAt: null,
  });
  const wrong = await browser.refused(verifySecondFactor, withCode(wrongCodeFor(secret)));
  expect(wrong).toMatchObject({ code: 'invalid_input', errors: [{ path: 'code' }] });
  const expired = await browser.refused(verifySecondFactor, withCode(codeFor(secret, -3)));
  expect(expired.code).toBe('invalid_input');
  expect((await browser.call(readSession)).awaitsSecondFactor).toBe(true);

  const pendingToken = browser.cookies.get('switchyard.session_token');
  await browser.call(verifySecondFactor, withCode(codeFor(secret)));
  expect(await browser.call(readSession)).toMatchObject({
    user: { id: person.id },
    awaitsSecondFactor: false,
    assuranceLevel: 'aal2',
  });
  const fixed = openBrowser(server);
  fixed.cookies.set('switchyard.session_token', pendingToken ?? '');
  expect(await fixed.call(readSession)).toMatchObject({ user: null, awaitsSecondFactor: false });
});

test('a code may be typed with a space in it', async () => {
  const { person, secret } = await createProtected(server);
  const browser = await signInAs(server, person);
  await browser.call(verifySecondFactor, withCode(codeFor(secret).replace(/(...)/, '$1 ')));
  expect((await browser.call(readSession)).user?.id).toBe(person.id);
});

test('AUTH-66 each code works once: of 20 uses at the same moment one succeeds, and none later', async () => {
  const { person, secret } = await createProtected(server);
  const browsers = await Promise.all(Array.from({ length: 20 }, () => signInAs(server, person)));
  const answers = await Promise.all(
    browsers.map((browser) => browser.send(verifySecondFactor, withCode(codeFor(secret)))),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 422)]);
  const late = await signInAs(server, person);
  expect((await late.refused(verifySecondFactor, withCode(codeFor(secret)))).detail).toContain('used before');
  const earlier = await late.refused(verifySecondFactor, withCode(codeFor(secret, -1)));
  expect(earlier.code).toBe('invalid_input');
  clock.pass(60);
  await late.call(verifySecondFactor, withCode(codeFor(secret)));
  expect((await late.call(readSession)).assuranceLevel).toBe('aal2');
});

test('each recovery code works once, also at the same moment; its use is told by mail and recorded', async () => {
  const { person, recoveryCodes } = await createProtected(server);
  const [first = '', second = ''] = recoveryCodes;
  const browsers = await Promise.all(Array.from({ length: 10 }, () => signInAs(server, person)));
  const answers = await Promise.all(
    browsers.map((browser) => browser.send(verifySecondFactor, withRecoveryCode(first))),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(9);
  const late = await signInAs(server, person);
  expect((await late.refused(verifySecondFactor, withRecoveryCode(first))).code).toBe('invalid_input');
  await late.call(verifySecondFactor, withRecoveryCode(` ${second.replaceAll('-', '').toUpperCase()} `));
  expect(await late.call(readSecondFactor)).toMatchObject({ recoveryCodesLeft: 8 });
  const mails = await mailsTo(server.db, person.email);
  expect(mails.map(({ kind }) => kind)).toEqual(['recovery_code_used', 'recovery_code_used', 'second_factor_on']);
  expect(mails[0]?.textBody).toContain('8 recovery codes are left');
  expect(await auditOf(person, 'recovery_code.%')).toEqual([
    { action: 'recovery_code.use', actorId: person.id, after: { left: 9 } },
    { action: 'recovery_code.use', actorId: person.id, after: { left: 8 } },
  ]);
});

test('the last recovery code works too, on a device that is remembered by it', async () => {
  const { person, recoveryCodes } = await createProtected(server);
  await sql`
    update auth.recovery_code set used_at = now() where user_id = ${person.id} and ctid <> (
      select min(ctid) from auth.recovery_code where user_id = ${person.id})`.execute(server.db);
  const answers = [];
  const browser = await signInAs(server, person);
  for (const code of recoveryCodes) {
    const given = { kind: 'recovery_code' as const, code };
    answers.push(await browser.send(verifySecondFactor, { body: { given, isDeviceRemembered: true } }));
    await server.db.deleteFrom('auth.rateLimit').execute();
  }
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const [mail] = await mailsTo(server.db, person.email);
  expect(mail?.textBody).toContain('0 recovery codes are left');
  expect(await browser.call(readSecondFactor)).toMatchObject({ recoveryCodesLeft: 0, rememberedDevices: 1 });
});

test('AUTH-67 the own second factor is removed by a recovery code too; both are told and recorded', async () => {
  const { person, browser, recoveryCodes } = await createProtected(server);
  await browser.call(turnOffSecondFactor, withRecoveryCode(recoveryCodes[0] ?? ''));
  expect(await browser.call(readSecondFactor)).toMatchObject({ confirmedAt: null, recoveryCodesLeft: 0 });
  const actions = (await auditOf(person, '%')).map(({ action }) => action);
  expect(actions.toSorted()).toEqual(['recovery_code.use', 'second_factor.turn_off', 'second_factor.turn_on']);
  const kinds = (await mailsTo(server.db, person.email)).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(['recovery_code_used', 'second_factor_off', 'second_factor_on']);
});

test('turning the second factor on gives the session another token: a thief of the old one is nobody', async () => {
  const person = await createPerson(server);
  const browser = await signInAs(server, person);
  const thief = openBrowser(server);
  for (const [name, value] of browser.cookies) thief.cookies.set(name, value);
  expect(await thief.call(readSession)).toMatchObject({ user: { id: person.id } });
  await setUpSecondFactor(browser);
  expect(await browser.call(readSession)).toMatchObject({ user: { id: person.id }, assuranceLevel: 'aal2' });
  expect(await thief.call(readSession)).toMatchObject({ user: null, awaitsSecondFactor: false });
});

test('new recovery codes take the place of the old ones', async () => {
  const { person, browser, recoveryCodes: old } = await createProtected(server);
  const { recoveryCodes } = await browser.call(renewRecoveryCodes, {});
  expect(recoveryCodes.filter((code) => old.includes(code))).toEqual([]);
  const other = await signInAs(server, person);
  expect((await other.refused(verifySecondFactor, withRecoveryCode(old[0] ?? ''))).code).toBe('invalid_input');
  await other.call(verifySecondFactor, withRecoveryCode(recoveryCodes[0] ?? ''));
  expect(await browser.call(readSecondFactor)).toMatchObject({ recoveryCodesLeft: 9 });
  const without = await signInAs(server, await createPerson(server));
  expect(await without.refused(renewRecoveryCodes, {})).toMatchObject({ code: 'conflict' });
});

test('AUTH-67 the own second factor is removed by a code; sessions that still waited for it end', async () => {
  const { person, browser, secret } = await createProtected(server);
  const waiting = await signInAs(server, person);
  const wrong = await browser.refused(turnOffSecondFactor, withCode(wrongCodeFor(secret)));
  expect(wrong.code).toBe('invalid_input');
  expect((await browser.call(readSecondFactor)).confirmedAt).not.toBeNull();

  await browser.call(turnOffSecondFactor, withCode(codeFor(secret)));
  expect(await browser.call(readSecondFactor)).toMatchObject({ confirmedAt: null, recoveryCodesLeft: 0 });
  expect(await waiting.call(readSession)).toMatchObject({ user: null, awaitsSecondFactor: false });
  const fresh = await signInAs(server, person);
  expect(await fresh.call(readSession)).toMatchObject({ user: { id: person.id }, awaitsSecondFactor: false });
  const [mail] = await mailsTo(server.db, person.email);
  expect(mail?.kind).toBe('second_factor_off');
  const actions = (await auditOf(person, '%')).map(({ action }) => action);
  expect(actions).toEqual(['second_factor.turn_on', 'second_factor.turn_off']);
});

test('a remembered device is not asked again for 30 days, any other device is', async () => {
  const { person, secret } = await createProtected(server);
  const browser = await signInAs(server, person);
  await browser.call(verifySecondFactor, withCode(codeFor(secret), true));
  expect((await browser.call(readSecondFactor)).rememberedDevices).toBe(1);
  await browser.call(signOut, {});

  await signInAs(server, person, browser);
  expect(await browser.call(readSession)).toMatchObject({ user: { id: person.id }, assuranceLevel: 'aal1' });
  const elsewhere = await signInAs(server, person);
  expect((await elsewhere.call(readSession)).awaitsSecondFactor).toBe(true);

  const days = await sql<{ days: number }>`
    select round(extract(epoch from remembered_until - now()) / 86400)::int as days
    from auth.device where user_id = ${person.id} and remembered_until is not null`.execute(server.db);
  expect(days.rows).toEqual([{ days: 30 }]);
  await sql`
    update auth.device set remembered_until = now() - interval '1 second'
    where user_id = ${person.id} and remembered_until is not null`.execute(server.db);
  await browser.call(signOut, {});
  await signInAs(server, person, browser);
  expect((await browser.call(readSession)).awaitsSecondFactor).toBe(true);
});

test('remembered devices are forgotten when the password changes and when the factor is turned off', async () => {
  const { person, secret } = await createProtected(server);
  const browser = await signInAs(server, person);
  await browser.call(verifySecondFactor, withCode(codeFor(secret), true));
  const newPassword = 'Power-Up-2';
  await browser.call(changePassword, { body: { currentPassword: person.password, newPassword } });
  await browser.call(signOut, {});
  await signInAs(server, { ...person, password: newPassword }, browser);
  expect((await browser.call(readSession)).awaitsSecondFactor).toBe(true);

  clock.pass(60);
  await browser.call(verifySecondFactor, withCode(codeFor(secret), true));
  clock.pass(60);
  await browser.call(turnOffSecondFactor, withCode(codeFor(secret)));
  clock.pass(60);
  await setUpSecondFactor(browser);
  await browser.call(signOut, {});
  await signInAs(server, { ...person, password: newPassword }, browser);
  expect((await browser.call(readSession)).awaitsSecondFactor).toBe(true);
});

test('signing out while a code is awaited ends the session', async () => {
  const { person, secret } = await createProtected(server);
  const browser = await signInAs(server, person);
  const token = browser.cookies.get('switchyard.session_token') ?? '';
  await browser.call(signOut, {});
  const stolen = openBrowser(server);
  stolen.cookies.set('switchyard.session_token', token);
  expect((await stolen.refused(verifySecondFactor, withCode(codeFor(secret)))).status).toBe(401);
});
