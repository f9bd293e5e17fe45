import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { PgBoss } from 'pg-boss';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { listGivenUpDeliveries, retryDeliveries, retryDelivery } from '#contract/deliveries.ts';
import { markConversationRead, sendMessage } from '#contract/messages.ts';
import { defaultPreferences, saveNotificationPreferences } from '#contract/notices.ts';
import { directAddressOf } from '#server/db/database.ts';
import { decideDueNotices } from '#server/features/notices/notice-jobs.ts';
import { queueMail } from '#server/platform/mailer.ts';
import { reachMailServer } from '#server/platform/reach.ts';
import { buildPair } from '#test/factories/messages.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { startMailServer, type TestMailServer } from '#test/support/mail-server.ts';
import { timesOutAfter } from '#test/support/time-limit.ts';
import { claimDelivery, recordTry } from './delivery-state.ts';
import { sendMailJob } from './send-mail.ts';
import { sendPushJob } from './send-push.ts';
import { sendSmsJob } from './send-sms.ts';
import { isRefusal, sendBySmtp } from './smtp.ts';

const unencrypted = (smtpUrl: string) => ({ smtpUrl, smtpNeedsTls: false });

import { noteAwaitingAnswer } from './unanswered-mails.ts';

let mailServer: TestMailServer;
let server: TestApp;
beforeAll(async () => {
  mailServer = await startMailServer();
  server = await startTestApp({ SMTP_URL: mailServer.url });
});
afterAll(async () => {
  await server.close();
  await mailServer.close();
});
afterEach(() => {
  vi.useRealTimers();
  mailServer.fault = null;
});

function deliveryOf(address: string) {
  return server.db.selectFrom('deliveries').selectAll().where('address', '=', address).executeTakeFirstOrThrow();
}

async function queue(address: string): Promise<string> {
  await queueMail(server.db, { kind: 'note', recipientId: null, address, subject: 'Subject', text: 'Text' });
  return (await deliveryOf(address)).id;
}

function attempt(deliveryId: string, number: number, isLast = false) {
  return sendMailJob.run(server.app, { deliveryId }, { number, isLast });
}

/** Lets time pass until the try gives up waiting for the first word. */
async function letTimePass(): Promise<void> {
  const pass = async (milliseconds: number) => {
    vi.advanceTimersByTime(milliseconds);
    await new Promise((resolve) => setImmediate(resolve));
  };
  while (mailServer.waiting() === 0) await pass(1);
  // It passes at once. What begins afterward, such as writing the failure down, has its own time.
  vi.advanceTimersByTime(30_000);
}

test.each([
  ['refuses', /The mailbox is busy/],
  ['hangs up', /closed/],
  ['takes no content', /No room/],
  ['stalls', /Greeting never received|Timeout/],
] as const)(
  'a mail server that %s surely has no mail: its reason is kept, and the mail arrives once when it works again',
  async (fault, reason) => {
    const address = `${fault.replaceAll(' ', '-')}@people.example`;
    const id = await queue(address);
    mailServer.fault = fault;
    if (fault === 'stalls') vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const failing = expect(attempt(id, 1)).rejects.toThrow(reason);
    if (fault === 'stalls') await letTimePass();
    await failing;
    vi.useRealTimers();
    const failed = await deliveryOf(address);
    expect(failed).toMatchObject({ status: 'failed', attempts: 1, sentAt: null });
    expect(failed.lastError).toMatch(reason);
    mailServer.fault = null;
    await attempt(id, 2);
    await attempt(id, 3);
    expect(await deliveryOf(address)).toMatchObject({ status: 'sent', attempts: 2, lastError: null });
    expect(mailServer.received.filter(({ to }) => to.includes(address))).toHaveLength(1);
  },
);

test('a mail server that has the whole mail and says nothing is waited for no longer than told, and has refused nothing', async () => {
  const beforeEnd = vi.fn(async () => undefined);
  mailServer.fault = 'waits';
  const mail = { from: 'hello@switchyard.example', to: 'silent@people.example', subject: 'Subject', text: 'Text' };
  const arrived = () => mailServer.received.flatMap(({ to }) => to);
  const hasTheMail = () => vi.waitFor(() => expect(arrived()).toContain(mail.to));
  const failure = await timesOutAfter(hasTheMail, () =>
    sendBySmtp(unencrypted(mailServer.url), mail, { longestInMs: 60_000, beforeEnd }).catch((error: unknown) => error),
  );
  mailServer.fault = null;
  mailServer.release();
  expect(failure).toMatchObject({ message: 'The mail server did not take the mail within 60 seconds.' });
  expect(isRefusal(failure)).toBe(false);
  expect(beforeEnd).toHaveBeenCalledTimes(1);
});

