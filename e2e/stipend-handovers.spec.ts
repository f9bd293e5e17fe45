import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { buildCohort } from '#test/factories/cohorts.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { expectAccessible } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { pressButton, rowOf } from './stipend-screen.ts';
import { expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';

const adminEmail = 'admin@handovers.example';
let instance: InstanceWithDatabase;
/** A cohort that has not begun, so opening a week computes nothing for it. */
let cohortId: string;
let receiver: Server;
let nextAnswer = 200;
const received: string[] = [];

test.beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push(Buffer.concat(chunks).toString());
      response.writeHead(nextAnswer).end();
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  instance = await startInstanceWithDatabase(adminEmail, {
    STIPEND_WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,
    STIPEND_WEBHOOK_SECRET: 'a secret of the payment system',
    STIPEND_WEBHOOK_ALLOW_PRIVATE: '1',
  });
  cohortId = (await buildCohort(instance.db, { status: 'planning', name: 'Spring 2027' })).id;
});
test.afterAll(async () => {
  await instance.stop();
  receiver.closeAllConnections();
  receiver.close();
});

async function buildNamed(name: string, facts: Parameters<typeof buildStipend>[1]) {
  const [firstName = '', lastName = ''] = name.split(' ');
  const fellow = await buildParticipant(instance.db, { firstName, lastName });
  return buildStipend(instance.db, { cohortId, fellowId: fellow.id, ...facts });
}

async function open(page: Page, search: string) {
  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/stipend-management${search}`);
}

test('HOOK-01 HOOK-07 HOOK-08 HOOK-09 ERR1-03 ERR1-10 sending the approved stipends, and sending accepted ones again only when confirmed', async ({
  page,
}) => {
  await open(page, '?week=8');
  await pressButton(page, 'Send to Webhook');
  await expect(toast(page, 'No Approved Stipends', 'No approved stipends found for this week')).toBeVisible();
  expect(received).toEqual([]);

  await buildNamed('Nadia Ng', { weekNumber: 8, paymentStatus: 'approved' });
  await page.reload();
  nextAnswer = 503;
  await pressButton(page, 'Send to Webhook');
  await expect(page.getByRole('dialog')).toContainText('Send 1 stipend of Week 8, $500 total');
  expect(received).toEqual([]);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send 1 stipend, $500' }).click();
  await expect(toast(page, 'Webhook Failed', 'Webhook failed: 503')).toBeVisible();
  await expect(rowOf(page, 'Nadia Ng')).toContainText('Sending failed, will be tried again');
  nextAnswer = 200;
  await pressButton(page, 'Send to Webhook');
  await page.getByRole('button', { name: 'Send 1 stipend, $500' }).click();
  await expect(toast(page, 'Webhook Sent', 'Stipend data sent to webhook for 1 participants')).toBeVisible();
  await expect(rowOf(page, 'Nadia Ng')).toContainText('Sent to the payment system');
  expect(received).toHaveLength(2);
  await pressButton(page, 'Send to Webhook');
  await expect(page.getByRole('dialog')).toContainText('1 approved stipends of Week 8 already, $500 total');
  expect(received).toHaveLength(2);
  await page.getByRole('button', { name: 'Send all again' }).click();
  await expect.poll(() => received.length).toBe(3);
});

test('STIP-45 an amount that was handed over is adjusted with a reason; reconciliation shows it, and marks as paid', async ({
  page,
}) => {
  nextAnswer = 200;
  await buildNamed('Rita Reason', { weekNumber: 15, paymentStatus: 'approved' });
  await open(page, '?week=15');
  await page.getByRole('button', { name: 'Send to Webhook' }).click();
  await page.getByRole('button', { name: 'Send 1 stipend, $500' }).click();
  await expect(rowOf(page, 'Rita Reason')).toContainText('Sent to the payment system');
  await page.getByRole('button', { name: /^Change amount of Rita Reason/ }).click();
  await page.getByLabel('Amount of Rita Reason in dollars').fill('450');
  await page.getByRole('textbox', { name: 'Reason' }).fill('Half a day less');
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Amount Updated')).toBeVisible();
  await expect(rowOf(page, 'Rita Reason')).toContainText('Sent to the payment system with $500');
  await page.getByRole('tab', { name: 'Reconciliation' }).press('Enter');
  await page.getByText(/^Adjusted \(1\)/).click();
  await expect(page.getByRole('row', { name: /Rita Reason/ })).toContainText('$450');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Mark paid: Rita Reason' }).click();
  await page.getByRole('textbox', { name: 'Reference' }).fill('CHK 7');
  await page.getByRole('dialog').getByRole('button', { name: 'Mark paid' }).click();
  await expect(toast(page, 'Stipend Marked Paid')).toBeVisible();
});
