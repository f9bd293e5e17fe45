import { sql } from 'kysely';
import { listGivenUpDeliveries } from '#contract/deliveries.ts';
import { buildGivenUpDelivery } from '../test/factories/deliveries.ts';
import { startSmsProvider, type TestSmsProvider } from '../test/support/sms-provider.ts';
import { expectAccessible, expectAccessibleEverywhere } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { addRolesTo, addresses, enter, heading } from './shell-people.ts';
import { expect, test } from './support.ts';
import { tryAgain } from './try-again.ts';

let provider: TestSmsProvider;
let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  provider = await startSmsProvider();
  instance = await startInstanceWithDatabase(addresses.admin, {
    SMS_PROVIDER: 'http',
    SMS_URL: provider.url,
    SMS_TOKEN: 'secret-token',
    SMS_ALLOW_PRIVATE: '1',
  });
  await addRolesTo(instance);
});
test.afterAll(async () => {
  await instance.stop();
  await provider.close();
});

test('an admin sees what could not be delivered, narrows it, and has one or all tried again', async ({ page }) => {
  await enter(instance, page, 'admin');
  await page.goto(`${instance.url}/admin/deliveries`);
  await expect(heading(page, 'Undelivered Messages')).toBeVisible();
  await expect(page.getByText('No undelivered messages')).toBeVisible();

  const longName = `${'long-name-'.repeat(12)}@people.example`;
  const lastError = `Mail command failed: 451 ${'The mailbox is busy. '.repeat(20)}`;
  await buildGivenUpDelivery(instance.db, { address: longName, lastError });
  await buildGivenUpDelivery(instance.db, { channel: 'sms', kind: 'stipend', address: '+12125552368' });
  await buildGivenUpDelivery(instance.db, { kind: 'sign_in', createdAt: new Date('2026-01-05T10:00:00Z') });
  await page.reload();
  await expect(page.getByRole('status').filter({ hasText: '3 undelivered messages' })).toBeVisible();
  await expect(page.getByText('No longer useful')).toBeVisible();
  await expectAccessibleEverywhere(page);
  const rows = page.getByRole('region', { name: /^What could not be delivered/ }).locator('tbody tr');
  const heights = () => rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...(await heights()))).toBeLessThanOrEqual(52);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(async () => Math.max(...(await heights()))).toBeLessThanOrEqual(100);
  await page.getByRole('button', { name: `Details of Review to ${longName}` }).press('Enter');
  const whole = rows.last().getByText(lastError.trim(), { exact: true }).last();
  await expect(whole).toBeVisible();
  expect(await whole.evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 720 });

  await page.getByRole('searchbox', { name: 'Search' }).fill('+1212');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/search=/);
  await page.getByRole('button', { name: 'Try again to reach +12125552368: Stipend' }).click();
  await expect(page.getByText('Delivery Queued')).toBeVisible();
  await expect(page.getByText('Nothing matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'Try all 1 again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Try 1 again' }).click();
  await expect(page.getByText('Deliveries Queued')).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(2);

  await page.route(`**${listGivenUpDeliveries.path}*`, (route) => route.fulfill({ status: 503, body: 'away' }));
  await page.reload();
  await expect(page.getByText('The undelivered messages could not be loaded')).toBeVisible();
  await tryAgain(page, `**${listGivenUpDeliveries.path}*`);
  await expect(page.getByRole('row')).toHaveCount(2);
});

test('somebody adds their phone number by the code that is texted to it', async ({ page }) => {
  await enter(instance, page, 'participant');
  await page.goto(`${instance.url}/preferences/notifications`);
  await page.getByRole('switch', { name: 'SMS' }).press('Space');
  await expect(page.getByText('Add your phone number below to get text messages.')).toBeVisible();
  await page.getByRole('button', { name: 'Add phone number' }).click();
  await page.getByRole('textbox', { name: 'Phone number' }).fill('nonsense');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Please enter a phone number with its area code')).toBeVisible();
  await page.getByRole('textbox', { name: 'Phone number' }).fill('212 555 2368');
  await page.keyboard.press('Enter');
  await expect(page.getByText('A code was texted to +12125552368.')).toBeVisible();
  await expectAccessible(page);
  const codeSent = () => provider.sent.map(({ body }) => /"text":"(\d{6})/.exec(body)?.[1]).find(Boolean);
  await expect.poll(codeSent).toBeTruthy();
  await page.getByRole('textbox', { name: 'Code' }).fill(codeSent() ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Phone Number Saved')).toBeVisible();
  await expect(page.getByText('Text messages go to +12125552368.')).toBeVisible();
  const stored = await sql<{
    phone: string;
  }>`select phone from profiles where email = ${addresses.participant}`.execute(instance.db);
  expect(stored.rows[0]?.phone).toBe('+12125552368');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 360, height: 800 });
  await expectAccessible(page);
});
