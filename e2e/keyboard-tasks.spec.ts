import type { Locator, Page } from '@playwright/test';
import { addDays } from '#contract/weeks.ts';
import { buildAvailability } from '#test/factories/coaching.ts';
import { assignCoach, buildCohort, buildCourse, enrol } from '#test/factories/cohorts.ts';
import { buildActivity } from '#test/factories/curriculum.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { buildMember, enter, today } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { buildSubmitters } from './submission-people.ts';
import { expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';

const adminEmail = 'admin@people.example';
let instance: InstanceWithDatabase;
test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(adminEmail);
  await buildCourse(instance.db);
});
test.afterAll(() => instance.stop());

const mostStops = 90;

/** Goes there with the Tab key. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < mostStops && !(await isFocused(target)); stops += 1) await page.keyboard.press('Tab');
  await expect(target).toBeFocused();
}

function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}

async function tabAndPress(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

async function openedAsAdmin(page: Page, path: string): Promise<void> {
  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}${path}`);
}

test.describe('by the keyboard alone', () => {
  test('a participant completes an activity', async ({ page }) => {
    const { participant, session } = await buildMember(instance);
    const { id } = await session('Metering lab', 5, 0);
    await enter(page, instance, participant);
    await page.goto(`${instance.url}/activity/${id}`);
    await tabAndPress(page, page.getByRole('button', { name: 'Mark as complete' }));
    await expect(toast(page, 'Activity Completed')).toBeVisible();
  });

  test('a participant hands in text and a file', async ({ page }) => {
    const { own, assignmentOf } = await buildSubmitters(instance);
    const { id } = await assignmentOf('Relay report');
    await enter(page, instance, own);
    await page.goto(`${instance.url}/assignment/${id}`);
    await tabTo(page, page.getByRole('textbox', { name: 'Your text' }));
    await page.keyboard.type('Two relays were tested.');
    const asked = page.waitForEvent('filechooser');
    await tabAndPress(page, page.getByRole('button', { name: /hoose a file/ }));
    await (await asked).setFiles({ name: 'relays.txt', mimeType: 'text/plain', buffer: Buffer.from('1, 2') });
    await expect(page.getByRole('button', { name: 'Remove relays.txt' })).toBeVisible();
    await tabAndPress(page, page.getByRole('button', { name: 'Submit Assignment' }));
    await expect(toast(page, 'Assignment Submitted')).toBeVisible();
  });

  test('a participant books a session', async ({ page }) => {
    const coach = await buildCoach(instance.db, { firstName: 'Kay', lastName: 'Keys' });
    const participant = await buildParticipant(instance.db);
    await assignCoach(instance.db, { participantId: participant.id, coachId: coach.id });
    const day = addDays(today(), 3);
    const dayOfWeek = new Date(`${day}T12:00:00Z`).getUTCDay();
    await buildAvailability(instance.db, {
      ...{ coachId: coach.id, weekStartDate: addDays(day, -dayOfWeek), dayOfWeek },
      ...{ startTime: '10:00', endTime: '11:00' },
    });
    await enter(page, instance, participant);
    await page.goto(`${instance.url}/coaching`);
    await tabAndPress(
      page,
      page.getByRole('region', { name: "Kay's free times" }).getByRole('button', { name: /10:30 AM/ }),
    );
    const dialog = page.getByRole('dialog');
    await tabTo(page, dialog.getByLabel('Agenda'));
    await page.keyboard.type('The lab report');
    await tabAndPress(page, dialog.getByRole('button', { name: 'Book this session' }));
    await expect(toast(page, 'Session booked')).toBeVisible();
  });

  test('a participant finds the coach and sends a message', async ({ page }) => {
    const coach = await buildCoach(instance.db, { firstName: 'Zoé', lastName: 'Šimek' });
    const participant = await buildParticipant(instance.db);
    await assignCoach(instance.db, { participantId: participant.id, coachId: coach.id });
    await enter(page, instance, participant);
    await page.goto(`${instance.url}/change-password`);
    await expect(page.getByRole('heading', { level: 1, name: 'Change Password' })).toBeVisible();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Find' })).toBeFocused();
    await expect(page.getByRole('combobox', { name: 'Find' })).toBeFocused();
    await page.keyboard.type('message simek');
    await expect(page.getByRole('option', { name: /^Send a message to Zoé Šimek/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('textbox', { name: 'Message to Zoé Šimek' }));
    await page.keyboard.type('Thank you for today.');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('log').getByText('Thank you for today.')).toBeVisible();
    await expect(page.getByText('Sent', { exact: true })).toBeVisible();
  });

  test('a coach reviews a piece of work', async ({ page }) => {
    const { own, coach, assignmentOf, submit } = await buildSubmitters(instance);
    const { id } = await assignmentOf('Keyed piece');
    await submit(own, id, { text: 'All by keys.' });
    await enter(page, instance, coach);
    await page.goto(`${instance.url}/submissions?tab=pending`);
    await tabAndPress(page, page.getByRole('button', { name: 'Review Keyed piece by Nadia Ng' }));
    const dialog = page.getByRole('dialog', { name: 'Review submission' });
    await expect(dialog.getByText('All by keys.')).toBeVisible();
    await page.keyboard.press('2');
    await tabTo(page, dialog.getByLabel('Feedback'));
    await page.keyboard.type('Complete.');
    await page.keyboard.press('Control+Enter');
    await expect(toast(page, 'Review Saved')).toBeVisible();
  });

  test('a coach rates a week', async ({ page }) => {
    const { db } = instance;
    const coach = await buildCoach(db);
    const cohort = await buildCohort(db, { startDate: addDays(today(), -30) });
    await buildActivity(db, { cohortId: cohort.id, weekNumber: 5 });
    const { id } = await buildParticipant(db, { firstName: 'Rated', lastName: 'Rivera' });
    await enrol(db, { cohortId: cohort.id, participantId: id, coachId: coach.id });
    await enter(page, instance, coach);
    await page.goto(`${instance.url}/dashboard`);
    await expect(page.getByRole('heading', { level: 1, name: 'Coach Dashboard' })).toBeVisible();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Find' })).toBeFocused();
    await page.keyboard.type('rate week');
    await expect(page.getByRole('option', { name: /Rate the week/ })).toBeVisible();
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('textbox', { name: 'Rating of Rated Rivera' }));
    await page.keyboard.type('4');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  });

  test('an admin enrolls a person, from the name to the cohort', async ({ page }) => {
    await buildCohort(instance.db, { name: 'Cohort of keys' });
    await buildParticipant(instance.db, { firstName: 'Þóra', lastName: 'Keyed' });
    await openedAsAdmin(page, '/change-password');
    await expect(page.getByRole('heading', { level: 1, name: 'Change Password' })).toBeVisible();
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Find' })).toBeFocused();
    await page.keyboard.type('enroll thora');
    await expect(page.getByRole('option', { name: /^Enroll Þóra Keyed/ })).toBeVisible();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Enroll in a cohort' });
    await expect(dialog.getByRole('combobox', { name: 'Cohort' })).toBeEnabled();
    await tabTo(page, dialog.getByRole('combobox', { name: 'Cohort' }));
    await page.keyboard.type('keys');
    // What fits best is marked. Enter would choose nothing before.
    await expect(page.getByRole('option', { name: /Cohort of keys/ })).toHaveAttribute('data-combobox-selected');
    await page.keyboard.press('Enter');
    await tabAndPress(page, dialog.getByRole('button', { name: 'Enroll participant' }));
    await expect(toast(page, 'Cohort Assignment Successful')).toBeVisible();
  });

  test('an admin approves a week of stipends', async ({ page }) => {
    const { db } = instance;
    const { id: cohortId } = await buildCohort(db, { status: 'planning' });
    for (const lastName of ['First', 'Second']) {
      const { id: fellowId } = await buildParticipant(db, { firstName: 'Paid', lastName });
      await buildStipend(db, { cohortId, fellowId, weekNumber: 2 });
    }
    await openedAsAdmin(page, `/admin/stipend-management?week=2&cohort=${cohortId}`);
    const approve = page.getByRole('button', { name: 'Bulk Approve Eligible' });
    await expect(approve).toBeEnabled();
    await tabAndPress(page, approve);
    const dialog = page.getByRole('dialog', { name: 'Bulk Approve Eligible' });
    await tabAndPress(page, dialog.getByRole('button', { name: 'Approve 2 stipends, $1,000' }));
    await expect(toast(page, 'Bulk Approval Complete')).toBeVisible();
  });

  test('an admin imports people', async ({ page }) => {
    await buildCohort(instance.db, { name: 'Imported by keys', capacity: 50 });
    await openedAsAdmin(page, '/admin/bulk-invitations');
    const asked = page.waitForEvent('filechooser');
    await tabAndPress(page, page.getByRole('button', { name: /^Drop a CSV file here/ }));
    await (await asked).setFiles({
      name: 'keys.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'first_name,last_name,email,program,cohort,role\r\nKim,Key,kim.key@people.example,fellowship,Imported by keys,participant',
      ),
    });
    await tabAndPress(page, page.getByRole('button', { name: 'Create 1 user' }));
    await expect(toast(page, 'Users Created')).toBeVisible();
  });
});
