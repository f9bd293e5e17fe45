import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { houseZone } from '#contract/house-zone.ts';
import { dayAt } from '#contract/weeks.ts';
import { pdfOf } from '../test/factories/files.ts';
import { startMailServer, type TestMailServer } from '../test/support/mail-server.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { startInOwnProcess } from './own-process.ts';
import { setUpWeek } from './programme.ts';
import { demoPassword, expect, signInByForm, test } from './support.ts';

const secret = 'a webhook secret for the main job';
const password = 'Grid-Power-1!';
const admin = 'dana.okafor@programme.example';
const coach = 'marcus.webb@programme.example';
const participant = 'person07@programme.example';

test.describe.configure({ mode: 'serial' });

let instance: InstanceWithDatabase;
let inbox: TestMailServer;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
test.beforeAll(async () => {
  inbox = await startMailServer();
  receiver = await openReceiver();
  const settings = {
    SMTP_URL: inbox.url,
    STIPEND_WEBHOOK_URL: receiver.url,
    STIPEND_WEBHOOK_SECRET: secret,
    STIPEND_WEBHOOK_ALLOW_PRIVATE: '1',
  };
  instance = await startInstanceWithDatabase(admin, settings, startInOwnProcess);
});
test.afterAll(async () => {
  await instance.stop();
  await receiver.close();
  await inbox.close();
});

test('BULK-01 BULK-31 BULK-37 BULK-42 BULK-43 ACT-15 ASSIGN-17 ASSIGN-18 STIP-37 HOOK-01 HOOK-08 HOOK-09 a week runs through every part of the programme, from an empty instance', async ({
  openWindow,
}) => {
  const adminPage = await openWindow();
  const week = await test.step('the cohort and one week of its programme are set up', () =>
    setUpWeek(instance.db, { weekNumber: 3, today: dayAt(new Date(), houseZone) }));

  await test.step('1. the admin uploads 40 people; every row becomes an account and each person gets a mail', async () => {
    await signInByForm(adminPage, instance.url, admin, demoPassword);
    await adminPage.getByRole('link', { name: 'Bulk User Creation' }).first().click();
    await adminPage
      .locator('input[type=file]')
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(fortyPeople(week.cohortName)) });
    await adminPage.getByRole('button', { name: /create 40|upload 40|40 (users|people|records)/i }).click();
    await expect(adminPage.getByText(/40 .*(succeeded|created|successful|got in)/i).first()).toBeVisible();
    await expect.poll(() => new Set(invited()).size).toBe(40);
    expect(invited()).toHaveLength(40);
    const people = await instance.db
      .selectFrom('profiles')
      .leftJoin('cohortParticipants', 'cohortParticipants.participantId', 'profiles.id')
      .leftJoin('cohorts', 'cohorts.id', 'cohortParticipants.cohortId')
      .select((eb) => ['profiles.role', 'cohorts.name', 'cohortParticipants.status', eb.fn.countAll<number>().as('n')])
      .where('profiles.email', 'in', invited())
      .groupBy(['profiles.role', 'cohorts.name', 'cohortParticipants.status'])
      .orderBy('n')
      .execute();
    expect(people).toEqual([
      { role: 'coach', name: null, status: null, n: 1 },
      { role: 'participant', name: week.cohortName, status: 'active', n: 39 },
    ]);
  });

  const coachPage = await openWindow();
  const page = await openWindow();
  await test.step('2. the participant sets a password by the link, and sees the week and what to do next', async () => {
    await setPasswordByMail(page, participant);
    await signInByForm(page, instance.url, participant, password);
    await expect(page.getByText('Week 3 of 16')).toBeVisible();
    await page.getByRole('region', { name: 'Next step' }).getByRole('link').click();
    await expect(page.getByRole('heading', { name: week.activityTitle, level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Mark as complete' }).click();
    await page.getByRole('button', { name: 'Complete anyway' }).click();
    await expect(page.getByText('Activity Completed').first()).toBeVisible();
    expect(await instance.db.selectFrom('attendanceRecords').select('id').execute()).toHaveLength(1);
  });

  await test.step('2b. the participant hands in text and a real PDF', async () => {
    await page.goto(`${instance.url}/assignment/${week.assignmentId}`);
    await page.getByRole('textbox').first().fill('We measured the feeder twice and the readings agree.');
    // The first piece passes at once. The others pass once the progress was seen.
    const seen = Promise.withResolvers<void>();
    let pieces = 0;
    await page.route('**/api/uploads/*', async (route) => {
      pieces += 1;
      if (pieces > 1) await seen.promise;
      await route.continue();
    });
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'feeder.pdf', mimeType: 'application/pdf', buffer: pdfOf(12 * 1024 * 1024) });
    await expect(page.getByRole('progressbar', { name: 'Uploading feeder.pdf' })).toBeVisible();
    seen.resolve();
    await expect(page.getByRole('button', { name: 'Remove feeder.pdf' })).toBeVisible();
    await page.getByRole('button', { name: 'Submit Assignment' }).click();
    await expect(page.getByText('Assignment Submitted').first()).toBeVisible();
    await expect(page.getByText('Pending Coach Review').first()).toBeVisible();
  });

  await test.step('3. the coach reads text and file and asks for a revision; the participant is told without a reload', async () => {
    await setPasswordByMail(coachPage, coach);
    await signInByForm(coachPage, instance.url, coach, password);
    await coachPage
      .getByRole('link', { name: new RegExp(week.assignmentTitle) })
      .first()
      .click();
    await expect(coachPage.getByText('We measured the feeder twice')).toBeVisible();
    const download = coachPage.waitForEvent('download');
    await coachPage.getByRole('button', { name: 'Download feeder.pdf' }).first().click();
    expect((await download).suggestedFilename()).toBe('feeder.pdf');
    await review(coachPage, 'Please add the second reading as a table.');
    await expect(page.getByText('ACTION REQUIRED: Resubmit with Changes').first()).toBeVisible();
    await expect(page.getByText('Please add the second reading as a table.').first()).toBeVisible();
  });

  await test.step('3b. the participant resubmits; the coach accepts and rates the week', async () => {
    await page
      .getByRole('link', { name: /resubmit/i })
      .or(page.getByRole('button', { name: /resubmit/i }))
      .first()
      .click();
    await page.getByRole('textbox').first().fill('Reading one 118 A, reading two 119 A, as a table.');
    await page
      .getByRole('button', { name: /submit/i })
      .last()
      .click();
    await expect(page.getByText('Assignment Resubmitted').first()).toBeVisible();
    await coachPage.goto(`${instance.url}/dashboard`);
    await coachPage
      .getByRole('link', { name: new RegExp(week.assignmentTitle) })
      .first()
      .click();
    await expect(coachPage.getByText('119 A')).toBeVisible();
    await review(coachPage, 'Exactly right.', /accepted/i);
    await expect(page.getByText('Approved - Complete').first()).toBeVisible();
    await coachPage.goto(`${instance.url}/dashboard?tab=ratings`);
    await rate(coachPage, 'Person07', '4.0');
  });

  await test.step('4. the admin approves the week and hands it over once, though the first try fails', async () => {
    await adminPage.goto(`${instance.url}/admin/stipend-management`);
    const row = adminPage.getByRole('row', { name: /Person07/ });
    await expect(row.getByText('Eligible', { exact: true }).first()).toBeVisible();
    await expect(row.getByText('1 of 1 activities attended (100%)')).toBeVisible();
    await row.getByRole('button', { name: /^approve/i }).click();
    await expect(adminPage.getByText('Stipend Approved').first()).toBeVisible();
    receiver.answerWith(500);
    await adminPage.getByRole('button', { name: 'Send to Webhook' }).click();
    await adminPage.getByRole('button', { name: 'Send 1 stipend, $500' }).click();
    await expect(adminPage.getByText('Webhook failed: 500').first()).toBeVisible();
    receiver.answerWith(200);
    await adminPage.getByRole('button', { name: 'Send to Webhook' }).click();
    await adminPage.getByRole('button', { name: 'Send 1 stipend, $500' }).click();
    await expect(adminPage.getByText('Stipend data sent to webhook for 1 participants').first()).toBeVisible();
    expect(receiver.posts).toHaveLength(2);
    const [first, second] = receiver.posts;
    expect(second?.id).toBe(first?.id);
    expect(second?.body).toBe(first?.body);
    expect(JSON.parse(second?.body ?? '')).toEqual({
      week_number: 3,
      approved_stipends: [
        {
          participant_name: 'Person07 Rivera',
          participant_email: participant,
          coach_assigned: 'Marcus Webb',
          cohort_assigned: week.cohortName,
          stipend_amount: 500,
          approved_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
        },
      ],
      total_amount: 500,
      total_recipients: 1,
    });
  });
});