const mayHaveArrived = 'It may have arrived: the mail server had all of it, and its answer was lost.';

test.each([
  ['keeps, then drops', 1],
  ['drops', 0],
] as const)(
  'a mail server that gets the whole mail and %s, without an answer, gets it no second time: it is listed as given up, with the reason, till an admin sends it',
  async (fault, arrived) => {
    const address = `${fault.slice(0, 5)}@people.example`;
    const id = await queue(address);
    const received = () => mailServer.received.filter(({ to }) => to.includes(address)).length;
    mailServer.fault = fault;
    await attempt(id, 1);
    mailServer.fault = null;
    await attempt(id, 2);
    expect(received()).toBe(arrived);
    const admin = await server.as(await buildAdmin(server.db));
    const query = { search: address };
    const reason = `${mayHaveArrived} Connection closed unexpectedly`;
    const listed = await admin.call(listGivenUpDeliveries, { query });
    expect(listed).toMatchObject({ rows: [{ id, reason, attempts: 1, can: { retry: true } }], retryable: 0 });
    expect(await admin.call(retryDeliveries, { body: query })).toEqual({ queuedCount: 0 });
    await admin.call(retryDelivery, { params: { id } });
    await attempt(id, 1);
    expect(await deliveryOf(address)).toMatchObject({ status: 'sent', attempts: 2, awaitingAnswerSince: null });
    expect(received()).toBe(arrived + 1);
  },
);

test('a mail of which we were cut off while the mail server had all of it is not sent again; of one before that it is', async () => {
  const past = { triedUntil: new Date(Date.now() - 1000) };
  for (const [address, isWithServer] of [
    ['cut@people.example', true],
    ['early@people.example', false],
  ] as const) {
    const id = await queue(address);
    const killed = await claimDelivery(server.db, id, []);
    if (!killed) throw new Error('It was not taken.');
    if (isWithServer) await noteAwaitingAnswer(server.db, killed);
    await server.db.updateTable('deliveries').set(past).where('id', '=', id).execute();
    await attempt(id, 2);
  }
  const lastError = `${mayHaveArrived} We were cut off.`;
  expect(await deliveryOf('cut@people.example')).toMatchObject({ status: 'given_up', attempts: 2, lastError });
  expect(await deliveryOf('early@people.example')).toMatchObject({ status: 'sent', attempts: 2 });
  expect(mailServer.received.flatMap(({ to }) => to)).not.toContain('cut@people.example');
});

test('a try that another one took over does not end its mail, so that the mail server has it once', async () => {
  const address = 'overtaken@people.example';
  const id = await queue(address);
  const first = await claimDelivery(server.db, id, []);
  const past = { triedUntil: new Date(Date.now() - 1000) };
  await server.db.updateTable('deliveries').set(past).where('id', '=', id).execute();
  await attempt(id, 2);
  if (!first) throw new Error('It was not taken.');
  const beforeEnd = () => noteAwaitingAnswer(server.db, first);
  const mail = { from: 'a@people.example', to: address, subject: 'Subject', text: 'Text' };
  await expect(sendBySmtp(unencrypted(mailServer.url), mail, { longestInMs: 10_000, beforeEnd })).rejects.toThrow(
    'took this delivery over',
  );
  expect(mailServer.received.filter(({ to }) => to.includes(address))).toHaveLength(1);
  expect(await deliveryOf(address)).toMatchObject({ status: 'sent', attempts: 2 });
});

test('a mail server that says yes and drops the connection has the mail: it is sent, once', async () => {
  const address = 'answered@people.example';
  const id = await queue(address);
  mailServer.fault = 'says yes, then drops';
  await attempt(id, 1);
  mailServer.fault = null;
  await attempt(id, 2);
  expect(await deliveryOf(address)).toMatchObject({ status: 'sent', attempts: 1, lastError: null });
  expect(mailServer.received.filter(({ to }) => to.includes(address))).toHaveLength(1);
});

