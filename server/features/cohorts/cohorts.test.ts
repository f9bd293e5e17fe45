import { afterAll, beforeAll, expect, test } from 'vitest';
import { listProgressCohorts } from '#contract/cohort-progress.ts';
import { createCohort, listCohorts, readCohort, updateCohort } from '#contract/cohorts.ts';
import { listEnrolmentTargets } from '#contract/enrolments.ts';
import { listImportableCohorts } from '#contract/imports.ts';
import { listStipendCohorts } from '#contract/stipend-cohorts.ts';
import { listActivityCohorts } from '#contract/training-activities.ts';
import { writeCursor } from '#server/platform/cursors.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildModule, buildWeeklyRequirement } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
let ada: BuiltPerson;
let admin: Client;
beforeAll(async () => {
  server = await startTestApp();
  ada = await buildAdmin(server.db);
  admin = await server.as(ada);
});
afterAll(() => server.close());

const facts = {
  name: 'Spring',
  description: 'Begins after the thaw.',
  programType: 'fellowship' as const,
  endDate: '2027-06-25',
  status: 'planning' as const,
  capacity: 24,
  curriculumVersion: '2',
  unlockedWeeks: 3,
};
const stored = (id: string) =>
  server.db.selectFrom('cohorts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const trail = (id: string) =>
  server.db
    .selectFrom('auditLog')
    .select(['action', 'actorId', 'before', 'after'])
    .where('subjectId', '=', id)
    .orderBy('id')
    .execute();

test('ADMIN-22 DATA-07 an admin sets up a cohort and writes its facts anew, with who and what on record', async () => {
  const created = await admin.call(createCohort, { body: { ...facts, startDate: '2027-03-08' } });
  expect(created).toMatchObject({ ...facts, startDate: '2027-03-08', currentEnrollment: 0, version: 1 });
  expect(await stored(created.id)).toMatchObject({ ...facts, startDate: '2027-03-08' });
  const after = { ...facts, name: 'Spring term', status: 'active' as const, capacity: 30, unlockedWeeks: 16 };
  const updated = await admin.call(updateCohort, { params: { id: created.id }, body: { ...after, version: 1 } });
  expect(updated).toMatchObject({ ...after, startDate: '2027-03-08', version: 2 });
  expect(await stored(created.id)).toMatchObject({ ...after, version: 2 });
  expect(await trail(created.id)).toMatchObject([
    { action: 'cohort.create', actorId: ada.id, after: { name: 'Spring', startDate: '2027-03-08' } },
    { action: 'cohort.update', actorId: ada.id, before: facts, after },
  ]);
});

test('ADMIN-22 no more than the facts of a cohort is written, whatever else is sent', async () => {
  const cohort = await buildCohort(server.db, { name: 'Only its facts' });
  const answer = await admin.fetch(updateCohort.path.replace(':id', cohort.id), {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...facts,
      name: cohort.name,
      version: 1,
      id: ada.id,
      startDate: '2001-01-01',
      currentEnrollment: 99,
      createdAt: '2001-01-01T00:00:00Z',
    }),
  });
  expect(answer.status).toBe(200);
  expect(await stored(cohort.id)).toEqual({ ...cohort, ...facts, name: cohort.name, version: 2 });
});

test('ADMIN-22 an end before the start, too few places, another kind of programme and a taken name are refused', async () => {
  for (const endDate of ['2027-03-07', '2027-03-08', '2100-01-01', 'soon', '2027-02-30']) {
    const body = { ...facts, name: 'Never', startDate: '2027-03-08', endDate };
    expect((await admin.refused(createCohort, { body })).status).toBe(422);
  }
  const cohort = await buildCohort(server.db, { name: 'Two are in', startDate: '2027-03-08', capacity: 5 });
  for (let number = 0; number < 2; number += 1) {
    await enrol(server.db, { cohortId: cohort.id, participantId: (await buildParticipant(server.db)).id });
  }
  await buildCohort(server.db, { name: 'Taken' });
  const before = await stored(cohort.id);
  const refuse = (change: object) =>
    admin.refused(updateCohort, {
      params: { id: cohort.id },
      body: { ...facts, name: cohort.name, ...change, version: 1 },
    });
  for (const [change, path] of [
    [{ endDate: '2027-03-08' }, 'endDate'],
    [{ capacity: 1 }, 'capacity'],
    [{ programType: 'self_learner' }, 'programType'],
    [{ name: 'Taken' }, 'name'],
  ] as const) {
    expect((await refuse(change)).problem.errors, path).toMatchObject([{ path }]);
  }
  for (const change of [
    { name: ' ' },
    { capacity: 0 },
    { capacity: 2.5 },
    { unlockedWeeks: 21 },
    { unlockedWeeks: -1 },
    { status: 'paused' },
    { curriculumVersion: '' },
  ]) {
    expect((await refuse(change)).status, JSON.stringify(change)).toBe(422);
  }
  expect(await stored(cohort.id)).toEqual(before);
  const again = { ...facts, name: 'Taken', startDate: '2027-03-08' };
  expect((await admin.refused(createCohort, { body: again })).problem.code).toBe('duplicate');
  await admin.call(createCohort, { body: { ...again, programType: 'self_learner' } });
  await admin.call(updateCohort, {
    params: { id: cohort.id },
    body: { ...facts, name: 'Two are in', capacity: 2, version: 1 },
  });
});

