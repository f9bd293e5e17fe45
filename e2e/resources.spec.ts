import type { Page } from '@playwright/test';
import { createResource, deleteResource, listResources, updateResource } from '#contract/resources.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildResource } from '#test/factories/resources.ts';
import { expectAccessible } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { enter } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { chooseInRow } from './row-menus.ts';
import { expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';
import { tryAgain } from './try-again.ts';

const adminEmail = 'ada@resources.example';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(adminEmail);
});
test.afterAll(() => instance.stop());
test.beforeEach(async () => {
  await instance.db.deleteFrom('resources').execute();
});

test('RES-01 RES-06 RES-07 RES-08 RES-09 RES-10 RES-13 RES-14 RES-15 RES-16 RES-17 RES-18 RES-21 RES-22 ERR1-10 an admin adds resources', async ({
  page,
}) => {
  await openManagement(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Resources Management' })).toBeVisible();
  await expect(page.getByText('0 resources found')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No resources found' })).toBeVisible();
  await expect(page.getByText('Get started by adding your first resource')).toBeVisible();
  await page.getByRole('button', { name: 'Add First Resource' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add New Resource' });
  const title = dialog.getByRole('textbox', { name: 'Title' });
  const address = dialog.getByRole('textbox', { name: 'File URL' });
  const type = dialog.getByRole('combobox', { name: 'File Type' });
  const program = dialog.getByRole('combobox', { name: 'Program' });
  for (const field of [title, address, type, program]) await expect(field).toHaveAttribute('required', '');
  for (const name of ['Description', 'Course Module']) {
    await expect(dialog.getByRole('textbox', { name }).or(dialog.getByRole('combobox', { name }))).toBeVisible();
  }
  await expect(type).toHaveValue('Material');
  await expect(program).toHaveValue('Fellowship');
  expect(await optionsOf(page, type)).toEqual(['Recording', 'Slide', 'Material']);
  expect(await optionsOf(page, program)).toEqual(['Fellowship', 'Adult Mobilization', 'Self Learner']);
  await expectAccessible(page);

  const sent = requestsTo(page, createResource.path);
  await title.fill('   ');
  await dialog.getByRole('button', { name: 'Create Resource' }).click();
  await expect(toast(page, 'Missing Information')).toContainText('Title and file URL are required');
  await expect(title).toBeFocused();
  await title.fill('Grid basics');
  await address.fill('  ');
  await address.press('Enter');
  await expect(toast(page, 'Missing Information').nth(1)).toBeVisible();
  await address.fill('javascript:alert(1)');
  await address.press('Enter');
  await expect(dialog.getByText('The file URL must be a web address')).toBeVisible();
  await expect(address).toBeFocused();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('0 resources found')).toBeVisible();
  expect(sent).toEqual([]);

  await buildResource(instance.db, { title: 'Older' });
  await page.getByRole('button', { name: 'Add Resource' }).click();
  await expect(title).toHaveValue('');
  await title.fill('Grid basics');
  await address.fill('https://files.example/grid');
  await dialog.getByRole('textbox', { name: 'Description' }).fill('What a transformer does.');
  await dialog.getByRole('button', { name: 'Create Resource' }).click();
  await expect(toast(page, 'Resource Created')).toContainText('Grid basics');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('columnheader')).toHaveText([
    'Resource',
    'Type',
    'Module',
    'Program',
    'Created',
    'Actions',
  ]);
  await expect(rows(page)).toHaveCount(2);
  await expect(page.getByText('2 resources found')).toBeVisible();
  const cells = rows(page).first().getByRole('cell');
  await expect(cells.nth(0)).toContainText('What a transformer does.');
  await expect(cells.nth(0)).toContainText('Grid basics');
  await expect(cells.nth(1)).toHaveText('Material');
  await expect(cells.nth(2)).toHaveText('No module');
  await expect(cells.nth(3)).toHaveText('Fellowship');
  await expect(cells.nth(4)).toHaveText(/\d{4}\s*Ada Admin$/);
  await expectNewTab(
    page,
    rows(page).first().getByRole('link', { name: 'View Resource' }),
    'https://files.example/grid',
  );
});

test('RES-02 RES-03 RES-04 RES-05 RES-06 RES-12 search and filters apply together, stay over a reload, and say when nothing is left', async ({
  page,
}) => {
  await buildResource(instance.db, { title: 'Arc flash', fileType: 'slide', courseModule: 'Safety' });
  await buildResource(instance.db, { title: 'Arc welding', fileType: 'slide', program: 'self_learner' });
  await buildResource(instance.db, { title: 'Career talk', fileType: 'recording', courseModule: 'Career' });
  await openManagement(page);
  const type = page.getByRole('combobox', { name: 'File type' });
  const program = page.getByRole('combobox', { name: 'Program' });
  const module = page.getByRole('combobox', { name: 'Module' });
  await expect(page.getByText('3 resources found')).toBeVisible();
  expect(await optionsOf(page, type)).toEqual(['All types', 'Recording', 'Slide', 'Material']);
  expect(await optionsOf(page, program)).toEqual(['All programs', 'Fellowship', 'Self Learner']);
  expect(await optionsOf(page, module)).toEqual(['All modules', 'Career', 'Safety']);
  await page.getByRole('searchbox', { name: 'Search' }).fill('ARC');
  await expect(page.getByText('2 resources found')).toBeVisible();
  await choose(page, type, 'Slide');
  await choose(page, program, 'Fellowship');
  await choose(page, module, 'Safety');
  await expect(page.getByText('1 resources found')).toBeVisible();
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('Arc flash');
  await choose(page, type, 'Recording');
  await expect(page.getByText('0 resources found')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No resources found' })).toBeVisible();
  await expect(page.getByText('Try adjusting your search or filter settings')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Add/ })).toHaveText(['Add Resource']);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows(page)).toHaveCount(3);
});

