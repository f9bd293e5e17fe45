import { recordAttendance } from '#contract/documented-functions.ts';
import { addDays } from '#contract/weeks.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildContentItem } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { expectAccessible, expectAccessibleInBothColours } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { buildMember, enter, row, today } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { expect, pressAsSessionEnds, test } from './support.ts';
import { toast } from './toasts.ts';

let instance: InstanceWithDatabase;

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('admin@people.example');
});
test.afterAll(() => instance.stop());

test('CAL-03 ACT-02 ACT-03 ACT-04 only admins filter by programme; badges by role', async ({ openWindow }) => {
  const { participant, session } = await buildMember(instance);
  const { id, title } = await session('Session of all programmes', 5, 0, {
    applicableAmp: true,
    applicableFellowshipAdjunct: true,
    applicableAmbassador: true,
  });
  const people = [
    { person: participant, badges: [], hasFilter: false },
    {
      person: await buildCoach(instance.db, { trackType: 'fellowship' }),
      badges: ['Fellowship', 'Fellowship Adjunct'],
      hasFilter: false,
    },
    {
      person: await buildAdmin(instance.db),
      badges: ['Fellowship', 'Adult Mobilization (AMP)', 'Fellowship Adjunct', 'Ambassador'],
      hasFilter: true,
    },
  ];
  for (const { person, badges, hasFilter } of people) {
    const page = await openWindow();
    await enter(page, instance, person);
    await page.goto(`${instance.url}/training-calendar?view=list&search=all%20programmes`);
    await expect(row(page, title)).toBeVisible();
    const filter = page.getByRole('combobox', { name: 'Program' });
    await expect(filter).toHaveCount(hasFilter ? 1 : 0);
    await page.goto(`${instance.url}/activity/${id}`);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.getByText('Applicable Programmes')).toHaveCount(badges.length > 0 ? 1 : 0);
    const list = page.getByRole('list', { name: 'Applicable Programmes' });
    await expect(list.getByRole('listitem')).toHaveText(badges);
  }
});

test('ACT-01 ACT-05 ACT-06 ACT-07 ACT-08 an activity shows its session, its contents in order, and leads to the assignment', async ({
  page,
}) => {
  const { participant, session } = await buildMember(instance);
  const { id } = await session('Relay lab', 5, 0, {
    sessionTime: '14:00',
    duration: '2 hours',
    location: 'Room 4',
    deliveryPartner: 'Grid Academy',
    deliveryMedium: 'Hybrid',
    trainingDeliveryMode: 'SME-delivered Hybrid',
    description: 'Bring your **notes**.<script>document.title = "run"</script>',
    moduleName: 'Field Service Engineering',
  });
  const item = (contentType: string, orderIndex: number, facts: object = {}) =>
    buildContentItem(instance.db, {
      trainingActivityId: id,
      title: `A ${contentType}`,
      contentType,
      orderIndex,
      ...facts,
    });
  const work = await item('assignment', 3);
  await item('quiz', 6);
  await item('video', 1, { contentUrl: 'https://video.example/relays', estimatedMinutes: 12, dueDate: today() });
  await item('reading', 2, { contentText: 'Read *closely*.', description: 'A chapter.', isRequired: false });
  await item('link_task', 4);
  await item('certificate', 5);
  const assignment = await buildAssignment(instance.db, { contentItemId: work.id, title: 'Relay report' });
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/activity/${id}`);
  const facts = page.getByRole('region', { name: 'Session' });
  const [year = '', , day = ''] = today().split('-');
  await expect(facts).toContainText(new RegExp(`Date\\w{3} ${Number(day)} \\w{3} ${year}, 2:00 PM ET`));
  for (const fact of ['2 hours', 'Room 4', 'Grid Academy', 'Hybrid', 'SME-delivered Hybrid', 'notes']) {
    await expect(facts).toContainText(fact);
  }
  await expect(page.getByText('Week 5 · Field Service Engineering')).toBeVisible();
  await expect(page).toHaveTitle('Relay lab · Switchyard');
  const contents = page.getByRole('region', { name: 'Content' });
  await expect(contents.getByRole('heading', { level: 3 })).toHaveText([
    'A video',
    'A reading',
    'A assignment',
    'A link_task',
    'A certificate',
    'A quiz',
  ]);
  await expect(row(page, 'A video')).toContainText(/Video · 12 min · Due .*Required/);
  const kinds = { reading: 'Reading', assignment: 'Assignment', link_task: 'Link task', certificate: 'Certificate' };
  for (const [type, word] of Object.entries(kinds)) {
    await expect(row(page, `A ${type}`).first()).toContainText(`${word} · 30 min`);
  }
  await expect(row(page, 'A video').getByRole('link')).toHaveAttribute('href', 'https://video.example/relays');
  await expect(row(page, 'A reading')).toContainText('A chapter.');
  await expect(row(page, 'A reading')).toContainText('Optional');
  await expect(row(page, 'A reading').getByText('closely')).toBeVisible();
  await expect(row(page, 'A link_task').getByRole('link')).toHaveCount(0);
  await expect(row(page, 'A quiz')).toContainText('Unsupported content');
  await expect(page.getByRole('checkbox', { name: 'Done: A assignment' })).toHaveCount(0);
  const isKept = page.waitForResponse('**/tick');
  await page.getByLabel('Done: A reading').check();
  await isKept;
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByLabel('Done: A reading')).toBeChecked();
  await expect(page.getByLabel('Done: A video')).not.toBeChecked();
  await contents.getByRole('link', { name: 'Relay report' }).click();
  await page.waitForURL(`**/assignment/${assignment.id}`);
});

test('ACT-10 ACT-12 what is missing or fails to load leads back to the calendar, and says why', async ({ page }) => {
  const { participant, session } = await buildMember(instance);
  const stranger = await buildMember(instance);
  const foreign = await stranger.session('Of another cohort', 5, 0);
  const own = await session('Own session', 5, 0);
  await enter(page, instance, participant);
  for (const id of [foreign.id, 'nonsense']) {
    await page.goto(`${instance.url}/activity/${id}`);
    await page.waitForURL('**/training-calendar');
    await expect(toast(page, 'Activity Not Found')).toBeVisible();
  }
  await page.route('**/api/activities/*', (route) => route.abort());
  await page.goto(`${instance.url}/activity/${own.id}`);
  await page.waitForURL('**/training-calendar');
  await expect(toast(page, 'Failed to load activity details')).toContainText('Unable to connect to the server');
});

test('ACT-13 a meeting link can be followed on the day of its session, and not before', async ({ page }) => {
  const { participant, session } = await buildMember(instance);
  const location = 'https://meet.example/room';
  const open = await session('Session of today', 5, 0, { location });
  const early = await session('Session of tomorrow', 5, 1, { location });
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/activity/${open.id}`);
  await expect(page.getByRole('link', { name: 'Join the session' })).toHaveAttribute('href', location);
  await page.goto(`${instance.url}/activity/${early.id}`);
  await expect(page.getByRole('button', { name: 'Join the session' })).toBeDisabled();
  await expect(page.getByText('The link works on the day of the session')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Mark as complete' })).toBeDisabled();
});

