import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changePassword, readSession } from '#contract/accounts.ts';
import { createAdminUser } from '#contract/documented-functions.ts';
import type { Role } from '#contract/roles.ts';
import { giveProof, mailProofCode, readProofWays } from '#contract/second-factor.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { readContract } from '#test/support/contract.ts';
import {
  type CookieBrowser,
  codeFor,
  createPerson,
  openBrowser,
  setUpSecondFactor,
  signInAs,
  wrongCodeFor,
} from '#test/support/second-factor.ts';
import { mailsTo, signInWith } from '#test/support/sign-in.ts';

let server: TestApp;
let count = 0;
let restoreClock: () => void;
beforeAll(async () => {
  restoreClock = stopClockAt(new Date().toISOString());
  server = await startTestApp();
});
afterAll(async () => {
  restoreClock();
  await server.close();
});

/** Makes the person's last proof so many minutes old. */
async function ageProof(personId: string, minutes: number): Promise<void> {
  await sql`
    update auth.session set proved_at = now() - make_interval(mins => ${minutes}) where user_id = ${personId}`.execute(
    server.db,
  );
}

function newAdmin() {
  count += 1;
  return { email: `made-${count}@factor.example`, password: 'Power-Up-1', firstName: 'Max', lastName: 'Made' };
}

async function signedInWithOldProof(role: Role = 'admin') {
  const person = await createPerson(server, role);
  const browser = await signInAs(server, person);
  await ageProof(person.id, 16);
  return { person, browser };
}

async function mailedCode(email: string): Promise<string> {
  const [mail] = await mailsTo(server.db, email);
  expect(mail?.kind).toBe('proof_code');
  return /\b\d{6}\b/.exec(mail?.textBody ?? '')?.[0] ?? '';
}

function otherThan(code: string): string {
  return code === '123456' ? '654321' : '123456';
}

async function isOpen(browser: CookieBrowser): Promise<boolean> {
  return (await browser.send(createAdminUser, { body: newAdmin() })).status === 200;
}

test('sensitive acts are open for 15 minutes after a proof, and ask for another then', async () => {
  const { person, browser } = await signedInWithOldProof();
  const body = newAdmin();
  expect(await browser.refused(createAdminUser, { body })).toMatchObject({ status: 403, code: 'proof_required' });
  const made = await sql`select from auth."user" where email = ${body.email}`.execute(server.db);
  expect(made.rows).toHaveLength(0);
  await ageProof(person.id, 14);
  expect(await browser.call(createAdminUser, { body })).toMatchObject({ success: true });
});

test('each act that gives power or money, or weakens the sign-in, asks for a fresh proof', async () => {
  const { browser } = await signedInWithOldProof();
  const marked = (await readContract()).filter(({ needsFreshProof }) => needsFreshProof);
  // Taking one off this list is a decision. A new one must be here too.
  expect(marked.map(({ name }) => name).toSorted()).toEqual([
    'addPasskey',
    'approveRoleRequest',
    'approveStipend',
    'approveStipendAmount',
    'approveStipends',
    'approveWeek',
    'changeSignInPolicy',
    'createAdminUser',
    'deleteUser',
    'enrolSecondFactor',
    'exportUsers',
    'handOverWeek',
    'linkWallet',
    'markStipendPaid',
    'publishRules',
    'recallHandover',
    'removePasskey',
    'removeSecondFactor',
    'renewRecoveryCodes',
    'renewStipendPayee',
    'requestEmailChange',
    'requestPasskey',
    'requestWalletLink',
    'setSecondApprover',
    'startProviderLink',
    'takePaymentBack',
    'turnOffSecondFactor',
    'undoImport',
    'unlinkIdentity',
  ]);
  for (const endpoint of marked) {
    const answer = await browser.send(endpoint, { params: { id: crypto.randomUUID() } });
    expect(await answer.json(), endpoint.name).toMatchObject({ code: 'proof_required' });
  }
});

test('the password proves it; a wrong one does not', async () => {
  const { person, browser } = await signedInWithOldProof();
  expect(await browser.call(readProofWays)).toEqual({
    hasPassword: true,
    hasSecondFactor: false,
    email: person.email,
  });
  const wrong = await browser.refused(giveProof, { body: { kind: 'password', password: 'Power-Up-2' } });
  expect(wrong).toMatchObject({ code: 'invalid_input', errors: [{ path: 'password' }] });
  expect(await isOpen(browser)).toBe(false);
  await browser.call(giveProof, { body: { kind: 'password', password: person.password } });
  expect(await isOpen(browser)).toBe(true);
  expect((await browser.call(readSession)).assuranceLevel).toBe('aal1');
});

test('a code of the second factor proves it, once', async () => {
  const person = await createPerson(server, 'admin');
  const browser = await signInAs(server, person);
  const { secret } = await setUpSecondFactor(browser);
  await ageProof(person.id, 16);
  expect(await browser.call(readProofWays)).toMatchObject({ hasSecondFactor: true });
  const wrong = await browser.refused(giveProof, { body: { kind: 'code', code: wrongCodeFor(secret) } });
  expect(wrong).toMatchObject({ code: 'invalid_input', errors: [{ path: 'code' }] });
  const code = codeFor(secret);
  await browser.call(giveProof, { body: { kind: 'code', code } });
  expect(await isOpen(browser)).toBe(true);
  expect((await browser.refused(giveProof, { body: { kind: 'code', code } })).code).toBe('invalid_input');
});

