import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { NotificationPreferences } from '#contract/notices.ts';
import { defaultPreferences, markNoticeRead, saveNotificationPreferences } from '#contract/notices.ts';
import { decideDueNotices } from '#server/features/notices/notice-jobs.ts';
import { recordReminders } from '#server/features/notices/reminders.ts';
import { notify } from '#server/platform/notices.ts';
import { buildCoachingSession } from '#test/factories/coaching.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { startSmsProvider, type TestSmsProvider } from '#test/support/sms-provider.ts';
import { sendSmsJob } from './send-sms.ts';
import { sendSms } from './sms.ts';

const noon = '2026-07-15T16:00:00Z';
const phone = '+12125552368';
const first = { number: 1, isLast: false };

let provider: TestSmsProvider;
let server: TestApp;
let restoreClock = () => {};
beforeAll(async () => {
  provider = await startSmsProvider();
  server = await startTestApp({
    SMS_PROVIDER: 'http',
    SMS_URL: `${provider.url}/texts`,
    SMS_TOKEN: 'secret-token',
    SMS_FROM: 'Switchyard',
    SMS_ALLOW_PRIVATE: '1',
    PUBLIC_URL: 'https://switchyard.example',
  });
});
beforeEach(() => setClock(noon));
afterEach(() => {
  restoreClock();
  provider.answer = { status: 201 };
  provider.tries = [];
  provider.sent = [];
});
afterAll(async () => {
  await server.close();
  await provider.close();
});

function setClock(instant: string): void {
  restoreClock();
  restoreClock = stopClockAt(instant);
}

async function reader(chosen: Partial<NotificationPreferences> = { smsEnabled: true }, number: string | null = phone) {
  const person = await buildParticipant(server.db);
  await server.db
    .updateTable('profiles')
    .set({ phone: number, phoneConfirmedAt: number && new Date() })
    .where('id', '=', person.id)
    .execute();
  const body = { ...defaultPreferences, ...chosen };
  await (await server.as(person)).call(saveNotificationPreferences, { body });
  return person;
}

async function readerWithImportedPhone() {
  const person = await reader();
  await server.db.updateTable('profiles').set({ phoneConfirmedAt: null }).where('id', '=', person.id).execute();
  return person;
}

/** Tells the person of a stipend, and decides. Returns the text messages that wait. */
async function tell({ id: userId }: BuiltPerson, message = 'It is $500.00.') {
  const about = { kind: 'stipend', title: 'Stipend of week 1 approved', message, link: '/dashboard' };
  await notify(server.db, [{ ...about, userId, preference: 'stipendUpdates', eventKey: randomUUID() }]);
  await decideDueNotices(server.app);
  return deliveriesTo(userId);
}

function deliveriesTo(userId: string) {
  return server.db
    .selectFrom('deliveries')
    .select(['id', 'address', 'status', 'lastError', 'attempts', 'notBefore', 'sentAt', 'givenUpAt'])
    .where('recipientId', '=', userId)
    .where('channel', '=', 'sms')
    .orderBy('id')
    .execute();
}

const send = (deliveryId = '', attempt = first) => sendSmsJob.run(server.app, { deliveryId }, attempt);

test('a text message arrives once, by a real job, in the words of the notice and with its address', async () => {
  const person = await reader();
  const jobs = await server.runJobs();
  await tell(person);
  const arrived = async () =>
    expect(await deliveriesTo(person.id)).toMatchObject([{ status: 'sent', attempts: 1, lastError: null }]);
  await vi.waitFor(arrived, 15_000);
  await jobs.stop();
  const [delivery] = await deliveriesTo(person.id);
  await send(delivery?.id);
  expect(provider.tries).toHaveLength(1);
  const [sms] = provider.sent;
  expect(sms?.path).toBe('/texts');
  expect(sms?.headers).toMatchObject({ authorization: 'Bearer secret-token', 'idempotency-key': delivery?.id });
  expect(JSON.parse(sms?.body ?? '')).toEqual({
    id: delivery?.id,
    to: phone,
    from: 'Switchyard',
    text: 'Switchyard: Stipend of week 1 approved. It is $500.00. https://switchyard.example/dashboard',
  });
});

test('a long notice is cut, its address stays whole', async () => {
  const [delivery] = await tell(await reader(), '🔌'.repeat(500));
  await send(delivery?.id);
  const { text } = JSON.parse(provider.sent[0]?.body ?? '');
  expect([...text].length).toBeLessThan(300);
  expect(text).toMatch(/🔌… https:\/\/switchyard\.example\/dashboard$/u);
});