function fortyPeople(cohort: string): string {
  const rows = Array.from({ length: 39 }, (_, index) => {
    const number = String(index + 1).padStart(2, '0');
    return `Person${number},Rivera,person${number}@programme.example,fellowship,${cohort},participant,${coach}`;
  });
  return [
    'first_name,last_name,email,program,cohort,role,coach_email',
    `Marcus,Webb,${coach},fellowship,${cohort},coach,`,
    ...rows,
  ].join('\r\n');
}

async function setPasswordByMail(page: Page, address: string): Promise<void> {
  await page.goto(linkFor(address));
  await page.getByLabel('New password', { exact: true }).fill(password);
  await page.getByLabel('Confirm new password').fill(password);
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.waitForURL('**/login**');
}

async function review(page: Page, feedback: string, outcome?: RegExp): Promise<void> {
  const dialog = page.getByRole('dialog');
  if (outcome) await dialog.getByRole('radio', { name: outcome }).check();
  await dialog.getByLabel(/feedback/i).fill(feedback);
  await dialog.getByRole('button', { name: 'Submit Review' }).click();
  await expect(dialog).toBeHidden();
}

async function rate(page: Page, name: string, rating: string): Promise<void> {
  const field = page.getByRole('textbox', { name: new RegExp(`Rating of ${name}`) });
  await field.fill(rating);
  await field.press('Enter');
  await expect(page.getByRole('status', { name: new RegExp(`State of ${name}`) })).toContainText('Saved');
}

function invited(): string[] {
  return inbox.received.flatMap(({ to, mail }) => (mail.text?.includes('/set-password#') ? to : []));
}

/** The set-password link in the email to this address. */
function linkFor(address: string): string {
  const letter = inbox.received.find(({ to, mail }) => to.includes(address) && mail.text?.includes('/set-password#'));
  const link = /http\S+\/set-password#\S+/.exec(letter?.mail.text ?? '')?.[0];
  if (!link) throw new Error(`No set-password link came for ${address}.`);
  return link;
}

/** Acts as the payment system: checks the signature, keeps what it received, and answers as told. */
async function openReceiver() {
  const posts: { id: string; body: string }[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    new Webhook(secret, { format: 'raw' }).verify(body, headers);
    expect(request.url).toBe('/webhook/stipend');
    posts.push({ id: headers['webhook-id'] ?? '', body });
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    posts,
    answerWith: (next: number) => {
      status = next;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
