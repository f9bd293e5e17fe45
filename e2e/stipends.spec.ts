import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { deriveUndecided } from '#server/features/stipends/week-derivation.ts';
import { createSignInWithPassword } from '#server/sign-in/sign-ins.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAssignment } from '#test/factories/curriculum.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { attend, badlyRated, buildStipend, buildSubmission, buildWeekActivities } from '#test/factories/stipends.ts';
import { withoutNotes } from '#test/support/without-notes.ts';
import { expectAccessible, expectAccessibleEverywhere } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { card, choose, pressButton, rowOf } from './stipend-screen.ts';
import { demoPassword, expect, signIn, test } from './support.ts';
import { toast } from './toasts.ts';
import { tryAgain } from './try-again.ts';

const adminEmail = 'admin@people.example';
const coachEmail = 'coach@people.example';
let instance: InstanceWithDatabase;
/** A cohort that has not begun, so opening a week computes nothing for it. */
let cohortId: string;

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase(adminEmail, {});
  const coach = { firstName: 'Casey', lastName: 'Cole', trackType: null, password: demoPassword };
  await createSignInWithPassword(instance.db, { ...coach, email: coachEmail, role: 'coach' });
  cohortId = (await buildCohort(instance.db, { status: 'planning', name: 'Spring 2027' })).id;
});
test.afterAll(() => instance.stop());

async function buildNamed(name: string, facts: Parameters<typeof buildStipend>[1]) {
  const [firstName = '', lastName = ''] = name.split(' ');
  const fellow = await buildParticipant(instance.db, { firstName, lastName });
  return buildStipend(instance.db, { cohortId, fellowId: fellow.id, ...facts });
}

async function open(page: Page, search: string) {
  await signIn(page, instance.url, adminEmail);
  await page.goto(`${instance.url}/admin/stipend-management${search}`);
}

test('STIP-01 STIP-02 STIP-12 STIP-13 STIP-14 STIP-15 STIP-16 STIP-17 STIP-19 STIP-20 the week with its cards, criteria and actions', async ({
  page,
}) => {
  await buildNamed('Nadia Ng', { weekNumber: 2 });
  await buildNamed('Luc Late', { weekNumber: 2, ...badlyRated });
  await buildNamed('Paula Paid', { weekNumber: 2, paymentStatus: 'paid', approvedAt: '2025-09-08T18:30:00Z' });
  await open(page, '?week=2');
  await expect(page.getByRole('heading', { level: 1, name: 'Stipend Management' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send to Webhook' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Bulk Approve Eligible' })).toBeVisible();
  await expect(page.getByText('3 participants found')).toBeVisible();
  await expect(card(page, 'Total Participants')).toContainText('3');
  await expect(card(page, 'Eligible')).toContainText('2');
  await expect(card(page, 'Pending Approval')).toContainText('1');
  await expect(card(page, 'Total Approved')).toContainText('$500');
  await expect(page.getByRole('columnheader')).toHaveText([
    'Participant',
    'Eligibility Criteria',
    'Overall Status',
    'Amount',
    'Payment Status',
    'Actions',
  ]);
  const nadia = rowOf(page, 'Nadia Ng');
  await expect(nadia).toContainText('No coach assigned');
  await expect(nadia).toContainText('@people.example');
  for (const criterion of ['Attendance passed', 'Assignments passed', 'Performance passed']) {
    await expect(nadia).toContainText(criterion);
  }
  await expect(nadia.getByRole('button', { name: 'Approve' })).toBeVisible();
  await expect(nadia.getByRole('button', { name: 'Deny' })).toBeVisible();
  const luc = rowOf(page, 'Luc Late');
  await expect(luc).toContainText('Performance failed');
  await expect(luc).toContainText('Rated 2.5 of 5, 3.0 needed');
  await expect(luc).toContainText('Not EligibleFailed: Performance');
  await expect(luc.getByRole('cell').last()).toHaveText('Not eligible');
  const paula = rowOf(page, 'Paula Paid');
  await expect(paula).toContainText('Sep 8, 2025');
  await expect(paula.getByRole('cell').last()).toHaveText('Paid');
  await expectAccessibleEverywhere(page);
});

