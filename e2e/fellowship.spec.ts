import { buildModule, buildTrack } from '#test/factories/curriculum.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { buildMember, enter } from './learning-people.ts';
import { type InstanceWithDatabase, startInstanceWithDatabase } from './own-database.ts';
import { expect, expectAccessible, test } from './support.ts';

let instance: InstanceWithDatabase;

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('admin@people.example');
});
test.afterAll(() => instance.stop());

test('FELL-01 FELL-02 FELL-03 FELL-04 FELL-05 FELL-06 the fellowship page shows cohort, progress, modules, track and what to open', async ({
  page,
}) => {
  const { participant, cohort } = await buildMember(instance);
  const version = { curriculumVersion: cohort.curriculumVersion };
  const module = await buildModule(instance.db, { ...version, title: 'Case Management' });
  await buildModule(instance.db, { ...version, title: 'Mock Interviews', orderIndex: 2 });
  const track = await buildTrack(instance.db, {
    name: 'Solar Operations',
    description: 'Field work.',
    durationWeeks: 6,
  });
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/fellowship`);
  await expect(page.getByRole('heading', { level: 1, name: 'Fellowship Program' })).toBeVisible();
  const card = page.getByRole('region', { name: cohort.name });
  for (const fact of ['Sixteen weeks of grid work.', '1/30', 'Active', cohort.startDate.slice(0, 4)]) {
    await expect(card).toContainText(fact);
  }
  const progress = page.getByRole('region', { name: 'Progress' });
  await expect(progress).toContainText('0%');
  await expect(progress).toContainText('On track');
  const tracks = page.getByRole('region', { name: 'Specialization track' });
  await expect(tracks).toContainText('Solar Operations');
  await expect(tracks).toContainText('6 weeks');
  await expect(tracks).toContainText('0 of 2 so far');
  await expectAccessible(page);

  const membership = { participantId: participant.id, cohortId: cohort.id };
  await instance.db
    .insertInto('participantModuleCompletions')
    .values({ ...membership, moduleId: module.id })
    .execute();
  await instance.db
    .insertInto('participantProgress')
    .values({
      ...membership,
      totalModules: 2,
      completedModules: 1,
      coreModulesCompleted: 1,
      overallCompletionPercentage: 23,
      status: 'behind',
    })
    .execute();
  await instance.db
    .insertInto('trackSelections')
    .values({ ...membership, specializationTrackId: track.id, isLocked: true, lockedAt: new Date() })
    .execute();
  await page.reload();
  await expect(progress).toContainText('23%');
  await expect(progress).toContainText('Behind');
  await expect(page.getByRole('meter', { name: 'Completed core modules' })).toHaveAttribute('aria-valuenow', '50');
  await expect(page.getByRole('region', { name: 'Core modules' })).toContainText('1 of 2');
  await expect(tracks.getByText('Locked')).toBeVisible();
  await expect(tracks).toContainText('Solar Operations');
  await page.getByRole('region', { name: 'Quick actions' }).getByRole('link', { name: 'My Files' }).click();
  await page.waitForURL('**/fellowship/modules');
  await page.goBack();
  await page.getByRole('region', { name: 'Quick actions' }).getByRole('link', { name: 'Submissions' }).click();
  await page.waitForURL('**/submissions');
});

test('FELL-07 FELL-10 without a cohort there is No Active Fellowship; a failure names its reason', async ({ page }) => {
  await enter(page, instance, await buildParticipant(instance.db));
  await page.goto(`${instance.url}/fellowship`);
  await expect(page.getByRole('heading', { name: 'No Active Fellowship' })).toBeVisible();
  await page.route('**/api/fellowship', (route) => route.abort());
  await page.reload();
  await expect(
    page.getByText('Failed to load fellowship data: Unable to connect to the server.', { exact: false }),
  ).toBeVisible();
});
