import { randomUUID } from 'node:crypto';
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { signOut } from '#contract/accounts.ts';
import { defaultPreferences, markNoticeRead, saveNotificationPreferences } from '#contract/notices.ts';
import { checkPush, readPushedNotice, readPushKey, subscribePush, unsubscribePush } from '#contract/push.ts';
import { endOtherSessions, endSession, endSessionsOfPerson, listSessions } from '#contract/sessions.ts';
import { decideDueNotices } from '#server/features/notices/notice-jobs.ts';
import { notify } from '#server/platform/notices.ts';
import { type BuiltPerson, buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { startPushService, type TestPushService } from '#test/support/push-service.ts';
import { sendPushJob } from './send-push.ts';

const noon = '2026-07-15T16:00:00Z';
const first = { number: 1, isLast: false };

let service: TestPushService;
let server: TestApp;
let restoreClock = () => {};
beforeAll(async () => {
  service = await startPushService();
  server = await startTestApp({ PUSH_ALLOW_PRIVATE: '1', MAIL_FROM: 'Switchyard <hello@switchyard.example>' });
});
afterEach(() => {
  restoreClock();
  service.answer = { status: 201 };
});
afterAll(async () => {
  await server.close();
  await service.close();
});

async function subscribed(person: BuiltPerson) {
  const browser = service.newBrowser();
  await (await server.as(person)).call(subscribePush, { body: browser });
  return { ...browser, path: new URL(browser.endpoint).pathname };
}

/** Tells the person of a stipend at noon, and decides. Returns the deliveries that wait to be pushed. */
async function tell({ id: userId }: BuiltPerson) {
  restoreClock();
  restoreClock = stopClockAt(noon);
  const about = { kind: 'stipend', title: 'Stipend of week 1 approved', message: 'Approved.', link: '/dashboard' };
  await notify(server.db, [{ ...about, userId, preference: 'stipendUpdates', eventKey: randomUUID() }]);
  await decideDueNotices(server.app);
  return deliveriesTo(userId);
}

function deliveriesTo(userId: string) {
  return server.db
    .selectFrom('deliveries')
    .select(['id', 'address', 'status', 'lastError', 'attempts', 'notBefore'])
    .where('recipientId', '=', userId)
    .where('channel', '=', 'push')
    .orderBy('id')
    .execute();
}

const send = (deliveryId = '', attempt = first) => sendPushJob.run(server.app, { deliveryId }, attempt);
const arrivedAt = (path: string) => service.received.filter((push) => push.path === path);

test('each browser of a person gets the notice once, sealed for it and signed by this server', async () => {
  const person = await buildParticipant(server.db);
  const browsers = [await subscribed(person), await subscribed(person)];
  const deliveries = await tell(person);
  expect(deliveries.map(({ address }) => address).sort()).toEqual(browsers.map(({ endpoint }) => endpoint).sort());
  for (const { id } of [...deliveries, ...deliveries]) await send(id);
  const { publicKey } = await (await server.as(person)).call(readPushKey);
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const key = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256');
  for (const { path } of browsers) {
    const [push, ...others] = arrivedAt(path);
    expect(others).toEqual([]);
    expect(JSON.parse(push?.text ?? '')).toMatchObject({
      title: 'Stipend of week 1 approved',
      body: 'Approved.',
      link: '/dashboard',
    });
    expect(push?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '32400' });
    expect(push?.headers.topic).toBe(JSON.parse(push?.text ?? '').tag.replaceAll('-', ''));
    const [, token = '', shown] = /^vapid t=([^,]+), k=(.+)$/.exec(push?.headers.authorization ?? '') ?? [];
    expect([shown, decodeProtectedHeader(token).alg]).toEqual([publicKey, 'ES256']);
    const { payload } = await jwtVerify(token, key, { audience: service.origin });
    expect(payload.sub).toBe('mailto:hello@switchyard.example');
  }
  expect((await deliveriesTo(person.id)).map(({ status }) => status)).toEqual(['sent', 'sent']);
});

test('PREF-13 nothing is pushed to a person who switched push or the category off', async () => {
  for (const chosen of [{ pushEnabled: false }, { stipendUpdates: false }]) {
    const person = await buildParticipant(server.db);
    await subscribed(person);
    const body = { ...defaultPreferences, ...chosen };
    await (await server.as(person)).call(saveNotificationPreferences, { body });
    expect(await tell(person)).toEqual([]);
  }
});

test('in quiet hours nothing is pushed; at 8 AM in US Eastern it is', async () => {
  const person = await buildParticipant(server.db);
  const { path } = await subscribed(person);
  const [delivery] = await tell(person);
  for (const quiet of ['2026-03-08T02:00:00Z', '2026-03-08T11:59:00Z']) {
    restoreClock();
    restoreClock = stopClockAt(quiet);
    await send(delivery?.id);
  }
  expect(arrivedAt(path)).toEqual([]);
  const [waiting] = await deliveriesTo(person.id);
  expect(waiting).toMatchObject({ status: 'queued', attempts: 0, notBefore: new Date('2026-03-08T12:00:00Z') });
  restoreClock();
  restoreClock = stopClockAt('2026-03-08T12:00:00Z');
  await send(delivery?.id);
  expect(arrivedAt(path)).toHaveLength(1);
});

