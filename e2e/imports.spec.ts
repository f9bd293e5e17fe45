import { readFile, writeFile } from 'node:fs/promises';
import type { Page, Route } from '@playwright/test';
import { sql } from 'kysely';
import { readSession } from '#contract/accounts.ts';
import { bulkColumns, optionalBulkColumns } from '#contract/imports.ts';
import { buildCohort, buildCourse } from '#test/factories/cohorts.ts';
import { expectAccessibleEverywhere } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { expect, pressAsSessionEnds, signIn, test } from './support.ts';
import { toast } from './toasts.ts';

const admin = 'admin@people.example';
const header = 'first_name,last_name,email,program,cohort,role';
const functionPath = '**/functions/v1/process-bulk-invitations';
let instance: InstanceWithDatabase;
let count = 0;

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(admin);
  await buildCourse(instance.db);
  await buildCohort(instance.db, { name: 'Fall 2026', capacity: 500 });
  await buildCohort(instance.db, { name: 'Held' });
});
test.afterAll(() => instance.stop());
test.beforeEach(async ({ page }) => {
  await signIn(page, instance.url, admin);
  await page.goto(`${instance.url}/admin/bulk-invitations`);
});

interface RowFacts {
  firstName?: string;
  email?: string;
  cohort?: string;
}

function row({ firstName = 'Nadia', email, cohort = 'Fall 2026' }: RowFacts = {}): string {
  count += 1;
  return `${firstName},Ng,${email ?? `e2e-${count}@people.example`},fellowship,${cohort},participant`;
}

async function choose(page: Page, name: string, rows: string[]) {
  const buffer = Buffer.from([header, ...rows].join('\r\n'));
  await page.getByLabel('CSV file').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

/** Drops a file from disk on the page, as a person would. */
async function drop(page: Page, path: string, rows: string[]) {
  await writeFile(path, [header, ...rows].join('\r\n'));
  const place = await page.getByText('Drop a CSV file here').boundingBox();
  const devtools = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    await devtools.send('Input.dispatchDragEvent', { type, x: place?.x ?? 0, y: place?.y ?? 0, data });
  }
  await devtools.detach();
}

function createButton(page: Page) {
  return page.getByRole('button', { name: /^Create \d+ users?$/ });
}

const preview = (page: Page) => page.getByRole('region', { name: 'Preview of the first valid rows' });

test('BULK-01 BULK-02 the sidebar opens the screen with its template and its upload area, which takes a dropped file and axe finds nothing against', async ({
  page,
}, testInfo) => {
  await page.goto(`${instance.url}/dashboard`);
  await page.getByRole('link', { name: 'Bulk User Creation' }).first().click();
  await page.waitForURL('**/admin/bulk-invitations');
  await expect(page.getByRole('heading', { level: 1, name: 'Bulk User Creation' })).toBeVisible();
  const [template] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download template' }).click(),
  ]);
  expect(template.suggestedFilename()).toBe('people.csv');
  const columns = [...bulkColumns, ...optionalBulkColumns].join(',');
  expect(await readFile(await template.path(), 'utf8')).toBe(`\ufeff${columns}\n`);
  await drop(page, testInfo.outputPath('dropped.csv'), [row({ firstName: 'Dropped' }), row({ email: 'wrong' })]);
  await expect(page.getByText('dropped.csv: 2 records, 1 ready, 1 with errors.')).toBeVisible();
  await expect(preview(page).getByRole('cell').first()).toHaveText('Dropped');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByText('Drop a CSV file here').click(),
  ]);
  expect(chooser.isMultiple()).toBe(false);
  await choose(page, 'people.csv', [row({ firstName: 'Chosen' }), row({ email: 'wrong' })]);
  await expect(preview(page).getByRole('cell').first()).toHaveText('Chosen');
  await expectAccessibleEverywhere(page);
});

test('BULK-03 BULK-04 BULK-06 BULK-12 BULK-13 a file that cannot be used is refused in words, without a preview', async ({
  page,
}) => {
  const input = page.getByLabel('CSV file');
  const picture = { name: 'people.png', mimeType: 'image/png', buffer: Buffer.from('x') };
  await input.setInputFiles(picture);
  await expect(toast(page, 'Invalid File Type', 'Please select a CSV file')).toBeVisible();
  const large = { name: 'large.csv', mimeType: 'text/csv', buffer: Buffer.alloc(5 * 1024 * 1024 + 1, 'a') };
  await input.setInputFiles(large);
  await expect(toast(page, 'File Too Large', 'File size must be less than 5MB')).toBeVisible();
  await choose(
    page,
    'many.csv',
    Array.from({ length: 1001 }, () => row()),
  );
  await expect(toast(page, 'Too Many Records', 'Maximum 1000 records allowed per upload')).toBeVisible();
  await choose(page, 'empty.csv', []);
  await expect(toast(page, 'File Parse Error', 'File is empty')).toBeVisible();
  await input.setInputFiles({ name: 'columns.csv', mimeType: 'text/csv', buffer: Buffer.from('email,role\na,b') });
  const missing = 'Missing required columns: first_name, last_name, program, cohort';
  await expect(toast(page, 'File Parse Error', missing)).toBeVisible();
  await expect(preview(page)).toBeHidden();
  await expect(createButton(page)).toBeHidden();
});

