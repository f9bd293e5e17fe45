import { addDays } from '#contract/weeks.ts';
import { assignCoach, buildCohort, buildCourse, enrol } from '#test/factories/cohorts.ts';
import { buildActivity } from '#test/factories/curriculum.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { coachWithWork, participantInWeekFive } from './home-people.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { enter, today } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { countSteps } from './steps.ts';
import { buildSubmitters } from './submission-people.ts';
import { expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';

/** `npm run tasks` prints what each task took. */
const taken: string[] = [];
const adminEmail = 'admin@people.example';
let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(adminEmail);
});
test.afterAll(async () => {
  await instance.stop();
  process.stdout.write(`\n${taken.map((line) => `  ${line}\n`).join('')}\n`);
});

function tell(task: string, { clicks, keys }: { clicks: number; keys: number }) {
  taken.push(`${task}: ${clicks} clicks, ${keys} keys`);
}

test('ten pieces of work are reviewed with one click to begin and two keys each', async ({ page }) => {
  const { own, coach, assignmentOf, submit } = await buildSubmitters(instance);
  for (let number = 0; number < 10; number += 1) {
    const { id } = await assignmentOf(`Piece ${number}`);
    await submit(own, id, { text: `Work ${number}.`, submittedAt: new Date(Date.now() - (20 - number) * 60_000) });
  }
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/submissions?tab=pending`);
  const { counted, click, press, write } = countSteps(page);
  await click(page.getByRole('button', { name: 'Review Piece 0 by Nadia Ng' }));
  const dialog = page.getByRole('dialog', { name: 'Review submission' });
  for (let number = 0; number < 10; number += 1) {
    await expect(dialog.getByText(`Work ${number}.`)).toBeVisible();
    await expect(dialog.getByLabel('Feedback')).toHaveValue('');
    await press('2');
    await write('Complete.');
    await press('Control+Enter');
  }
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('tab', { name: 'Pending Review (0)' })).toBeVisible();
  expect(counted).toEqual({ clicks: 1, keys: 20 });
  tell('Review ten pieces of work', counted);
});

test('forty people are rated with a number and Enter each', async ({ page }) => {
  const { db } = instance;
  const coach = await buildCoach(db, { firstName: 'Rhea', lastName: 'Rates' });
  const cohort = await buildCohort(db, { startDate: addDays(today(), -30) });
  await buildActivity(db, { cohortId: cohort.id, weekNumber: 5 });
  for (let number = 10; number < 50; number += 1) {
    const { id } = await buildParticipant(db, { firstName: `Rated${number}`, lastName: 'Rivera' });
    await enrol(db, { cohortId: cohort.id, participantId: id });
    await assignCoach(db, { participantId: id, coachId: coach.id });
  }
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/dashboard?tab=ratings`);
  const { counted, click, press, write } = countSteps(page);
  await click(page.getByRole('textbox', { name: 'Rating of Rated10 Rivera' }));
  for (let number = 0; number < 40; number += 1) {
    await write('4');
    await press('Enter');
  }
  await expect(page.getByRole('region', { name: 'Weekly ratings' }).getByText('Saved', { exact: true })).toHaveCount(
    40,
  );
  expect(counted).toEqual({ clicks: 1, keys: 40 });
  tell('Rate forty people', counted);
});

test('a person is found and put into another cohort in four clicks after their name', async ({ page }) => {
  const { db } = instance;
  await buildCourse(db);
  await buildCohort(db, { name: 'Spring of the lines' });
  await buildParticipant(db, { firstName: 'Mirela', lastName: 'Moved' });
  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/dashboard`);
  const { counted, click, press, write } = countSteps(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeVisible();
  await press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Find' })).toBeFocused();
  await write('moved mirela');
  await expect(page.getByRole('group', { name: 'People' }).getByRole('option')).toHaveText([/Mirela Moved/]);
  await press('Enter');
  await click(page.getByRole('button', { name: 'Enroll in a cohort' }));
  const dialog = page.getByRole('dialog', { name: 'Enroll in a cohort' });
  await expect(dialog.getByRole('combobox', { name: 'Cohort' })).toBeEnabled();
  await click(dialog.getByRole('combobox', { name: 'Cohort' }));
  await click(page.getByRole('option', { name: /Spring of the lines/ }));
  await click(dialog.getByRole('button', { name: 'Enroll participant' }));
  await expect(toast(page, 'Cohort Assignment Successful')).toBeVisible();
  tell('Find a person and put them into another cohort', counted);
  expect(counted).toEqual({ clicks: 4, keys: 2 });
});

test('a coach sees who fell behind without a click, and a participant the whole week on a phone', async ({
  page,
  openWindow,
}) => {
  const { coach } = await coachWithWork(instance);
  const { participant } = await participantInWeekFive(instance);
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/dashboard`);
  await expect(page.getByRole('region', { name: 'Your participants' }).getByRole('row').nth(1)).toContainText(
    'overdue',
  );
  tell('See who fell behind', { clicks: 0, keys: 0 });

  const phone = await openWindow({ viewport: { width: 360, height: 740 } });
  await enter(phone, instance, participant);
  await phone.goto(`${instance.url}/dashboard`);
  const week = phone.getByRole('list', { name: 'Activities of this week' }).getByRole('listitem');
  await expect(week).toHaveCount(4);
  for (const part of [phone.getByRole('region', { name: 'Next step' }), week.first(), week.last()]) {
    await expect(part).toBeInViewport({ ratio: 1 });
  }
  await expect(phone.getByRole('main').getByText('so far').first()).toBeInViewport();
  tell('Understand this week, on a phone of 360 × 740', { clicks: 0, keys: 0 });
});
