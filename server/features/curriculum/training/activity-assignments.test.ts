import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { readTrainingCalendar } from '#contract/learning.ts';
import {
  type ActivitySelection,
  assignActivities,
  listTrainingActivities,
  previewActivityAssignment,
  updateTrainingActivity,
} from '#contract/training-activities.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend } from '#test/factories/stipends.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
let admin: Client;
beforeAll(async () => {
  server = await startTestApp();
  await server.runJobs();
});
afterAll(() => server.close());
beforeEach(async () => {
  admin = await server.as(await buildAdmin(server.db));
});

function cohortsOf(ids: string[]) {
  return server.db
    .selectFrom('trainingActivities')
    .select(['id', 'cohortId', 'calendarSequence'])
    .where('id', 'in', ids)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

function assign(selection: ActivitySelection, cohortId: string, expected: number) {
  return admin.call(assignActivities, { body: { selection, cohortId, expected } });
}

test('TRAIN-20 TRAIN-22 one step puts all selected activities into one cohort, whatever they were in, with one record each', async () => {
  const { db } = server;
  const [earlier, target] = [await buildCohort(db), await buildCohort(db)];
  const ids = [];
  for (const cohortId of [null, earlier.id, target.id]) ids.push((await buildActivity(db, { cohortId })).id);
  const untouched = await buildActivity(db, { cohortId: earlier.id });
  const reply = await assign({ ids }, target.id, 3);
  expect(reply).toEqual({ activities: 3, changed: 2, cohortName: target.name });
  expect(await cohortsOf([...ids, untouched.id])).toEqual([
    { id: ids[0], cohortId: target.id, calendarSequence: 1 },
    { id: ids[1], cohortId: target.id, calendarSequence: 1 },
    { id: ids[2], cohortId: target.id, calendarSequence: 0 },
    { id: untouched.id, cohortId: earlier.id, calendarSequence: 0 },
  ]);
  const { rows } = await admin.call(listTrainingActivities, { query: { cohort: target.id } });
  expect(rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  const trail = await db
    .selectFrom('auditLog')
    .select(['subjectId', 'before', 'after'])
    .where('action', '=', 'activity.assign')
    .where('subjectId', 'in', ids)
    .execute();
  expect(trail).toHaveLength(2);
  expect(trail).toContainEqual({
    subjectId: ids[1],
    before: { cohortId: earlier.id },
    after: { cohortId: target.id },
  });
});

test('TRAIN-07 everything under the filters is assigned, also what was never loaded, but not what was taken out', async () => {
  const { db } = server;
  const [source, target] = [await buildCohort(db), await buildCohort(db)];
  const title = `Set ${newId()}`;
  await db
    .insertInto('trainingActivities')
    .values(Array.from({ length: 130 }, (_, index) => ({ title, weekNumber: 1 + (index % 2), cohortId: source.id })))
    .execute();
  const filters = { search: title, week: 2, cohort: source.id };
  const [first] = (await admin.call(listTrainingActivities, { query: filters })).rows;
  const selection = { filters, except: [first?.id ?? ''] };
  const preview = await admin.call(previewActivityAssignment, { body: { selection, cohortId: target.id } });
  expect(preview).toMatchObject({ activities: 64, replaced: 64, unchanged: 0 });
  // They are for who asks, the cohort, the lock, the write, the record, whom it concerns, and the job.
  const statements = await countStatements(server.app.pool, () => assign(selection, target.id, 64));
  expect(statements).toBeLessThanOrEqual(10);
  const counts = async (cohort: string) =>
    (await admin.call(listTrainingActivities, { query: { search: title, cohort } })).matching;
  expect([await counts(source.id), await counts(target.id)]).toEqual([66, 64]);
});

test('what hangs on the activities is said first, and stays', async () => {
  const { db } = server;
  const [cohort, target] = [await buildCohort(db), await buildCohort(db)];
  const participant = await buildParticipant(db);
  await enrol(db, { cohortId: cohort.id, participantId: participant.id });
  const activity = await buildActivity(db, { cohortId: cohort.id });
  const assignment = await buildAssignment(db, { trainingActivityId: activity.id });
  const submission = await buildSubmission(db, { assignmentId: assignment.id, userId: participant.id });
  await attend(db, participant.id, [activity]);
  const unassigned = await buildActivity(db);
  const body = { selection: { ids: [activity.id, unassigned.id] }, cohortId: target.id };
  expect(await admin.call(previewActivityAssignment, { body })).toEqual({
    activities: 2,
    replaced: 1,
    unchanged: 0,
    attendances: 1,
    submissions: 1,
  });
  expect(await cohortsOf([activity.id])).toMatchObject([{ cohortId: cohort.id }]);
  await assign(body.selection, target.id, 2);
  const kept = await db
    .selectFrom('attendanceRecords')
    .select('cohortId')
    .where('contentId', '=', activity.id)
    .execute();
  expect(kept).toEqual([{ cohortId: cohort.id }]);
  const work = await db.selectFrom('contentSubmissions').select('id').where('id', '=', submission.id).execute();
  expect(work).toHaveLength(1);
});

test('TRAIN-21 TRAIN-23 TRAIN-24 without activities, without a cohort, with a finished cohort or with others than were seen nothing is written', async () => {
  const { db } = server;
  const [cohort, finished] = [await buildCohort(db), await buildCohort(db, { status: 'completed' })];
  const { id } = await buildActivity(db);
  const gone = newId();
  const attempts: [object, number, string][] = [
    [{ selection: { ids: [] }, cohortId: cohort.id, expected: 0 }, 422, ''],
    [{ selection: { ids: [id] }, expected: 1 }, 422, ''],
    [{ selection: { ids: [id] }, cohortId: newId(), expected: 1 }, 422, 'This cohort no longer exists'],
    [{ selection: { ids: [id] }, cohortId: finished.id, expected: 1 }, 409, 'is completed'],
    [{ selection: { ids: [id, gone] }, cohortId: cohort.id, expected: 2 }, 409, 'there are now 1 instead of 2'],
  ];
  for (const [body, expectedStatus, words] of attempts) {
    const { status, problem } = await admin.refused(assignActivities, { body: body as never });
    expect({ body, status }).toEqual({ body, status: expectedStatus });
    expect(problem.detail).toContain(words);
  }
  expect(await cohortsOf([id])).toEqual([{ id, cohortId: null, calendarSequence: 0 }]);
});

test('SEC1-18 neither coaches nor participants assign activities', async () => {
  const cohort = await buildCohort(server.db);
  const { id } = await buildActivity(server.db);
  const body = { selection: { ids: [id] }, cohortId: cohort.id, expected: 1 };
  for (const person of [await buildCoach(server.db), await buildParticipant(server.db)]) {
    const client = await server.as(person);
    expect((await client.refused(assignActivities, { body })).status).toBe(403);
    expect((await client.refused(previewActivityAssignment, { body })).status).toBe(403);
  }
  expect(await cohortsOf([id])).toMatchObject([{ cohortId: null }]);
});

test('a person who is taught an activity sees it, and progress follows, when it comes to another cohort or day', async () => {
  const { db } = server;
  const [left, right] = [await buildCohort(db), await buildCohort(db)];
  const [lena, rosa] = [await buildParticipant(db), await buildParticipant(db)];
  await enrol(db, { cohortId: left.id, participantId: lena.id });
  await enrol(db, { cohortId: right.id, participantId: rosa.id });
  const attended = await buildActivity(db, { cohortId: left.id });
  const moved = await buildActivity(db, { cohortId: left.id, sessionDate: '2025-09-10' });
  await attend(db, lena.id, [attended]);
  const percentage = (person: { id: string }) =>
    db
      .selectFrom('participantProgress')
      .select('overallCompletionPercentage')
      .where('participantId', '=', person.id)
      .executeTakeFirst()
      .then((row) => (row ? Number(row.overallCompletionPercentage) : null));
  const [ofLena, ofRosa] = [await server.as(lena), await server.as(rosa)];
  const sees = async (client: Client) =>
    (await client.call(readTrainingCalendar, { query: {} })).activities.find(({ id }) => id === moved.id)?.sessionDate;
  expect([await sees(ofLena), await sees(ofRosa)]).toEqual(['2025-09-10', undefined]);

  await assign({ ids: [moved.id] }, right.id, 1);
  const otherDay = {
    title: moved.title,
    deliveryPartner: null,
    trainingDeliveryMode: null,
    deliveryMedium: null,
    weekNumber: 2,
    location: null,
    duration: null,
    sessionDate: '2025-09-17',
    moduleName: null,
    cohortId: right.id,
    version: 1,
  };
  await admin.call(updateTrainingActivity, { params: { id: moved.id }, body: otherDay });
  expect([await sees(ofLena), await sees(ofRosa)]).toEqual([undefined, '2025-09-17']);
  expect(await cohortsOf([moved.id])).toMatchObject([{ calendarSequence: 2 }]);
  await vi.waitFor(
    async () => {
      expect(await percentage(rosa)).toBe(0);
      expect(await percentage(lena)).toBeGreaterThan(0);
    },
    { interval: 50 },
  );
});
