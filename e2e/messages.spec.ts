import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { sendMessage } from '#contract/messages.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { pdfOf } from '#test/factories/files.ts';
import { buildMessages } from '#test/factories/messages.ts';
import type { BuiltPerson } from '#test/factories/people.ts';
import { sizeOf } from '#test/support/depth.ts';
import { createDatabaseOn, openTestServer } from '#test/support/test-server.ts';
import { expectAccessible, expectAccessibleInBothColours } from './axe.ts';
import { type InstanceInOwnProcess, startInOwnProcess } from './own-process.ts';
import { demoPassword, expect, type OpenWindow, signIn, test } from './support.ts';
import { toast } from './toasts.ts';

let server: Awaited<ReturnType<typeof openTestServer>>;
let database: Awaited<ReturnType<typeof createDatabaseOn>>;
let dataDir: string;
let env: Record<string, string>;
let instances: [InstanceInOwnProcess, InstanceInOwnProcess];
let count = 0;

test.beforeAll(async () => {
  server = await openTestServer();
  database = await createDatabaseOn(server);
  dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-messages-'));
  env = {
    DATABASE_URL: database.connectionString,
    DATA_DIR: dataDir,
  };
  instances = [await startInOwnProcess(env), await startInOwnProcess(env)];
});
test.afterAll(async () => {
  for (const instance of instances) await instance.stop();
  await database.leave();
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function person(role: 'participant' | 'coach' | 'admin', firstName: string, lastName: string) {
  count += 1;
  const email = `${role}-${count}@people.example`;
  const trackType = role === 'participant' ? ('fellowship' as const) : null;
  await createSignInWithPassword(database.db, { firstName, lastName, email, role, trackType, password: demoPassword });
  return database.db.selectFrom('profiles').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
}

async function pair(names: { coach: string; participant: string }) {
  const coach = await person('coach', names.coach, 'Cole');
  const participant = await person('participant', names.participant, 'Reyes');
  await assignCoach(database.db, { participantId: participant.id, coachId: coach.id });
  return { coach, participant };
}

interface Place {
  instance: InstanceInOwnProcess;
  width?: number;
  address?: string;
}

/** Opens the Messages screen in a signed-in person's browser, which hears live news. */
async function open(openWindow: OpenWindow, { email }: BuiltPerson, { instance, width = 1280, address = '' }: Place) {
  const page = await openWindow({ viewport: { width, height: 720 }, timezoneId: 'America/New_York' });
  await signIn(page, instance.url, email);
  const live = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/live');
  await page.goto(`${instance.url}/cohorts${address}`);
  await live;
  return page;
}

const contact = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Contacts' }).getByRole('link', { name: new RegExp(name) });
const field = (page: Page) => page.getByRole('textbox', { name: /^Message to / });
const thread = (page: Page) => page.getByRole('log');
test('MSG-01 MSG-02 MSG-16 MSG-20 MSG-21 MSG-28 MSG-29 MSG-38 ERR1-03 ERR1-09 a coach and a participant write to each other on two processes, live', async ({
  openWindow,
}) => {
  const { coach, participant } = await pair({ coach: 'Casey', participant: 'Robin' });
  const ofCoach = await open(openWindow, coach, { instance: instances[0] });
  const ofParticipant = await open(openWindow, participant, { instance: instances[1], width: 360 });
  const ofAdmin = await open(openWindow, await person('admin', 'Ada', 'Admin'), { instance: instances[0] });
  for (const page of [ofCoach, ofParticipant, ofAdmin]) {
    await expect(page.getByRole('heading', { level: 1, name: 'Communications' })).toBeVisible();
    await expect(page.getByTestId('sidebar').locator('a[href="/cohorts"]')).toHaveText(/^Messages/);
  }
  await ofAdmin.context().close();
  await expect(ofCoach.getByRole('searchbox', { name: 'Search contacts' })).toBeVisible();

  await contact(ofCoach, 'Robin Reyes').click();
  await field(ofCoach).fill('First line');
  await field(ofCoach).press('Shift+Enter');
  await field(ofCoach).pressSequentially('second <b>line</b>');
  await expect(field(ofCoach)).toHaveValue('First line\nsecond <b>line</b>');
  await field(ofCoach).press('Enter');
  await expect(toast(ofCoach, 'Message Sent').first()).toBeVisible();
  await expect(field(ofCoach)).toHaveValue('');
  await expect(thread(ofCoach)).toContainText('First line second <b>line</b>');
  await expect(thread(ofCoach).getByText('Sent', { exact: true })).toBeVisible();

  await expect(toast(ofParticipant, 'New Message').first()).toBeVisible();
  await expect(toast(ofCoach, 'New Message')).toHaveCount(0);
  await expect(contact(ofParticipant, 'Casey Cole').getByLabel('1 unread')).toBeVisible();
  const time = contact(ofParticipant, 'Casey Cole').getByRole('time');
  await expect(time).toHaveText(/^\d+:\d\d [AP]M ET$/);
  await expect(time).toHaveAttribute('title', /^\w{3} \d+ \w{3} \d{4}, \d+:\d\d [AP]M ET$/);
  await expectAccessible(ofParticipant);
  await contact(ofParticipant, 'Casey Cole').press('Enter');
  await expect(ofParticipant.getByRole('heading', { level: 2, name: 'Casey Cole' })).toBeFocused();
  await expect(thread(ofParticipant)).toContainText('second <b>line</b>');
  await expect(thread(ofParticipant).locator('b')).toHaveCount(0);
  await expect(thread(ofCoach).getByText('Read', { exact: true })).toBeVisible();
  await expect(thread(ofCoach).getByText('Sent', { exact: true })).toHaveCount(0);

  const chosen = { name: 'feeder.pdf', mimeType: 'application/pdf', buffer: pdfOf(20_000) };
  await ofParticipant.getByLabel('File to attach').setInputFiles(chosen);
  await expect(ofParticipant.getByRole('button', { name: 'Remove feeder.pdf' })).toBeVisible();
  await field(ofParticipant).fill('Here it is.');
  await field(ofParticipant).press('Enter');
  await expect(thread(ofCoach)).toContainText('Here it is.');
  const download = ofCoach.waitForEvent('download');
  await thread(ofCoach).getByRole('button', { name: 'Download feeder.pdf' }).click();
  expect((await download).suggestedFilename()).toBe('feeder.pdf');
  for (const page of [ofCoach, ofParticipant]) await expectAccessibleInBothColours(page);

  await ofParticipant.getByRole('link', { name: 'Back to the contacts' }).click();
  await expect(ofParticipant.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(contact(ofParticipant, 'Casey Cole').getByLabel(/unread/)).toHaveCount(0);
});

test('what is typed without a network is kept, also over a reload, and sent once when it is back', async ({
  openWindow,
}) => {
  const { coach, participant } = await pair({ coach: 'Cleo', participant: 'Ren' });
  const page = await open(openWindow, participant, { instance: instances[0], address: `?with=${coach.id}` });
  await expect(thread(page)).toContainText('No messages yet');
  await page.context().setOffline(true);
  await field(page).fill('Written in a tunnel');
  await field(page).press('Enter');
  await expect(thread(page)).toContainText('Written in a tunnel');
  await expect(thread(page)).toContainText('Sent when you are online again');
  await field(page).fill('A draft');
  const sending = '**/api/conversations/*/messages';
  await page.route(sending, (route) => route.abort('connectionreset'));
  await page.context().setOffline(false);
  await page.reload();
  await expect(field(page)).toHaveValue('A draft');
  await expect(thread(page)).toContainText('Written in a tunnel');
  await page.unroute(sending);
  await expect(toast(page, 'Message Sent').first()).toBeVisible();
  await expect(thread(page).getByText('Sent', { exact: true })).toBeVisible();
  await expect(thread(page).getByText('Written in a tunnel')).toHaveCount(1);
  const stored = await database.db
    .selectFrom('coachMessages')
    .select('message')
    .where('senderId', '=', participant.id)
    .execute();
  expect(stored).toEqual([{ message: 'Written in a tunnel' }]);

  await page.getByRole('button', { name: 'Sign Out' }).click();
  const question = page.getByRole('dialog', { name: 'Sign out and lose unsaved work?' });
  await expect(question).toContainText('You have 1 unsent message in this browser only.');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Delete and sign out' }).click();
  await page.waitForURL('**/login');
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('unsent')))).toEqual([]);
});

