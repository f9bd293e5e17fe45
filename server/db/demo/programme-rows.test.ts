import { afterAll, beforeAll, expect, test } from 'vitest';
import { readActivityContent } from '#contract/activities.ts';
import { readActivity } from '#contract/learning.ts';
import { createCohort } from '#server/features/cohorts/cohorts.ts';
import { buildAdmin, buildCoach } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import {
  insertAssignments,
  insertContentItems,
  insertModules,
  insertTracks,
  insertTrainingActivities,
  insertWeeklyRequirements,
} from './programme-rows.ts';

let app: TestApp;
const autumn = { name: 'Autumn', startDate: '2025-09-08', endDate: '2025-12-26', programType: 'fellowship' };

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('a whole programme is written in sets, in the given order, and all of it is in the log', async () => {
  const admin = await buildAdmin(app.db);
  const author = { id: admin.id, role: 'admin' as const };
  const cohortId = await createCohort(app.db, author, autumn);
  const [trackId] = await insertTracks(app.db, author, [{ name: 'Solar Operations' }]);
  await insertModules(app.db, author, [
    { title: 'Case Management', moduleType: 'core' },
    { title: 'Inverters', moduleType: 'specialization', specializationTrackId: trackId },
  ]);
  const activityIds = await insertTrainingActivities(
    app.db,
    author,
    [1, 2, 3].map((weekNumber) => ({ title: `Week ${weekNumber}`, weekNumber, cohortId, applicableFellowship: true })),
  );
  const itemIds = await insertContentItems(
    app.db,
    author,
    activityIds.map((trainingActivityId) => ({ trainingActivityId, title: 'Report', contentType: 'assignment' })),
  );
  await insertAssignments(
    app.db,
    author,
    itemIds.map((contentItemId, index) => ({ contentItemId, title: `Report ${index + 1}`, instructions: 'Write.' })),
  );
  await insertWeeklyRequirements(app.db, author, [{ cohortId, title: 'Quiz', type: 'quiz', dueDate: '2025-09-12' }]);

  const client = await app.as(admin);
  for (const [index, id] of activityIds.entries()) {
    const activity = await client.call(readActivity, { params: { id } });
    expect(activity).toMatchObject({ title: `Week ${index + 1}`, cohortName: 'Autumn' });
    const { items } = await client.call(readActivityContent, { params: { id } });
    expect(items[0]?.assignments[0]?.title).toBe(`Report ${index + 1}`);
  }
  const audited = await app.db.selectFrom('auditLog').select(['action', 'subjectId']).execute();
  const subjectsOf = (action: string) => audited.filter((row) => row.action === action).map((row) => row.subjectId);
  expect(subjectsOf('cohort.create')).toEqual([cohortId]);
  expect(subjectsOf('activity.create').sort()).toEqual(activityIds.sort());
  expect(subjectsOf('content.create').sort()).toEqual(itemIds.sort());
  expect(subjectsOf('track.create')).toEqual([trackId]);
  const counts = ['module.create', 'assignment.create', 'requirement.create'].map((name) => subjectsOf(name).length);
  expect(counts).toEqual([2, 3, 1]);
});

test('nobody but an admin makes a cohort; of nothing nothing is written', async () => {
  const coach = await buildCoach(app.db);
  const author = { id: coach.id, role: 'coach' as const };
  await expect(createCohort(app.db, author, { ...autumn, name: 'Winter' })).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(await insertTracks(app.db, null, [])).toEqual([]);
});
