import { truncate, writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import {
  listSubmissions,
  readAssignment,
  submissionFile,
  submissionStatuses,
  submitAssignment,
} from '#contract/submissions.ts';
import { addDays } from '#contract/weeks.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { withoutNotes } from '#test/support/without-notes.ts';
import { expectAccessibleEverywhere } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { enter, today } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { buildSubmitters, rowOf } from './submission-people.ts';
import { expect, test } from './support.ts';
import { toast } from './toasts.ts';
import { tryAgain } from './try-again.ts';

const admin = 'admin@people.example';
let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(admin);
});
test.afterAll(() => instance.stop());

function statusLine(page: Page) {
  return page.getByRole('region', { name: 'Status', exact: true });
}

function text(page: Page) {
  return page.getByRole('textbox', { name: 'Your text' });
}

test('ASSIGN-01 ASSIGN-02 ASSIGN-03 ASSIGN-04 ASSIGN-05 ASSIGN-13 ASSIGN-17 ASSIGN-29 ASSIGN-30 a participant hands in text and a file', async ({
  page,
}) => {
  const { participant, assignmentOf } = await buildSubmitters(instance);
  const instructions = '## Goal\n\nName **every** breaker.\n\n<script>document.title = "broken in"</script>';
  const assignment = await assignmentOf('Field report', { dueDate: addDays(today(), 2), instructions });
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/assignment/${assignment.id}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Field report' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Instructions' }).locator('strong')).toHaveText('every');
  await expect(page.getByRole('region', { name: 'Instructions' })).not.toContainText('broken in');
  await expect(page.getByRole('note', { name: 'Due date' })).toContainText('Due in 2 days');
  await expect(statusLine(page)).toContainText('Not Submitted');

  await text(page).fill('Three breakers');
  await expect(page.getByText('2 words', { exact: true })).toBeVisible();
  await text(page).pressSequentially(' were open');
  await expect(page.getByText('4 words', { exact: true })).toBeVisible();
  const file = { name: 'readings.txt', mimeType: 'text/plain', buffer: Buffer.from('4, 8, 15') };
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(page.getByRole('button', { name: 'Remove readings.txt' })).toBeVisible();
  await expectAccessibleEverywhere(page);

  await page.getByRole('button', { name: 'Submit Assignment' }).click();
  await expect(toast(page, 'Assignment Submitted')).toHaveAttribute('data-toast', 'success');
  await expect(statusLine(page)).toContainText('Pending Coach Review');
  await expect(statusLine(page)).toBeFocused();
  await expect(page.getByRole('button', { name: 'Submit Assignment' })).toBeHidden();
  await expect(text(page)).toBeDisabled();
  await expect(text(page)).toHaveValue('Three breakers were open');
  const handedIn = page.getByRole('region', { name: 'Your submission' });
  await expect(handedIn).toContainText(/Submitted \w{3} \d+ \w{3}, \d+:\d\d [AP]M ET/);
  await expect(page.getByRole('button', { name: 'Download readings.txt' })).toBeVisible();
  await expectAccessibleEverywhere(page);
});

