import { buildCoach } from '#test/factories/people.ts';
import { expectAccessibleEverywhere } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { enter } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { buildSubmitters, rowOf } from './submission-people.ts';
import { expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';

const admin = 'admin@people.example';
let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(admin);
});
test.afterAll(() => instance.stop());

test('SUBM-01 SUBM-02 SUBM-23 a coach looks at the own participants first, and at what waits, oldest first', async ({
  page,
}) => {
  const { participant, own, coach, assignmentOf, submit } = await buildSubmitters(instance);
  const [older, newer] = [await assignmentOf('Older work'), await assignmentOf('Newer work')];
  await submit(own, newer.id, { submittedAt: new Date(Date.now() - 60_000) });
  await submit(own, older.id, { submittedAt: new Date(Date.now() - 120_000) });
  await submit(participant, older.id);
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/submissions`);
  await expect(page.getByRole('tab')).toHaveText(['All Submissions', 'Pending Review (2)']);
  const mine = page.getByRole('switch', { name: 'My participants' });
  await expect(mine).toBeChecked();
  await mine.click();
  await expect(rowOf(page, 'Robin Reyes').first()).toBeVisible();
  await mine.click();
  await page.getByRole('tab', { name: 'Pending Review (2)' }).click();
  await expect(page.getByRole('row')).toContainText(['Assignment', 'Older work', 'Newer work']);
  const columns = ['Assignment', 'Participant', 'Status', 'Submitted', 'Feedback', 'Actions'];
  await expect(page.getByRole('columnheader')).toHaveText(columns);
  await expect(rowOf(page, 'Older work')).toContainText('Nadia Ng');
  await expect(rowOf(page, 'Older work').locator('time')).toHaveText(/ET$/);
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Pending Review (2)' })).toHaveAttribute('aria-selected', 'true');
  await expectAccessibleEverywhere(page);
});

test('SUBM-02 SUBM-08 an admin has the queue too, and opens a review', async ({ page }) => {
  const { own, assignmentOf, submit } = await buildSubmitters(instance);
  const { id } = await assignmentOf('Seen by an admin');
  await submit(own, id);
  await signIn(page, instance.url, admin);
  await page.goto(`${instance.url}/submissions?tab=pending&search=Seen%20by%20an%20admin`);
  await expect(page.getByRole('tab', { name: /^Pending Review \(\d+\)$/ })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Review Seen by an admin by Nadia Ng' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Review submission' });
  await expect(dialog.getByRole('button', { name: 'Submit Review' })).toBeVisible();
});

test('SUBM-08 SUBM-09 SUBM-10 SUBM-12 SUBM-13 a coach reviews a submission', async ({ page }) => {
  const { own, coach, assignmentOf, submit } = await buildSubmitters(instance);
  const [older, newer] = [await assignmentOf('Older work'), await assignmentOf('Newer work')];
  await submit(own, newer.id);
  await submit(own, older.id, { text: 'Two were open.' });
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/submissions?tab=pending`);
  await page.getByRole('button', { name: 'Review Older work by Nadia Ng' }).click();
  const dialog = page.getByRole('dialog', { name: 'Review submission' });
  await expect(dialog.getByText('Two were open.')).toBeVisible();
  await expect(dialog.getByRole('radio')).toHaveCount(3);
  for (const name of ['Needs Revision', 'Accepted', 'Rejected']) await expect(dialog.getByLabel(name)).toBeVisible();
  await expect(dialog.getByLabel('Needs Revision')).toBeChecked();
  await expectAccessibleEverywhere(page);

  let sent = 0;
  await page.route('**/api/submissions/*/review', (route) => {
    sent += 1;
    return route.abort();
  });
  const send = dialog.getByRole('button', { name: 'Submit Review' });
  await dialog.getByLabel('Feedback').fill('   ');
  await send.click();
  await expect(toast(page, 'Missing Feedback')).toContainText('Please provide feedback');
  expect(sent).toBe(0);
  await dialog.getByLabel('Feedback').fill('Well seen.');
  await send.click();
  await expect(toast(page, 'Review Failed')).toBeVisible();
  expect(sent).toBe(1);
  await expect(dialog.getByLabel('Feedback')).toHaveValue('Well seen.');

  await page.unroute('**/api/submissions/*/review');
  await dialog.getByRole('radio', { name: 'Accepted' }).check();
  await send.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('tab', { name: 'Pending Review (1)' })).toBeVisible();
  await expect(rowOf(page, 'Older work')).toBeHidden();
  await page.getByRole('tab', { name: 'All Submissions' }).click();
  await expect(rowOf(page, 'Older work')).toContainText('Accepted');
});

