import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { mailTemplate } from '#server/platform/mail-template.ts';
import { queueMail } from '#server/platform/mailer.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { sizeOf } from '#test/support/depth.ts';
import { startMailServer, type TestMailServer } from '#test/support/mail-server.ts';
import { sendMailJob } from './send-mail.ts';

const patience = { interval: 50 };

let mailServer: TestMailServer;
let server: TestApp;
beforeAll(async () => {
  mailServer = await startMailServer();
  server = await startTestApp({ SMTP_URL: mailServer.url, MAIL_FROM: 'Switchyard <hello@switchyard.example>' });
  await server.runJobs();
});
afterAll(async () => {
  await server.close();
  await mailServer.close();
});

test('a mail arrives once, with both bodies, although its event happens twice', async () => {
  const mail = {
    kind: 'invitation',
    recipientId: null,
    address: 'robin@people.example',
    subject: 'Welcome to the programme — 1',
    eventKey: 'invitation:1',
    ...mailTemplate({
      greeting: 'Hello <Robin>,',
      paragraphs: ['Set your password within 7 days.'],
      action: { label: 'Set password', url: 'https://switchyard.example/set?token=a&b="c"' },
    }),
  };
  await queueMail(server.db, mail);
  await queueMail(server.db, [mail, { ...mail, address: 'somebody-else@people.example' }]);
  await vi.waitFor(
    async () => expect(await deliveryOf('robin@people.example')).toMatchObject({ status: 'sent' }),
    patience,
  );

  const delivery = await deliveryOf('robin@people.example');
  expect(mailServer.received).toHaveLength(1);
  const [{ to, mail: arrived } = unexpected()] = mailServer.received;
  expect(to).toEqual(['robin@people.example']);
  expect(arrived.subject).toBe(mail.subject);
  expect(arrived.messageId).toBe(`<${delivery?.id}@switchyard.example>`);
  expect(arrived.text).toContain('Set password: https://switchyard.example/set?token=a&b="c"');
  expect(arrived.html).toContain('Hello &#60;Robin&#62;,');
  expect(arrived.html).toContain('href="https://switchyard.example/set?token=a&#38;b=&#34;c&#34;"');
  expect(delivery).toMatchObject({ attempts: 1, lastError: null, sentAt: expect.any(Date) });
});

test('a mail of a transaction that fails is never sent', async () => {
  const failing = server.db.transaction().execute(async (transaction) => {
    await queueMail(transaction, letter('nobody@people.example'));
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await deliveryOf('nobody@people.example')).toBeUndefined();
});

test('while the mail server is down the reason is kept and the mail is tried again, until it arrives', async () => {
  const port = Number(new URL(mailServer.url).port);
  await mailServer.close();
  await queueMail(server.db, letter('later@people.example'));
  await vi.waitFor(
    async () => expect(await deliveryOf('later@people.example')).toMatchObject({ status: 'failed' }),
    patience,
  );
  expect((await deliveryOf('later@people.example'))?.lastError).toContain('ECONNREFUSED');

  mailServer = await startMailServer(port);
  await vi.waitFor(async () => expect(await deliveryOf('later@people.example')).toMatchObject({ status: 'sent' }), {
    ...patience,
  });
  expect(mailServer.received.map(({ to }) => to)).toEqual([['later@people.example']]);
  expect((await deliveryOf('later@people.example'))?.attempts).toBeGreaterThanOrEqual(2);
});

test('a mail that fails for the last time is given up, and one that was sent is not sent again', async () => {
  const { id } = await server.db
    .insertInto('deliveries')
    .values({ kind: 'note', address: 'not an address', subject: 'Subject', textBody: 'Text' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await expect(sendMailJob.run(server.app, { deliveryId: id }, { number: 13, isLast: true })).rejects.toThrow();
  expect(await deliveryOf('not an address')).toMatchObject({ status: 'given_up', lastError: expect.any(String) });

  const sent = await deliveryOf('later@people.example');
  const before = mailServer.received.length;
  await sendMailJob.run(server.app, { deliveryId: sent?.id }, { number: 1, isLast: false });
  expect(mailServer.received).toHaveLength(before);
});

test('of many mails queued at once each arrives once', async () => {
  const addresses = Array.from(
    { length: sizeOf({ usual: 40, deep: 200 }) },
    (_, index) => `bulk-${index}@people.example`,
  );
  await queueMail(server.db, addresses.map(letter));
  const arrived = () => mailServer.received.flatMap(({ to }) => to).filter((address) => address.startsWith('bulk-'));
  await vi.waitFor(() => expect(arrived().toSorted()).toEqual(addresses.toSorted()), patience);
});

function letter(address: string) {
  return { kind: 'note', recipientId: null, address, subject: 'Subject', text: 'Text' };
}

function deliveryOf(address: string) {
  return server.db.selectFrom('deliveries').selectAll().where('address', '=', address).executeTakeFirst();
}

function unexpected(): never {
  throw new Error('Nothing was received.');
}