test('STIP-08 STIP-09 STIP-10 STIP-11 STIP-21 filters live in the address, apply together and can be cleared', async ({
  page,
}) => {
  await buildNamed('Vera Voss', { weekNumber: 3, paymentStatus: 'denied' });
  await buildNamed('Nadia Ng', { weekNumber: 3 });
  await buildNamed('Luc Late', { weekNumber: 3, ...badlyRated });
  await open(page, '');
  await expect(page.getByText('No stipend records for Week 1 yet')).toBeVisible();
  await page.getByRole('combobox', { name: 'Week' }).click();
  await expect(page.getByRole('option')).toHaveCount(16);
  await page.getByRole('option', { name: 'Week 3', exact: true }).click();
  await expect(page.getByText('3 participants found')).toBeVisible();

  await page.getByRole('combobox', { name: 'Status' }).click();
  await expect(page.getByRole('option')).toHaveText(['All statuses', 'Pending', 'Approved', 'Paid', 'Denied']);
  await page.getByRole('option', { name: 'Pending' }).click();
  await expect(page.getByText('2 participants found')).toBeVisible();
  await choose(page, 'Eligibility', 'Eligible');
  await expect(page.getByText('1 participants found')).toBeVisible();
  await expect(rowOf(page, 'Nadia Ng')).toBeVisible();
  await page.getByLabel('Search').fill('vera');
  await expect(page.getByText('Try adjusting your filters')).toBeVisible();
  await expect(page.getByText('No stipend records found')).toBeVisible();
  await expect(page).toHaveURL(/week=3&status=pending&eligibility=eligible&search=vera/);
  await page.reload();
  await expect(page.getByText('0 participants found')).toBeVisible();
  await page.getByRole('search').getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByText('3 participants found')).toBeVisible();
});

