import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readFellowship } from '#contract/fellowship.ts';
import { reviewSubmission } from '#contract/reviews.ts';
import { submitAssignment } from '#contract/submissions.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildModule, buildTrack } from '#test/factories/curriculum.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend as attendAll, buildWeekActivities } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { followProgress, recomputeProgress } from './progress-derivation.ts';

let app: TestApp;
let restoreClock: () => void;
let versions = 0;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  restoreClock = stopClockAt('2025-10-06T14:00:00Z');
});
afterEach(() => restoreClock());

/** A member of a cohort with its own curriculum. */
async function member() {
  versions += 1;
  const cohort = await buildCohort(app.db, { curriculumVersion: `version ${versions}` });
  const participant = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: participant.id });
  const module = await buildModule(app.db, { curriculumVersion: cohort.curriculumVersion });
  const activity = (facts: object = {}) =>
    buildActivity(app.db, { cohortId: cohort.id, moduleName: module.title, ...facts });
  return { cohort, participant, module, activity, client: await app.as(participant) };
}

type Member = Awaited<ReturnType<typeof member>>;

async function attend({ participant, cohort }: Member, activityId: string, accessedAt = '2025-09-30T15:00:00Z') {
  await app.db
    .insertInto('attendanceRecords')
    .values({ fellowId: participant.id, cohortId: cohort.id, contentId: activityId, weekNumber: 1, accessedAt })
    .execute();
}

async function submit({ participant }: Member, assignmentId: string, status: string) {
  const reviewer = await buildParticipant(app.db);
  const reviewed = status === 'submitted' ? {} : { reviewedBy: reviewer.id, reviewedAt: '2025-10-01T12:00:00Z' };
  await app.db
    .insertInto('contentSubmissions')
    .values({ assignmentId, userId: participant.id, submissionText: 'Done', status, ...reviewed })
    .onConflict((conflict) => conflict.columns(['assignmentId', 'userId']).doUpdateSet({ status, ...reviewed }))
    .execute();
}

async function recomputed({ participant, cohort }: Member) {
  await recomputeProgress(app.db, [participant.id], cohort.id);
  return app.db
    .selectFrom('participantProgress')
    .selectAll()
    .where('participantId', '=', participant.id)
    .executeTakeFirstOrThrow();
}

test('TRACK-13 a module is complete when its required activities are attended and its assignments accepted', async () => {
  const person = await member();
  const first = await person.activity();
  const optional = await person.activity({ isRequired: false });
  await person.activity({ applicableFellowship: false, applicableAmp: true });
  const assignment = await buildAssignment(app.db, { trainingActivityId: optional.id });
  await buildAssignment(app.db, { trainingActivityId: first.id, isRequired: false });
  await buildAssignment(app.db, { trainingActivityId: first.id, archivedAt: '2025-09-20T00:00:00Z' });
  expect(await recomputed(person)).toMatchObject({ totalModules: 1, completedModules: 0, lastActivityDate: null });

  await attend(person, first.id);
  expect(await recomputed(person)).toMatchObject({ completedModules: 0, overallCompletionPercentage: 50 });
  await submit(person, assignment.id, 'submitted');
  expect(await recomputed(person)).toMatchObject({ completedModules: 0, overallCompletionPercentage: 50 });
  await submit(person, assignment.id, 'needs_revision');
  expect(await recomputed(person)).toMatchObject({ completedModules: 0, overallCompletionPercentage: 50 });
  await submit(person, assignment.id, 'accepted');
  expect(await recomputed(person)).toMatchObject({
    completedModules: 1,
    coreModulesCompleted: 1,
    specializationModulesCompleted: 0,
    overallCompletionPercentage: 100,
    status: 'ahead',
  });
  const { coreModules, modules } = await person.client.call(readFellowship);
  expect(coreModules).toEqual({ completed: 1, total: 1 });
  expect(modules).toMatchObject([{ id: person.module.id, isCompleted: true }]);

  await app.db.deleteFrom('attendanceRecords').where('fellowId', '=', person.participant.id).execute();
  expect(await recomputed(person)).toMatchObject({ completedModules: 0, overallCompletionPercentage: 50 });
});

test('a module without anything required is not complete; one set by hand is, with all it contains', async () => {
  const person = await member();
  expect(await recomputed(person)).toMatchObject({
    totalModules: 1,
    completedModules: 0,
    overallCompletionPercentage: 0,
  });
  await person.activity();
  await buildActivity(app.db, { cohortId: person.cohort.id });
  await app.db
    .insertInto('participantModuleCompletions')
    .values({
      participantId: person.participant.id,
      cohortId: person.cohort.id,
      moduleId: person.module.id,
      setBy: (await buildCoach(app.db)).id,
      note: 'Certified before',
    })
    .execute();
  expect(await recomputed(person)).toMatchObject({ completedModules: 1, overallCompletionPercentage: 50 });
});

