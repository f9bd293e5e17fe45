import { buildCoachingSession } from '#test/factories/coaching.ts';
import { buildCoach } from '#test/factories/people.ts';
import { expectAccessibleEverywhere } from './axe.ts';
import { coachWithWork } from './home-people.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { enter } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { buildSubmitters, rowOf } from './submission-people.ts';
import { expect, test } from './support.ts';
import { toast } from './toasts.ts';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('admin@people.example');
});
test.afterAll(() => instance.stop());

test('a review that was sent is taken back from its toast, and by keyboard from the next one; its words are there again', async ({
  page,
}) => {
  const { own, coach, assignmentOf, submit } = await buildSubmitters(instance);
  for (const [index, title] of ['First piece', 'Second piece', 'Third piece'].entries()) {
    const { id } = await assignmentOf(title);
    await submit(own, id, { text: `Work: ${title}`, submittedAt: new Date(Date.now() - (3 - index) * 60_000) });
  }
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/submissions?tab=pending`);
  await page.getByRole('button', { name: 'Review First piece by Nadia Ng' }).click();
  const dialog = page.getByRole('dialog', { name: 'Review submission' });
  const feedback = dialog.getByLabel('Feedback');
  await dialog.getByRole('radio', { name: 'Accepted' }).check();
  await feedback.fill('Meant for another person.');
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByText('Work: Second piece')).toBeVisible();
  await expect(dialog.getByText('1 done, 2 left')).toBeVisible();
  await expect(toast(page, 'Review Saved')).toContainText('Nadia Ng');
  await expectAccessibleEverywhere(page);
  await toast(page, 'Review Saved').getByRole('button', { name: 'Take back' }).click();
  await expect(dialog.getByText('Work: First piece')).toBeVisible();
  await expect(feedback).toHaveValue('Meant for another person.');
  await expect(dialog.getByRole('radio', { name: 'Accepted' })).toBeChecked();
  await expect(toast(page, 'Review Taken Back')).toBeVisible();
  await expect(toast(page, 'Review Saved')).toBeHidden();

  await feedback.fill('Name the breakers.');
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByText('Work: Second piece')).toBeVisible();
  await dialog.getByRole('button', { name: 'Take back the last one' }).press('Enter');
  await expect(feedback).toHaveValue('Name the breakers.');
  await page.keyboard.press('Escape');
  await expect(rowOf(page, 'First piece')).toContainText('You have a draft');
  await expect(page.getByRole('tab', { name: 'Pending Review (3)' })).toBeVisible();
});

test('a review can be taken back where it is read, and no longer once its minute is over', async ({ page }) => {
  const { own, coach, assignmentOf, submit } = await buildSubmitters(instance);
  const { id: assignmentId } = await assignmentOf('Read again');
  const { id } = await submit(own, assignmentId, { text: 'Work to read again' });
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/submissions?tab=pending&review=${id}`);
  const dialog = page.getByRole('dialog', { name: 'Review submission' });
  await dialog.getByLabel('Feedback').fill('Too early.');
  await dialog.getByRole('button', { name: 'Submit Review' }).click();
  await expect(dialog).toBeHidden();
  await page.goto(`${instance.url}/submissions?review=${id}`);
  await dialog.getByRole('button', { name: 'Take back' }).click();
  await expect(dialog.getByLabel('Feedback')).toHaveValue('Too early.');
  await expect(dialog.getByText('Draft saved.')).toBeVisible();

  await dialog.getByRole('button', { name: 'Submit Review' }).click();
  await expect(dialog).toBeHidden();
  const earlier = new Date(Date.now() - 61_000);
  await instance.db.updateTable('contentSubmissions').set({ reviewedAt: earlier }).where('id', '=', id).execute();
  await toast(page, 'Review Saved').getByRole('button', { name: 'Take back' }).click();
  await expect(toast(page, 'Take Back Failed')).toContainText('for one minute');
  await page.goto(`${instance.url}/submissions?review=${id}`);
  await expect(dialog.getByRole('button', { name: 'Correct this review' })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Take back' })).toBeHidden();
});