test('of two runs of one delivery one sends; the other comes again, and finds it sent', async () => {
  const address = 'twice@people.example';
  const id = await queue(address);
  mailServer.fault = 'waits';
  const sending = attempt(id, 1);
  await vi.waitFor(() => expect(mailServer.waiting()).toBe(1));
  await expect(attempt(id, 2)).rejects.toThrow('Another try of this delivery is under way.');
  await expect(attempt(id, 3, true)).rejects.toThrow('Another try of this delivery is under way.');
  expect(await deliveryOf(address)).toMatchObject({ status: 'queued', attempts: 1 });
  mailServer.fault = null;
  mailServer.release();
  await sending;
  await attempt(id, 4);
  expect(await deliveryOf(address)).toMatchObject({ status: 'sent', attempts: 1, triedUntil: null });
  expect(mailServer.received.filter(({ to }) => to.includes(address))).toHaveLength(1);
});

test('a try that was killed is taken over when its time is over, and a late word of it changes only what is true', async () => {
  const address = 'killed@people.example';
  const id = await queue(address);
  const killed = await claimDelivery(server.db, id, []);
  await expect(attempt(id, 2)).rejects.toThrow('under way');
  const past = { triedUntil: new Date(Date.now() - 1000) };
  await server.db.updateTable('deliveries').set(past).where('id', '=', id).execute();
  const next = await claimDelivery(server.db, id, []);
  if (!killed || !next) throw new Error('It was not taken.');
  await recordTry(server.db, killed, 'failed', 'cut off');
  expect(await deliveryOf(address)).toMatchObject({ status: 'queued', attempts: 2, lastError: null });
  await recordTry(server.db, killed, 'sent', null);
  await recordTry(server.db, next, 'given_up', 'too late');
  expect(await deliveryOf(address)).toMatchObject({ status: 'sent', lastError: null, givenUpAt: null });
});

test('a mail server that talks without end and takes nothing is left after the whole time of a try', async () => {
  const sockets = new Set<Socket>();
  const talker = createServer((socket) => {
    sockets.add(socket);
    const talking = setInterval(() => socket.write('220-one moment\r\n'), 20);
    socket.on('error', () => {}).on('close', () => clearInterval(talking));
  });
  await new Promise<void>((resolve) => talker.listen(0, '127.0.0.1', resolve));
  const { port } = talker.address() as AddressInfo;
  const mail = { from: 'a@people.example', to: 'b@people.example', subject: 'Subject', text: 'Text' };
  await expect(
    sendBySmtp(unencrypted(`smtp://127.0.0.1:${port}`), mail, { longestInMs: 400, beforeEnd: async () => {} }),
  ).rejects.toThrow('The mail server did not take the mail within 0.4 seconds.');
  await vi.waitFor(() => expect([...sockets].every(({ closed }) => closed)).toBe(true));
  await new Promise((resolve) => talker.close(resolve));
});

test('a mail that is refused to the last is listed as given up, with the reason, and never sent afterwards', async () => {
  const address = 'never@people.example';
  const id = await queue(address);
  mailServer.fault = 'refuses';
  await expect(attempt(id, 13, true)).rejects.toThrow('The mailbox is busy');
  mailServer.fault = null;
  await attempt(id, 14);
  const admin = await server.as(await buildAdmin(server.db));
  const { rows } = await admin.call(listGivenUpDeliveries, { query: { search: address } });
  expect(rows).toMatchObject([{ id, address, reason: expect.stringContaining('451'), can: { retry: true } }]);
  expect(mailServer.received.filter(({ to }) => to.includes(address))).toEqual([]);
});