test('PREF-13 nobody is texted who did not switch it on, switched the category off, or confirmed no number', async () => {
  for (const person of [
    await reader({}),
    await reader({ smsEnabled: true, stipendUpdates: false }),
    await reader({ smsEnabled: true }, null),
    await readerWithImportedPhone(),
  ]) {
    expect(await tell(person)).toEqual([]);
  }
});

test('PREF-13 reminders come by push and by SMS only where that channel and their category are on', async () => {
  setClock('2026-02-10T16:00:00Z');
  const { db } = server;
  const cohort = await buildCohort(db, { startDate: '2026-01-05' });
  const activity = await buildActivity(db, { cohortId: cohort.id });
  await buildAssignment(db, { trainingActivityId: activity.id, dueDate: '2026-02-10' });
  const coach = await buildCoach(db);
  const channelsOf = async (chosen: Partial<NotificationPreferences>, hour: number) => {
    const person = await reader({ smsEnabled: true, ...chosen });
    await enrol(db, { cohortId: cohort.id, participantId: person.id });
    const scheduledAt = `2026-02-11T${hour}:00:00Z`;
    await buildCoachingSession(db, { coachId: coach.id, participantId: person.id, scheduledAt });
    const keys = { p256dh: 'A'.repeat(87), authSecret: 'A'.repeat(22) };
    await db
      .insertInto('pushSubscriptions')
      .values({ userId: person.id, endpoint: `https://push.example/${person.id}`, ...keys })
      .execute();
    await recordReminders(db, new Date('2026-02-10T16:00:00Z'));
    await decideDueNotices(server.app);
    const found = await db
      .selectFrom('deliveries')
      .select(['channel', 'subject'])
      .where('recipientId', '=', person.id)
      .where('channel', '<>', 'mail')
      .execute();
    return found.map(({ channel, subject }) => `${channel}: ${subject}`).sort();
  };
  const [session, due] = ['Coaching session within 24 hours', 'Due within 24 hours'];
  const all = [`push: ${session}`, `push: ${due}`, `sms: ${session}`, `sms: ${due}`];
  expect(await channelsOf({}, 10)).toEqual(all);
  expect(await channelsOf({ pushEnabled: false }, 11)).toEqual(all.filter((one) => one.startsWith('sms')));
  expect(await channelsOf({ smsEnabled: false }, 12)).toEqual(all.filter((one) => one.startsWith('push')));
  expect(await channelsOf({ assignmentReminders: false }, 13)).toEqual(all.filter((one) => one.endsWith(session)));
  expect(await channelsOf({ deadlineAlerts: false }, 14)).toEqual(all.filter((one) => one.endsWith(due)));
  expect(await channelsOf({ pushEnabled: false, smsEnabled: false }, 15)).toEqual([]);
});

test.each([[{ status: 500 }], [{ status: 429 }], ['drops' as const]])(
  'a provider that answers %o is tried again with the same key, and the message goes out once',
  async (answer) => {
    const person = await reader();
    const [delivery] = await tell(person);
    provider.answer = answer;
    await expect(send(delivery?.id)).rejects.toThrow(/The SMS provider answered|could not be reached/);
    expect(await deliveriesTo(person.id)).toMatchObject([{ status: 'failed', attempts: 1, sentAt: null }]);
    provider.answer = { status: 201 };
    await send(delivery?.id, { number: 2, isLast: false });
    expect(provider.tries.map(({ headers }) => headers['idempotency-key'])).toEqual([delivery?.id, delivery?.id]);
    expect(provider.sent).toHaveLength(1);
    expect(await deliveriesTo(person.id)).toMatchObject([{ status: 'sent', attempts: 2, lastError: null }]);
  },
);

test('a provider that does not answer in time is a reason to try again', async () => {
  provider.answer = 'stalls';
  const { sms } = server.app.config;
  if (!sms) throw new Error('A provider is set up here.');
  await expect(sendSms(sms, { id: randomUUID(), to: phone, text: 'Hello' }, 50)).rejects.toThrow(
    'did not answer within',
  );
});