test('RES-11 a long list goes on by itself to its last row, the newest first, without pages to turn', async ({
  page,
}) => {
  const long = Array.from({ length: 130 }, (_, index) => ({
    title: `Slides ${index + 1}`,
    fileUrl: 'https://files.example/slides',
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, index)),
  }));
  await instance.db.insertInto('resources').values(long).execute();
  await openManagement(page);
  const at = (place: number) => page.locator(`tr[aria-rowindex="${place + 1}"]`);
  await expect(page.getByText('130 resources found')).toBeVisible();
  await expect(at(1)).toContainText('Slides 130');
  expect(await rows(page).count()).toBeLessThan(100);
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(at(130)).toBeInViewport({ timeout: 250 });
  }).toPass();
  await expect(at(130)).toContainText(/Slides 1(?!\d)/);
  await expect(at(129)).toContainText(/Slides 2(?!\d)/);
  await expect(page.locator('table')).toHaveAttribute('aria-rowcount', '131');
  await expect(page.getByRole('main').getByRole('button', { name: /page|show more/i })).toHaveCount(0);
});

test('RES-25 RES-26 RES-27 RES-28 ERR1-10 one row at a time is edited in place, what others changed meanwhile is shown, and nothing typed is lost unasked', async ({
  page,
}) => {
  const one = await buildResource(instance.db, { title: 'One', description: 'As it was' });
  await buildResource(instance.db, { title: 'Two' });
  await openManagement(page);
  const title = page.getByRole('textbox', { name: 'Title' });
  const row = rows(page).filter({ has: title });
  await page.getByRole('button', { name: 'Edit One' }).click();
  await expect(title).toBeFocused();
  await title.fill('Another');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Edit Two' }).click();
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Stipend Management' }).click();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(title).toHaveValue('Another');
  await page.getByRole('button', { name: 'Edit Two' }).click();
  await question.getByRole('button', { name: 'Discard changes' }).click();
  await expect(title).toHaveCount(1);
  await expect(title).toHaveValue('Two');
  await title.fill('Three');
  await row.getByRole('button', { name: 'Cancel' }).click();
  await expect(title).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Edit Two' })).toBeFocused();
  await expect(page.getByRole('button', { name: 'Edit One' })).toBeVisible();

  await page.getByRole('button', { name: 'Edit One' }).click();
  await row.getByRole('textbox', { name: 'Description' }).fill('As I want it');
  await instance.db.updateTable('resources').set({ title: 'Uno', version: 2 }).where('id', '=', one.id).execute();
  await row.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Update Failed')).toContainText('Somebody else has changed this resource');
  const conflict = page.getByRole('alert').filter({ hasText: 'Saved now: Uno' });
  await expect(conflict).toContainText('Yours: One');
  await expect(conflict).toContainText('Yours: As I want it');
  await expectAccessible(page);
  await conflict.getByRole('button', { name: 'Keep mine' }).click();
  await title.fill('One of ours');
  await row.getByRole('textbox', { name: 'File URL' }).fill('http://files.example/new');
  await choose(page, row.getByRole('combobox', { name: 'File Type' }), 'Slide');
  await choose(page, row.getByRole('combobox', { name: 'Program' }), 'Self Learner');
  await row.getByRole('combobox', { name: 'Course Module' }).fill('Safety');
  const sent = requestsTo(page, updateResource.path.replace(':id', one.id));
  await title.press('Enter');
  await expect(toast(page, 'Resource Updated')).toContainText('One of ours');
  await expect(title).toHaveCount(0);
  const facts = {
    title: 'One of ours',
    description: 'As I want it',
    fileUrl: 'http://files.example/new',
    fileType: 'slide',
    courseModule: 'Safety',
    program: 'self_learner',
  };
  expect(sent).toEqual([{ ...facts, programmeId: null, version: 2 }]);
  const shown = rows(page).filter({ hasText: 'One of ours' });
  for (const words of ['As I want it', 'Slide', 'Safety', 'Self Learner']) await expect(shown).toContainText(words);
  await expect(shown.getByRole('link')).toHaveAttribute('href', 'http://files.example/new');
});