test('thirteen tries at growing distances outlast an hour without a mail server, and the last one lists the mail as given up', async () => {
  const connectionString = directAddressOf(server.app.pool);
  const boss = new PgBoss({ connectionString, schema: 'pgboss', max: 1, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  await boss.deleteQueuedJobs(sendMailJob.name);
  const address = 'outage@people.example';
  const deliveryId = await queue(address);
  mailServer.fault = 'refuses';
  const states: string[] = [];
  /** The shortest and the longest that each may be, because the failure is written between two looks at the clock. */
  const waits: { least: number; most: number }[] = [];
  for (let number = 1; number <= 13; number += 1) {
    expect((await deliveryOf(address)).status).toBe(number === 1 ? 'queued' : 'failed');
    const [job] = await boss.fetch(sendMailJob.name, { includeMetadata: true, ignoreStartAfter: true });
    expect(job).toMatchObject({ data: { deliveryId }, retryCount: number - 1, retryLimit: 12 });
    await expect(attempt(deliveryId, number, job?.retryCount === job?.retryLimit)).rejects.toThrow('busy');
    const before = Date.now();
    await boss.fail(sendMailJob.name, job?.id ?? '', {});
    const after = Date.now();
    const [failed] = await boss.findJobs(sendMailJob.name, { id: job?.id ?? '' });
    states.push(failed?.state ?? '');
    const next = failed?.startAfter.getTime() ?? 0;
    if (number < 13) waits.push({ least: (next - after) / 1000, most: (next - before) / 1000 });
  }
  await boss.stop({ graceful: false });
  expect(states).toEqual([...Array(12).fill('retry'), 'failed']);
  for (const [index, { least, most }] of waits.entries()) {
    expect(most).toBeGreaterThan(2 ** index * 5 - 1);
    expect(least).toBeLessThanOrEqual(Math.min(2 ** index * 10, 6 * 3600));
  }
  expect(waits.reduce((sum, { most }) => sum + most, 0)).toBeGreaterThan(5 * 3600);
  expect(await deliveryOf(address)).toMatchObject({ status: 'given_up', attempts: 13 });
});

test.each([sendMailJob, sendPushJob, sendSmsJob])(
  'the tries of $name end two hours after the first at the earliest',
  (job) => {
    const { retryLimit = 0, retryDelay = 0, retryDelayMax = 0 } = job;
    const shortest = Array.from({ length: retryLimit }, (_, index) => Math.min(retryDelay * 2 ** index, retryDelayMax));
    expect(shortest.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(2 * 3600);
  },
);

test('PREF-13 while the mail server is away a message is read, a category switched off: what waited is dropped', async () => {
  const [reader, chooser, other] = [await buildPair(server.db), await buildPair(server.db), await buildPair(server.db)];
  const sent = [];
  for (const { coach, participant } of [reader, chooser, other]) {
    const body = { clientKey: randomUUID(), text: 'Look here', fileId: null };
    sent.push(await (await server.as(coach)).call(sendMessage, { params: { id: participant.id }, body }));
  }
  await decideDueNotices(server.app);
  const seen = { params: { id: reader.coach.id }, body: { upToId: sent[0]?.id ?? '' } };
  await (await server.as(reader.participant)).call(markConversationRead, seen);
  const body = { ...defaultPreferences, coachMessages: false };
  await (await server.as(chooser.participant)).call(saveNotificationPreferences, { body });
  const outcomes = [];
  for (const { participant } of [reader, chooser, other]) {
    const delivery = await deliveryOf(participant.email);
    await attempt(delivery.id, 1);
    outcomes.push((await deliveryOf(participant.email)).lastError ?? 'sent');
  }
  expect(outcomes).toEqual(['It was already read or done.', 'The person switched it off.', 'sent']);
  const arrived = mailServer.received.flatMap(({ to }) => to);
  expect(arrived).toContain(other.participant.email);
  expect(arrived).not.toContain(reader.participant.email);
  expect(arrived).not.toContain(chooser.participant.email);
});

test('where TLS is demanded, nothing is said to a mail server that offers none, or one with a certificate of nobody', async () => {
  const mail = { from: 'a@people.example', to: 'b@people.example', text: 'A link that signs in.' };
  let isContentSent = false;
  const limits = {
    longestInMs: 10_000,
    beforeEnd: async () => {
      isContentSent = true;
    },
  };
  const plain = { smtpUrl: mailServer.url, smtpNeedsTls: true };
  await expect(sendBySmtp(plain, mail, limits)).rejects.toThrow(/STARTTLS/);
  // The certificate that the mail server has by itself is signed by nobody.
  const offering = await startMailServer(0, { offersTls: true });
  const demanded = { smtpUrl: offering.url, smtpNeedsTls: true };
  await expect(sendBySmtp(demanded, mail, limits)).rejects.toThrow(/certificate/);
  expect([isContentSent, offering.received]).toEqual([false, []]);
  await offering.close();
  expect(await reachMailServer(mailServer.url, true)).toMatch(/STARTTLS/);
});