test('a long conversation opens at the first unread message, and neither older nor new messages move what is read', async ({
  openWindow,
}) => {
  const people = await pair({ coach: 'Cato', participant: 'Rue' });
  const until = new Date(Date.now() - 3_600_000);
  const rows = await buildMessages(database.db, people, { count: 150, until });
  const read = rows.slice(0, 130).map(({ id }) => id);
  await database.db
    .updateTable('coachMessages')
    .set({ isRead: true, readAt: new Date() })
    .where('id', 'in', read)
    .execute();
  const { coach, participant } = people;
  const page = await open(openWindow, participant, { instance: instances[0], address: `?with=${coach.id}` });
  const message = (number: number) => thread(page).getByText(`Message ${number}`, { exact: true });
  await expect(message(131)).toBeInViewport();
  await expect(message(150)).not.toBeInViewport();

  const older = page.waitForResponse((response) => response.url().includes('before='));
  await message(121).scrollIntoViewIfNeeded();
  const place = await message(121).boundingBox();
  await older;
  await expect(message(100)).toBeAttached();
  await expect.poll(async () => (await message(121).boundingBox())?.y).toBeCloseTo(place?.y ?? 0, 0);

  const ofCoach = await open(openWindow, coach, { instance: instances[1], address: `?with=${participant.id}` });
  await field(ofCoach).fill('Are you there?');
  await field(ofCoach).press('Enter');
  const toNew = page.getByRole('button', { name: 'New messages' });
  await expect(toNew).toBeVisible();
  await expect(message(121)).toBeInViewport();
  await toNew.click();
  await expect(thread(page).getByText('Are you there?')).toBeInViewport();
  await expect(toNew).toHaveCount(0);
  await expect(thread(ofCoach).getByText('Read', { exact: true }).last()).toBeVisible();
  await field(ofCoach).fill('Good.');
  await field(ofCoach).press('Enter');
  await expect(thread(page).getByText('Good.')).toBeInViewport();
  await page.setViewportSize({ width: 1280, height: 500 });
  await expect(thread(page).getByText('Good.')).toBeInViewport();
});

