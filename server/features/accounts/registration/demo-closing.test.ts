import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmEmailChange, requestEmailChange } from '#contract/own-details.ts';
import { closeDemoAccounts } from '#server/features/accounts/registration/demo-closing.ts';
import { refuseDangers } from '#server/features/operations/start-findings.ts';
import { demoPassword } from '#server/sign-in/demo-accounts.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { signInAs } from '#test/support/second-factor.ts';
import { linkInMail, sessionOf, signInWith } from '#test/support/sign-in.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const names = { firstName: 'Avery', lastName: 'Castellanos', trackType: null };
const demoAdmin = { ...names, email: 'admin@demo.example', role: 'admin' as const };
const demoFellow = { ...names, email: 'ana.paz@people.demo.example', role: 'participant' as const };
const own = { ...names, email: 'ada@people.example', role: 'admin' as const };
const refusal = /npm run demo:close/;

test('an instance that is no demo is refused its start while a demo account has the published password, and starts once they are closed', async () => {
  const { db, app } = server;
  await refuseDangers(app);
  await createSignInWithPassword(db, { ...own, password: 'Turbine-Hall-9' });
  const adminId = await createSignInWithPassword(db, { ...demoAdmin, password: demoPassword });
  await createSignInWithPassword(db, { ...demoFellow, password: 'Turbine-Hall-9' });
  await expect(refuseDangers(app)).rejects.toThrow(refusal);
  const demo = await openTestApp(server.connectionString, { DEMO: '1' });
  await refuseDangers(demo.app);
  await demo.close();
  const { cookie } = await signInWith(server, demoAdmin.email, demoPassword);
  const ownSession = await signInWith(server, own.email, 'Turbine-Hall-9');
  await db
    .insertInto('auth.passkey')
    .values({ userId: adminId, name: 'Left behind', credentialId: 'left', publicKey: Buffer.from('key'), counter: 0 })
    .execute();

  expect(await db.transaction().execute(closeDemoAccounts)).toBe(2);
  await refuseDangers(app);
  expect((await sessionOf(server, { cookie })).user).toBeNull();
  for (const [email, password] of [
    [demoAdmin.email, demoPassword],
    [demoFellow.email, 'Turbine-Hall-9'],
  ] as const) {
    expect((await signInWith(server, email, password)).status).toBe(401);
  }
  expect(await db.selectFrom('auth.passkey').select('name').execute()).toEqual([]);
  expect((await sessionOf(server, { cookie: ownSession.cookie })).user?.email).toBe(own.email);
  const log = await db
    .selectFrom('auditLog')
    .select(['actorId', 'subjectId'])
    .where('action', '=', 'demo_account.close')
    .execute();
  expect(log).toHaveLength(2);
  expect(log).toContainEqual({ actorId: null, subjectId: adminId });
  expect(await db.transaction().execute(closeDemoAccounts)).toBe(0);
});

test('a demo account is known by the address that it was made with, whatever address it has by now', async () => {
  const { db, app } = server;
  const person = { ...demoFellow, email: 'sam.sol@people.demo.example', password: demoPassword };
  const id = await createSignInWithPassword(db, person);
  const browser = await signInAs(server, { ...person, id });
  await browser.call(requestEmailChange, { body: { email: 'sam@elsewhere.example' } });
  const link = await linkInMail(db, 'sam@elsewhere.example');
  const token = new URLSearchParams(link.hash.slice(1)).get('token') ?? '';
  await browser.call(confirmEmailChange, { body: { token } });
  await expect(refuseDangers(app)).rejects.toThrow(refusal);
  expect(await db.transaction().execute(closeDemoAccounts)).toBe(1);
  await refuseDangers(app);
  expect((await signInWith(server, 'sam@elsewhere.example', demoPassword)).status).toBe(401);
  const entry = db.selectFrom('auditLog').select('action').where('subjectId', '=', id).orderBy('id', 'desc').limit(1);
  expect(await entry.executeTakeFirst()).toEqual({ action: 'demo_account.close' });
});
