import { readActivityContent } from '#contract/activities.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { buildContentItem } from '#test/factories/curriculum.ts';
import { buildCoach } from '#test/factories/people.ts';
import { expectAccessible, expectAccessibleEverywhere } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { buildMember, enter } from './learning-people.ts';
import { takeLook } from './looks.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { expect, test } from './support.ts';
import { toast } from './toasts.ts';
import { tryAgain } from './try-again.ts';

let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('admin@attendance.example');
});
test.afterAll(() => instance.stop());

test('a coach records that somebody attended, with a reason, and takes it back', async ({ page }) => {
  const { participant, session } = await buildMember(instance);
  const coach = await buildCoach(instance.db, { firstName: 'Casey', lastName: 'Cole' });
  await assignCoach(instance.db, { participantId: participant.id, coachId: coach.id });
  const { id } = await session('Relay lab', 5, 0);
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/activity/${id}`);
  const attendance = page.getByRole('region', { name: 'Attendance', exact: true });
  await expect(attendance.getByRole('status')).toHaveText('0 of 1 of your participants attended');
  const record = page.getByRole('button', { name: 'Record attendance of Robin Reyes' });
  await record.click();
  const dialog = page.getByRole('dialog', { name: 'Record attendance' });
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Record attendance' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Please say why.');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Joined by phone');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Record attendance' }).click();
  await expect(toast(page, 'Attendance Recorded')).toHaveAttribute('data-toast', 'success');
  await expect(attendance.getByRole('status')).toHaveText('1 of 1 of your participants attended');
  await expect(attendance).toContainText(/Recorded by Casey Cole, .*: Joined by phone/);
  await expect(page.getByRole('button', { name: 'Remove attendance of Robin Reyes' })).toBeFocused();

  await page.setViewportSize({ width: 360, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove attendance of Robin Reyes' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('It was somebody else');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove attendance' }).click();
  await expect(attendance.getByText('Not attended')).toBeVisible();
  const menu = page.getByRole('button', { name: 'More for Robin Reyes' });

  await menu.click();
  await page.getByRole('menuitem', { name: 'Excuse absence of Robin Reyes' }).click();
  const excuse = page.getByRole('dialog', { name: 'Excuse absence' });
  await excuse.getByRole('button', { name: 'Excuse absence' }).click();
  await expect(excuse.getByRole('alert')).toHaveText('Please say why.');
  await excuse.getByRole('textbox', { name: 'Reason' }).fill('Was at the doctor');
  await expectAccessible(page);
  await excuse.getByRole('button', { name: 'Excuse absence' }).click();
  await expect(attendance.getByText('Was at the doctor')).toBeVisible();
  await expect(attendance.getByRole('status')).toHaveText('0 of 1 of your participants attended');
  await menu.click();
  await page.getByRole('menuitem', { name: 'Take excuse back of Robin Reyes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take excuse back' }).click();
  await expect(attendance.getByText('Not attended')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search participants' }).fill('nobody of this name');
  await expect(attendance.getByText('No one by that name.')).toBeVisible();
});

test('a coach none of whose participants takes part reads that alone, without figures or a search', async ({
  page,
}) => {
  const { session } = await buildMember(instance);
  const coach = await buildCoach(instance.db);
  const { id } = await session('Relay lab', 5, 0);
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/activity/${id}`);
  const attendance = page.getByRole('region', { name: 'Attendance', exact: true });
  await expect(attendance.getByText('None of your participants takes part in this.')).toBeVisible();
  await expect(attendance.getByRole('status')).toHaveCount(0);
  await expect(attendance.getByRole('searchbox')).toHaveCount(0);
});

