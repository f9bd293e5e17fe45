import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSession } from '#contract/accounts.ts';
import { readCalendarFeed } from '#contract/calendar-feeds.ts';
import { subscribePush } from '#contract/push.ts';
import { readSecondFactor, verifySecondFactor } from '#contract/second-factor.ts';
import { issueServiceToken } from '#contract/service-tokens.ts';
import {
  confirmationLinkFor,
  readConfirmationToken,
} from '#server/features/accounts/registration/confirmation-links.ts';
import { loadKeysOf, loadPushKeys, renewPushKeys } from '#server/features/deliveries/push-keys.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { readUnsubscribeToken, unsubscribeAddress } from '#server/platform/unsubscribe-links.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { openFeed, readFeed } from '#test/support/calendar-feed.ts';
import { startPushService, type TestPushService } from '#test/support/push-service.ts';
import { codeFor, createProtected, openBrowser, signInAs } from '#test/support/second-factor.ts';
import { testSecret } from '#test/support/test-secret.ts';
import { readInspected } from './inspected.ts';
import { sealAnewJob, sealedColumns } from './sealed-by-instance.ts';
import { lookAtFormerSecrets, lookAtUnopenable } from './secret-looks.ts';

const fresh = 'the secret that comes after it, which is as long as it must be';
const jobTry = { number: 1, isLast: true };

let before: TestApp;
let during: TestApp;
let after: TestApp;
let pushService: TestPushService;
beforeAll(async () => {
  pushService = await startPushService();
  const push = { PUSH_ALLOW_PRIVATE: '1' };
  before = await startTestApp(push);
  const { connectionString } = before;
  during = await openTestApp(connectionString, { ...push, AUTH_SECRET: fresh, AUTH_SECRET_OLD: testSecret });
  after = await openTestApp(connectionString, { ...push, AUTH_SECRET: fresh });
});
afterAll(async () => {
  await after.close();
  await during.close();
  await before.close();
  await pushService.close();
});

test('a new AUTH_SECRET signs nobody out and takes nothing away: while the former one counts, all is sealed anew', async () => {
  const { person, browser, secret, recoveryCodes } = await createProtected(before);
  const member = await buildParticipant(before.db);
  const feed = await openFeed(before, member);
  await browser.call(issueServiceToken, {});
  const keys = await loadPushKeys(before.db, before.app);
  const about = { userId: person.id, category: 'stipendUpdates' } as const;
  const unsubscribed = (app: TestApp) =>
    readUnsubscribeToken(app.app.secrets, unsubscribeAddress('', before.app.secrets, about).split('/').at(-1) ?? '');
  const link = (await confirmationLinkFor(before.app, person.email)).split('#token=')[1] ?? '';
  const withCookies = (app: TestApp) => {
    const other = openBrowser(app);
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    return other;
  };

  // The new secret alone knows none of it.
  expect((await withCookies(after).call(readSession, {})).user).toBeNull();
  expect((await readFeed(after, feed.path)).response.status).toBe(404);
  expect(unsubscribed(after)).toBeNull();
  expect(await readConfirmationToken(after.app, link)).toBeNull();
  await expect(loadPushKeys(after.db, after.app)).rejects.toThrow('No accepted secret opens this text.');
  expect(await lookAtUnopenable(await readInspected(after.app))).toMatchObject({
    severity: 'error',
    problem: expect.stringMatching(
      /second factors \(1\), keys of service tokens \(1\), the key of push messages \(1\), addresses of calendars \(1\)\.$/,
    ),
  });

  const carried = withCookies(during);
  expect((await carried.call(readSession, {})).user?.id).toBe(person.id);
  expect(carried.cookies).not.toEqual(browser.cookies);
  expect((await readFeed(during, feed.path)).response.status).toBe(200);
  expect(unsubscribed(during)).toEqual(about);
  expect(await readConfirmationToken(during.app, link)).toBe(person.email);
  const again = await signInAs(during, person);
  await again.call(verifySecondFactor, { body: { given: { kind: 'recovery_code', code: recoveryCodes[0] ?? '' } } });
  expect((await lookAtFormerSecrets(await readInspected(during.app)))?.remedy).toBe(
    'Take it out after 30 days. 1 person has recovery codes that end with it.',
  );

  await sealAnewJob.run(during.app, {}, jobTry);
  expect(await lookAtUnopenable(await readInspected(after.app))).toBeNull();
  const still = openBrowser(after);
  for (const [name, value] of carried.cookies) still.cookies.set(name, value);
  expect((await still.call(readSession, {})).user?.id).toBe(person.id);
  expect((await readFeed(after, feed.path)).response.status).toBe(200);
  expect(await (await after.as(member)).call(readCalendarFeed)).toMatchObject({
    feed: { address: expect.stringContaining(feed.path) },
  });
  expect(await loadPushKeys(after.db, after.app)).toEqual(keys);
  await still.call(issueServiceToken, {});
  const anew = await signInAs(after, person);
  await anew.call(verifySecondFactor, { body: { given: { kind: 'code', code: codeFor(secret) } } });
  expect((await anew.call(readSession, {})).user?.id).toBe(person.id);
  expect(await lookAtFormerSecrets(await readInspected(after.app))).toBeNull();
});

