import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { startMailServer, type TestMailServer } from '#test/support/mail-server.ts';
import { queueMail, sendMailJob } from './mailer.ts';

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