test('BULK-25 BULK-26 BULK-27 BULK-28 BULK-29 BULK-30 errors are listed and block; a corrected file replaces the earlier one', async ({
  page,
}) => {
  let requests = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') requests += 1;
  });
  const good = Array.from({ length: 7 }, (_, index) => row({ firstName: `Good${index}` }));
  const bad = Array.from({ length: 12 }, (_, index) => row({ cohort: `Nowhere${index}` }));
  await choose(page, 'mixed.csv', [...bad, ...good]);

  await expect(toast(page, 'Validation Errors Found', 'mixed.csv')).toBeVisible();
  const errors = page.getByRole('list', { name: 'Validation errors' }).getByRole('listitem');
  await expect(errors).toHaveText(
    bad
      .slice(0, 10)
      .map(
        (_, index) =>
          `Row ${index + 2}: Invalid cohort "Nowhere${index}" for program "fellowship". Please check available cohorts.`,
      ),
  );
  const labels = ['First name', 'Last name', 'Email', 'Program', 'Cohort', 'Role'];
  await expect(preview(page).getByRole('columnheader')).toHaveText(labels);
  await expect(preview(page).getByRole('cell')).toHaveText(good.slice(0, 5).flatMap((line) => line.split(',')));
  await expect(createButton(page)).toBeDisabled();
  expect(requests).toBe(0);

  await choose(page, 'late-error.csv', [...good, ...good.slice(0, 4), row({ email: 'wrong' })]);
  await expect(errors).toHaveText(['Row 13: Invalid email format']);
  await expect(createButton(page)).toBeDisabled();

  await choose(page, 'corrected.csv', [row({ firstName: 'Corrected' })]);
  await expect(errors).toHaveCount(0);
  await expect(preview(page).getByRole('row').locator('td:first-child')).toHaveText(['Corrected']);
  await expect(createButton(page)).toBeEnabled();
});

test('BULK-31 BULK-37 BULK-38 BULK-39 BULK-41 an upload shows its result, joins the history at once, and its errors can be read and kept', async ({
  page,
}) => {
  await choose(page, 'september.csv', [
    row({ email: 'Once.And.For.All.Of.Them@the-long-name-of-an-employer.people.example' }),
    '',
    row({ email: 'once.and.for.all.of.them@the-long-name-of-an-employer.people.example' }),
    row(),
  ]);
  const [request] = await Promise.all([page.waitForRequest(functionPath), createButton(page).click()]);
  expect(request.method()).toBe('POST');
  expect((await request.allHeaders()).cookie).toContain('session');
  const body = request.postDataJSON();
  expect(Object.keys(body).sort()).toEqual(['filename', 'records']);
  expect(body.filename).toBe('september.csv');
  expect(body.records).toHaveLength(3);
  expect(body.records[0]).toEqual({
    first_name: 'Nadia',
    last_name: 'Ng',
    email: 'Once.And.For.All.Of.Them@the-long-name-of-an-employer.people.example',
    program: 'fellowship',
    cohort: 'Fall 2026',
    role: 'participant',
  });

  await expect(toast(page, 'Users Created', '2 users created, 1 failed.')).toBeVisible();
  const result = page.getByRole('region', { name: 'Result of september.csv' });
  await expect(result).toContainText('2 created, 1 failed');
  const failure = [
    '4',
    'once.and.for.all.of.them@the-long-name-of-an-employer.people.example',
    'This email is repeated in the file; its first record was used',
  ];
  await expect(result.getByRole('cell')).toHaveText(failure);
  await page.setViewportSize({ width: 360, height: 740 });
  const isWhole = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element) =>
    scrollWidth <= clientWidth && scrollHeight <= clientHeight;
  for (const words of failure.slice(1)) expect(await result.getByText(words).evaluate(isWhole), words).toBe(true);
  const history = page.getByRole('region', { name: 'Upload history' });
  const [card, list] = await Promise.all([history.boundingBox(), history.getByRole('region').boundingBox()]);
  const endOf = (box: typeof card) => (box?.y ?? 0) + (box?.height ?? 0);
  expect(endOf(card) - endOf(list), 'below the last row, the border of the card').toBeLessThanOrEqual(1);
  await page.setViewportSize({ width: 1280, height: 740 });

  const item = history.getByRole('row').nth(1);
  const cells = item.getByRole('cell');
  const file = /^september\.csvby [^ ]/;
  const uploaded = / ETFinished .* ET$/;
  await expect(cells).toHaveText([file, 'Completed', '3', '2', '1', uploaded, 'Error report']);
  await item.getByRole('link', { name: 'Error report of september.csv' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'september.csv' })).toBeVisible();
  await expect(page).toHaveURL(/state=failed/);
  await expect(page.getByRole('region', { name: 'Result' })).toContainText('Completed1 failed');
  const rows = page.getByRole('region', { name: 'Rows of september.csv' }).getByRole('row');
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText('its first record was used');
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    for (const words of failure.slice(1)) {
      const text = rows.nth(1).getByText(words);
      await expect(text).toBeVisible();
      expect(await text.evaluate((box) => box.scrollWidth <= box.clientWidth), `${words} at ${width} px`).toBe(true);
    }
  }
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download error report' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('errors-september.csv');
  expect(await readFile(await download.path(), 'utf8')).toContain(
    '4,once.and.for.all.of.them@the-long-name-of-an-employer.people.example',
  );
});

