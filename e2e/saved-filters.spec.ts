import type { Locator, Page } from '@playwright/test';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { expectAccessibleEverywhere, expectAccessibleInBothColours } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';

const adminEmail = 'admin@people.example';
let instance: InstanceWithDatabase;

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(adminEmail, {});
  await buildCoach(instance.db, { firstName: 'Nora', lastName: 'Nye' });
  for (let index = 0; index < 3; index += 1) await buildParticipant(instance.db, { firstName: `Ana ${index}` });
});
test.afterAll(() => instance.stop());

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Saved filters' });
const rows = (page: Page) => page.getByRole('region', { name: 'Users', exact: true }).locator('tbody tr');

async function openSaved(page: Page) {
  await page.getByRole('button', { name: 'Saved', exact: true }).click();
  await expect(dialog(page)).toBeVisible();
}

test('filters are kept under a name, opened in one press, renamed and removed', async ({ page }) => {
  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/user-management`);
  await openSaved(page);
  await expect(dialog(page).getByText('No filter is on now, so there is nothing to save.')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.goto(`${instance.url}/admin/user-management?role=coach&order=name`);
  await expect(rows(page)).toHaveCount(1);
  await openSaved(page);
  await dialog(page).getByLabel('Save the present filters as').fill('Our coaches');
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('button', { name: 'Our coaches', exact: true })).toBeVisible();
  await expectAccessibleEverywhere(page);
  await dialog(page).getByLabel('Save the present filters as').fill('our COACHES');
  await page.keyboard.press('Enter');
  await expect(
    dialog(page).getByText('You already have filters by that name here. Please choose another name.'),
  ).toBeVisible();

  await page.goto(`${instance.url}/admin/user-management?search=ana`);
  await expect(rows(page)).toHaveCount(3);
  await openSaved(page);
  await dialog(page).getByRole('button', { name: 'Our coaches', exact: true }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(page).toHaveURL(/user-management\?(role=coach&order=name|order=name&role=coach)$/);
  await expect(rows(page)).toHaveCount(1);

  await openSaved(page);
  await dialog(page).getByRole('button', { name: 'Rename Our coaches' }).click();
  await dialog(page).getByLabel('New name of Our coaches').fill('Coaches');
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('button', { name: 'Coaches', exact: true })).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Remove Coaches' }).click();
  await expect(dialog(page).getByText(/no saved filters here yet/)).toBeVisible();
});

test('what was kept and means nothing any more is left out when it is opened', async ({ page }) => {
  const { id } = await instance.db
    .selectFrom('profiles')
    .select('id')
    .where('email', '=', adminEmail)
    .executeTakeFirstOrThrow();
  const search = JSON.stringify({ role: 'wizard', order: 'tallest', search: 'ana', at: 'nowhere' });
  await instance.db.insertInto('savedFilters').values({ ownerId: id, list: 'users', name: 'Old', search }).execute();
  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/user-management?role=coach`);
  await openSaved(page);
  await dialog(page).getByRole('button', { name: 'Old', exact: true }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByText('3 users found')).toBeVisible();
});

test('on a phone the filters are in a sheet, and its button counts them', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/user-management`);
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await sheet.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Coach', exact: true }).click();
  await expectAccessibleInBothColours(page);
  await sheet.getByRole('button', { name: 'Show results' }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('button', { name: 'Filters (1)' })).toBeFocused();
  await expect(rows(page)).toHaveCount(1);
});

test('USER-37 on a phone the first person stands near the top, and one menu has the acts upon the list', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/user-management`);
  await expect(rows(page).first()).toBeInViewport();
  const topOf = async (place: Locator) => (await place.boundingBox())?.y ?? Number.NaN;
  const heading = page.getByRole('heading', { level: 1, name: 'User Management' });
  expect((await topOf(rows(page).first())) - (await topOf(heading))).toBeLessThan(200);
  await expect(page.getByRole('main').getByRole('button', { name: 'Export CSV' })).toHaveCount(0);
  await expectAccessibleInBothColours(page);
  await page.getByRole('button', { name: 'More actions' }).click();
  await expect(page.getByRole('menuitem')).toHaveText([
    'Refresh',
    'Sync',
    'Export CSV',
    'Assign Participants',
    'Create Superadmin Account',
  ]);
  await page.getByRole('menuitem', { name: 'Refresh' }).click();
  await expect(toast(page, 'Users Refreshed')).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Assign Participants' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Assign Participants' })).toBeVisible();
});
