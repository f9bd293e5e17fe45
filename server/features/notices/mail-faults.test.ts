import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { markConversationRead, sendMessage } from '#contract/messages.ts';
import { defaultPreferences, saveNotificationPreferences } from '#contract/notices.ts';
import { queueMail } from '#server/platform/mailer.ts';
import { buildPair } from '#test/factories/messages.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { startMailServer, type TestMailServer } from '#test/support/mail-server.ts';
import { decideDueNotices } from './notice-jobs.ts';
import { sendMailJob } from './send-mail.ts';

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

test.each([
  ['refuses', /The mailbox is busy/],
  ['drops', /closed/],
  ['stalls', /Greeting never received|Timeout/],
] as const)(
  'a mail server that %s loses no mail: its reason is kept, and the mail arrives once when it works again',
  async (fault, reason) => {
    const address = `${fault}@people.example`;
    const id = await queue(address);
    mailServer.fault = fault;
    await expect(attempt(id, 1)).rejects.toThrow(reason);
    const failed = await deliveryOf(address);
    expect(failed).toMatchObject({ status: 'failed', attempts: 1, sentAt: null });
    expect(failed.lastError).toMatch(reason);
    mailServer.fault = null;
    await attempt(id, 2);
    await attempt(id, 3);
    expect(await deliveryOf(address)).toMatchObject({ status: 'sent', attempts: 2, lastError: null });
    expect(mailServer.received.filter(({ to }) => to.includes(address))).toHaveLength(1);
  },
  60_000,
);

test('a mail that is refused to the last is listed as given up, with the reason, and never sent afterwards', async () => {
  const address = 'never@people.example';
  const id = await queue(address);
  mailServer.fault = 'refuses';
  await expect(attempt(id, 13, true)).rejects.toThrow('The mailbox is busy');
  mailServer.fault = null;
  await attempt(id, 14);
  const given = await deliveryOf(address);
  expect(given.status).toBe('given_up');
  expect(given.lastError).toContain('451');
  expect(mailServer.received.filter(({ to }) => to.includes(address))).toEqual([]);
});

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
  expect(outcomes).toEqual(['It was read or done meanwhile.', 'It was switched off meanwhile.', 'sent']);
  const arrived = mailServer.received.flatMap(({ to }) => to);
  expect(arrived).toContain(other.participant.email);
  expect(arrived).not.toContain(reader.participant.email);
  expect(arrived).not.toContain(chooser.participant.email);
});