test('the modules of the chosen track count, those of other tracks do not', async () => {
  const person = await member();
  const { curriculumVersion } = person.cohort;
  const chosen = await buildTrack(app.db);
  const other = await buildTrack(app.db);
  const specialization = { curriculumVersion, moduleType: 'specialization' };
  const own = await buildModule(app.db, { ...specialization, specializationTrackId: chosen.id });
  await buildModule(app.db, { ...specialization, specializationTrackId: other.id });
  expect(await recomputed(person)).toMatchObject({ totalModules: 1 });
  await app.db
    .insertInto('trackSelections')
    .values({
      participantId: person.participant.id,
      cohortId: person.cohort.id,
      specializationTrackId: chosen.id,
    })
    .execute();
  const lesson = await person.activity({ moduleName: own.title });
  await attend(person, lesson.id);
  expect(await recomputed(person)).toMatchObject({
    totalModules: 2,
    completedModules: 1,
    coreModulesCompleted: 0,
    specializationModulesCompleted: 1,
  });
});

test.each([
  { done: 0, of: 10, percentage: 0, status: 'at_risk' },
  { done: 99, of: 1000, percentage: 9.9, status: 'at_risk' },
  { done: 1, of: 10, percentage: 10, status: 'behind' },
  { done: 249, of: 1000, percentage: 24.9, status: 'behind' },
  { done: 5, of: 20, percentage: 25, status: 'on_track' },
  { done: 15, of: 20, percentage: 75, status: 'on_track' },
  { done: 751, of: 1000, percentage: 75.1, status: 'ahead' },
])('TRACK-14 $percentage % is $status', async ({ done, of, percentage, status }) => {
  const person = await member();
  const activities = await buildWeekActivities(app.db, of, { cohortId: person.cohort.id });
  await attendAll(app.db, person.participant.id, activities.slice(0, done));
  expect(await recomputed(person)).toMatchObject({ overallCompletionPercentage: percentage, status });
  expect((await person.client.call(readFellowship)).progress).toMatchObject({ overallPercentage: percentage, status });
});

test('TRACK-14 a person who has no progress row is on track', async () => {
  const { client } = await member();
  expect((await client.call(readFellowship)).progress.status).toBe('on_track');
});

test('TRACK-13 days ahead or behind compare what is done with the days that have passed; the last day is a US Eastern one', async () => {
  const person = await member();
  const first = await person.activity();
  await person.activity();
  await attend(person, first.id, '2025-10-02T02:30:00Z');
  const days = 110;
  expect(await recomputed(person)).toMatchObject({ daysAheadBehind: days / 2 - 28, lastActivityDate: '2025-10-01' });

  // A reader gets today's days, even if nothing has happened since.
  const restore = stopClockAt('2025-10-13T14:00:00Z');
  const { progress } = await person.client.call(readFellowship).finally(restore);
  expect(progress.daysAheadBehind).toBe(days / 2 - 35);
});

test('many participants are recomputed at once, in all their active cohorts', async () => {
  const people = [await member(), await member()];
  for (const person of people) await attend(person, (await person.activity()).id);
  const participantIds = people.map(({ participant }) => participant.id);
  await followProgress(app.db, participantIds, []);
  for (const { client } of people) {
    expect((await client.call(readFellowship)).progress).toMatchObject({ overallPercentage: 100, status: 'ahead' });
  }
});

test('TRACK-13 progress has followed a review when its answer comes', async () => {
  const person = await member();
  const taught = await person.activity({ isRequired: false });
  const params = { id: (await buildAssignment(app.db, { trainingActivityId: taught.id })).id };
  const body = { text: 'Done', fileId: null, basedOnRound: null };
  const { id } = await person.client.call(submitAssignment, { params, body });
  expect((await person.client.call(readFellowship)).coreModules).toEqual({ completed: 0, total: 1 });
  const coach = await app.as(await buildCoach(app.db));
  const review = { status: 'accepted', feedback: 'Well seen.', roundNumber: 1 } as const;
  await coach.call(reviewSubmission, { params: { id }, body: review });
  expect(await person.client.call(readFellowship)).toMatchObject({
    coreModules: { completed: 1, total: 1 },
    progress: { overallPercentage: 100 },
  });
});