test('STIP-06 STIP-37 STIP-38 ERR1-10 approving, denying and a new amount, and the cards follow', async ({ page }) => {
  await buildNamed('Nadia Ng', { weekNumber: 4 });
  await buildNamed('Luc Late', { weekNumber: 4 });
  await open(page, '?week=4');
  await page.getByRole('button', { name: 'Approve Nadia Ng' }).click();
  await expect(toast(page, 'Stipend Approved')).toBeVisible();
  await expect(rowOf(page, 'Nadia Ng').getByRole('cell').last()).toHaveText('Approved');
  await expect(card(page, 'Total Approved')).toContainText('$500');
  await expect(card(page, 'Pending Approval')).toContainText('1');
  await page.getByRole('button', { name: /^Change amount of Nadia Ng/ }).click();
  await page.getByLabel('Amount of Nadia Ng in dollars').fill('550');
  await page.keyboard.press('Enter');
  await expect(card(page, 'Total Approved')).toContainText('$550');
  await page.getByRole('button', { name: 'Deny Luc Late' }).click();
  await page.getByRole('button', { name: 'Deny $500' }).click();
  await expect(page.getByText('Please say why.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Not at the site.');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Deny $500' }).click();
  await expect(toast(page, 'Stipend Denied')).toBeVisible();
  await expect(rowOf(page, 'Luc Late').getByRole('cell').last()).toHaveText('Denied');
  await expect(rowOf(page, 'Luc Late')).toContainText('Reason: Not at the site.');
  await expect(card(page, 'Pending Approval')).toContainText('0');
});

test('STIP-37 STIP-38 a decision on a row that has changed meanwhile is refused, and the row shows the new facts', async ({
  page,
}) => {
  const nadia = await buildNamed('Nadia Ng', { weekNumber: 5 });
  const luc = await buildNamed('Luc Late', { weekNumber: 5 });
  await open(page, '?week=5');
  await expect(page.getByText('2 participants found')).toBeVisible();
  await instance.db
    .updateTable('stipendEligibility')
    .set({ version: 2, stipendAmountCents: 60_000 })
    .where('id', 'in', [nadia.id, luc.id])
    .execute();
  await page.getByRole('button', { name: 'Approve Nadia Ng' }).click();
  await expect(toast(page, 'Approval Failed', 'has changed since you opened the page')).toBeVisible();
  await expect(rowOf(page, 'Nadia Ng')).toContainText('$600');
  await expect(rowOf(page, 'Luc Late')).toContainText('$600');
  await instance.db
    .updateTable('stipendEligibility')
    .set({ version: 3, stipendAmountCents: 70_000 })
    .where('id', '=', luc.id)
    .execute();
  await page.getByRole('button', { name: 'Deny Luc Late' }).click();
  await page.getByRole('textbox', { name: 'Reason' }).fill('Not at the site.');
  await page.getByRole('button', { name: 'Deny $600' }).click();
  await expect(toast(page, 'Denial Failed', 'has changed since you opened the page')).toBeVisible();
  await expect(rowOf(page, 'Luc Late')).toContainText('$700');
});

test('STIP-41 STIP-44 ERR1-03 ERR1-10 bulk approval asks first, and declining changes nothing', async ({ page }) => {
  await buildNamed('Nadia Ng', { weekNumber: 6 });
  await buildNamed('Luc Late', { weekNumber: 6 });
  await buildNamed('Vera Voss', { weekNumber: 6, ...badlyRated });
  await open(page, '?week=6&search=vera');
  await pressButton(page, 'Bulk Approve Eligible');
  await expect(page.getByRole('dialog')).toContainText('Approve 2 eligible stipends for Week 6?');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(card(page, 'Pending Approval')).toContainText('2');
  await pressButton(page, 'Bulk Approve Eligible');
  await page.getByRole('button', { name: 'Approve 2 stipends, $1,000' }).click();
  await expect(toast(page, 'Bulk Approval Complete', '2 stipends approved successfully')).toBeVisible();
  await expect(card(page, 'Pending Approval')).toContainText('0');
  await expect(card(page, 'Total Approved')).toContainText('$1,000');
  const approve = page.getByRole('button', { name: 'Bulk Approve Eligible' });
  await expect(approve).toBeDisabled();
  await approve.press('Enter');
  await expect(toast(page, 'No Eligible Stipends', 'No eligible stipends found for bulk approval')).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('STIP-45 STIP-47 STIP-48 ERR1-10 the amount is edited in place: Enter saves, Esc does not', async ({ page }) => {
  await buildNamed('Nadia Ng', { weekNumber: 7, paymentStatus: 'denied' });
  await open(page, '?week=7');
  const edit = () => page.getByRole('button', { name: /^Change amount of Nadia Ng/ });
  const field = page.getByLabel('Amount of Nadia Ng in dollars');
  await edit().press('Enter');
  await expect(field).toHaveValue('500');
  await expect(field).toHaveAttribute('min', '0');
  await expect(field).toHaveAttribute('step', '50');
  await field.fill('900');
  await field.press('Escape');
  await expect(edit()).toHaveText('$500');
  await expect(edit()).toBeFocused();
  await edit().click();
  await field.fill('-50');
  await field.press('Enter');
  await expect(page.getByText('An amount cannot be negative.')).toBeVisible();
  await field.fill('550');
  await field.press('Enter');
  await expect(toast(page, 'Amount Updated')).toBeVisible();
  await expect(edit()).toHaveText('$550');
  await edit().click();
  await field.fill('');
  await field.press('Enter');
  await expect(edit()).toHaveText('$0');
  await edit().click();
  await field.fill('2000000');
  await field.press('Enter');
  await expect(page.getByRole('dialog')).toContainText('two million dollars');
  await page.getByRole('button', { name: 'Set $2,000,000' }).click();
  await expect(toast(page, 'Update Failed')).toBeVisible();
  await field.press('Escape');
  await expect(edit()).toHaveText('$0');
});

test('STIP-49 STIP-50 STIP-51 STIP-53 STIP-54 STIP-55 STIP-56 STIP-57 STIP-58 STIP-59 the details of a row, in the address', async ({
  page,
}) => {
  const week = { cohortId, weekNumber: 9 };
  const activities = await buildWeekActivities(instance.db, 7, week);
  const essay = await buildAssignment(instance.db, {
    trainingActivityId: activities[0]?.id ?? '',
    title: 'Essay',
    dueDate: '2025-09-08',
  });
  await buildAssignment(instance.db, { trainingActivityId: activities[1]?.id ?? '', title: 'Quiz', isRequired: false });
  const nadia = await buildNamed('Nadia Ng', { ...week, performanceRating: null });
  await attend(instance.db, nadia.fellowId, activities.slice(0, 4), { accessedAt: '2025-09-08T18:30:00Z' });
  await buildSubmission(instance.db, {
    assignmentId: essay.id,
    userId: nadia.fellowId,
    status: 'needs_revision',
    feedback: 'Please name the sources.',
    submittedAt: '2025-09-07T13:05:00Z',
  });
  await enrol(instance.db, { cohortId, participantId: nadia.fellowId });
  await deriveUndecided(instance.db, sql`stipends.id = ${nadia.id}`);
  await buildNamed('Luc Late', week);
  await open(page, '?week=9');
  await page.getByRole('button', { name: 'Nadia Ng', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(page).toHaveURL(new RegExp(`stipend=${nadia.id}`));
  for (const criterion of ['Attendance', 'Assignments', 'Performance']) {
    await expect(dialog.getByRole('region', { name: `${criterion} criterion` })).toBeVisible();
  }
  const essayRow = dialog.getByRole('row').filter({ hasText: 'Essay' });
  await expect(essayRow.getByRole('cell')).toHaveText([
    /Essay\s*Required/,
    'Sep 8',
    'Needs revision',
    'Sep 7, 9:05 AM ET',
    'Please name the sources.',
  ]);
  await expect(dialog.getByRole('row').filter({ hasText: 'Quiz' })).not.toContainText('Required');
  await expect(dialog.getByText('Accessed Sep 8, 2:30 PM ET')).toHaveCount(4);
  await expect(dialog.getByText('Not accessed')).toHaveCount(3);
  await expect(dialog.getByText('No performance evaluation for this week yet')).toBeVisible();
  await expect(dialog.getByText('Requirements to Become Eligible')).toBeVisible();
  await expect(dialog.getByText('2 more activities')).toBeVisible();
  await expect(dialog.getByText('1 more assignment', { exact: true })).toBeVisible();
  await expect(dialog.getByText('Cohort: Spring 2027')).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(dialog).toContainText('Nadia Ng, Week 9');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Luc Late', exact: true }).click();
  await expect(dialog).toContainText('Luc Late, Week 9');
  await expect(dialog.getByText('Cohort: Spring 2027')).toBeVisible();
  await expect(dialog.getByText('Requirements to Become Eligible')).toBeHidden();
});

test('STIP-07 STIP-30 STIP-60 what cannot be loaded or reached says so, and can be tried again', async ({ page }) => {
  await buildNamed('Nadia Ng', { weekNumber: 10 });
  await open(page, '?week=10');
  await page.route(/\/api\/stipends\/[0-9a-f-]{36}$/, (route) => route.fulfill({ status: 403, body: '{}' }));
  await page.getByRole('button', { name: 'Nadia Ng', exact: true }).click();
  const refused = page.getByRole('dialog').getByRole('alert');
  await expect(refused).toContainText('Failed to load participant details');
  await page.route('**/api/stipends/handover?*', (route) => route.abort());
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Send to Webhook' }).click();
  await expect(toast(page, 'Webhook Failed', 'Unable to connect to the server')).toBeVisible();
  await page.route('**/api/stipends?*', (route) => route.fulfill({ status: 403, body: '{}' }));
  const alert = page.getByRole('main').getByRole('alert');
  await pressButton(page, 'Approve Nadia Ng');
  await expect(alert).toContainText('Failed to load stipend data');
  await expect(rowOf(page, 'Nadia Ng')).toBeVisible();
  await expect(card(page, 'Eligible')).toContainText('1');
  await page.reload();
  await expect(alert).toContainText(/Error.*Failed to load stipend data/);
  await expect(card(page, 'Eligible')).toContainText('Not loaded');
  await tryAgain(page, '**/api/stipends?*', { button: alert.getByRole('button', { name: 'Try again' }) });
  await expect(page.getByText('1 participants found')).toBeVisible();
});

test('STIP-61 a coach is refused by name', async ({ page }) => {
  await signIn(page, instance.url, coachEmail);
  await page.goto(`${instance.url}/admin/stipend-management`);
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await expect(page.getByText("You don't have permission to access stipend management.")).toBeVisible();
});

test('STIP-23 STIP-24 opening a week computes it before the list is read; a failure of that is not shown', async ({
  page,
}) => {
  await withoutNotes(instance.db, async (db) => {
    const running = await buildCohort(db, { startDate: '2020-01-06', name: 'Fall 2026' });
    for (const firstName of ['Robin', 'Sam']) {
      const { id } = await buildParticipant(db, { firstName });
      await enrol(db, { cohortId: running.id, participantId: id });
    }
  });
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/stipends/processing') asked.push(`process ${request.postData()}`);
    if (pathname === '/api/stipends') asked.push(`list ${searchParams.get('week')}`);
  });
  await open(page, '');
  await expect(page.getByText('2 participants found')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Week' })).toHaveValue('Week 16');
  await expect(page.getByText('Fall 2026 ended on Fri 24 Apr 2020.')).toBeVisible();
  await choose(page, 'Week', 'Week 15');
  await expect(page.getByText('2 participants found')).toBeVisible();
  expect(asked).toEqual(['process {"weekNumber":16}', 'list 16', 'process {"weekNumber":15}', 'list 15']);

  await page.route('**/api/stipends/processing', (route) => route.fulfill({ status: 500, body: '{}' }));
  await choose(page, 'Week', 'Week 14');
  await expect(page.getByText('No stipend records for Week 14 yet')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});