test.each([404, 410])(
  'a subscription that the push service answers with %s is removed, and nothing more is sent to it',
  async (status) => {
    const person = await buildParticipant(server.db);
    await subscribed(person);
    const [delivery] = await tell(person);
    service.answer = { status };
    await send(delivery?.id);
    expect(await deliveriesTo(person.id)).toMatchObject([
      { status: 'dropped', lastError: "The browser's subscription has ended." },
    ]);
    const left = await server.db.selectFrom('pushSubscriptions').select('id').where('userId', '=', person.id).execute();
    expect(left).toEqual([]);
    expect(await tell(person)).toHaveLength(1);
  },
);

test('a push service that fails is tried again, and given up with the reason after the last try', async () => {
  const person = await buildParticipant(server.db);
  const { path } = await subscribed(person);
  const [delivery] = await tell(person);
  service.answer = { status: 503 };
  await expect(send(delivery?.id)).rejects.toThrow('The push service answered 503.');
  expect(await deliveriesTo(person.id)).toMatchObject([{ status: 'failed', attempts: 1 }]);
  service.answer = { status: 201 };
  await send(delivery?.id, { number: 2, isLast: false });
  expect([arrivedAt(path).length, (await deliveriesTo(person.id))[0]?.status]).toEqual([1, 'sent']);

  const [, second] = await tell(person);
  service.answer = { status: 503 };
  await expect(send(second?.id, { number: 9, isLast: true })).rejects.toThrow();
  expect((await deliveriesTo(person.id))[1]).toMatchObject({
    status: 'given_up',
    lastError: 'The push service answered 503.',
  });
});

test('a browser belongs to the person who subscribed last, and is given back by its own person alone', async () => {
  const [robin, other] = [await buildParticipant(server.db), await buildParticipant(server.db)];
  const browser = service.newBrowser();
  const { endpoint } = browser;
  const isOf = async (person: BuiltPerson) =>
    (await (await server.as(person)).call(checkPush, { body: { endpoint } })).isOwn;
  expect([await isOf(robin), await isOf(other)]).toEqual([false, false]);
  await (await server.as(robin)).call(subscribePush, { body: browser });
  expect([await isOf(robin), await isOf(other)]).toEqual([true, false]);
  await (await server.as(other)).call(subscribePush, { body: browser });
  expect([await isOf(robin), await isOf(other)]).toEqual([false, true]);
  expect([await tell(robin), (await tell(other)).length]).toEqual([[], 1]);
  await (await server.as(robin)).call(unsubscribePush, { body: { endpoint } });
  expect(await tell(other)).toHaveLength(2);
  await (await server.as(other)).call(unsubscribePush, { body: { endpoint } });
  expect(await tell(other)).toHaveLength(2);
});

test('a browser that shows a notice hours later learns whether it is still news, of its own person alone', async () => {
  const [person, other] = [await buildParticipant(server.db), await buildParticipant(server.db)];
  const { path } = await subscribed(person);
  const [delivery] = await tell(person);
  await send(delivery?.id);
  const { tag } = JSON.parse(arrivedAt(path)[0]?.text ?? '');
  const client = await server.as(person);
  const isNews = async () => (await client.call(readPushedNotice, { params: { id: tag } })).isNews;
  expect(await isNews()).toBe(true);
  expect((await (await server.as(other)).refused(readPushedNotice, { params: { id: tag } })).status).toBe(404);
  for (const chosen of [{ pushEnabled: false }, { stipendUpdates: false }]) {
    await client.call(saveNotificationPreferences, { body: { ...defaultPreferences, ...chosen } });
    expect(await isNews()).toBe(false);
  }
  await client.call(saveNotificationPreferences, { body: defaultPreferences });
  const notices = server.db.selectFrom('notices').select('id').where('userId', '=', person.id);
  await client.call(markNoticeRead, { params: { id: (await notices.executeTakeFirstOrThrow()).id } });
  expect(await isNews()).toBe(false);
});