test('a reviewer sees who else has it open, takes it over, gives points and goes on to the next', async ({
  page,
  openWindow,
}) => {
  const { own, coach, assignmentOf, submit } = await buildSubmitters(instance);
  const [first, second] = [await assignmentOf('First work', { maxPoints: 40 }), await assignmentOf('Second work')];
  await submit(own, first.id, { submittedAt: new Date(Date.now() - 120_000), text: 'Two were open.' });
  await submit(own, second.id, { submittedAt: new Date(Date.now() - 60_000), text: 'All were closed.' });
  const other = await openWindow();
  const colleague = await buildCoach(instance.db, { firstName: 'Cleo', lastName: 'Colleague' });
  await enter(other, instance, colleague);
  await other.goto(`${instance.url}/submissions?tab=pending&mine=false&search=Nadia`);
  await rowOf(other, 'First work')
    .getByRole('button', { name: /^Review/ })
    .click();
  await expect(other.getByRole('dialog').getByLabel('Feedback')).toBeVisible();

  await enter(page, instance, coach);
  await page.goto(`${instance.url}/submissions?tab=pending`);
  await expect(rowOf(page, 'First work')).toContainText('Cleo Colleague is reviewing it');
  await rowOf(page, 'First work').getByRole('button', { name: /^View/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Review submission' });
  await expect(dialog.getByRole('heading', { name: 'Review submission' })).toBeFocused();
  await expect(dialog.getByText('Cleo Colleague is reviewing this now')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Submit Review' })).toBeHidden();
  await expectAccessibleEverywhere(page);
  await instance.db.deleteFrom('reviewClaims').execute();
  await page.reload();

  await dialog.getByLabel('Feedback').fill('Name the breakers');
  await dialog.getByLabel('Points earned (of 40)').fill('400');
  await expect(dialog.getByText('This assignment is worth up to 40 points.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Submit Review' }).click();
  await expect(dialog.getByLabel('Points earned (of 40)')).toBeFocused();
  await expect(dialog.getByLabel('Points earned (of 40)')).toHaveValue('400');
  await dialog.getByLabel('Points earned (of 40)').fill('12.5');
  await expect(dialog.getByText('Draft saved.')).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await expect(dialog.getByLabel('Feedback')).toHaveValue('Name the breakers');
  await dialog.getByRole('button', { name: 'Submit and Next' }).click();
  await expect(dialog.getByText('All were closed.')).toBeVisible();
  await expect(dialog.getByLabel('Feedback')).toHaveValue('');
  await expect(dialog.getByRole('heading', { name: 'Review submission' })).toBeFocused();
  await expect(page.getByRole('tab', { name: 'Pending Review (1)', includeHidden: true })).toBeAttached();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'All Submissions' }).click();
  await expect(rowOf(page, 'First work')).toContainText('12.5 of 40 points');
});

test('a coach reviews one piece after the other with two keys each beside the words, and reads how many are left', async ({
  page,
}) => {
  const { own, coach, assignmentOf, submit } = await buildSubmitters(instance);
  const titles = ['First by keys', 'Second by keys', 'Third by keys'];
  for (const [index, title] of titles.entries()) {
    const { id } = await assignmentOf(title);
    await submit(own, id, { submittedAt: new Date(Date.now() - (3 - index) * 60_000), text: `Work of ${title}` });
  }
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/submissions?tab=pending`);
  await page.getByRole('button', { name: 'Review First by keys by Nadia Ng' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Review submission' });
  const outcomes = ['Accepted', 'Needs Revision', 'Rejected'];
  for (const [index, key] of ['2', '1', '3'].entries()) {
    await expect(dialog.getByText(`Work of ${titles[index]}`)).toBeVisible();
    await page.keyboard.press(key);
    await expect(dialog.getByLabel(outcomes[index] ?? '')).toBeChecked();
    await expect(dialog.getByLabel('Feedback')).toBeFocused();
    await page.keyboard.type('Read 3 of 4 meters.');
    await page.keyboard.press('Control+Enter');
    if (index < 2) await expect(dialog.getByText(`${index + 1} done, ${2 - index} left`)).toBeVisible();
  }
  await expect(dialog).toBeHidden();
  await page.getByRole('tab', { name: 'All Submissions' }).click();
  const shown = ['Accepted', 'Needs Revision', 'Rejected'];
  for (const [index, title] of titles.entries()) await expect(rowOf(page, title)).toContainText(shown[index] ?? '');
});

test('what is typed while another reviewer decides stays beside what was decided', async ({ page }) => {
  const { own, coach, assignmentOf, submit } = await buildSubmitters(instance);
  const assignment = await assignmentOf('Contested');
  const { id } = await submit(own, assignment.id);
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/submissions?tab=pending&review=${id}`);
  const dialog = page.getByRole('dialog', { name: 'Review submission' });
  await dialog.getByLabel('Feedback').fill('Please name the breakers.');
  const colleague = await buildCoach(instance.db, { firstName: 'Cleo', lastName: 'Colleague' });
  const decision = { reviewedBy: colleague.id, reviewedAt: new Date(), feedback: 'Fine as it is.' };
  // Another reviewer decides while this review is on its way.
  await page.route('**/api/submissions/*/review', async (route) => {
    const { db } = instance;
    await db
      .updateTable('contentSubmissions')
      .set({ ...decision, status: 'accepted' })
      .where('id', '=', id)
      .execute();
    const ofRound = { ...decision, reviewStatus: 'accepted' };
    await db.updateTable('submissionRounds').set(ofRound).where('submissionId', '=', id).execute();
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Submit Review' }).click();
  await expect(toast(page, 'Review Failed')).toContainText('Somebody has just reviewed this submission');
  await expect(dialog.getByText('Fine as it is.')).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'What you wrote' })).toContainText('Please name the breakers.');
  await expectAccessibleEverywhere(page);
});

