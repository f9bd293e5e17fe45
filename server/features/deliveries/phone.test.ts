import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readNotificationPreferences } from '#contract/notices.ts';
import { confirmPhone, removePhone, requestPhoneCode } from '#contract/phone-numbers.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { startSmsProvider, type TestSmsProvider } from '#test/support/sms-provider.ts';
import { sendSmsJob } from './send-sms.ts';

const phone = '+12125552368';
const settings = { SMS_PROVIDER: 'http', SMS_TOKEN: 'secret-token', SMS_ALLOW_PRIVATE: '1' };

let provider: TestSmsProvider;
let server: TestApp;
beforeAll(async () => {
  provider = await startSmsProvider();
  server = await startTestApp({ ...settings, SMS_URL: provider.url });
});
beforeEach(() => {
  provider.sent = [];
});
afterAll(async () => {
  await server.close();
  await provider.close();
});

async function signedIn() {
  const person = await buildParticipant(server.db);
  return { id: person.id, client: await server.as(person) };
}

/** Returns the code that the person's phone shows after the newest request. */
async function codeTextedTo(userId: string): Promise<string> {
  const { id } = await server.db
    .selectFrom('deliveries')
    .select('id')
    .where('recipientId', '=', userId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  await sendSmsJob.run(server.app, { deliveryId: id }, { number: 1, isLast: false });
  const { to, text } = JSON.parse(provider.sent.at(-1)?.body ?? '');
  expect(to).toBe(phone);
  return /^\d{6}/.exec(text)?.[0] ?? '';
}

test('a phone number is the own one when the texted code comes back, once', async () => {
  const { id, client } = await signedIn();
  const stranger = await signedIn();
  expect(await client.call(requestPhoneCode, { body: { phone: '(212) 555-2368' } })).toEqual({ phone });
  const code = await codeTextedTo(id);
  const stored = await server.db.selectFrom('auth.verification').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(code);
  const wrong = code === '000000' ? '000001' : '000000';
  expect((await client.refused(confirmPhone, { body: { code: wrong } })).status).toBe(404);
  expect((await stranger.client.refused(confirmPhone, { body: { code } })).status).toBe(404);
  expect((await client.call(readNotificationPreferences)).phone).toBeNull();
  expect(await client.call(confirmPhone, { body: { code: `${code.slice(0, 3)} ${code.slice(3)}` } })).toEqual({
    phone,
  });
  expect((await client.refused(confirmPhone, { body: { code } })).status).toBe(404);
  expect((await client.call(readNotificationPreferences)).phone).toBe(phone);
  expect((await stranger.client.call(readNotificationPreferences)).phone).toBeNull();
  await client.call(removePhone);
  expect((await client.call(readNotificationPreferences)).phone).toBeNull();
});

test('of two codes the later counts; a code that was asked for at night comes at once; one that ended is not sent', async () => {
  const { id, client } = await signedIn();
  const restoreClock = stopClockAt('2026-07-15T04:00:00Z');
  await client.call(requestPhoneCode, { body: { phone } });
  const early = await codeTextedTo(id);
  await client.call(requestPhoneCode, { body: { phone } });
  const late = await codeTextedTo(id);
  restoreClock();
  if (early !== late) expect((await client.refused(confirmPhone, { body: { code: early } })).status).toBe(404);
  await client.call(confirmPhone, { body: { code: late } });

  const slow = await signedIn();
  await slow.client.call(requestPhoneCode, { body: { phone } });
  const restoreAgain = stopClockAt(new Date(Date.now() + 11 * 60_000).toISOString());
  provider.sent = [];
  await expect(codeTextedTo(slow.id)).rejects.toThrow();
  restoreAgain();
  expect(provider.sent).toEqual([]);
});

test('codes and tries are limited, by person and by number', async () => {
  const limited = await openTestApp(server.connectionString, {
    ...settings,
    SMS_URL: provider.url,
    RATE_LIMIT_FACTOR: '0.2',
  });
  const [robin, other] = [await signedIn(), await signedIn()];
  const [client, otherClient] = [await limited.as(robin), await limited.as(other)];
  await server.db.deleteFrom('auth.rateLimit').execute();
  await client.call(requestPhoneCode, { body: { phone } });
  expect((await client.refused(requestPhoneCode, { body: { phone: '+12125550100' } })).status).toBe(429);
  expect((await otherClient.refused(requestPhoneCode, { body: { phone } })).status).toBe(429);
  expect((await client.refused(confirmPhone, { body: { code: '123' } })).status).toBe(404);
  const code = await codeTextedTo(robin.id);
  expect((await client.refused(confirmPhone, { body: { code } })).status).toBe(429);
  await limited.close();
});

test('what is no phone number is refused at the field; without a provider nothing is texted', async () => {
  const { client } = await signedIn();
  const { status, problem } = await client.refused(requestPhoneCode, { body: { phone: 'call me' } });
  expect([status, problem.errors]).toMatchObject([422, [{ path: 'phone', message: expect.stringContaining('area') }]]);
  const bare = await openTestApp(server.connectionString, {});
  const robin = await signedIn();
  const refused = await (await bare.as(robin)).refused(requestPhoneCode, { body: { phone } });
  expect(refused.problem.code).toBe('not_configured');
  const { isSetUp } = await (await bare.as(robin)).call(readNotificationPreferences);
  expect([isSetUp.sms, (await client.call(readNotificationPreferences)).isSetUp.sms]).toEqual([false, true]);
  await bare.close();
});

test('a code that is older than ten minutes confirms no number', async () => {
  const { id, client } = await signedIn();
  await client.call(requestPhoneCode, { body: { phone } });
  const code = await codeTextedTo(id);
  const age = (seconds: number) =>
    sql`
    update auth.verification set expires_at = expires_at - make_interval(secs => ${seconds})
    where identifier = ${`phone-code:${id}`}`.execute(server.db);
  await age(600);
  expect((await client.refused(confirmPhone, { body: { code } })).status).toBe(404);
  expect((await client.call(readNotificationPreferences)).phone).toBeNull();
  await age(-60);
  expect(await client.call(confirmPhone, { body: { code } })).toEqual({ phone });
});
