import { readStatus } from '#contract/operations.ts';
import { keepInspection } from '#server/features/operations/inspection-queries.ts';
import { buildGivenUpDelivery } from '../test/factories/deliveries.ts';
import { expectAccessibleEverywhere } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { addRolesTo, addresses, enter, heading } from './shell-people.ts';
import { expect, test } from './support.ts';
import { tryAgain } from './try-again.ts';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(addresses.admin);
  await addRolesTo(instance);
});
test.afterAll(() => instance.stop());

test('an admin reads whether anything is wrong, what to do, and goes to the screen that settles it', async ({
  page,
}) => {
  await enter(instance, page, 'admin');
  await buildGivenUpDelivery(instance.db);
  const problem = `The mail server cannot be reached: ${'a-very-long-host-name.'.repeat(8)}example`;
  await keepInspection(instance.db, [{ code: 'mail-away', severity: 'error', problem, remedy: 'Correct SMTP_URL.' }]);

  await page.goto(`${instance.url}/admin/status`);
  await expect(heading(page, 'Status')).toBeVisible();
  const findings = page.getByRole('list', { name: 'What is wrong' });
  await expect(
    findings.getByRole('listitem').filter({ hasText: 'Needs fixing' }).filter({ hasText: problem }),
  ).toBeVisible();
  await expect(findings.getByRole('listitem').filter({ hasText: 'Worth a look' }).first()).toBeVisible();
  await expect(page.getByText('Correct SMTP_URL.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Database' })).toContainText('PostgreSQL');
  await expect(page.getByRole('region', { name: 'Admins who are signed in' }).getByRole('listitem')).toHaveCount(1);
  const money = page.getByRole('region', { name: 'Money and messages' });
  await expect(money.getByText('0 batches of stipends')).toBeVisible();
  await expect(money.getByRole('link')).toHaveText(['1 message']);
  await expectAccessibleEverywhere(page);

  await page.getByRole('link', { name: 'Open Undelivered Messages' }).focus();
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Undelivered Messages')).toBeVisible();
  await page.goBack();
  await expect(heading(page, 'Status')).toBeVisible();

  await page.route(`**${readStatus.path}`, (route) => route.fulfill({ status: 503, body: 'away' }));
  await page.reload();
  await expect(page.getByText('The status could not be loaded')).toBeVisible();
  await tryAgain(page, `**${readStatus.path}`);
  await expect(page.getByRole('region', { name: 'Database' })).toBeVisible();
});
