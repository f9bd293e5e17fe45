import { readFile } from 'node:fs/promises';
import { listAuditLog } from '#contract/audit.ts';
import { type AuditEntry, audit } from '#server/platform/audit.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { expectAccessibleEverywhere } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { expect, signIn, signInByForm, test } from './support.ts';
import { tryAgain } from './try-again.ts';

const admin = 'admin@people.example';
const longName = 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh';
let instance: InstanceWithDatabase;

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(admin);
  const { db } = instance;
  const cohort = await buildCohort(db, { name: 'Fall lines' });
  const coach = await buildCoach(db, { lastName: longName });
  const fellow = await buildParticipant(db, { firstName: 'Nadia', lastName: 'Ng' });
  const stipend = await buildStipend(db, { fellowId: fellow.id, cohortId: cohort.id, weekNumber: 3 });
  const older = Array.from(
    { length: 60 },
    (): AuditEntry => ({
      action: 'performance.rate',
      subjectType: 'user',
      subjectId: fellow.id,
      before: { rating: null },
      after: { rating: 4.5, weekNumber: 3, cohortId: cohort.id },
    }),
  );
  await audit(db, coach.id, older);
  await audit(db, coach.id, {
    action: 'stipend.change_amount',
    subjectType: 'stipend',
    subjectId: stipend.id,
    before: { amountCents: 50_000 },
    after: { amountCents: 45_000 },
    reason: '<b>Half</b> a week',
  });
});
test.afterAll(() => instance.stop());

test('an admin reads who did what, narrows it by what stands there, shares the address and exports it', async ({
  page,
}) => {
  await signInByForm(page, instance.url, admin);
  await page.getByRole('link', { name: 'Audit Log' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Audit Log' })).toBeVisible();
  const rows = page.getByRole('region', { name: 'Audit log' }).locator('tbody tr');
  await expect(rows).toHaveCount(50);

  await page.getByRole('button', { name: 'Older entries' }).click();
  await expect(page.getByRole('button', { name: 'Latest entries' })).toBeVisible();
  await expect(rows.last()).not.toContainText('Half');
  await page.goBack();
  await expect(rows).toHaveCount(50);

  await page.getByLabel('Search').fill('half</b> a');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Changed the amount of a stipend');
  await expect(rows).toContainText('Nadia Ng, week 3');
  await expect(rows).toContainText('Amount: $500 → became $450');
  await expect(rows).toContainText('Reason: <b>Half</b> a week');
  const exported = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const lines = (await readFile(await (await exported).path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('<b>Half</b> a week');

  await page.getByRole('button', { name: 'Nadia Ng, week 3', exact: true }).click();
  await page.waitForURL(/subject=/);
  await page.reload();
  await expect(page.getByLabel('Search')).toHaveValue('half</b> a');
  await expect(rows).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows).toHaveCount(50);

  await page.getByRole('combobox', { name: 'Person' }).fill('nadia');
  await page.getByRole('option', { name: /Nadia Ng/ }).click();
  await page.getByRole('combobox', { name: 'Their part' }).click();
  await page.getByRole('option', { name: 'By them', exact: true }).click();
  await expect(page.getByText('No entries found')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('combobox', { name: 'Person' })).toHaveValue(/Nadia Ng/);
  await expect(rows).toHaveCount(50);
});

test('a log that cannot be loaded says so and is tried again', async ({ page }) => {
  await signIn(page, instance.url, admin);
  await page.route(`**${listAuditLog.path}*`, (route) => route.fulfill({ status: 503, body: 'away' }));
  await page.goto(`${instance.url}/admin/audit-log`);
  await expect(page.getByText('The audit log could not be loaded')).toBeVisible();
  await tryAgain(page, `**${listAuditLog.path}*`);
  await expect(page.getByRole('region', { name: 'Audit log' }).locator('tbody tr')).toHaveCount(50);
});

test('an entry is a row of two lines on a desk, whatever the names are, and its changes open below each other', async ({
  page,
}) => {
  await signIn(page, instance.url, admin);
  await page.goto(`${instance.url}/admin/audit-log`);
  const rows = page.getByRole('region', { name: 'Audit log' }).locator('tbody tr');
  await expect(rows).toHaveCount(50);
  const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThanOrEqual(52);
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);

  const details = page.getByRole('button', { name: 'Details of Rated a week: Nadia Ng' }).first();
  const row = rows.filter({ has: page.getByRole('button', { name: 'Details of Rated a week: Nadia Ng' }) }).first();
  const linesOf = async () => new Set(await row.getByText(/^(Rating|Week number|Cohort):/).evaluateAll(topsOf)).size;
  expect(await linesOf()).toBe(1);
  await details.focus();
  await page.keyboard.press('Enter');
  await expect(details).toHaveAttribute('aria-expanded', 'true');
  expect(await linesOf()).toBe(3);
  await expect(row).toContainText('Cohort: Fall lines');
  await expectAccessibleEverywhere(page);
  await details.press('Enter');
  await expect(details).toHaveAttribute('aria-expanded', 'false');
  expect(await linesOf()).toBe(1);
});

const topsOf = (elements: Element[]) => elements.map((element) => element.getBoundingClientRect().top);
