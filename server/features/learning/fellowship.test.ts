import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFellowship } from '#contract/fellowship.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildModule, buildTrack } from '#test/factories/curriculum.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('FELL-03 FELL-08 of several active memberships the cohort that started last is the own one', async () => {
  const participant = await buildParticipant(app.db);
  const earlier = await buildCohort(app.db, { startDate: '2025-03-03' });
  const latest = await buildCohort(app.db, { startDate: '2025-09-08', description: 'Autumn', capacity: 30 });
  const left = await buildCohort(app.db, { startDate: '2026-01-05' });
  for (const { id } of [latest, earlier, left]) {
    await enrol(app.db, { cohortId: id, participantId: participant.id });
  }
  await app.db
    .updateTable('cohortParticipants')
    .set({ status: 'withdrawn' })
    .where('participantId', '=', participant.id)
    .where('cohortId', '=', left.id)
    .execute();
  const client = await app.as(participant);
  const { cohort, progress } = await client.call(readFellowship);
  expect(cohort).toEqual({
    id: latest.id,
    name: latest.name,
    description: 'Autumn',
    startDate: '2025-09-08',
    endDate: latest.endDate,
    currentEnrollment: 1,
    capacity: 30,
    status: 'active',
  });
  expect(progress).toEqual({ overallPercentage: 0, status: 'on_track', daysAheadBehind: null });
});

test("only the core modules of the cohort's curriculum and the chosen track's modules are shown", async () => {
  const participant = await buildParticipant(app.db);
  const cohort = await buildCohort(app.db, { curriculumVersion: 'autumn' });
  await enrol(app.db, { cohortId: cohort.id, participantId: participant.id });
  const track = await buildTrack(app.db, { name: 'B track', description: 'Power', durationWeeks: 6 });
  await buildTrack(app.db, { name: 'A track' });
  await buildTrack(app.db, { name: 'C track', isActive: false });
  const second = await buildModule(app.db, { curriculumVersion: 'autumn', orderIndex: 2 });
  const first = await buildModule(app.db, { curriculumVersion: 'autumn', orderIndex: 1 });
  await buildModule(app.db, { curriculumVersion: 'spring' });
  const special = await buildModule(app.db, {
    curriculumVersion: 'autumn',
    moduleType: 'specialization',
    specializationTrackId: track.id,
  });
  const client = await app.as(participant);
  const before = await client.call(readFellowship);
  expect(before.modules.map(({ id }) => id)).toEqual([first.id, second.id]);
  expect(before.tracks.map(({ name }) => name)).toEqual(['A track', 'B track']);
  expect(before.selection).toBeNull();

  await app.db
    .insertInto('trackSelections')
    .values({
      participantId: participant.id,
      cohortId: cohort.id,
      specializationTrackId: track.id,
      selectedAt: '2025-10-01T12:00:00Z',
    })
    .execute();
  const after = await client.call(readFellowship);
  expect(after.selection).toMatchObject({
    trackId: track.id,
    track: { id: track.id, name: 'B track', description: 'Power', durationWeeks: 6 },
    notes: null,
    isLocked: false,
    selectedAt: '2025-10-01T12:00:00.000Z',
  });
  expect(after.modules.map(({ id }) => id)).toEqual([first.id, second.id, special.id]);
  expect(after.coreModules).toEqual({ completed: 0, total: 2 });
});

test('FELL-09 the courses are those in which the participant is enrolled', async () => {
  const participant = await buildParticipant(app.db);
  const coach = await buildCoach(app.db, { firstName: 'Casey', lastName: 'Cole' });
  const course = await assignCoach(app.db, { participantId: participant.id, coachId: coach.id });
  const left = await assignCoach(app.db, { participantId: participant.id, coachId: coach.id });
  await assignCoach(app.db, { participantId: (await buildParticipant(app.db)).id, coachId: coach.id });
  await app.db
    .updateTable('userCourses')
    .set({ status: 'withdrawn' })
    .where('userId', '=', participant.id)
    .where('courseId', '=', left.id)
    .execute();
  const { courses } = await (await app.as(participant)).call(readFellowship);
  expect(courses).toEqual([{ id: course.id, title: course.title, coachName: 'Casey Cole' }]);
});

test('FELL-04 each module says what it requires, how much of it is done, and who said that it is complete', async () => {
  const participant = await buildParticipant(app.db);
  const coach = await buildCoach(app.db, { firstName: 'Casey', lastName: 'Cole' });
  const cohort = await buildCohort(app.db, { curriculumVersion: 'with requirements' });
  const membership = { participantId: participant.id, cohortId: cohort.id };
  await enrol(app.db, membership);
  const core = (orderIndex: number) => buildModule(app.db, { curriculumVersion: cohort.curriculumVersion, orderIndex });
  const [begun, byHand, empty] = [await core(1), await core(2), await core(3)];
  const activity = await buildActivity(app.db, { cohortId: cohort.id, moduleName: begun.title });
  await buildAssignment(app.db, { trainingActivityId: activity.id });
  await buildActivity(app.db, { cohortId: cohort.id, moduleName: begun.title, isRequired: false });
  await app.db
    .insertInto('attendanceRecords')
    .values({ fellowId: participant.id, cohortId: cohort.id, contentId: activity.id, weekNumber: 1 })
    .execute();
  await app.db
    .insertInto('participantModuleCompletions')
    .values({ ...membership, moduleId: byHand.id, completedAt: '2025-10-01T12:00:00Z', setBy: coach.id, note: 'Seen' })
    .execute();
  const { modules, coreModules } = await (await app.as(participant)).call(readFellowship);
  expect(coreModules).toEqual({ completed: 1, total: 3 });
  const open = { moduleType: 'core', isCompleted: false, completedAt: null, byHand: null };
  expect(modules).toEqual([
    { ...open, id: begun.id, title: begun.title, required: { done: 1, total: 2 } },
    {
      id: byHand.id,
      title: byHand.title,
      moduleType: 'core',
      isCompleted: true,
      completedAt: '2025-10-01T12:00:00.000Z',
      required: { done: 0, total: 0 },
      byHand: { name: 'Casey Cole', note: 'Seen' },
    },
    { ...open, id: empty.id, title: empty.title, required: { done: 0, total: 0 } },
  ]);
});

test('a participant without an active cohort has none, and coaches have no fellowship of their own', async () => {
  const client = await app.as(await buildParticipant(app.db));
  expect(await client.call(readFellowship)).toMatchObject({ cohort: null, modules: [], courses: [], selection: null });
  const coach = await app.as(await buildCoach(app.db));
  expect((await coach.refused(readFellowship)).status).toBe(403);
});