test('what is typed about a round that was handed in again goes on with the new one, after it was shown', async ({
  page,
}) => {
  const { own, coach, assignmentOf, submit } = await buildSubmitters(instance);
  const { id } = await submit(own, (await assignmentOf('Handed in again')).id);
  const colleague = await buildCoach(instance.db, { firstName: 'Cleo', lastName: 'Colleague' });
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/submissions?tab=pending&review=${id}`);
  const dialog = page.getByRole('dialog', { name: 'Review submission' });
  await dialog.getByLabel('Feedback', { exact: true }).fill('Please name the breakers.');
  const address = '**/api/submissions/*/review';
  // The work is reviewed and handed in again while this review is on its way.
  await page.route(address, async (route) => {
    const { db } = instance;
    const outcome = { reviewedBy: colleague.id, reviewedAt: new Date(), feedback: 'Which ones?' };
    const ofRound = { ...outcome, reviewStatus: 'needs_revision' };
    await db.updateTable('submissionRounds').set(ofRound).where('submissionId', '=', id).execute();
    const work = { submissionText: 'Breakers 4 and 8.', submittedAt: new Date() };
    await db
      .insertInto('submissionRounds')
      .values({ submissionId: id, roundNumber: 2, ...work })
      .execute();
    const changed = { ...outcome, ...work, roundNumber: 2 };
    await db.updateTable('contentSubmissions').set(changed).where('id', '=', id).execute();
    await route.continue();
  });
  await dialog.getByRole('button', { name: 'Submit Review' }).click();
  const newer = dialog.getByRole('alert').filter({ hasText: 'Round 2 was handed in while you were writing' });
  await expect(newer).toContainText('Which ones?');
  await expect(dialog.getByText('Breakers 4 and 8.')).toBeVisible();
  await expect(dialog.getByLabel('Feedback', { exact: true })).toHaveValue('Please name the breakers.');
  await page.unroute(address);
  await newer.getByRole('button', { name: 'Use my text for round 2' }).click();
  await dialog.getByRole('button', { name: 'Submit Review' }).click();
  await expect(dialog).toBeHidden();
});

test('the work comes first on a phone, the review is one tap away and fits the screen', async ({ page }) => {
  const { own, coach, assignmentOf, submit } = await buildSubmitters(instance);
  const { id } = await submit(own, (await assignmentOf('Seen on a phone')).id, { text: 'Two were open.' });
  await enter(page, instance, coach);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${instance.url}/submissions?tab=pending&review=${id}`);
  const dialog = page.getByRole('dialog', { name: 'Review submission' });
  await expect(dialog.getByText('Two were open.')).toBeInViewport();
  await dialog.getByText('Your review').first().click();
  await expect(dialog.getByLabel('Feedback')).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByRole('button', { name: 'Submit Review' })).toBeInViewport({ ratio: 1 });
});

test('reviewers search the list, and the address keeps it', async ({ page }) => {
  const { own, coach, assignmentOf, submit } = await buildSubmitters(instance);
  await submit(own, (await assignmentOf('Relay settings')).id);
  await submit(own, (await assignmentOf('Breaker log')).id);
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/submissions`);
  await expect(page.getByRole('row')).toHaveCount(3);
  await page.keyboard.press('/');
  await page.keyboard.type('relay');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/search=relay/);
  await page.reload();
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('relay');
  await expect(page.getByRole('row')).toContainText(['Assignment', 'Relay settings']);
  await page.getByRole('searchbox', { name: 'Search' }).fill('nothing like it');
  await expect(page.getByRole('heading', { name: 'No submission matches' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(page.getByRole('row')).toHaveCount(3);
});
