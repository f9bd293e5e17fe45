import { readActivityContent } from '#contract/activities.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { buildContentItem } from '#test/factories/curriculum.ts';
import { buildCoach } from '#test/factories/people.ts';
import { buildMember, enter, toast } from './learning-people.ts';
import { type InstanceWithDatabase, startInstanceWithDatabase } from './own-database.ts';
import { expect, expectAccessible, test } from './support.ts';

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
  await page.getByRole('searchbox', { name: 'Search participants' }).fill('nobody of this name');
  await expect(attendance.getByText('Nobody of this name.')).toBeVisible();
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
  await page.unroute(address);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 3, name: 'A chapter' })).toBeVisible();
});