test('AUTH-61 a signed-in person is mailed a one-time code for a sensitive act', async () => {
  const { person, browser } = await signedInWithOldProof();
  await browser.call(mailProofCode, {});
  const code = await mailedCode(person.email);
  expect(code).toMatch(/^\d{6}$/);
  expect(await isOpen(browser)).toBe(false);
  const kept = await server.db.selectFrom('auth.mailedCode').selectAll().where('userId', '=', person.id).execute();
  expect(JSON.stringify(kept)).not.toContain(code);

  const wrong = await browser.refused(giveProof, { body: { kind: 'mailed_code', code: otherThan(code) } });
  expect(wrong.code).toBe('invalid_input');
  await browser.call(giveProof, { body: { kind: 'mailed_code', code } });
  expect(await isOpen(browser)).toBe(true);
  await ageProof(person.id, 16);
  expect((await browser.refused(giveProof, { body: { kind: 'mailed_code', code } })).code).toBe('invalid_input');
  expect(await isOpen(browser)).toBe(false);
});

test('AUTH-61 of 20 uses of a mailed code at the same moment one proves; a newer mail ends the code before', async () => {
  const { person, browser } = await signedInWithOldProof();
  await browser.call(mailProofCode, {});
  const first = await mailedCode(person.email);
  await browser.call(mailProofCode, {});
  const second = await mailedCode(person.email);
  if (first !== second) {
    expect((await browser.refused(giveProof, { body: { kind: 'mailed_code', code: first } })).code).toBe(
      'invalid_input',
    );
  }
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => browser.send(giveProof, { body: { kind: 'mailed_code', code: second } })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a mailed code is for 10 minutes, 5 tries and its own person', async () => {
  const { person, browser } = await signedInWithOldProof();
  await browser.call(mailProofCode, {});
  const late = await mailedCode(person.email);
  const minutes = await sql<{ minutes: number }>`
    select round(extract(epoch from expires_at - now()) / 60)::int as minutes
    from auth.mailed_code where user_id = ${person.id}`.execute(server.db);
  expect(minutes.rows).toEqual([{ minutes: 10 }]);
  await sql`update auth.mailed_code set expires_at = now() where user_id = ${person.id}`.execute(server.db);
  expect((await browser.refused(giveProof, { body: { kind: 'mailed_code', code: late } })).code).toBe('invalid_input');

  await browser.call(mailProofCode, {});
  const code = await mailedCode(person.email);
  const other = await signedInWithOldProof();
  expect((await other.browser.refused(giveProof, { body: { kind: 'mailed_code', code } })).code).toBe('invalid_input');
  for (let tried = 0; tried < 5; tried += 1) {
    await browser.refused(giveProof, { body: { kind: 'mailed_code', code: otherThan(code) } });
  }
  expect((await browser.refused(giveProof, { body: { kind: 'mailed_code', code } })).code).toBe('invalid_input');
});

test('a mailed code dies when the password changes', async () => {
  const { person, browser } = await signedInWithOldProof();
  await browser.call(mailProofCode, {});
  const code = await mailedCode(person.email);
  await browser.call(changePassword, { body: { currentPassword: person.password, newPassword: 'Grid-Tower-77' } });
  expect((await browser.refused(giveProof, { body: { kind: 'mailed_code', code } })).code).toBe('invalid_input');
  expect(await isOpen(browser)).toBe(false);
});

test('an API client proves by the same endpoint before it creates an admin', async () => {
  const person = await createPerson(server, 'admin');
  const { bearer } = await signInWith(server, person.email, person.password);
  await ageProof(person.id, 16);
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
  };
  expect(await post(createAdminUser.path, newAdmin())).toMatchObject({
    status: 403,
    body: { code: 'proof_required', success: false },
  });
  expect(await post(giveProof.path, { kind: 'password', password: person.password })).toMatchObject({ status: 200 });
  expect(await post(createAdminUser.path, newAdmin())).toMatchObject({ status: 200, body: { success: true } });
});

test('a proof counts for the session that gave it alone', async () => {
  const { person, browser } = await signedInWithOldProof();
  const other = await signInAs(server, person);
  expect(await isOpen(other)).toBe(true);
  expect(await isOpen(browser)).toBe(false);
});

test('somebody without a password proves by mail', async () => {
  const person = await buildAdmin(server.db);
  const { cookie } = await server.as(person);
  const browser = openBrowser(server);
  const [name = '', ...value] = cookie.split('=');
  browser.cookies.set(name, value.join('='));
  await ageProof(person.id, 16);
  expect(await browser.call(readProofWays)).toMatchObject({ hasPassword: false });
  const refusal = await browser.refused(giveProof, { body: { kind: 'password', password: 'anything' } });
  expect(refusal.code).toBe('conflict');
  await browser.call(mailProofCode, {});
  await browser.call(giveProof, { body: { kind: 'mailed_code', code: await mailedCode(person.email ?? '') } });
  expect(await isOpen(browser)).toBe(true);
});

test('wrong passwords and mails of codes are limited, with the time to wait', async () => {
  const { person } = await signedInWithOldProof();
  const strict = await openTestApp(server.connectionString, {
    DATA_DIR: server.app.config.dataDir,
    RATE_LIMIT_FACTOR: '1',
  });
  try {
    const browser = await signInAs(strict, person);
    for (let tried = 0; tried < 10; tried += 1) {
      const wrong = await browser.refused(giveProof, { body: { kind: 'password', password: `wrong-${tried}` } });
      expect(wrong.code).toBe('invalid_input');
    }
    const right = await browser.refused(giveProof, { body: { kind: 'password', password: person.password } });
    expect(right).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect(Number(right.retryAfter)).toBeGreaterThan(0);
    for (let sent = 0; sent < 5; sent += 1) await browser.call(mailProofCode, {});
    expect(await browser.refused(mailProofCode, {})).toMatchObject({ status: 429 });
    expect((await mailsTo(server.db, person.email)).filter(({ kind }) => kind === 'proof_code')).toHaveLength(5);
  } finally {
    await strict.close();
  }
});