test('what fails for the last time, or is refused for good, is given up with the reason', async () => {
  const person = await reader();
  const [tired] = await tell(person);
  provider.answer = { status: 503 };
  await expect(send(tired?.id, { number: 11, isLast: true })).rejects.toThrow('The SMS provider answered 503.');
  const body = JSON.stringify({ code: 21211, message: "Invalid 'To' Phone Number" });
  provider.answer = { status: 400, body };
  const [, refused] = await tell(person);
  await send(refused?.id);
  await send(refused?.id);
  expect(provider.tries).toHaveLength(2);
  expect(await deliveriesTo(person.id)).toMatchObject([
    { status: 'given_up', lastError: 'The SMS provider answered 503.', givenUpAt: expect.any(Date) },
    { status: 'given_up', lastError: "The SMS provider answered 400: Invalid 'To' Phone Number", attempts: 1 },
  ]);
});

test.each([
  ['the night before the clocks go forward', '2026-03-08T02:00:00Z', '2026-03-08T12:00:00Z'],
  ['the morning after they went back', '2026-11-01T12:59:00Z', '2026-11-01T13:00:00Z'],
  ['nine in the evening of a winter day', '2026-01-16T02:00:00Z', '2026-01-16T13:00:00Z'],
])('in quiet hours nothing is texted, as in %s: it waits until 8 AM in US Eastern', async (_, night, morning) => {
  const person = await reader();
  const [delivery] = await tell(person);
  setClock(night);
  await send(delivery?.id);
  expect(provider.tries).toEqual([]);
  expect(await deliveriesTo(person.id)).toMatchObject([
    { status: 'queued', attempts: 0, notBefore: new Date(morning) },
  ]);
  setClock(morning);
  await send(delivery?.id);
  expect(provider.sent).toHaveLength(1);
});

test('PREF-13 what was read, switched off or sent to another number since is dropped, not sent', async () => {
  const [read, off, moved, gone] = [await reader(), await reader(), await reader(), await reader()];
  const ids = [];
  for (const person of [read, off, moved, gone]) ids.push((await tell(person))[0]?.id);
  const client = await server.as(read);
  const { id } = await server.db
    .selectFrom('notices')
    .select('id')
    .where('userId', '=', read.id)
    .executeTakeFirstOrThrow();
  await client.call(markNoticeRead, { params: { id } });
  await (await server.as(off)).call(saveNotificationPreferences, { body: defaultPreferences });
  const { db } = server;
  await db.updateTable('profiles').set({ phone: '+12125550199' }).where('id', '=', moved.id).execute();
  await db.updateTable('profiles').set({ deletedAt: new Date() }).where('id', '=', gone.id).execute();
  for (const deliveryId of ids) await send(deliveryId);
  expect(provider.tries).toEqual([]);
  const found = await Promise.all([read, off, moved, gone].map((person) => deliveriesTo(person.id)));
  expect(found.flat().map(({ status, lastError }) => [status, lastError])).toEqual([
    ['dropped', 'It was already read or done.'],
    ['dropped', 'The person switched it off.'],
    ['dropped', 'The phone number was changed.'],
    ['dropped', 'The person was removed.'],
  ]);
});

test("in Twilio's format the same message is a form with the account's name and token", async () => {
  const sms = { provider: 'twilio', url: provider.url, account: 'AC123', token: 'tk', from: '+12125550100' } as const;
  const message = { id: randomUUID(), to: phone, text: 'Hello & welcome' };
  expect(await sendSms({ ...sms, allowPrivate: true }, message, 5000)).toBeNull();
  expect(await sendSms({ ...sms, from: 'MG77', allowPrivate: true }, message, 5000)).toBeNull();
  const [try1, try2] = provider.tries;
  expect(try1?.path).toBe('/2010-04-01/Accounts/AC123/Messages.json');
  expect(try1?.headers).toMatchObject({
    authorization: `Basic ${Buffer.from('AC123:tk').toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  });
  const formOf = (body = '') => Object.fromEntries(new URLSearchParams(body));
  expect(formOf(try1?.body)).toEqual({ To: phone, From: '+12125550100', Body: 'Hello & welcome' });
  expect(formOf(try2?.body)).toEqual({ To: phone, MessagingServiceSid: 'MG77', Body: 'Hello & welcome' });
});

test('a provider at a private address is refused unless the operator allows it', async () => {
  const sms = { provider: 'http', url: provider.url, token: 'tk', from: null, allowPrivate: false } as const;
  await expect(sendSms(sms, { id: randomUUID(), to: phone, text: 'Hello' }, 5000)).rejects.toThrow('private network');
  expect(provider.tries).toEqual([]);
});