test('RES-23 RES-30 RES-31 RES-32 RES-33 ERR1-07 ERR1-10 deleting asks with title, type and program; what fails is told with the words of the server', async ({
  page,
}) => {
  const old = await buildResource(instance.db, { title: 'Old slides', fileType: 'slide', program: 'self_learner' });
  await buildResource(instance.db, { title: 'Kept' });
  await openManagement(page);
  const question = page.getByRole('dialog', { name: 'Delete Resource' });
  await chooseInRow(page, 'Delete Old slides');
  for (const words of [
    'This action cannot be undone',
    'Are you sure you want to delete this resource?',
    'Old slides',
    'Slide',
    'Self Learner',
  ]) {
    await expect(question).toContainText(words);
  }
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await expect(page.getByText('2 resources found')).toBeVisible();

  await failWith(page, deleteResource.path.replace(':id', old.id), 'Deleting went wrong.');
  await chooseInRow(page, 'Delete Old slides');
  await question.getByRole('button', { name: 'Delete resource' }).click();
  await expect(toast(page, 'Delete Failed')).toContainText('Deleting went wrong.');
  await expect(rows(page)).toHaveCount(2);
  await page.unrouteAll();
  await chooseInRow(page, 'Delete Old slides');
  await question.getByRole('button', { name: 'Delete resource' }).click();
  await expect(toast(page, 'Resource Deleted')).toContainText('Old slides');
  await expect(page.getByText('1 resources found')).toBeFocused();
  await expect(rows(page)).toHaveCount(1);

  await failWith(page, createResource.path, 'Creating went wrong.');
  await page.getByRole('button', { name: 'Add Resource' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Kept in the form');
  await page.getByRole('textbox', { name: 'File URL' }).fill('https://files.example/x');
  await page.getByRole('button', { name: 'Create Resource' }).click();
  await expect(toast(page, 'Creation Failed')).toContainText('Creating went wrong.');
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Kept in the form');
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.unrouteAll();
  await failWith(page, `${listResources.path}*`, 'Loading went wrong.', 404);
  await page.reload();
  await expect(toast(page, 'Error')).toContainText('Failed to load resources');
  await expect(page.getByRole('alert').filter({ hasText: 'Loading went wrong.' })).toBeVisible();
  await tryAgain(page, `**${listResources.path}*`);
  await expect(rows(page)).toHaveCount(1);
});

test('RES-35 RES-36 RES-37 RES-38 RES-41 RES-42 RES-43 a coach browses the library as a grid and as a list', async ({
  page,
}) => {
  await buildResource(instance.db, { title: 'Arc flash', fileType: 'slide', courseModule: 'Safety' });
  await buildResource(instance.db, { title: 'Arc welding', fileType: 'slide', program: 'self_learner' });
  await buildResource(instance.db, { title: 'Career talk', fileType: 'recording', courseModule: 'Career' });
  await enter(page, instance, await buildCoach(instance.db));
  await page.goto(`${instance.url}/resources`);
  await expect(page.getByRole('heading', { level: 1, name: 'Learning Resources' })).toBeVisible();
  const shelf = page.getByRole('list', { name: 'Resources' });
  const titles = () => shelf.getByRole('link').allInnerTexts();
  const all = ['Career talk', 'Arc welding', 'Arc flash'].map((title) => expect.stringContaining(title));
  await expect(page.getByRole('radio', { name: 'Grid' })).toBeChecked();
  await expect.poll(titles).toEqual(all);
  await expect(page.getByRole('main').getByRole('button', { name: /add|edit|delete|create/i })).toHaveCount(0);
  await expectAccessible(page);
  await page.getByText('List', { exact: true }).click();
  await expect.poll(titles).toEqual(all);
  await page.reload();
  await expect(page.getByRole('radio', { name: 'List' })).toBeChecked();
  await expect.poll(titles).toEqual(all);
  await expectAccessible(page);
  await expectNewTab(page, shelf.getByRole('listitem').filter({ hasText: 'Arc flash' }), /^https:\/\/files\.example\//);

  await page.getByRole('searchbox', { name: 'Search' }).fill('arc');
  await expect.poll(titles).toEqual(all.slice(1));
  await choose(page, page.getByRole('combobox', { name: 'File type' }), 'Slide');
  await choose(page, page.getByRole('combobox', { name: 'Module' }), 'Safety');
  await expect.poll(titles).toEqual([expect.stringContaining('Arc flash')]);
  await choose(page, page.getByRole('combobox', { name: 'Module' }), 'Career');
  await expect(page.getByRole('heading', { name: 'No resources found' })).toBeVisible();

  const many = Array.from({ length: 130 }, (_, n) => ({
    title: `Slides ${n}`,
    fileUrl: 'https://files.example/slides',
  }));
  await instance.db.insertInto('resources').values(many).execute();
  await page.goto(`${instance.url}/resources`);
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(shelf.getByRole('link', { name: 'Arc flash' })).toBeInViewport({ timeout: 250 });
  }).toPass();
  expect(await shelf.getByRole('listitem').count()).toBeLessThan(100);

  await failWith(page, '/api/learning-resources*', 'Loading went wrong.', 404);
  await page.reload();
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to load resources' })).toContainText('went wrong');
});

test('RES-35 RES-39 RES-34 a participant browses the resources of their program, and is kept out of their management', async ({
  page,
}) => {
  await buildResource(instance.db, { title: 'For fellows' });
  await buildResource(instance.db, { title: 'For self learners', program: 'self_learner' });
  await enter(page, instance, await buildParticipant(instance.db, { trackType: 'self_learner' }));
  await page.goto(`${instance.url}/resources`);
  await expect(page.getByRole('listitem').filter({ hasText: 'For self learners' })).toBeVisible();
  await expect(page.getByText('For fellows')).toHaveCount(0);
  await page.goto(`${instance.url}/admin/resources-management`);
  await expect(page.getByRole('heading', { level: 1, name: 'Access Denied' })).toBeVisible();
  await expect(page.getByText("You don't have permission to access resources management.")).toBeVisible();
});

async function openManagement(page: Page): Promise<void> {
  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/resources-management`);
}

type Place = ReturnType<Page['getByRole']>;

function rows(page: Page): Place {
  return page.locator('tbody').getByRole('row');
}

async function choose(page: Page, field: Place, option: string): Promise<void> {
  await field.click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

async function optionsOf(page: Page, field: Place): Promise<string[]> {
  await field.click();
  await expect(page.getByRole('option').first()).toBeVisible();
  const options = await page.getByRole('option').allInnerTexts();
  await field.press('Escape');
  await expect(page.getByRole('option')).toHaveCount(0);
  return options;
}

/** The link opens another tab at that address, and this tab stays. */
async function expectNewTab(page: Page, target: Place, address: string | RegExp): Promise<void> {
  const here = page.url();
  await page.context().route('https://files.example/**', (route) => route.fulfill({ body: 'The file.' }));
  const opened = page.context().waitForEvent('page');
  await target.click();
  const tab = await opened;
  await expect(tab).toHaveURL(address);
  expect(await tab.evaluate(() => window.opener)).toBeNull();
  await tab.close();
  expect(page.url()).toBe(here);
}

/** Collects the bodies of later writes to an address. */
function requestsTo(page: Page, path: string): unknown[] {
  const bodies: unknown[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path && request.method() !== 'GET') bodies.push(request.postDataJSON());
  });
  return bodies;
}

async function failWith(page: Page, path: string, detail: string, status = 409): Promise<void> {
  const code = status === 404 ? 'not_found' : 'conflict';
  const body = {
    type: `urn:switchyard:error:${code}`,
    title: 'Failed',
    status,
    code,
    detail,
    instance: null,
    errors: null,
  };
  await page.route(
    (url) => (path.endsWith('*') ? url.pathname === path.slice(0, -1) : url.pathname === path),
    (route, request) =>
      path.endsWith('*') || request.method() !== 'GET'
        ? route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(body) })
        : route.continue(),
  );
}