test('ADMIN-23 current_enrollment follows the members, and a place that is taken meanwhile is not written away', async () => {
  const cohort = await buildCohort(server.db, { capacity: 2 });
  const [one, two] = [await buildParticipant(server.db), await buildParticipant(server.db)];
  await enrol(server.db, { cohortId: cohort.id, participantId: one.id });
  await enrol(server.db, { cohortId: cohort.id, participantId: two.id });
  expect(await admin.call(readCohort, { params: { id: cohort.id } })).toMatchObject({
    currentEnrollment: 2,
    version: 1,
    holds: { members: 2 },
  });
  await server.db
    .updateTable('cohortParticipants')
    .set({ status: 'withdrawn', endedAt: new Date() })
    .where('participantId', '=', one.id)
    .execute();
  expect(await admin.call(readCohort, { params: { id: cohort.id } })).toMatchObject({ currentEnrollment: 1 });
});

test('an edit that began before another one is refused, and of two at once one wins', async () => {
  const cohort = await buildCohort(server.db, { startDate: '2027-03-08' });
  const edit = (name: string) =>
    admin.fetch(updateCohort.path.replace(':id', cohort.id), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...facts, name, version: 1 }),
    });
  const answers = await Promise.all([edit('First of two'), edit('Second of two')]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const late = await edit('Third of two');
  expect({ status: late.status, code: (await problemOf(late)).code }).toEqual({ status: 409, code: 'stale' });
  expect(await stored(cohort.id)).toMatchObject({ version: 2 });
});

test("another end and another curriculum of a cohort are followed by its members' progress", async () => {
  const { db } = server;
  const cohort = await buildCohort(db, { startDate: '2020-01-06', endDate: '2020-04-24', curriculumVersion: 'old' });
  await buildModule(db, { curriculumVersion: 'new' });
  const fellow = await buildParticipant(db);
  await enrol(db, { cohortId: cohort.id, participantId: fellow.id });
  const jobs = await server.runJobs();
  const body = { ...facts, name: cohort.name, endDate: '2020-01-15', curriculumVersion: 'new', version: 1 };
  await admin.call(updateCohort, { params: { id: cohort.id }, body });
  const progress = () =>
    db
      .selectFrom('participantProgress')
      .select(['totalModules', 'daysAheadBehind'])
      .where('participantId', '=', fellow.id)
      .execute();
  // All ten days have passed, and nobody has done anything.
  await expect.poll(progress).toEqual([{ totalModules: 1, daysAheadBehind: -10 }]);
  await jobs.stop();
});

