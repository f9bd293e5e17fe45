import { afterAll, beforeAll, expect, test } from 'vitest';
import { listGivenUpDeliveries } from '#contract/deliveries.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { sendMailQueue } from '#server/platform/mailer.ts';
import { sendPushQueue } from '#server/platform/push-queue.ts';
import { buildGivenUpDelivery } from '#test/factories/deliveries.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { giveUpLostDeliveries } from './lost-deliveries.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ SMTP_URL: 'smtp://127.0.0.1:9' });
});
afterAll(() => server.close());

const hourAgo = () => new Date(Date.now() - 3_600_000);

function waiting(facts: object = {}) {
  return buildGivenUpDelivery(server.db, { status: 'failed', givenUpAt: null, createdAt: hourAgo(), ...facts });
}

function stateOf({ id }: { id: string }) {
  return server.db
    .selectFrom('deliveries')
    .select(['status', 'lastError'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

test('what waits though no job would send it is given up with the reason, on every channel, and an admin sees it', async () => {
  const cutOff = await waiting();
  const neverTried = await waiting({ channel: 'push', status: 'queued', lastError: null });
  const mayHaveArrived = await waiting({ lastError: null, awaitingAnswerSince: hourAgo() });
  const sms = await waiting({ channel: 'sms', address: '+12125552368' });
  const [fresh, tried, delayed] = [
    await waiting({ createdAt: new Date() }),
    await waiting(),
    await waiting({ channel: 'push' }),
  ];
  await enqueue(server.db, sendMailQueue, { deliveryId: tried.id });
  const startAfter = new Date(Date.now() + 3_600_000);
  await enqueue(server.db, sendPushQueue, { deliveryId: delayed.id }, { startAfter });
  expect(await giveUpLostDeliveries({ ...server.app, config: { ...server.app.config, smtpUrl: null } })).toBe(2);
  expect((await stateOf(cutOff)).status).toBe('failed');
  expect(await giveUpLostDeliveries(server.app)).toBe(2);
  const words = 'The last try was cut off, and no other one follows.';
  const lastError = `550 No such mailbox ${words}`;
  expect(await stateOf(cutOff)).toEqual({ status: 'given_up', lastError });
  expect(await stateOf(sms)).toEqual({ status: 'given_up', lastError });
  expect(await stateOf(mayHaveArrived)).toEqual({
    status: 'given_up',
    lastError: `It may have arrived: the mail server had all of it. ${words}`,
  });
  expect(await stateOf(neverTried)).toEqual({ status: 'given_up', lastError: words });
  for (const delivery of [fresh, tried, delayed]) expect((await stateOf(delivery)).status).toBe('failed');
  const client = await server.as(await buildAdmin(server.db));
  expect((await client.call(listGivenUpDeliveries, { query: {} })).matching).toBe(4);
});