test('MSG-07 MSG-08 MSG-09 MSG-30 MSG-31 ERR1-07 an admin reads a conversation on record, and nothing else', async ({
  openWindow,
}) => {
  const people = await pair({ coach: 'Cyra', participant: 'Rafi' });
  await buildMessages(database.db, people, { count: 3 });
  const { coach, participant } = people;
  const page = await open(openWindow, await person('admin', 'Ada', 'Admin'), { instance: instances[0] });
  await expect(page.getByText('Admin Monitoring Mode')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search contacts' }).fill('rafi');
  await page.waitForURL(/q=rafi/);
  await contact(page, 'Rafi Reyes').click();
  await page.getByRole('button', { name: 'Open the conversation with Cyra Cole' }).click();
  await page.getByRole('textbox', { name: 'Reason (optional)' }).fill('Asked by the programme');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Discard your changes?' }).getByRole('button', { name: 'Cancel' }).click();
  await expectAccessibleInBothColours(page);
  await page.getByRole('button', { name: 'Open conversation' }).click();
  await expect(thread(page)).toContainText('Message 3');
  await expect(page.getByText('Read-Only Access', { exact: true })).toBeVisible();
  await expect(page.getByText('Admins have read-only access to communications for monitoring purposes')).toBeVisible();
  await expect(field(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Send message' })).toHaveCount(0);
  await expectAccessibleInBothColours(page);

  const ofParticipant = await open(openWindow, participant, { instance: instances[1], address: `?with=${coach.id}` });
  await expect(thread(ofParticipant)).toContainText('An administrator opened this conversation on');
  await ofParticipant.route('**/api/conversations/**', (route) => route.fulfill({ status: 404, body: '{}' }));
  await ofParticipant.route('**/api/messages/contacts**', (route) => route.fulfill({ status: 404, body: '{}' }));
  await ofParticipant.reload();
  await expect(ofParticipant.getByText('Failed to load messages')).toBeVisible();
  await expect(ofParticipant.getByText('Failed to load participants')).toBeVisible();
});

/** The conversation as the screen shows it, from the first message to the last. */
const shownIn = (page: Page) => thread(page).locator('[data-message] p[dir]').allTextContents();

const readIn = (page: Page) => thread(page).locator('[data-state=read]');

/** Sends them one after the other, by the composer's call. */
async function sendAll(page: Page, recipient: BuiltPerson, texts: string[]): Promise<void> {
  const bodies = texts.map((text) => JSON.stringify({ clientKey: randomUUID(), text, fileId: null }));
  const address = sendMessage.path.replace(':id', recipient.id);
  await page.evaluate(
    async (given) => {
      for (const body of given.bodies) {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(given.address, { method: 'POST', headers, body });
        if (!answer.ok) throw new Error(await answer.text());
      }
    },
    { bodies, address },
  );
}

test('two browsers on two processes write many messages: each is shown once, in order and as read, though one process is killed', async ({
  openWindow,
}) => {
  const { coach, participant } = await pair({ coach: 'Calla', participant: 'Ro' });
  const ofCoach = await open(openWindow, coach, { instance: instances[0], address: `?with=${participant.id}` });
  const ofParticipant = await open(openWindow, participant, { instance: instances[1], address: `?with=${coach.id}` });
  // The messages around the middle are typed while the process is killed.
  const each = sizeOf({ usual: 30, deep: 100 });
  const [typed, sent] = [each / 2 - 5, each / 2 + 5];
  const textsOf = (name: string) => Array.from({ length: each }, (_, index) => `${name} ${index}`);
  const sides = [
    { page: ofCoach, partner: participant, texts: textsOf('Coach') },
    { page: ofParticipant, partner: coach, texts: textsOf('Participant') },
  ];
  await Promise.all(sides.map(({ page, partner, texts }) => sendAll(page, partner, texts.slice(0, typed))));
  await Promise.all(
    sides.map(async ({ page, texts }) => {
      for (const [index, text] of texts.slice(typed, sent).entries()) {
        if (page === ofParticipant && index === 4) await instances[1].kill();
        await field(page).fill(text);
        await field(page).press('Enter');
      }
    }),
  );
  await expect(thread(ofParticipant)).toContainText(`Participant ${sent - 1}`);
  instances[1] = await startInOwnProcess({ ...env, PORT: new URL(instances[1].url).port });
  await expect.poll(() => shownIn(ofCoach)).toContain(`Participant ${sent - 1}`);
  await Promise.all(sides.map(({ page, partner, texts }) => sendAll(page, partner, texts.slice(sent))));

  for (const { page } of sides) await expect(readIn(page)).toHaveCount(each);
  const [order, other] = [await shownIn(ofCoach), await shownIn(ofParticipant)];
  expect(other).toEqual(order);
  expect(order).toHaveLength(2 * each);
  for (const { texts } of sides) expect(order.filter((text) => texts.includes(text))).toEqual(texts);
  for (const { page } of sides) await expect(thread(page).getByText('Sent', { exact: true })).toHaveCount(0);
});
