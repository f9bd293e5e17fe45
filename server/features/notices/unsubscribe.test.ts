import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readNotificationPreferences, saveNotificationPreferences } from '#contract/notices.ts';
import { queueMail } from '#server/platform/mailer.ts';
import { notify } from '#server/platform/notices.ts';
import { type BuiltPerson, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { startMailServer, type TestMailServer } from '#test/support/mail-server.ts';

let mailServer: TestMailServer;
let server: TestApp;
beforeAll(async () => {
  mailServer = await startMailServer();
  server = await startTestApp({ SMTP_URL: mailServer.url, PUBLIC_URL: 'https://switchyard.example' });
  await server.runJobs();
});
afterAll(async () => {
  await server.close();
  await mailServer.close();
});

async function headersTo(address: string): Promise<Map<string, string>> {
  const found = await vi.waitFor(
    () => {
      const mail = mailServer.received.find(({ to }) => to.includes(address))?.mail;
      if (!mail) throw new Error(`No mail to ${address} yet.`);
      return mail;
    },
    { interval: 50 },
  );
  return new Map(found.headers.map(({ key, value }) => [key, value]));
}

/** The path of the unsubscribe address in the mail about a stipend. */
async function unsubscribePathFor(person: BuiltPerson): Promise<string> {
  const about = { kind: 'stipend', title: 'Stipend of week 1 approved', message: 'Approved.', link: '/dashboard' };
  await notify(server.db, [
    { ...about, userId: person.id, preference: 'stipendUpdates', eventKey: `stipend:${randomUUID()}` },
  ]);
  const headers = await headersTo(person.email);
  expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const address = /^<(https:\/\/switchyard\.example\/.+)>$/.exec(headers.get('list-unsubscribe') ?? '')?.[1];
  return new URL(address ?? '').pathname;
}

async function preferencesOf(person: BuiltPerson) {
  return (await (await server.as(person)).call(readNotificationPreferences)).preferences;
}

const oneClick = {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'List-Unsubscribe=One-Click',
};

test('one click in a mail program, signed out, switches off the category of the mail and nothing else', async () => {
  const person = await buildParticipant(server.db);
  const chosen = { ...(await preferencesOf(person)), coachMessages: false, smsEnabled: true };
  await (await server.as(person)).call(saveNotificationPreferences, { body: chosen });
  const path = await unsubscribePathFor(person);
  const nobody = await server.as(null);
  const told = await toldBy(server, async () => {
    for (let times = 0; times < 2; times += 1) expect((await nobody.fetch(path, oneClick)).status).toBe(200);
  });
  // Otherwise an open form would switch it on again when it is saved.
  expect(told(person)).toEqual(['preferences']);
  expect(await preferencesOf(person)).toEqual({ ...chosen, stipendUpdates: false });
});

test('a person without stored preferences keeps the defaults of all others; opening the address changes nothing', async () => {
  const person = await buildCoach(server.db);
  const defaults = await preferencesOf(person);
  const path = await unsubscribePathFor(person);
  const nobody = await server.as(null);
  const page = await nobody.fetch(path);
  expect(page.headers.get('content-type')).toContain('text/html');
  expect(await page.text()).toContain('Stipend updates');
  // Without this policy, browsers send the form with `Origin: null`, which is refused as foreign.
  expect(page.headers.get('referrer-policy')).toBe('same-origin');
  expect(await preferencesOf(person)).toEqual(defaults);
  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');
  expect((await nobody.fetch(path, { method: 'POST', body: form })).status).toBe(200);
  expect(await preferencesOf(person)).toEqual({ ...defaults, stipendUpdates: false });
});

test('an address that was changed switches nothing off, for nobody', async () => {
  const [person, other] = [await buildParticipant(server.db), await buildParticipant(server.db)];
  const path = await unsubscribePathFor(person);
  const nobody = await server.as(null);
  const altered = [
    path.replace(person.id, other.id),
    path.replace('stipendUpdates', 'coachMessages'),
    path.slice(0, -2),
    '/api/unsubscribe/nothing',
  ];
  for (const address of altered) {
    expect((await nobody.fetch(address, oneClick)).status, address).toBe(404);
    expect((await nobody.fetch(address)).status, address).toBe(404);
  }
  const stored = await server.db
    .selectFrom('notificationPreferences')
    .selectAll()
    .where('userId', 'in', [person.id, other.id])
    .execute();
  expect(stored).toEqual([]);
});

test('mails about the account have no such address, and forms are taken nowhere else', async () => {
  const address = 'account@people.example';
  await queueMail(server.db, { kind: 'reset', recipientId: null, address, subject: 'Reset', text: 'Text' });
  expect((await headersTo(address)).has('list-unsubscribe')).toBe(false);
  const nobody = await server.as(null);
  expect((await nobody.fetch('/api/email-changes/confirmation', oneClick)).status).toBe(415);
});
