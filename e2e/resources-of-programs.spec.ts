import type { Locator, Page } from '@playwright/test';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { buildResource } from '#test/factories/resources.ts';
import { expectAccessible } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { enter } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';

const adminEmail = 'ada@resources-of-programs.example';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(adminEmail);
});
test.afterAll(() => instance.stop());

test('RES-39 an admin adds a resource for one program, filters by it and changes it; only its people read it', async ({
  page,
}) => {
  const { db } = instance;
  const programme = await buildProgramme(db, { name: 'Line Workers' });
  await buildResource(db, { title: 'Relays' });
  const apprentice = await buildParticipant(db);
  await enrol(db, {
    cohortId: (await buildCohort(db, { programmeId: programme.id })).id,
    participantId: apprentice.id,
  });
  const fellow = await buildParticipant(db);
  await enrol(db, { cohortId: (await buildCohort(db)).id, participantId: fellow.id });

  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/resources-management`);
  await page.getByRole('button', { name: 'Add Resource' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add New Resource' });
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Climbing checks');
  await dialog.getByRole('textbox', { name: 'File URL' }).fill('https://files.example/climbing');
  const onlyFor = dialog.getByRole('combobox', { name: 'Only for' });
  await expect(onlyFor).toHaveValue('All programs');
  await choose(page, onlyFor, 'Line Workers');
  await expect(dialog.getByRole('combobox', { name: 'Program' })).toHaveValue('Fellows');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create Resource' }).click();
  await expect(toast(page, 'Resource Created')).toContainText('Climbing checks');
  const climbing = page.locator('tbody').getByRole('row').filter({ hasText: 'Climbing checks' });
  await expect(climbing).toContainText('Line Workers');

  await choose(page, page.getByRole('combobox', { name: 'Only for' }), 'Line Workers');
  await expect(page.getByText('1 resources found')).toBeVisible();
  await page.reload();
  await expect(page.getByText('1 resources found')).toBeVisible();

  await enter(page, instance, fellow);
  expect(await library(page)).toEqual(['Relays']);
  await enter(page, instance, apprentice);
  expect(await library(page)).toEqual(['Climbing checks', 'Relays']);

  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/resources-management`);
  await page.getByRole('button', { name: 'Edit Climbing checks' }).click();
  const edited = page
    .locator('tbody')
    .getByRole('row')
    .filter({ has: page.getByRole('textbox', { name: 'Title' }) });
  await expect(edited.getByRole('combobox', { name: 'Only for' })).toHaveValue('Line Workers');
  await expectAccessible(page);
  await choose(page, edited.getByRole('combobox', { name: 'Only for' }), 'All programs');
  await edited.getByRole('textbox', { name: 'Title' }).press('Enter');
  await expect(toast(page, 'Resource Updated')).toContainText('Climbing checks');
  await signIn(page, instance.url, fellow.email);
  expect(await library(page)).toEqual(['Climbing checks', 'Relays']);
});

async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await field.click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function library(page: Page): Promise<string[]> {
  await page.goto(`${instance.url}/resources`);
  const links = page.getByRole('link', { name: '(opens in a new tab)' });
  await expect(links.filter({ hasText: 'Relays' })).toBeVisible();
  const titles = await links.allInnerTexts();
  return titles.map((title) => title.replace('(opens in a new tab)', '').trim()).toSorted();
}