test('ASSIGN-09 ASSIGN-10 ASSIGN-20 nothing empty is sent, a wrong file is refused, and a failure or a reload keeps the text', async ({
  page,
}, testInfo) => {
  const { participant, assignmentOf } = await buildSubmitters(instance);
  const assignment = await assignmentOf('Reflection');
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/assignment/${assignment.id}`);
  let sent = 0;
  await page.route(`**${submitAssignment.path.replace(':id', assignment.id)}`, (route) => {
    sent += 1;
    return route.abort();
  });
  const submit = page.getByRole('button', { name: 'Submit Assignment' });
  await submit.click();
  await expect(page.getByText('Please provide either text submission or upload a file')).toBeVisible();
  await expect(text(page)).toBeFocused();
  expect(sent).toBe(0);

  const tool = { name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from('MZ') };
  await page.locator('input[type=file]').setInputFiles(tool);
  await expect(toast(page, 'File upload failed')).toContainText('File type not allowed');
  await expect(page.getByText('pdf, doc, docx, txt, jpg, jpeg, png, gif, bmp, webp, svg · up to 50 MB')).toBeVisible();
  const large = testInfo.outputPath('large.pdf');
  await writeFile(large, '%PDF');
  await truncate(large, submissionFile.maxBytes + 1);
  await page.locator('input[type=file]').setInputFiles(large);
  await expect(toast(page, 'File upload failed').filter({ hasText: 'File size must be less than 50MB' })).toBeVisible();

  await text(page).fill('An hour of thinking.');
  await submit.click();
  await expect(toast(page, 'Submission failed')).toBeVisible();
  expect(sent).toBe(1);
  await expect(text(page)).toHaveValue('An hour of thinking.');
  await page.reload();
  await expect(text(page)).toHaveValue('An hour of thinking.');
  await page.unroute(`**${submitAssignment.path.replace(':id', assignment.id)}`);
  await submit.click();
  await expect(statusLine(page)).toContainText('Pending Coach Review');
  const drafts = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')));
  await expect.poll(drafts).toEqual([]);
});

test('ASSIGN-19 a failed upload is told, and nothing is handed in', async ({ page }) => {
  const { participant, assignmentOf } = await buildSubmitters(instance);
  const assignment = await assignmentOf('Drawing');
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/assignment/${assignment.id}`);
  await page.route('**/api/uploads', (route) => route.fulfill({ status: 400, body: 'The upload was refused.' }));
  const file = { name: 'drawing.txt', mimeType: 'text/plain', buffer: Buffer.from('a line') };
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(toast(page, 'File upload failed')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove drawing.txt' })).toBeHidden();
  expect(
    await instance.db.selectFrom('contentSubmissions').where('assignmentId', '=', assignment.id).execute(),
  ).toEqual([]);
});