test('ADMIN-21 cohorts are read by their start, the latest first, in pages that lose none, and searched', async () => {
  const { db } = server;
  const rows = Array.from({ length: 60 }, (_, index) => ({
    name: `Paged ${String(index).padStart(2, '0')}`,
    startDate: `2031-0${1 + (index % 3)}-06`,
    endDate: '2031-12-19',
    programType: 'adult_mobilization',
    status: index === 7 ? 'cancelled' : 'completed',
  }));
  await db.insertInto('cohorts').values(rows).execute();
  const query = { programType: 'adult_mobilization' as const, search: 'paged' };
  const first = await admin.call(listCohorts, { query });
  const second = await admin.call(listCohorts, { query: { ...query, cursor: first.nextCursor ?? '' } });
  expect([first.rows.length, second.rows.length, second.nextCursor, first.matching]).toEqual([50, 10, null, 60]);
  const seen = [...first.rows, ...second.rows];
  expect(new Set(seen.map(({ id }) => id)).size).toBe(60);
  const starts = seen.map(({ startDate }) => startDate);
  expect(starts).toEqual(starts.toSorted().toReversed());
  const cancelled = await admin.call(listCohorts, { query: { ...query, status: 'cancelled' } });
  expect(cancelled.rows.map(({ name }) => name)).toEqual(['Paged 07']);
  expect((await admin.call(listCohorts, { query: { search: '%' } })).rows).toEqual([]);
  // The other statement reads who asks.
  expect(await countStatements(server.app.pool, () => admin.call(listCohorts, { query }))).toBe(2);
  for (const cursor of ['nonsense', writeCursor(['soon', ada.id]), writeCursor(['2031-01-06', '1'])]) {
    expect((await admin.refused(listCohorts, { query: { cursor } })).problem.code).toBe('invalid_input');
  }
});

test('ADMIN-21 of active and planned cohorts name and kind are read, of one cohort what its programme holds', async () => {
  const { db } = server;
  const planned = await buildCohort(db, { status: 'planning' });
  const over = await buildCohort(db, { status: 'completed' });
  const offered = (await admin.call(listImportableCohorts)).cohorts;
  expect(offered).toContainEqual(expect.objectContaining({ name: planned.name, programType: 'fellowship' }));
  expect(offered.map(({ name }) => name)).not.toContain(over.name);
  for (const weekNumber of [1, 2]) {
    const activity = await buildActivity(db, { cohortId: planned.id, weekNumber });
    await buildAssignment(db, { trainingActivityId: activity.id });
  }
  const archived = await buildActivity(db, { cohortId: planned.id });
  await buildAssignment(db, { trainingActivityId: archived.id, archivedAt: new Date() });
  await buildWeeklyRequirement(db, { cohortId: planned.id, dueDate: '2025-09-12' });
  expect(await admin.call(readCohort, { params: { id: planned.id } })).toMatchObject({
    holds: { activities: 3, contents: 3, assignments: 2, requirements: 1, members: 0 },
    copy: null,
  });
});

test('participants and coaches neither read nor write cohorts; what is not there is not found', async () => {
  const cohort = await buildCohort(server.db, { startDate: '2027-03-08' });
  const params = { id: cohort.id };
  for (const person of [await buildParticipant(server.db), await buildCoach(server.db)]) {
    const client = await server.as(person);
    const refusals = [
      await client.refused(listCohorts, { query: {} }),
      await client.refused(readCohort, { params }),
      await client.refused(createCohort, { body: { ...facts, name: 'Not mine', startDate: '2027-03-08' } }),
      await client.refused(updateCohort, { params, body: { ...facts, version: 1 } }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  }
  const gone = { id: ada.id };
  expect((await admin.refused(readCohort, { params: gone })).status).toBe(404);
  expect((await admin.refused(updateCohort, { params: gone, body: { ...facts, version: 1 } })).status).toBe(404);
  expect(await stored(cohort.id)).toEqual(cohort);
});

test('cohorts to choose from begin with the running ones, then come those ahead, then those that ended, the latest first', async () => {
  await server.db.updateTable('cohorts').set({ status: 'cancelled', startDate: '2020-01-06' }).execute();
  const build = (name: string, status: string, startDate: string) =>
    buildCohort(server.db, { name, status, startDate });
  await build('Ended', 'completed', '2027-05-03');
  await build('Ahead', 'planning', '2027-04-05');
  await build('Running early', 'active', '2027-01-04');
  await build('Running late', 'active', '2027-02-01');
  const open = ['Running late', 'Running early', 'Ahead'];
  for (const choices of [listImportableCohorts, listEnrolmentTargets]) {
    const { cohorts } = await admin.call(choices);
    expect(cohorts.map(({ name }) => name)).toEqual(open);
  }
  for (const choices of [listActivityCohorts, listProgressCohorts]) {
    const { cohorts } = await admin.call(choices);
    expect(cohorts.slice(0, 4).map(({ name }) => name)).toEqual([...open, 'Ended']);
  }
  // The documented cohort of STIP-22 comes before them.
  const { cohorts: paying } = await admin.call(listStipendCohorts);
  expect(paying.slice(0, 4).map(({ name }) => name)).toEqual(['Running early', 'Running late', 'Ahead', 'Ended']);
});
