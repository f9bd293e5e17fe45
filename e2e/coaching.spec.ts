import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { demoPassword, expect, signIn, test } from './support.ts';
import { tryAgain } from './try-again.ts';

const coachEmail = 'coach@people.example';
let instance: InstanceWithDatabase;

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('admin@people.example');
  const facts = { firstName: 'Casey', lastName: 'Cole', trackType: null, password: demoPassword };
  await createSignInWithPassword(instance.db, { ...facts, email: coachEmail, role: 'coach' });
});
test.afterAll(() => instance.stop());

test('a coach rates a week on the dashboard until its stipend is decided', async ({ page }) => {
  const coach = await instance.db
    .selectFrom('profiles')
    .select('id')
    .where('email', '=', coachEmail)
    .executeTakeFirstOrThrow();
  const cohort = await buildCohort(instance.db, { startDate: '2020-01-06', name: 'Winter 2026' });
  const { id } = await buildParticipant(instance.db, { firstName: 'Zora', lastName: 'Zell' });
  await enrol(instance.db, { cohortId: cohort.id, participantId: id, coachId: coach.id });
  await signIn(page, instance.url, coachEmail);
  await page.goto(`${instance.url}/coach?ratingWeek=11`);
  const second = await buildParticipant(instance.db, { firstName: 'Zoya', lastName: 'Zhu' });
  await enrol(instance.db, { cohortId: cohort.id, participantId: second.id, coachId: coach.id });
  await page.reload();
  const rating = page.getByRole('textbox', { name: 'Rating of Zora Zell' });
  const comment = page.getByRole('textbox', { name: 'Comment on Zora Zell' });
  const state = page.getByRole('status', { name: 'State of Zora Zell' });
  await comment.fill('Led the lab.');
  await rating.focus();
  await expect(state).toHaveText('Give a rating first.');
  await rating.pressSequentially('9');
  await rating.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Rating of Zoya Zhu' })).toBeFocused();
  await expect(state).toHaveText('From 1.0 to 5.0 in halves.');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.type('45');
  await page.keyboard.press('ArrowDown');
  await expect(state).toHaveText('Saved');
  await expect(rating).toHaveValue('4.5');
  await page.keyboard.type('3');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('textbox', { name: 'Comment on Zoya Zhu' })).toBeFocused();
  await expect(page.getByRole('status', { name: 'State of Zoya Zhu' })).toHaveText('Saved');
  await page.reload();
  await expect(rating).toHaveValue('4.5');
  await expect(comment).toHaveValue('Led the lab.');
  await buildStipend(instance.db, { cohortId: cohort.id, fellowId: id, weekNumber: 11, paymentStatus: 'approved' });
  await rating.fill('2');
  await rating.press('Enter');
  await expect(state).toContainText(/decided/);
  await page.reload();
  await expect(rating).toBeDisabled();
  await expect(state).toHaveText('Decided');
});

test('a coach without participants is told so, and a failure to load can be tried again', async ({ page }) => {
  const facts = { firstName: 'Lone', lastName: 'Coach', trackType: null, password: demoPassword };
  await createSignInWithPassword(instance.db, { ...facts, email: 'lone@people.example', role: 'coach' });
  await signIn(page, instance.url, 'lone@people.example');
  await page.route('**/api/coach/weekly-ratings*', (route) => route.fulfill({ status: 403, body: '{}' }));
  await page.goto(`${instance.url}/coach?tab=ratings`);
  const panel = page.getByRole('region', { name: 'Weekly ratings' });
  await expect(panel.getByRole('alert')).toContainText('The weekly ratings could not be loaded');
  await tryAgain(page, '**/api/coach/weekly-ratings*', { button: panel.getByRole('button', { name: 'Try again' }) });
  await expect(panel.getByText('Nobody to rate yet')).toBeVisible();
});
