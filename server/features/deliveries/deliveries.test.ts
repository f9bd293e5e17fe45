import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { listGivenUpDeliveries, retryDeliveries, retryDelivery } from '#contract/deliveries.ts';
import { buildGivenUpDelivery } from '#test/factories/deliveries.ts';
import { type BuiltPerson, buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { startMailServer, type TestMailServer } from '#test/support/mail-server.ts';
import { findGivenUpDeliveryCount } from './delivery-queries.ts';

let mailServer: TestMailServer;
let server: TestApp;
let admin: BuiltPerson;
let client: Client;
beforeAll(async () => {
  mailServer = await startMailServer();
  server = await startTestApp({ SMTP_URL: mailServer.url });
  admin = await buildAdmin(server.db);
  client = await server.as(admin);
});
beforeEach(async () => {
  await server.db.deleteFrom('deliveries').execute();
});
afterAll(async () => {
  await server.close();
  await mailServer.close();
});

const list = (query: object = {}) => client.call(listGivenUpDeliveries, { query });

test('an admin sees what could not be delivered, to whom and why, and none of its words or addresses of browsers', async () => {
  const nora = await buildParticipant(server.db, { firstName: 'Nora', lastName: 'Okafor' });
  const mail = await buildGivenUpDelivery(server.db, { recipientId: nora.id, address: nora.email });
  const address = 'https://push.example/secret-address';
  await buildGivenUpDelivery(server.db, { channel: 'push', recipientId: nora.id, address, lastError: 'answered 503' });
  await server.db
    .insertInto('deliveries')
    .values({ kind: 'note', address: 'a@b.c', subject: 'S', textBody: 'T' })
    .execute();
  const answer = await client.fetch(listGivenUpDeliveries.path);
  const text = await answer.text();
  expect(text).not.toContain('Secret text');
  expect(text).not.toContain('secret-address');
  const { rows, matching, kinds } = await list();
  expect(rows).toMatchObject([
    { channel: 'push', recipientName: 'Nora Okafor', address: null, reason: 'answered 503' },
    { id: mail.id, channel: 'mail', kind: 'review', address: nora.email, reason: '550 No such mailbox', attempts: 13 },
  ]);
  expect([matching, kinds, await findGivenUpDeliveryCount(server.db)]).toEqual([2, ['review'], 2]);
  const participant = await server.as(nora);
  expect((await participant.refused(listGivenUpDeliveries, { query: {} })).status).toBe(403);
});

test('it is filtered by channel and kind, searched by name, address and reason, and read by pages', async () => {
  const nora = await buildParticipant(server.db, { firstName: 'Nora', lastName: 'Okafor' });
  const givenUpAt = new Date('2026-02-03T10:00:00Z');
  for (let number = 0; number < 60; number += 1) {
    const address = `bulk-${number}@people.example`;
    await buildGivenUpDelivery(server.db, { address, givenUpAt, kind: number < 5 ? 'stipend' : 'review' });
  }
  await buildGivenUpDelivery(server.db, { channel: 'sms', recipientId: nora.id, address: '+12125552368' });
  const first = await list();
  const second = await list({ cursor: first.nextCursor ?? '' });
  const ids = [...first.rows, ...second.rows].map(({ id }) => id);
  expect([first.rows.length, first.rows[0]?.channel, new Set(ids).size, second.nextCursor]).toEqual([
    50,
    'sms',
    61,
    null,
  ]);
  expect(first).toMatchObject({ matching: 61, retryable: 61, kinds: ['review', 'stipend'] });
  expect((await list({ kind: 'stipend' })).rows).toHaveLength(5);
  for (const query of [{ channel: 'sms' }, { search: 'ora oka' }, { search: '555' }]) {
    expect((await list(query)).rows).toMatchObject([{ recipientName: 'Nora Okafor' }]);
  }
  expect((await list({ search: 'no such mailbox', kind: 'stipend' })).matching).toBe(5);
  expect((await list({ search: 'Secret text' })).rows).toEqual([]);
  expect((await client.refused(listGivenUpDeliveries, { query: { cursor: 'nonsense' } })).status).toBe(422);
});

test('what is tried again arrives once, of two admins at once too, and is on record', async () => {
  const { id } = await buildGivenUpDelivery(server.db, { address: 'back@people.example' });
  const other = await server.as(await buildAdmin(server.db));
  const jobs = await server.runJobs();
  const tries = await Promise.allSettled([client, other].map((one) => one.call(retryDelivery, { params: { id } })));
  expect(tries.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const sent = () => server.db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await vi.waitFor(async () => expect(await sent()).toMatchObject({ status: 'sent', attempts: 14 }), 15_000);
  await jobs.stop();
  expect(mailServer.received.filter(({ to }) => to.includes('back@people.example'))).toHaveLength(1);
  expect((await client.refused(retryDelivery, { params: { id } })).problem.code).toBe('conflict');
  const entries = await server.db.selectFrom('auditLog').selectAll().where('subjectId', '=', id).execute();
  expect(entries).toMatchObject([{ action: 'delivery.retry', before: { reason: '550 No such mailbox' } }]);
});

test('all that the filters leave is tried again, but not what is of no use any more', async () => {
  const gone = await buildParticipant(server.db);
  await server.db.updateTable('profiles').set({ deletedAt: new Date() }).where('id', '=', gone.id).execute();
  const hourAgo = new Date(Date.now() - 3_700_000);
  const stale = await buildGivenUpDelivery(server.db, { kind: 'password_reset', createdAt: hourAgo });
  const toGone = await buildGivenUpDelivery(server.db, { recipientId: gone.id });
  const invitation = await buildGivenUpDelivery(server.db, { kind: 'invitation', createdAt: hourAgo });
  const [review, text] = [
    await buildGivenUpDelivery(server.db),
    await buildGivenUpDelivery(server.db, { channel: 'sms', kind: 'stipend', address: '+12125552368' }),
  ];
  expect(await list()).toMatchObject({ matching: 5, retryable: 3 });
  expect(await client.call(retryDeliveries, { body: { channel: 'sms' } })).toEqual({ queuedCount: 1 });
  expect(await client.call(retryDeliveries, { body: {} })).toEqual({ queuedCount: 2 });
  expect(await client.call(retryDeliveries, { body: {} })).toEqual({ queuedCount: 0 });
  const queued = await server.db.selectFrom('deliveries').select('id').where('status', '=', 'queued').execute();
  expect(queued.map(({ id }) => id).toSorted()).toEqual([invitation.id, review.id, text.id].toSorted());
  for (const { id } of [stale, toGone]) {
    const { problem } = await client.refused(retryDelivery, { params: { id } });
    expect(problem.detail).toContain('so we cannot send it again');
  }
  const { rows } = await list();
  expect(rows.map(({ can }) => can.retry)).toEqual([false, false]);
  const missing = { params: { id: admin.id } };
  expect((await client.refused(retryDelivery, missing)).status).toBe(404);
});