test('the server says who would be left out before anything is sent, and all errors of a file can be kept', async ({
  page,
}) => {
  const [, worker] = await Promise.all([
    choose(page, 'check.csv', [row({ email: admin }), row(), row()]),
    page.waitForEvent('worker'),
  ]);
  expect(worker.url()).toContain('people-file-worker');
  const leftOut = page.getByRole('list', { name: 'Rows that would be left out' }).getByRole('listitem');
  await expect(leftOut).toHaveText(['Row 2: An account with this email already exists']);
  await expect(page.getByRole('list', { name: 'Places in the cohorts' })).toContainText('Fall 2026 (fellowship): 2');
  await expect(createButton(page)).toHaveText('Create 2 users');

  await choose(
    page,
    'wrong.csv',
    Array.from({ length: 30 }, (_, index) => row({ email: `=${index}` })),
  );
  await expect(page.getByText('And 20 more.')).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download all 30' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(31);
  expect(lines[30]).toBe(`31,"'=29",Invalid email format`);
});

test('files as a spreadsheet saves them are imported as they are, names with accents and commas kept, and once', async ({
  page,
}) => {
  const input = page.getByLabel('CSV file');
  const fileOf = (kind: string) => `web/features/imports/spreadsheet-files/libreoffice-${kind}.csv`;
  await input.setInputFiles(fileOf('windows-1252-semicolons'));
  await page.getByRole('button', { name: 'Create 3 users' }).click();
  await expect(toast(page, 'Users Created', '3 users created')).toBeVisible();
  const made = await instance.db
    .selectFrom('profiles')
    .select(['firstName', 'lastName', 'role', 'trackType'])
    .where(
      'email',
      'in',
      ['jose.nunez', 'renee.ohara', 'zoe.mueller'].map((name) => `${name}@people.example`),
    )
    .orderBy('email')
    .execute();
  expect(made).toEqual([
    { firstName: 'José', lastName: 'Núñez, Jr.', role: 'participant', trackType: 'self_learner' },
    { firstName: 'Renée', lastName: "O'Hara", role: 'coach', trackType: null },
    { firstName: 'Zoë', lastName: 'Müller', role: 'participant', trackType: 'fellowship' },
  ]);
  await page.reload();
  const leftOut = page.getByRole('list', { name: 'Rows that would be left out' }).getByRole('listitem');
  for (const kind of ['utf-8', 'utf-16-tabs']) {
    await input.setInputFiles(fileOf(kind));
    await expect(page.getByText(`libreoffice-${kind}.csv: 3 records, 3 ready.`)).toBeVisible();
    await expect(leftOut).toHaveText(
      [2, 3, 5].map((place) => `Row ${place}: An account with this email already exists`),
    );
  }
});