test('a participant asks for a correction, the coach accepts it, and both read so without a reload', async ({
  page,
  openWindow,
}) => {
  const { participant, session } = await buildMember(instance);
  const coach = await buildCoach(instance.db, { firstName: 'Cora', lastName: 'Cole' });
  await assignCoach(instance.db, { participantId: participant.id, coachId: coach.id });
  const { id } = await session('Breaker lab', 5, 0);
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/activity/${id}`);
  await page.getByRole('button', { name: 'Mark as complete' }).click();
  await page.getByRole('button', { name: 'Mark as not done' }).click();
  const question = page.getByRole('dialog', { name: 'Ask for a correction' });
  await question.getByRole('button', { name: 'Ask for a correction' }).click();
  await expect(question.getByRole('alert')).toHaveText('Please say what is wrong.');
  await question.getByRole('textbox', { name: 'Reason' }).fill('I pressed it for the wrong day.');
  await question.getByRole('button', { name: 'Ask for a correction' }).click();
  await expect(toast(page, 'Correction Asked For')).toBeVisible();
  await expect(page.getByText('Waiting for an answer')).toBeVisible();
  await expectAccessibleEverywhere(page);

  const ofCoach = await openWindow();
  await enter(ofCoach, instance, coach);
  await ofCoach.goto(`${instance.url}/dashboard`);
  await ofCoach.getByRole('link', { name: 'Attendance corrections', exact: true }).click();
  const requests = ofCoach.getByRole('region', { name: 'Requests for a correction' });
  await expect(requests).toContainText('I pressed it for the wrong day.');
  await expectAccessibleEverywhere(ofCoach);
  await requests.getByRole('button', { name: 'Accept the request of Robin Reyes' }).click();
  const answer = ofCoach.getByRole('dialog', { name: 'Accept the request' });
  await expect(answer).toContainText('the stipend of week 5 is worked out again');
  await expectAccessible(ofCoach);
  await answer.getByRole('textbox', { name: /^Answer/ }).fill('Thank you.');
  await answer.getByRole('button', { name: 'Accept the request' }).click();
  await expect(toast(ofCoach, 'Attendance Corrected')).toBeVisible();
  await expect(ofCoach.getByText('No requests waiting')).toBeVisible();
  await ofCoach.getByRole('tab', { name: 'Answered' }).click();
  await expect(requests).toContainText('Cora Cole');

  const completion = page.getByRole('region', { name: 'Complete This Activity' });
  await expect(completion).toContainText('Cora Cole: Thank you.');
  await expect(completion).toContainText('Your attendance was removed: You asked for it.');
  await expect(completion.getByRole('button', { name: 'Mark as complete' })).toBeDisabled();
  await expect(completion.getByRole('button', { name: 'I attended, but it is not recorded' })).toBeVisible();
});

test('a long reason leaves the row of its request as high as the others, and is read whole with the keyboard', async ({
  page,
  openWindow,
}) => {
  const { participant, session } = await buildMember(instance);
  const coach = await buildCoach(instance.db);
  await assignCoach(instance.db, { participantId: participant.id, coachId: coach.id });
  const { id } = await session('Breaker lab', 5, 0);
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/activity/${id}`);
  await page.getByRole('button', { name: 'Mark as complete' }).click();
  await page.getByRole('button', { name: 'Mark as not done' }).click();
  const reason = 'The link opened another room, so I waited there until the hour was over. '.repeat(4).trim();
  await page.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await page.getByRole('dialog').getByRole('button', { name: 'Ask for a correction' }).click();
  await expect(toast(page, 'Correction Asked For')).toBeVisible();

  const ofCoach = await openWindow();
  await enter(ofCoach, instance, coach);
  await ofCoach.goto(`${instance.url}/attendance-corrections`);
  const row = ofCoach.getByRole('row').filter({ hasText: 'Robin Reyes' });
  const heightOf = async () => (await row.boundingBox())?.height ?? 0;
  const more = row.getByRole('button', { name: 'Read all of the request of Robin Reyes' });
  await expect(more).toBeVisible();
  expect(await heightOf()).toBeGreaterThanOrEqual(44);
  expect(await heightOf()).toBeLessThanOrEqual(52);
  await more.press('Enter');
  const less = row.getByRole('button', { name: 'Read less of the request of Robin Reyes' });
  await expect(less).toBeFocused();
  expect(await heightOf()).toBeGreaterThan(52);
  await expectAccessibleEverywhere(ofCoach);
  await less.press('Enter');
  await expect(more).toBeFocused();
  await takeLook(ofCoach, { colorScheme: 'light', width: 360 });
  await expect(more).toBeVisible();
  expect(await heightOf()).toBeLessThanOrEqual(160);
});

test('ACT-09 contents that fail to load say so and can be tried again, and the rest of the activity is there', async ({
  page,
}) => {
  const { participant, session } = await buildMember(instance);
  const { id } = await session('Session of today', 5, 0);
  await buildContentItem(instance.db, { trainingActivityId: id, title: 'A chapter' });
  await enter(page, instance, participant);
  const address = `**${readActivityContent.path.replace(':id', id)}`;
  await page.route(address, (route) => route.fulfill({ status: 503, body: 'away' }));
  await page.goto(`${instance.url}/activity/${id}`);
  await expect(page.getByRole('alert')).toContainText('Failed to load activity content');
  await expect(page.getByRole('button', { name: 'Mark as complete' })).toBeEnabled();
  await tryAgain(page, address);
  await expect(page.getByRole('heading', { level: 3, name: 'A chapter' })).toBeVisible();
});
