import { readFile, writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { downloadFile } from '#contract/files.ts';
import { deleteUserFile, listUserFiles } from '#contract/user-files.ts';
import { pdfOf, png, svgWithScript } from '#test/factories/files.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { expectAccessible } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { enter } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { chooseInRow } from './row-menus.ts';
import { expect, test } from './support.ts';
import { toast } from './toasts.ts';

const mebibyte = 1024 * 1024;

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('ada@files.example', { FILE_SPACE_MB: '60' });
});
test.afterAll(() => instance.stop());

test('FILES-01 FILES-02 FILES-03 FILES-04 FILES-05 FILES-10 FILES-11 FILES-13 FILES-17 FILES-18 a participant keeps files, finds them, takes them out and throws them away', async ({
  page,
}) => {
  await openMyFiles(page);
  await expect(page.getByRole('heading', { level: 1, name: 'My Files' })).toBeVisible();
  await expect(page.getByRole('navigation').getByRole('link', { name: 'My Files' })).toBeVisible();
  await expect(page.getByText('No files yet')).toBeVisible();

  await page.getByRole('button', { name: 'Upload files' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload files' });
  const certificate = pdfOf(2_000);
  await choose(page, [
    { name: 'Certificate.PDF', content: certificate },
    { name: 'site.png', content: png },
    { name: 'plan.txt', content: 'the first plan' },
  ]);
  await expect(toast(page, 'Files Uploaded')).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveText([/Certificate\.PDF/, /site\.png/, /plan\.txt/]);
  await expectAccessible(page);
  await choose(page, [{ name: 'plan.txt', content: 'another plan' }]);
  await expect(toast(page, 'File Uploaded')).toContainText('plan.txt');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  const all = ['plan.txt', 'plan.txt', 'site.png', 'Certificate.PDF'];
  await expect.poll(async () => (await names(page)).toSorted()).toEqual(all.toSorted());
  await page.reload();
  await expect.poll(async () => (await names(page)).toSorted()).toEqual(all.toSorted());
  expect((await names(page))[0]).toBe('plan.txt');
  await expect(row(page, 'Certificate.PDF')).toContainText('2.0 KB');
  await expect(row(page, 'Certificate.PDF').locator('time')).toBeVisible();
  await expectAccessible(page);

  await page.keyboard.press('/');
  await page.keyboard.type('CERT');
  await expect.poll(() => names(page)).toEqual(['Certificate.PDF']);
  await page.reload();
  await expect.poll(() => names(page)).toEqual(['Certificate.PDF']);
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Images' }).click();
  await expect(page.getByText('No files match')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search and type' }).click();
  await expect.poll(async () => (await names(page)).length).toBe(4);

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download Certificate.PDF' }).click();
  expect((await saved).suggestedFilename()).toBe('Certificate.PDF');
  expect((await readFile(await (await saved).path())).equals(certificate)).toBe(true);

  await chooseInRow(page, 'Delete Certificate.PDF');
  const question = page.getByRole('dialog', { name: 'Delete this file?' });
  await expect(question).toContainText('Certificate.PDF');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toBeHidden();
  await expect(row(page, 'Certificate.PDF')).toBeVisible();
  await chooseInRow(page, 'Delete Certificate.PDF');
  await question.getByRole('button', { name: 'Delete file' }).click();
  await expect(toast(page, 'File Deleted')).toContainText('Certificate.PDF');
  await expect.poll(() => names(page)).not.toContain('Certificate.PDF');
});

test('FILES-06 FILES-07 FILES-12 FILES-15 FILES-19 what fails is told by its title with the reason, and the list stays as it was', async ({
  page,
}) => {
  await openMyFiles(page);
  await page.getByRole('button', { name: 'Upload files' }).click();
  await choose(page, [{ name: 'notes.txt', content: 'notes' }]);
  await expect(toast(page, 'File Uploaded')).toBeVisible();
  const refused = [
    [{ name: 'tool.exe', content: 'MZ' }, 'File type not allowed. Please choose one of: pdf, doc, docx, txt'],
    [{ name: 'film.mov', content: Buffer.alloc(50 * mebibyte + 1) }, 'File size must be less than 50MB'],
    [{ name: 'empty.txt', content: '' }, 'This file is empty.'],
    [{ name: 'picture.png', content: 'no picture' }, 'The content of this file is not what its name says (.png).'],
  ] as const;
  for (const [file, says] of refused) {
    await choose(page, [file]);
    await expect(toast(page, 'Upload Failed')).toContainText(says);
    const line = page.getByRole('dialog').getByRole('listitem').filter({ hasText: file.name });
    await expect(line).toContainText(says);
    await expect(line.getByRole('button')).toHaveText(['Remove']);
    await toast(page, 'Upload Failed').getByRole('button', { name: 'Dismiss' }).click();
    await expect(toast(page, 'Upload Failed')).toHaveCount(0);
  }
  await page.keyboard.press('Escape');
  await expect.poll(() => names(page)).toEqual(['notes.txt']);

  const lost = {
    status: 404,
    contentType: 'application/problem+json',
    body: JSON.stringify(problem('not_found', 404)),
  };
  await page.route(`**${downloadFile.path.replace(':id', '*')}`, (route) => route.fulfill(lost));
  await page.getByRole('button', { name: 'Download notes.txt' }).click();
  await expect(toast(page, 'Download Failed')).toContainText('It went wrong for a reason.');

  await page.route(`**${deleteUserFile.path.replace(':id', '*')}`, (route) => route.fulfill(lost));
  await chooseInRow(page, 'Delete notes.txt');
  await page.getByRole('button', { name: 'Delete file' }).click();
  await expect(toast(page, 'Delete Failed')).toContainText('It went wrong for a reason.');
  await expect.poll(() => names(page)).toEqual(['notes.txt']);
  await page.unrouteAll();
  await chooseInRow(page, 'Delete notes.txt');
  await page.getByRole('button', { name: 'Delete file' }).click();
  await expect(page.getByText('No files yet')).toBeVisible();
});

test('an upload shows its progress, goes on in the background, stops with the tab and goes on where it stopped', async ({
  page,
  context,
}) => {
  await openMyFiles(page);
  const content = pdfOf(12 * mebibyte);
  const pieces = await letPiecesPass(page, 1);
  await page.getByRole('button', { name: 'Upload files' }).click();
  await choose(page, [{ name: 'long.pdf', content }]);
  const bar = page.getByRole('progressbar', { name: 'Uploading long.pdf' });
  await expect(bar).toHaveAttribute('aria-valuenow', /^4[0-9]/);
  await page.getByRole('button', { name: 'Continue in the background' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(bar).toBeVisible();
  await expect.poll(() => pieces.offsets).toEqual([0, 5 * mebibyte]);

  await page.reload();
  const unfinished = page.getByRole('region', { name: 'Uploads that did not finish' });
  await expect(unfinished).toContainText('long.pdf');
  await expectAccessible(page);
  const other = await context.newPage();
  await other.goto(`${instance.url}/fellowship/modules`);
  await expect(other.getByRole('region', { name: 'Uploads that did not finish' })).toContainText('long.pdf');

  await unfinished.getByRole('button', { name: 'Choose again: long.pdf' }).click();
  const rest = await letPiecesPass(page, Number.POSITIVE_INFINITY);
  await chooseOnDisk(page, [test.info().outputPath('long.pdf')]);
  await expect(toast(page, 'File Uploaded')).toContainText('long.pdf');
  expect(rest.offsets).toEqual([5 * mebibyte, 10 * mebibyte]);
  await page.keyboard.press('Escape');
  await expect(unfinished).toBeHidden();
  await expect.poll(() => names(other)).toEqual(['long.pdf']);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download long.pdf' }).click();
  expect((await readFile(await (await saved).path())).equals(content)).toBe(true);

  await page.getByRole('button', { name: 'Upload files' }).click();
  const held = await letPiecesPass(page, 0);
  await choose(page, [{ name: 'second.pdf', content: pdfOf(mebibyte) }]);
  await expect.poll(() => held.offsets).toEqual([0]);
  await page.getByRole('button', { name: 'Cancel second.pdf' }).click();
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect.poll(() => names(page)).toEqual(['long.pdf']);
  await expect(unfinished).toBeHidden();
});

test('SEC-19 FILES-21 an svg with a script does not run, however it is opened; a picture is shown beside the list', async ({
  page,
}) => {
  await openMyFiles(page);
  await page.getByRole('button', { name: 'Upload files' }).click();
  const script = svgWithScript.replace('alert(document.cookie)', "parent.document.title='run';document.title='run'");
  await choose(page, [
    { name: 'drawing.svg', content: script },
    { name: 'page.txt', content: '<!doctype html><script>document.title="run"</script>' },
    { name: 'site.png', content: png },
  ]);
  await expect(toast(page, 'Files Uploaded')).toBeVisible();
  await page.keyboard.press('Escape');
  const list = await page.request.get(`${instance.url}${listUserFiles.path}`);
  const { rows } = listUserFiles.response.parse(await list.json());
  const addresses = rows
    .filter(({ name }) => name !== 'site.png')
    .flatMap(({ fileId }) => ['', '?inline=1'].map((query) => downloadFile.path.replace(':id', fileId) + query));
  expect(addresses).toHaveLength(4);
  for (const address of addresses) {
    const saved = page.waitForEvent('download');
    await page.evaluate((to) => location.assign(to), address);
    await (await saved).path();
    const savedFromFrame = page.waitForEvent('download');
    await page.evaluate(
      (to) => document.body.append(Object.assign(document.createElement('iframe'), { src: to })),
      address,
    );
    await (await savedFromFrame).path();
  }
  await expect(page).toHaveTitle('My Files · Switchyard');

  await page.reload();
  await page.getByRole('button', { name: 'Preview site.png' }).click();
  const picture = page.getByRole('dialog', { name: 'site.png' }).getByRole('img', { name: 'site.png' });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  await expect(page).toHaveURL(/[?&]file=/);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/[?&]file=/);
});

async function openMyFiles(page: Page): Promise<void> {
  await enter(page, instance, await buildParticipant(instance.db));
  await page.goto(`${instance.url}/fellowship/modules`);
}

interface ChosenFile {
  name: string;
  content: Buffer | string;
}

/** Gives paths on disk, so that a file chosen again is the same file. */
async function choose(page: Page, files: readonly ChosenFile[]): Promise<void> {
  const places = files.map(({ name }) => test.info().outputPath(name));
  await Promise.all(files.map(({ content }, index) => writeFile(places[index] ?? '', content)));
  await chooseOnDisk(page, places);
}

async function chooseOnDisk(page: Page, places: string[]): Promise<void> {
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(places);
}

function row(page: Page, name: string) {
  return page.getByRole('row').filter({ hasText: name });
}

function names(page: Page): Promise<string[]> {
  return page.locator('tbody tr td:first-child').allInnerTexts();
}

/** Lets this many pieces of uploads reach the server and holds the others. `offsets` has where each begins. */
async function letPiecesPass(page: Page, most: number) {
  await page.unrouteAll();
  const offsets: number[] = [];
  await page.route('**/api/uploads/*', async (route, request) => {
    if (request.method() !== 'PATCH') return route.continue();
    offsets.push(Number(request.headers()['upload-offset']));
    if (offsets.length <= most) await route.continue();
  });
  return { offsets };
}

function problem(code: string, status: number) {
  const detail = 'It went wrong for a reason.';
  return { type: `urn:switchyard:error:${code}`, title: 'Failed', status, code, detail, instance: null, errors: null };
}