test('a comment is saved from a review, filled in for the next person at the cursor, changed, shared and removed', async ({
  page,
  openWindow,
}) => {
  const { own, participant, coach, assignmentOf, submit } = await buildSubmitters(instance);
  const { id: assignmentId } = await assignmentOf('Feeder sketch');
  const first = await submit(own, assignmentId, { text: 'By Nadia' });
  const third = await submit(own, (await assignmentOf('Relay sketch')).id);
  const second = await submit(participant, assignmentId, { text: 'By Robin' });
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/submissions?tab=pending&mine=false&review=${first.id}`);
  const dialog = page.getByRole('dialog', { name: 'Review submission' });
  const feedback = dialog.getByLabel('Feedback');
  const comments = page.getByRole('dialog', { name: 'Saved comments' });
  await feedback.fill('Nadia, name each breaker.');
  await dialog.getByRole('button', { name: 'Saved comments' }).click();
  await expect(comments.getByText('Save what you often write.')).toBeVisible();
  await comments.getByRole('button', { name: 'Save this as a comment' }).click();
  const form = comments.getByRole('form', { name: 'Save a comment' });
  await expect(form.getByLabel('Comment')).toHaveValue('{first name}, name each breaker.');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Please give the comment a title.')).toBeVisible();
  await form.getByLabel('Title').fill('Name the parts');
  await form.getByLabel('Comment').fill('{first name}, name each part of {assignment}.');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(comments.getByRole('button', { name: 'Insert Name the parts' })).toContainText(
    'Nadia, name each part of Feeder sketch.',
  );
  await expectAccessibleEverywhere(page);
  await page.keyboard.press('Escape');
  await expect(comments).toBeHidden();
  await expect(dialog).toBeVisible();
  await expect(feedback).toHaveValue('Nadia, name each breaker.');

  await page.goto(`${instance.url}/submissions?tab=pending&mine=false&review=${second.id}`);
  await feedback.fill('Good. Bye.');
  for (let step = 0; step < 'Bye.'.length; step += 1) await feedback.press('ArrowLeft');
  await dialog.getByRole('button', { name: 'Saved comments' }).press('Enter');
  await expect(comments.getByRole('searchbox', { name: 'Search saved comments' })).toBeFocused();
  await page.keyboard.type('parts');
  await expect(comments.getByRole('button', { name: /^Insert / })).toHaveCount(1);
  await page.keyboard.press('Tab');
  await expect(comments.getByRole('button', { name: 'Insert Name the parts' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(feedback).toBeFocused();
  await expect(feedback).toHaveValue('Good. Robin, name each part of Feeder sketch. Bye.');
  await page.keyboard.type(' Now.');
  await expect(feedback).toHaveValue('Good. Robin, name each part of Feeder sketch. Now. Bye.');

  await dialog.getByRole('button', { name: 'Saved comments' }).click();
  await comments.getByRole('button', { name: 'Edit Name the parts' }).click();
  await comments.getByLabel('Title').fill('Name all parts');
  await comments.getByRole('checkbox', { name: 'Share with all coaches and admins' }).check();
  await comments.getByRole('button', { name: 'Save' }).click();
  await expect(comments.getByRole('button', { name: 'Insert Name all parts' })).toContainText('Shared by you');

  const colleague = await buildCoach(instance.db, { firstName: 'Cleo', lastName: 'Colleague' });
  const other = await openWindow();
  await enter(other, instance, colleague);
  // Nobody else has had this one open.
  await other.goto(`${instance.url}/submissions?tab=pending&mine=false&review=${third.id}`);
  await other.getByRole('button', { name: 'Saved comments' }).click();
  await expect(other.getByRole('button', { name: 'Insert Name all parts' })).toContainText('Shared by Casey Cole');
  await expect(other.getByRole('button', { name: 'Edit Name all parts' })).toBeHidden();

  await comments.getByRole('button', { name: 'Edit Name all parts' }).click();
  await comments.getByRole('button', { name: 'Remove' }).click();
  await expect(comments.getByText('Save what you often write.')).toBeVisible();
});

test('a session is completed from its beginning on, and the coach undoes it from the toast', async ({ page }) => {
  const { coach, people } = await coachWithWork(instance);
  // The one of today may be at this very time.
  await instance.db.deleteFrom('coachingSessions').where('coachId', '=', coach.id).execute();
  const at = (minutes: number, participantId = people[1]?.id ?? '') =>
    buildCoachingSession(instance.db, {
      ...{ coachId: coach.id, participantId, durationMinutes: 30 },
      scheduledAt: new Date(Date.now() + minutes * 60_000).toISOString(),
    });
  await at(-5);
  await at(26 * 60, people[2]?.id);
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/coach?tab=sessions`);
  const running = page.getByRole('listitem').filter({ hasText: 'Person2 Rivera' });
  const later = page.getByRole('listitem').filter({ hasText: 'Person3 Rivera' });
  await expect(later.getByRole('button', { name: /^Cancel/ })).toBeVisible();
  await expect(later.getByRole('button', { name: /^Complete/ })).toBeHidden();
  await running.getByRole('button', { name: 'Complete the session with Person2 Rivera' }).click();
  await expect(toast(page, 'Session Updated', 'Person2 Rivera: Completed')).toBeVisible();
  await expect(running.getByText('Completed', { exact: true })).toBeVisible();
  await toast(page, 'Session Updated').getByRole('button', { name: 'Undo' }).click();
  await expect(toast(page, 'Session Updated', 'It is scheduled again.')).toBeVisible();
  await expect(running.getByText('Scheduled', { exact: true })).toBeVisible();

  await running.getByRole('button', { name: 'No-show: Person2 Rivera did not come' }).click();
  await page.getByLabel('What happened?').fill('Nobody came.');
  await page.getByRole('button', { name: 'Mark as no-show' }).click();
  await expect(running.getByText('No show', { exact: true })).toBeVisible();
  await toast(page, 'Session Updated').getByRole('button', { name: 'Undo' }).click();
  await expect(running.getByText('Scheduled', { exact: true })).toBeVisible();
  await expect(running).not.toContainText('Nobody came.');
  await running.getByRole('link', { name: 'Person2 Rivera' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Person2 Rivera' })).toBeVisible();
});

test('the first tab says how long work waits; ratings have the facts of the week', async ({ page }) => {
  const { coach } = await coachWithWork(instance);
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/dashboard`);
  const waiting = page.getByRole('region', { name: 'To review' }).getByRole('listitem');
  await expect(waiting.first()).toContainText('8 hours');
  await expect(waiting.first().getByRole('link', { name: 'Person1 Rivera' })).toHaveAttribute('href', /^\/people\//);
  await waiting.first().getByRole('link', { name: 'Feeder report' }).click();
  await expect(page.getByRole('dialog', { name: 'Review submission' })).toBeVisible();
  await page.goto(`${instance.url}/dashboard?tab=ratings`);
  const rated = page.getByRole('row').filter({ hasText: 'Person12 Rivera' });
  await expect(rated).toContainText('No activities, no assignments');
  const stake = rated.getByText('A rating of 3.0 or more brings $500 for week 5.');
  await expect(stake).toBeVisible();
  expect(await stake.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 'cut').toBe(0);
  const heightOf = async () => (await rated.boundingBox())?.height ?? 0;
  expect(await heightOf()).toBeGreaterThanOrEqual(44);
  expect(await heightOf()).toBeLessThanOrEqual(52);
  await expectAccessibleEverywhere(page);
});

test('the name in a submission leads to the page of the person only for those who may open it', async ({ page }) => {
  const { own, participant, coach, assignmentOf, submit } = await buildSubmitters(instance);
  const { id } = await assignmentOf('Named work');
  await submit(own, id);
  await submit(participant, id);
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/submissions?mine=false&search=Named%20work`);
  await expect(rowOf(page, 'Robin Reyes').first()).toBeVisible();
  await expect(page.getByRole('link', { name: 'Robin Reyes' })).toBeHidden();
  await page.getByRole('link', { name: 'Nadia Ng' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Nadia Ng' })).toBeVisible();
});
