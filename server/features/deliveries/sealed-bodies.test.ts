import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { requestPasswordReset } from '#contract/accounts.ts';
import { register } from '#contract/registration.ts';
import { queueMail, sealMail } from '#server/platform/mailer.ts';
import { invitePeople } from '#server/sign-in/invitations.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { registrationOf } from '#test/factories/registrations.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { startMailServer, type TestMailServer } from '#test/support/mail-server.ts';
import { jobsAreDone, linkInMail, mailsTo, waitForMails } from '#test/support/sign-in.ts';
import { emptyEndedDeliveries } from './lost-deliveries.ts';

let mailServer: TestMailServer;
/** This instance keeps its mails. */
let server: TestApp;
beforeAll(async () => {
  mailServer = await startMailServer();
  server = await startTestApp();
  await server.runJobs();
});
afterAll(async () => {
  await server.close();
  await mailServer.close();
});

/** Returns all that the database has of mails and jobs, as a person who reads a copy of it would see it. */
async function everythingKept(): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select deliveries::text as text from deliveries union all select concat(data, output) from pgboss.job`.execute(
    server.db,
  );
  return rows.map(({ text }) => text).join('\n');
}

test('no link is in the table of mails while it waits, and no address in the rows of jobs', async () => {
  const visitor = await server.as(null);
  const body = registrationOf({});
  await visitor.call(register, { body });
  const invited = await buildParticipant(server.db);
  await server.db
    .transaction()
    .execute((db) => invitePeople(db, [{ ...invited, userId: invited.id }], null, server.app));
  await visitor.call(requestPasswordReset, { body: { email: body.email } });
  await jobsAreDone(server.db, 'account-mail');
  await waitForMails(server.db, body.email, 1);
  const links = [await linkInMail(server.db, body.email), await linkInMail(server.db, invited.email)];
  const kept = await everythingKept();
  for (const { hash } of links) {
    expect(hash.length).toBeGreaterThan(20);
    expect(kept).not.toContain(hash.slice(1));
  }
  expect(kept).not.toMatch(/#token=|access_token=/);
  const jobs = await sql<{ text: string }>`select concat(data, output) as text from pgboss.job`.execute(server.db);
  expect(jobs.rows.filter(({ text }) => text.includes('@'))).toEqual([]);
});

test('a sealed mail is sent as it was written, and its body is empty afterwards; one that waited in the clear is sent too', async () => {
  const sending = await startTestApp({ SMTP_URL: mailServer.url });
  await sending.runJobs();
  const mail = (address: string) => ({
    kind: 'invitation',
    recipientId: null,
    address,
    subject: 'Welcome',
    text: 'The link: https://x.example/#token=abc',
    html: '<b>The link</b>',
  });
  await queueMail(sending.db, [
    sealMail(sending.app.secrets, { ...mail('sealed@people.example'), holdsSecret: true }),
    mail('clear@people.example'),
  ]);
  await vi.waitFor(() => expect(mailServer.received).toHaveLength(2), { interval: 50 });
  for (const { mail: arrived } of mailServer.received) {
    expect(arrived.text).toContain('https://x.example/#token=abc');
    expect(arrived.html).toContain('<b>The link</b>');
  }
  const bodies = sending.db
    .selectFrom('deliveries')
    .select(['status', 'textBody', 'htmlBody'])
    .where('address', 'in', ['sealed@people.example', 'clear@people.example']);
  const emptied = { status: 'sent', textBody: '', htmlBody: null };
  await vi.waitFor(async () => expect(await bodies.execute()).toEqual([emptied, emptied]), {
    interval: 50,
  });
  await sending.close();
});

test('what was given up keeps its body only until its link has ended', async () => {
  for (const [address, minutes] of [
    ['ended@people.example', 61],
    ['good@people.example', 59],
  ] as const) {
    const mail = {
      kind: 'password_reset',
      recipientId: null,
      address,
      subject: 'S',
      text: 'T',
      holdsSecret: true,
    } as const;
    await queueMail(server.db, sealMail(server.app.secrets, mail));
    await sql`
      update deliveries set status = 'given_up', given_up_at = now(), created_at = now() - make_interval(mins => ${minutes})
      where address = ${address}`.execute(server.db);
  }
  await emptyEndedDeliveries(server.app);
  expect((await mailsTo(server.db, 'ended@people.example'))[0]?.textBody).toBe('');
  expect((await mailsTo(server.db, 'good@people.example'))[0]?.textBody).toBe('T');
});