test('ACT-14 ACT-15 ACT-17 ACT-18 a completion is sent as documented and shows at once, after a reload and on the calendar', async ({
  page,
}) => {
  const { participant, cohort, session } = await buildMember(instance);
  const { id } = await session('Session of today', 5, 0);
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/activity/${id}`);
  const sent = page.waitForRequest('**/functions/v1/record-attendance');
  const block = page.getByRole('region', { name: 'Complete This Activity' });
  await block.getByRole('button', { name: 'Mark as complete' }).click();
  expect((await sent).method()).toBe('POST');
  expect((await sent).postDataJSON()).toEqual({
    fellow_id: participant.id,
    cohort_id: cohort.id,
    week_number: 5,
    content_type: 'live_session',
    content_id: id,
    duration_minutes: 60,
  });
  await expect(toast(page, 'Activity Completed')).toHaveAttribute('data-toast', 'success');
  await expect(block.getByText('Completed', { exact: true })).toBeVisible();
  await page.reload();
  await expect(block.getByText('Completed', { exact: true })).toBeVisible();
  await expect(block.getByRole('button', { name: 'Mark as complete' })).toHaveCount(0);
  await page.goto(`${instance.url}/training-calendar?view=list`);
  await expect(row(page, 'Session of today').getByText('Completed', { exact: true })).toBeVisible();
});

test('ACT-16 a completion that fails says why, and nothing is recorded', async ({ page }) => {
  const participant = await buildParticipant(instance.db, { trackType: 'self_learner' });
  const unassigned = await buildActivity(instance.db, { sessionDate: today() });
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/activity/${unassigned.id}`);
  await page.getByRole('button', { name: 'Mark as complete' }).click();
  await expect(toast(page, 'Completion Failed')).toContainText('You have no active cohort');

  const cohort = await buildCohort(instance.db, { startDate: addDays(today(), -2) });
  await enrol(instance.db, { cohortId: cohort.id, participantId: participant.id });
  await page.reload();
  await page.route('**/functions/v1/record-attendance', (route) => route.abort());
  await page.getByRole('button', { name: 'Mark as complete' }).click();
  await expect(toast(page, 'Completion Failed')).toContainText('Unable to connect to the server');
  await page.unroute('**/functions/v1/record-attendance');
  await page.route('**/functions/v1/record-attendance', (route) => route.fulfill({ status: 500, body: 'broken' }));
  await page.getByRole('button', { name: 'Mark as complete' }).click();
  await expect(toast(page, 'Completion Failed').filter({ hasText: 'Something went wrong (500).' })).toBeVisible();
  await page.unroute('**/functions/v1/record-attendance');
  await pressAsSessionEnds(page, page.getByRole('button', { name: 'Mark as complete' }), `**${recordAttendance.path}`);
  await expect(toast(page, 'Completion Failed').filter({ hasText: 'Not authenticated' })).toBeVisible();
  const recorded = await instance.db
    .selectFrom('attendanceRecords')
    .select('id')
    .where('fellowId', '=', participant.id)
    .execute();
  expect(recorded).toEqual([]);
  await instance.db.deleteFrom('trainingActivities').where('id', '=', unassigned.id).execute();
});

test('on a phone the calendar opens as a list, and every screen fits, in light and dark', async ({ page }) => {
  const { participant, session } = await buildMember(instance);
  const { id } = await session('A session with a name that is much longer than a phone is wide', 5, 0, {
    moduleName: 'Policy (Safety, Justice, and Incentives)',
    location: 'https://meet.example/a-very-long-address-that-does-not-break-anywhere-at-all',
  });
  await page.setViewportSize({ width: 360, height: 740 });
  await enter(page, instance, participant);
  for (const place of ['/training-calendar', `/activity/${id}`, '/fellowship', '/training-calendar?view=calendar']) {
    await page.goto(`${instance.url}${place}`);
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
    if (place === '/training-calendar') await expect(page.getByRole('columnheader')).toHaveCount(0);
    await expectAccessibleInBothColours(page);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, place).toBeLessThanOrEqual(0);
  }
});
