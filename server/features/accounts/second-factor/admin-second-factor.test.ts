import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import {
  changeSignInPolicy,
  readSecondFactor,
  readSignInPolicy,
  turnOffSecondFactor,
} from '#contract/second-factor.ts';
import { listUsers } from '#contract/user-management.ts';
import { readConfig } from '#server/config.ts';
import { noteThatAdminsAreAsked } from '#server/sign-in/second-factor-rule.ts';
import { buildAdmin, buildCoach } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { codeFor, createProtected } from '#test/support/second-factor.ts';

let server: TestApp;
let restoreClock: () => void;
beforeAll(async () => {
  restoreClock = stopClockAt(new Date().toISOString());
  server = await startTestApp({ REQUIRE_ADMIN_SECOND_FACTOR: '1' });
});
afterAll(async () => {
  restoreClock();
  await server.close();
});

/** Builds somebody who has been here for so many days. */
async function since(days: number, build = buildAdmin) {
  const person = await build(server.db);
  const createdAt = sql<Date>`now() - make_interval(days => ${days})`;
  await server.db.updateTable('profiles').set({ createdAt }).where('id', '=', person.id).execute();
  return { id: person.id, client: await server.as(person) };
}

const askedSince = (days: number) =>
  sql`update auth.sign_in_policy set admins_asked_since = now() - make_interval(days => ${days})`.execute(server.db);

test('outside a demo admins must have a second factor unless the setting says otherwise', () => {
  const asks = (env: Record<string, string>) => readConfig(env).requireAdminSecondFactor;
  const database = { DATABASE_URL: 'postgres://u:p@db/switchyard' };
  expect([asks({ DEMO: '1' }), asks({ DEMO: '0' }), asks({ ...database, DEMO: '0' })]).toEqual([false, true, true]);
  expect(asks({ ...database, REQUIRE_ADMIN_SECOND_FACTOR: '0' })).toBe(false);
  expect(asks({ DEMO: '1', REQUIRE_ADMIN_SECOND_FACTOR: '1' })).toBe(true);
});

test('admins have seven days from the first start that asks, or from when they became one', async () => {
  const { client: early } = await since(30);
  const mustSetUp = async (client: typeof early) => (await client.call(readSession)).mustSetUpSecondFactor;
  expect(await mustSetUp(early)).toBe(false);
  await noteThatAdminsAreAsked(server.db, server.app.config);
  expect(await mustSetUp(early)).toBe(false);

  await askedSince(8);
  // A later start does not give another seven days.
  await noteThatAdminsAreAsked(server.db, server.app.config);
  expect(await mustSetUp(early)).toBe(true);
  expect((await early.refused(listUsers)).problem.code).toBe('second_factor_required');
  const { client: late } = await since(6);
  const { id, client: raised } = await since(30);
  const { id: giverId } = await since(30);
  const grantedAt = sql<Date>`now() - interval '6 days'`;
  await server.db.insertInto('adminGrants').values({ personId: id, grantedBy: giverId, grantedAt }).execute();
  const { client: coach } = await since(30, buildCoach);
  for (const client of [late, raised, coach]) expect(await mustSetUp(client)).toBe(false);
});

test('asking coaches too takes no day from the admins: theirs end as they would have', async () => {
  await askedSince(3);
  const { client: waiting } = await since(30);
  const { client: coach } = await since(30, buildCoach);
  const mustSetUp = async (client: typeof coach) => (await client.call(readSession)).mustSetUpSecondFactor;
  const { browser } = await createProtected(server, 'admin');
  await browser.call(changeSignInPolicy, { body: { secondFactorRoles: ['coach', 'admin'], seen: ['admin'] } });
  expect([await mustSetUp(coach), await mustSetUp(waiting)]).toEqual([true, false]);
  const { secondFactorDueAt } = await waiting.call(readSession);
  const days = (Date.parse(secondFactorDueAt ?? '') - Date.now()) / 86_400_000;
  expect([Math.round(days), (await coach.call(readSession)).secondFactorDueAt]).toEqual([4, null]);
  expect((await browser.call(readSession)).secondFactorDueAt).toBeNull();
  await askedSince(8);
  expect(await mustSetUp(waiting)).toBe(true);
  expect((await waiting.call(readSession)).secondFactorDueAt).toBeNull();
  await sql`update auth.sign_in_policy set changed_by = null, second_factor_roles = '{}'`.execute(server.db);
});

test('the rule shows it, it keeps a factor on, and an admin can say otherwise', async () => {
  await askedSince(8);
  const { browser, secret } = await createProtected(server, 'admin');
  const policy = await browser.call(readSignInPolicy);
  expect(policy.secondFactorRoles).toEqual(['admin']);
  expect((await browser.call(readSecondFactor)).isRequired).toBe(true);
  const given = { kind: 'code' as const, code: codeFor(secret) };
  expect((await browser.refused(turnOffSecondFactor, { body: { given } })).code).toBe('conflict');
  const { client } = await since(30);
  expect((await client.call(readSession)).mustSetUpSecondFactor).toBe(true);
  await browser.call(changeSignInPolicy, { body: { secondFactorRoles: [], seen: ['admin'] } });
  expect((await browser.call(readSignInPolicy)).secondFactorRoles).toEqual([]);
  expect((await client.call(readSession)).mustSetUpSecondFactor).toBe(false);
});