test('ASSIGN-07 ASSIGN-08 ASSIGN-18 ASSIGN-32 ASSIGN-34 SUBM-16 a participant resubmits by the link, and only the own submission of this assignment', async ({
  page,
}) => {
  const { participant, own, assignmentOf, submit } = await buildSubmitters(instance);
  const revised = await assignmentOf('Revised');
  const rejected = await assignmentOf('Turned down');
  const accepted = await assignmentOf('Finished');
  const feedback = 'Name the breakers.';
  const mine = await submit(participant, revised.id, { status: 'needs_revision', feedback, text: 'Some were open.' });
  const turnedDown = await submit(participant, rejected.id, { status: 'rejected' });
  const finished = await submit(participant, accepted.id, { status: 'accepted' });
  const foreign = await submit(own, revised.id, { status: 'needs_revision' });
  await enter(page, instance, participant);

  await page.goto(`${instance.url}/submissions`);
  await expect(rowOf(page, 'Revised')).toContainText(feedback);
  await expect(rowOf(page, 'Finished').getByRole('link', { name: /Resubmit/ })).toBeHidden();
  const again = rowOf(page, 'Revised').getByRole('link', { name: /Resubmit/ });
  await expect(again).toHaveAttribute('href', `/assignment/${revised.id}?resubmit=${mine.id}`);
  const link = rowOf(page, 'Turned down').getByRole('link', { name: /Resubmit/ });
  await expect(link).toHaveAttribute('href', `/assignment/${rejected.id}?resubmit=${turnedDown.id}`);

  const wrongLinks = [
    [revised.id, foreign.id],
    [revised.id, turnedDown.id],
    [accepted.id, finished.id],
    [revised.id, 'nonsense'],
  ];
  for (const [assignmentId, submissionId] of wrongLinks) {
    await page.goto(`${instance.url}/assignment/${assignmentId}?resubmit=${submissionId}`);
    await expect(page.getByText('This link does not lead to a submission that you can hand in again')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Resubmit Assignment' })).toBeHidden();
  }

  await page.goto(`${instance.url}/assignment/${revised.id}`);
  await expect(statusLine(page)).toContainText('ACTION REQUIRED: Resubmit with Changes');
  await expect(page.getByRole('region', { name: 'Feedback' })).toContainText(feedback);
  await expectAccessibleEverywhere(page);
  await page.getByRole('link', { name: 'Resubmit' }).click();
  await expect(page).toHaveURL(`${instance.url}/assignment/${revised.id}?resubmit=${mine.id}`);
  await expect(text(page)).toHaveValue('Some were open.');
  await text(page).fill('Breakers 4 and 8 were open.');
  await page.getByRole('button', { name: 'Resubmit Assignment' }).click();
  await expect(toast(page, 'Assignment Resubmitted')).toHaveAttribute('data-toast', 'success');
  await expect(statusLine(page)).toContainText('Pending Coach Review');
  await expect(page).toHaveURL(`${instance.url}/assignment/${revised.id}`);
  await page.getByRole('button', { name: /Round 1/ }).click();
  await expect(page.getByText('Some were open.')).toBeVisible();
});

test('on a phone a long title of returned work shows whole, and its button keeps clear of the edge', async ({
  page,
}) => {
  const { participant, assignmentOf, submit } = await buildSubmitters(instance);
  const title = 'Job Safety Analysis: Padmount Transformer';
  const assignment = await assignmentOf(title);
  await submit(participant, assignment.id, { status: 'needs_revision', feedback: 'Name the breakers.' });
  await page.setViewportSize({ width: 360, height: 800 });
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/submissions`);
  const words = rowOf(page, title).getByRole('link', { name: title, exact: true }).getByText(title);
  expect(await words.evaluate((shown) => shown.scrollHeight - shown.clientHeight)).toBe(0);
  const [row, button] = await Promise.all([
    rowOf(page, title).boundingBox(),
    rowOf(page, title)
      .getByRole('link', { name: `Resubmit ${title}` })
      .boundingBox(),
  ]);
  expect((button?.y ?? 0) - (row?.y ?? 0)).toBeGreaterThanOrEqual(10);
});

test('ASSIGN-31 ASSIGN-33 every status has its words on the assignment page', async ({ page }) => {
  const { participant, assignmentOf, submit } = await buildSubmitters(instance);
  await enter(page, instance, participant);
  const complete = 'Approved - Complete';
  const words = { reviewed: complete, accepted: complete, approved: complete, graded: complete, rejected: 'Rejected' };
  for (const [status, label] of Object.entries(words)) {
    const assignment = await assignmentOf(`Work that is ${status}`);
    await submit(participant, assignment.id, { status });
    await page.goto(`${instance.url}/assignment/${assignment.id}`);
    await expect(statusLine(page)).toContainText(label);
    await expect(page.getByRole('link', { name: 'Resubmit' })).toBeVisible({ visible: status === 'rejected' });
  }
});

test('ASSIGN-21 when the assignment cannot be read, that is said with a way to try again', async ({ page }) => {
  const { participant, assignment } = await withoutNotes(instance.db, async (db) => {
    const { participant, assignmentOf } = await buildSubmitters({ db });
    return { participant, assignment: await assignmentOf('Unreadable') };
  });
  await enter(page, instance, participant);
  const address = `**${readAssignment.path.replace(':id', assignment.id)}`;
  await page.route(address, (route) => route.fulfill({ status: 503, body: 'away' }));
  await page.goto(`${instance.url}/assignment/${assignment.id}`);
  await expect(page.getByRole('alert')).toContainText('Failed to load existing submission');
  await tryAgain(page, address);
  await expect(text(page)).toBeEnabled();
  await page.goto(`${instance.url}/assignment/${participant.id}`);
  await expect(page.getByRole('heading', { name: 'Assignment not found' })).toBeVisible();
});

test('ASSIGN-06 ASSIGN-39 coaches and admins see how it is graded and no form; participants the other way round', async ({
  page,
  openWindow,
}) => {
  const { participant, own, coach, assignmentOf, submit } = await buildSubmitters(instance);
  const assignment = await assignmentOf('Graded work', { maxPoints: 40 });
  const { id } = await submit(own, assignment.id, { status: 'accepted', feedback: 'Well seen.' });
  await instance.db.insertInto('contentEvaluations').values({ submissionId: id, pointsEarned: 31.5 }).execute();
  const grading = page.getByRole('region', { name: 'Grading' });
  await enter(page, instance, await buildAdmin(instance.db));
  await page.goto(`${instance.url}/assignment/${assignment.id}`);
  await expect(grading).toContainText('Max points: 40');
  await expect(page.getByRole('textbox')).toBeHidden();
  await expect(page.getByRole('button', { name: /Submit/ })).toBeHidden();

  await page.context().clearCookies();
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/assignment/${assignment.id}`);
  await expect(grading).toContainText('Max points: 40');
  await expect(grading.getByRole('row').filter({ hasText: 'Nadia Ng' })).toContainText('31.5 of 40Well seen.');
  await expect(page.getByRole('textbox')).toBeHidden();
  await expect(page.getByRole('button', { name: /Submit/ })).toBeHidden();
  await expectAccessibleEverywhere(page);

  const participantPage = await openWindow();
  await enter(participantPage, instance, participant);
  await participantPage.goto(`${instance.url}/assignment/${assignment.id}`);
  await expect(text(participantPage)).toBeEnabled();
  await expect(participantPage.getByText('Grading')).toBeHidden();
  await expect(participantPage.getByText('Max points')).toBeHidden();
});