test('recovery codes that end with the former secret do not count any more once it is gone', async () => {
  const { browser, recoveryCodes } = await createProtected(before);
  expect(await browser.call(readSecondFactor, {})).toMatchObject({ recoveryCodesLeft: recoveryCodes.length });
  await sealAnewJob.run(during.app, {}, jobTry);
  const carried = openBrowser(during);
  for (const [name, value] of browser.cookies) carried.cookies.set(name, value);
  expect(await carried.call(readSecondFactor, {})).toMatchObject({ recoveryCodesLeft: recoveryCodes.length });
  const alone = openBrowser(after);
  for (const [name, value] of carried.cookies) alone.cookies.set(name, value);
  expect(await alone.call(readSecondFactor, {})).toMatchObject({ recoveryCodesLeft: 0 });
});

test('new keys of push messages are for browsers that subscribe from then on; the others take messages as before', async () => {
  const [early, late] = [await buildParticipant(during.db), await buildParticipant(during.db)];
  const former = await loadPushKeys(during.db, during.app);
  await (await during.as(early)).call(subscribePush, { body: pushService.newBrowser() });
  expect(await inTransaction(during.db, (db) => renewPushKeys(db, during.app.secrets))).toBe(1);
  await (await during.as(late)).call(subscribePush, { body: pushService.newBrowser() });
  const keyOf = (userId: string) =>
    during.db
      .selectFrom('pushSubscriptions')
      .select('formerKey')
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow();
  expect(await loadKeysOf(during.app, (await keyOf(early.id)).formerKey)).toEqual(former);
  const present = await loadKeysOf(during.app, (await keyOf(late.id)).formerKey);
  expect(present).toEqual(await loadPushKeys(during.db, during.app));
  expect(present.publicKey).not.toBe(former.publicKey);
  await during.db.deleteFrom('pushSubscriptions').execute();
  expect(await inTransaction(during.db, (db) => renewPushKeys(db, during.app.secrets))).toBe(0);
  expect(await during.db.selectFrom('formerPushKeys').select('publicKey').execute()).toEqual([]);
});

test('every column that is named as sealed is sealed anew', async () => {
  const known = sealedColumns.map(({ table, column }) => `${table.replace(/^auth\./, '')}.${column}`);
  const { rows } = await before.app.pool.query<{ name: string }>(`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema in ('public', 'auth') and (column_name like 'encrypted%' or column_name like '%private_key%')`);
  expect(rows.map(({ name }) => name).toSorted()).toEqual(known.toSorted());
});