test('progress is seen while the accounts are made, and again after leaving the page', async ({ page }) => {
  await choose(page, 'held.csv', [row({ cohort: 'Held' }), row({ cohort: 'Held' })]);
  await expect(createButton(page)).toBeEnabled();
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  const question = page.getByRole('dialog', { name: 'Discard your changes?' });
  await expect(question).toContainText('The file that you chose is not uploaded yet.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  const running = page.getByRole('region', { name: 'Being created now' });
  // While this transaction locks the cohort, nobody can join it.
  await instance.db.transaction().execute(async (db) => {
    await db.selectFrom('cohorts').select('id').where('name', '=', 'Held').forUpdate().execute();
    await createButton(page).click();
    await expect(running).toContainText('0 of 2 records done');
    await expect(running.getByRole('progressbar', { name: 'Progress of held.csv' })).toHaveAttribute(
      'aria-valuenow',
      '0',
    );
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await expect(page.getByRole('heading', { level: 1, name: 'Bulk User Creation' })).toBeHidden();
    await page.getByRole('link', { name: 'Bulk User Creation' }).first().click();
    await expect(running).toContainText('0 of 2 records done');
  });
  await expect(running).toBeHidden();
  const item = page.getByRole('region', { name: 'Upload history' }).getByRole('row').nth(1);
  await expect(item).toContainText('held.csv');
  await expect(item).toContainText('Completed');
});

test('the page of an import shows each invitation, sends them again and undoes the import by keyboard', async ({
  page,
}) => {
  await choose(page, 'undo.csv', [
    row({ firstName: 'Expired', email: 'expired@people.example' }),
    row({ firstName: 'Waiting' }),
  ]);
  await createButton(page).click();
  await page.getByRole('link', { name: 'Every row and invitation' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'undo.csv' })).toBeVisible();
  await sql`update invitations set expires_at = now() from profiles
    where profiles.id = user_id and email = 'expired@people.example'`.execute(instance.db);
  await page.reload();
  const rows = page.getByRole('region', { name: 'Rows of undo.csv' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('Invitation expired');
  await expect(rows.nth(2)).toContainText('Invitation sent');
  await page.getByRole('button', { name: 'Send 1 overdue invitation again' }).press('Enter');
  await expect(toast(page, 'Invitations Sent', 'One person has a new link.')).toBeVisible();
  await expect(rows.nth(1)).toContainText('Invitation sent');

  await page.getByRole('button', { name: 'Undo import' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Undo this import?' });
  await expect(dialog.getByRole('listitem')).toHaveText([
    '2 accounts removed (2 participants); the addresses can be used again',
    'Links in their invitations stop working, and emails that are still waiting are not sent',
    '2 places in cohorts free again',
  ]);
  await dialog.getByRole('button', { name: 'Remove 2 accounts' }).press('Enter');
  await expect(toast(page, 'Import Undone', '2 accounts removed.')).toBeVisible();
  await expect(rows.nth(1)).toContainText('Undone');
  await expect(page.getByRole('button', { name: 'Undo import' })).toBeHidden();
});

test('BULK-34 BULK-35 a refused upload says why, and the file stays chosen', async ({ page }) => {
  await choose(page, 'refused.csv', [row()]);
  const answers: ((route: Route) => Promise<void>)[] = [];
  await page.route(functionPath, (route) => answers.shift()?.(route));
  answers.push((route) => route.fulfill({ status: 503, body: 'no capacity' }));
  await createButton(page).click();
  await expect(toast(page, 'User Creation Failed', 'Edge function error: 503 - no capacity')).toBeVisible();

  const refusal = {
    success: false,
    import_id: null,
    status: 'failed',
    successful_records: 0,
    failed_records: 1,
    total_records: 1,
    errors: [],
    webhook_sent: false,
  };
  answers.push((route) => route.fulfill({ json: { ...refusal, error: 'Quota reached' } }));
  await createButton(page).click();
  await expect(toast(page, 'User Creation Failed', 'Quota reached')).toBeVisible();
  answers.push((route) => route.fulfill({ json: { ...refusal, error: null } }));
  await createButton(page).click();
  await expect(toast(page, 'User Creation Failed', 'Failed to process bulk user creation')).toBeVisible();
  await expect(createButton(page)).toBeEnabled();

  answers.push(async (route) => {
    await route.fetch();
    await route.abort();
  });
  await createButton(page).click();
  await expect(toast(page, 'No Answer Received', 'Your upload may have arrived')).toBeVisible();
  await expect(page.getByText('1 of 1 would be left out')).toBeVisible();
  await expect(page.getByText('there is nobody to create')).toBeVisible();
});

test('BULK-36 without a session nothing is sent', async ({ page }) => {
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes('/functions/v1/')) requests += 1;
  });
  await choose(page, 'late.csv', [row()]);
  await expect(createButton(page)).toBeEnabled();
  await pressAsSessionEnds(page, createButton(page), `**${readSession.path}`);
  await expect(toast(page, 'User Creation Failed', 'No valid session found')).toBeVisible();
  expect(requests).toBe(0);
});