test('SUBM-01 SUBM-02 SUBM-07 SUBM-15 SUBM-23 a participant has one tab, a filter and no review', async ({ page }) => {
  const { participant, assignmentOf, submit } = await buildSubmitters(instance);
  let waiting = '';
  for (const status of submissionStatuses) {
    const { id } = await assignmentOf(`Work: ${status}`);
    const built = await submit(participant, id, { status, feedback: `Feedback on ${status}. `.repeat(12) });
    if (status === 'submitted') waiting = built.id;
  }
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/submissions?tab=pending&review=${waiting}`);
  await expect(page.getByRole('tab')).toHaveText(['All Submissions']);
  await expect(page.getByRole('row')).toHaveCount(submissionStatuses.length + 1);
  await expect(page.getByRole('columnheader')).toHaveText(['Assignment', 'Status', 'Submitted', 'Feedback', 'Actions']);
  await expect(rowOf(page, 'Work: rejected')).toContainText('Feedback on rejected');
  await expect(rowOf(page, 'Work: rejected').locator('time')).toHaveText(/ET$/);
  await expect(page.getByRole('button', { name: /^(Review|View)/ })).toBeHidden();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expectAccessibleEverywhere(page);

  await page.getByRole('combobox', { name: 'Status' }).click();
  await expect(page.getByRole('option')).toHaveText([
    'All',
    'Submitted',
    'Reviewed',
    'Accepted',
    'Approved',
    'Needs Revision',
    'Rejected',
  ]);
  await page.getByRole('option', { name: 'Rejected' }).click();
  await expect(page.getByRole('row')).toContainText(['Assignment', 'Work: rejected']);
  await expect(page).toHaveURL(/status=rejected/);
  await page.reload();
  await expect(page.getByRole('row')).toHaveCount(2);
});

test('SUBM-18 SUBM-19 SUBM-20 SUBM-22 files come back as they were handed in; what fails is said', async ({ page }) => {
  const { participant, assignmentOf, submit } = await buildSubmitters(instance);
  const withFile = await assignmentOf('With a file');
  const without = await assignmentOf('Only text');
  await submit(participant, without.id);
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/assignment/${withFile.id}`);
  const file = { name: 'readings.txt', mimeType: 'text/plain', buffer: Buffer.from('4, 8, 15') };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByRole('button', { name: 'Submit Assignment' }).click();
  await expect(statusLine(page)).toContainText('Pending Coach Review');

  await page.goto(`${instance.url}/submissions`);
  const started = page.waitForEvent('download');
  await rowOf(page, 'With a file')
    .getByRole('button', { name: /Download/ })
    .click();
  const download = await started;
  expect(download.suggestedFilename()).toBe('readings.txt');
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe('4, 8, 15');

  await expect(rowOf(page, 'Only text')).toBeVisible();
  await expect(rowOf(page, 'Only text').getByRole('button', { name: /Download/ })).toHaveCount(0);
  await page.route('**/api/files/*', (route) => route.abort());
  await rowOf(page, 'With a file')
    .getByRole('button', { name: /Download/ })
    .click();
  await expect(toast(page, 'Download Failed')).toBeVisible();

  await page.route(`**${listSubmissions.path}?*`, (route) => route.fulfill({ status: 503, body: 'away' }));
  await page.reload();
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to load submissions' })).toBeVisible();
});