test('to a browser whose session was ended from another one, or by an admin, nothing more is pushed', async () => {
  const person = await buildParticipant(server.db);
  const [one, another, third] = [await server.as(person), await server.as(person), await server.as(person)];
  const leaving = await server.as(person);
  const browsers = [1, 2, 3, 4].map(() => service.newBrowser());
  for (const [index, client] of [one, another, third, leaving].entries()) {
    await client.call(subscribePush, { body: browsers[index] ?? service.newBrowser() });
  }
  const reached = async () => {
    const before = new Set((await deliveriesTo(person.id)).map(({ id }) => id));
    return (await tell(person)).flatMap(({ id, address }) => (before.has(id) ? [] : [address])).sort();
  };
  const addresses = browsers.map(({ endpoint }) => endpoint);
  expect(await reached()).toEqual([...addresses].sort());
  await leaving.call(signOut);
  expect(await reached()).toEqual(addresses.slice(0, 3).sort());
  const { rows } = await one.call(listSessions);
  const ofThird = await sessionIdOf(addresses[2] ?? '');
  expect(rows.map(({ id }) => id)).toContain(ofThird);
  await one.call(endSession, { params: { id: ofThird } });
  const check = { body: { endpoint: addresses[2] ?? '' } };
  expect(await (await server.as(person)).call(checkPush, check)).toEqual({ isOwn: false });
  expect(await reached()).toEqual(addresses.slice(0, 2).sort());
  await one.call(endOtherSessions);
  expect(await reached()).toEqual(addresses.slice(0, 1));
  await (await server.as(await buildAdmin(server.db))).call(endSessionsOfPerson, { params: { id: person.id } });
  expect(await reached()).toEqual([]);
});

test('a browser of which no session is known gets nothing more once the person ends the others', async () => {
  const person = await buildParticipant(server.db);
  const [one, another] = [await server.as(person), await server.as(person)];
  const [kept, unknown] = [service.newBrowser(), service.newBrowser()];
  await one.call(subscribePush, { body: kept });
  await another.call(subscribePush, { body: unknown });
  await server.db
    .updateTable('pushSubscriptions')
    .set({ sessionId: null })
    .where('endpoint', '=', unknown.endpoint)
    .execute();
  await one.call(endOtherSessions);
  const left = server.db.selectFrom('pushSubscriptions').select('endpoint').where('userId', '=', person.id);
  expect(await left.execute()).toEqual([{ endpoint: kept.endpoint }]);
});

async function sessionIdOf(endpoint: string): Promise<string> {
  const subscription = server.db.selectFrom('pushSubscriptions').select('sessionId').where('endpoint', '=', endpoint);
  return (await subscription.executeTakeFirstOrThrow()).sessionId ?? '';
}

test('without the setting, private addresses and addresses without https are no push services', async () => {
  const strict = await startTestApp();
  const person = await buildParticipant(strict.db);
  const client = await strict.as(person);
  const refused = await client.refused(subscribePush, { body: service.newBrowser() });
  expect(refused.problem.code).toBe('invalid_input');
  const { keys } = service.newBrowser();
  await client.call(subscribePush, { body: { endpoint: 'https://127.0.0.1:1/push', keys } });
  const about = { kind: 'note', title: 'Title', message: 'Text', link: null, preference: 'stipendUpdates' } as const;
  await notify(strict.db, [{ ...about, userId: person.id, eventKey: randomUUID() }]);
  await decideDueNotices(strict.app);
  const delivery = await strict.db
    .selectFrom('deliveries')
    .select('id')
    .where('channel', '=', 'push')
    .executeTakeFirstOrThrow();
  restoreClock = stopClockAt(noon);
  await expect(sendPushJob.run(strict.app, { deliveryId: delivery.id }, first)).rejects.toThrow('private network');
  await strict.close();
});

const addressesOf = async ({ id }: BuiltPerson) => {
  const kept = server.db.selectFrom('pushSubscriptions').select('endpoint').where('userId', '=', id);
  return (await kept.orderBy('createdAt').execute()).map(({ endpoint }) => endpoint);
};

test('a session has one browser: what it subscribes anew takes the place of the former', async () => {
  const person = await buildParticipant(server.db);
  const client = await server.as(person);
  const browsers = Array.from({ length: 5 }, () => service.newBrowser());
  for (const browser of browsers.slice(0, 2)) await client.call(subscribePush, { body: browser });
  expect(await addressesOf(person)).toEqual([browsers[1]?.endpoint]);
  await Promise.all(browsers.map((browser) => client.call(subscribePush, { body: browser })));
  expect(await addressesOf(person)).toHaveLength(1);
});

test('a person has ten browsers, those that subscribed last; others keep theirs', async () => {
  const [person, other] = [await buildParticipant(server.db), await buildParticipant(server.db)];
  await subscribed(other);
  const browsers = [];
  for (let index = 0; index < 10; index += 1) browsers.push(await subscribed(person));
  const [first, second] = browsers;
  if (!first || !second) throw new Error('Nobody subscribed.');
  const { endpoint, keys } = first;
  await (await server.as(person)).call(subscribePush, { body: { endpoint, keys } });
  const clients = await Promise.all(Array.from({ length: 3 }, () => server.as(person)));
  const last = clients.map(() => service.newBrowser());
  await Promise.all(last.map((body, index) => clients[index]?.call(subscribePush, { body })));
  const kept = await addressesOf(person);
  expect(kept).toHaveLength(10);
  expect(kept).toEqual(expect.arrayContaining([endpoint, ...last.map((browser) => browser.endpoint)]));
  expect(kept).not.toContain(second.endpoint);
  expect(await addressesOf(other)).toHaveLength(1);
});
