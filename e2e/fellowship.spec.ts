import { assignCoach } from '#test/factories/cohorts.ts';
import { buildModule, buildTrack } from '#test/factories/curriculum.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { withoutNotes } from '#test/support/without-notes.ts';
import { expectAccessible } from './axe.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { buildMember, enter } from './learning-people.ts';
import { startInstanceWithDatabase } from './own-database.ts';
import { expect, test } from './support.ts';

let instance: InstanceWithDatabase;

test.beforeAll(async () => {
  instance = await startInstanceWithDatabase('admin@people.example');
});
test.afterAll(() => instance.stop());

test('FELL-01 FELL-02 FELL-03 FELL-04 FELL-05 FELL-06 the fellowship page shows cohort, progress, modules, track and what to open', async ({
  page,
}) => {
  const { participant, cohort, module, track } = await withoutNotes(instance.db, async (db) => {
    const member = await buildMember({ db });
    const version = { curriculumVersion: member.cohort.curriculumVersion };
    const module = await buildModule(db, { ...version, title: 'Case Management' });
    await buildModule(db, { ...version, title: 'Mock Interviews', orderIndex: 2 });
    const track = await buildTrack(db, { name: 'Solar Operations', description: 'Field work.', durationWeeks: 6 });
    return { ...member, module, track };
  });
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/fellowship`);
  await expect(page.getByRole('heading', { level: 1, name: 'Fellowship Program' })).toBeVisible();
  const card = page.getByRole('region', { name: cohort.name });
  const starts = `Starts${inWords(cohort.startDate)}`;
  const ends = `Ends${inWords(cohort.endDate)}`;
  for (const fact of ['Sixteen weeks of grid work.', '1/30', 'Active', starts, ends]) {
    await expect(card).toContainText(fact);
  }
  const progress = page.getByRole('region', { name: 'Progress' });
  await expect(progress).toContainText('0%');
  await expect(progress).toContainText('Nothing counted yet');
  const tracks = page.getByRole('region', { name: 'Specialization track' });
  await expect(tracks).toContainText('Solar Operations');
  await expect(tracks).toContainText('6 weeks');
  await expect(tracks).toContainText('0 of 2 so far');
  await expectAccessible(page);

  const membership = { participantId: participant.id, cohortId: cohort.id };
  await withoutNotes(instance.db, async (db) => {
    await db
      .insertInto('participantModuleCompletions')
      .values({ ...membership, moduleId: module.id })
      .execute();
    await db
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
    await db
      .insertInto('trackSelections')
      .values({ ...membership, specializationTrackId: track.id, isLocked: true, lockedAt: new Date() })
      .execute();
  });
  await page.reload();
  await expect(progress).toContainText('23%');
  await expect(progress).toContainText('Status: 10% to 25% complete.');
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

test('TRACK-01 TRACK-03 TRACK-04 TRACK-06 TRACK-07 TRACK-08 TRACK-09 a track is refused too early, then chosen, changed and locked', async ({
  page,
}) => {
  const { participant, cohort } = await buildMember(instance);
  const version = { curriculumVersion: cohort.curriculumVersion };
  const core = await buildModule(instance.db, { ...version, title: 'Case Management' });
  const grid = await buildTrack(instance.db, { name: 'Grid Modeling', description: 'Load flow.', durationWeeks: 6 });
  await buildModule(instance.db, {
    ...version,
    moduleType: 'specialization',
    specializationTrackId: grid.id,
    title: 'Power Flow',
  });
  const wind = await buildTrack(instance.db, { name: 'Wind Operations' });
  await enter(page, instance, participant);
  await page.goto(`${instance.url}/fellowship`);
  const panel = page.getByRole('region', { name: 'Specialization track' });
  const dialog = page.getByRole('dialog');
  await panel.getByRole('button', { name: 'Select Grid Modeling' }).click();
  await expect(dialog.getByRole('listitem')).toHaveText(['Power Flow']);
  await dialog.getByLabel('Notes (optional)').fill('I like numbers.');
  await dialog.getByRole('button', { name: 'Select track' }).click();
  const failure = page.getByRole('alert').filter({ hasText: 'Selection Failed' });
  await expect(failure).toContainText('Cannot select specialization. Complete all core modules first. (0/1 completed)');
  await expect(dialog.getByLabel('Notes (optional)')).toHaveValue('I like numbers.');
  await expectAccessible(page);

  await instance.db
    .insertInto('participantModuleCompletions')
    .values({
      participantId: participant.id,
      cohortId: cohort.id,
      moduleId: core.id,
      setBy: (await buildCoach(instance.db)).id,
    })
    .execute();
  await dialog.getByRole('button', { name: 'Select track' }).click();
  await expect(dialog).toBeHidden();
  await expect(panel.getByText('Selected', { exact: true })).toBeVisible();
  await expect(panel.getByRole('heading')).toBeFocused();
  await expect(panel).toContainText('Your notes: I like numbers.');
  await expect(panel.getByRole('listitem')).toHaveText([/^Power Flow/]);

  await panel.getByRole('button', { name: 'Change track' }).click();
  await panel.getByRole('button', { name: 'Select Wind Operations' }).click();
  await dialog.getByRole('button', { name: 'Select track' }).click();
  await expect(dialog).toBeHidden();
  await expect(panel).toContainText('Wind Operations');
  await expect(panel).not.toContainText('Grid Modeling');

  await panel.getByRole('button', { name: 'Confirm and lock' }).click();
  await expect(dialog).toContainText('Wind Operations will be final');
  await dialog.getByRole('button', { name: 'Lock track' }).click();
  await expect(panel.getByText('Locked', { exact: true })).toBeVisible();
  await expect(panel.getByRole('heading')).toBeFocused();
  await page.reload();
  await expect(panel).toContainText(wind.name);
  await expect(panel.getByRole('button')).toHaveCount(0);
});

test('TRACK-15 TRACK-16 a coach finds the own participants by progress and sets a module as complete, with a note', async ({
  page,
}) => {
  const { participant, coach } = await withoutNotes(instance.db, async (db) => {
    const { participant, cohort } = await buildMember({ ...instance, db });
    const coach = await buildCoach(db);
    await assignCoach(db, { participantId: participant.id, coachId: coach.id });
    await buildModule(db, { curriculumVersion: cohort.curriculumVersion, title: 'Case Management' });
    return { participant, coach };
  });
  await enter(page, instance, coach);
  await page.goto(`${instance.url}/dashboard`);
  await page.getByRole('link', { name: 'Cohort progress', exact: true }).click();
  await page.waitForURL('**/cohort-progress');
  const name = `${participant.firstName} ${participant.lastName}`;
  const row = page.getByRole('row').filter({ hasText: participant.email });
  await expect(row).toContainText('0%');
  await expect(row).toContainText('Nothing counted yet');
  await row.getByRole('button', { name }).click();
  await page.waitForURL(`**/cohort-progress?member=${participant.id}`);
  const dialog = page.getByRole('dialog', { name });
  await dialog.getByRole('button', { name: 'Set as complete: Case Management' }).click();
  await dialog.getByRole('button', { name: 'Set as complete', exact: true }).click();
  await expect(dialog.getByText('Please say why.')).toBeVisible();
  await expect(dialog.getByLabel('Why is it complete?')).toBeFocused();
  await page.keyboard.type('Certified before');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Discard your changes?' }).getByRole('button', { name: 'Cancel' }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Set as complete', exact: true }).click();
  await expect(dialog.getByRole('listitem')).toContainText(/Completed .*: Certified before/);
  await expect(dialog.getByRole('button', { name: 'Take back: Case Management' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(row).toContainText('1 of 1 modules');
  await page.getByLabel('Search').fill('nobody of this name');
  await expect(page.getByRole('heading', { name: 'Nobody matches' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(row).toBeVisible();
});

/** Formats a day as 'Mon 19 Oct 2026'. */
function inWords(day: string): string {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat('en-GB', parts).format(new Date(day)).replace(',', '');
}
