import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFellowship } from '#contract/learning.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildModule, buildTrack } from '#test/factories/curriculum.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('FELL-08 of several active memberships the cohort that started last is the own one', async () => {
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
  expect(progress).toEqual({ overallPercentage: 0, status: 'on_track' });
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
  expect(after.selection).toEqual({ trackId: track.id, isLocked: false, selectedAt: '2025-10-01T12:00:00.000Z' });
  expect(after.modules.map(({ id }) => id)).toEqual([first.id, second.id, special.id]);
  expect(after.coreModules).toEqual({ completed: 0, total: 2 });
});

test('a participant without an active cohort has none, and coaches have no fellowship of their own', async () => {
  const client = await app.as(await buildParticipant(app.db));
  expect(await client.call(readFellowship)).toMatchObject({ cohort: null, modules: [], selection: null });
  const coach = await app.as(await buildCoach(app.db));
  expect((await coach.refused(readFellowship)).status).toBe(403);
});
