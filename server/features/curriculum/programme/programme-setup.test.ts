import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateCohort } from '#contract/cohorts.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { readFellowship, readTrack } from '#contract/fellowship.ts';
import { listRequirements } from '#contract/programme-items.ts';
import {
  createCourse,
  createModule,
  createTrack,
  deleteCourse,
  deleteModule,
  deleteTrack,
  listCourses,
  listModules,
  listTracks,
  moveModule,
  updateCourse,
  updateModule,
  updateTrack,
} from '#contract/programme-setup.ts';
import { findProgramCourses } from '#server/features/cohorts/cohort-queries.ts';
import { assignCoach, buildCohort, buildCourse, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildModule, buildTrack } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;
let ada: BuiltPerson;
let admin: Client;
beforeAll(async () => {
  server = await startTestApp();
  ada = await buildAdmin(server.db);
  admin = await server.as(ada);
});
afterAll(() => server.close());

const actionsOn = async (id: string) =>
  (await server.db.selectFrom('auditLog').select('action').where('subjectId', '=', id).orderBy('id').execute()).map(
    ({ action }) => action,
  );

test('DATA-06 DATA1-12 a course is added, edited, archived and, while nobody was enrolled, removed', async () => {
  const { id } = await admin.call(createCourse, { body: { title: 'Line Work', trackType: 'self_learner' } });
  const find = async () => (await admin.call(listCourses, { query: { search: 'line work' } })).rows;
  expect(await find()).toEqual([
    {
      id,
      title: 'Line Work',
      trackType: 'self_learner',
      isArchived: false,
      version: 1,
      enrolments: 0,
      isForEnrolment: true,
    },
  ]);
  const params = { id };
  const facts = { title: 'Line Work II', trackType: 'fellowship' as const, isArchived: true };
  await admin.call(updateCourse, { params, body: { ...facts, version: 1 } });
  expect(await find()).toMatchObject([{ ...facts, version: 2, isForEnrolment: false }]);
  expect((await admin.refused(updateCourse, { params, body: { ...facts, version: 1 } })).problem.code).toBe('stale');
  await admin.call(deleteCourse, { params });
  expect(await find()).toEqual([]);
  expect((await admin.refused(deleteCourse, { params })).status).toBe(404);
  expect(await actionsOn(id)).toEqual(['course.create', 'course.update', 'course.delete']);
});

test('a person who is enrolled stays enrolled: the course is neither removed nor given another track, and can be archived', async () => {
  const { db } = server;
  const coach = await buildCoach(db);
  const course = await assignCoach(db, { participantId: (await buildParticipant(db)).id, coachId: coach.id });
  const params = { id: course.id };
  const facts = { title: course.title, isArchived: false, version: 1 };
  expect((await admin.refused(deleteCourse, { params })).problem.detail).toContain('1 people are or were enrolled');
  const moved = await admin.refused(updateCourse, { params, body: { ...facts, trackType: 'self_learner' } });
  expect(moved.problem).toMatchObject({ code: 'conflict', errors: [{ path: 'trackType' }] });
  const next = await buildCourse(db, { title: 'The next oldest' });
  const forFellowship = async () =>
    (await findProgramCourses(db)).find(({ programType }) => programType === 'fellowship')?.id;
  await db.updateTable('courses').set({ archivedAt: new Date() }).where('id', 'not in', [course.id, next.id]).execute();
  expect(await forFellowship()).toBe(course.id);
  await admin.call(updateCourse, { params, body: { ...facts, trackType: 'fellowship', isArchived: true } });
  expect(await forFellowship()).toBe(next.id);
  expect(await db.selectFrom('userCourses').select('coachId').where('courseId', '=', course.id).execute()).toEqual([
    { coachId: coach.id },
  ]);
});

test('DATA-17 modules are core or of a track, in an order that is changed one place at a time', async () => {
  const track = await buildTrack(server.db);
  const core = { moduleType: 'core' as const, trackId: null, curriculumVersion: 'ordered' };
  const ids: string[] = [];
  for (const title of ['One', 'Two', 'Three']) {
    ids.push((await admin.call(createModule, { body: { ...core, title } })).id);
  }
  const special = { title: 'One', moduleType: 'specialization' as const, curriculumVersion: 'ordered' };
  const { id } = await admin.call(createModule, { body: { ...special, trackId: track.id } });
  const list = async () => (await admin.call(listModules, { query: { curriculumVersion: 'ordered' } })).rows;
  const titles = async () => (await list()).map(({ title, trackName }) => (trackName ? `${title} of a track` : title));
  expect(await titles()).toEqual(['One', 'Two', 'Three', 'One of a track']);
  const move = (index: number, direction: 'up' | 'down') => ({ params: { id: ids[index] ?? '' }, body: { direction } });
  await admin.call(moveModule, move(2, 'up'));
  expect(await titles()).toEqual(['One', 'Three', 'Two', 'One of a track']);
  await admin.call(moveModule, move(0, 'down'));
  expect(await titles()).toEqual(['Three', 'One', 'Two', 'One of a track']);
  expect((await admin.refused(moveModule, move(2, 'up'))).problem.code).toBe('conflict');
  expect((await admin.refused(moveModule, { params: { id }, body: { direction: 'down' } })).status).toBe(409);
  for (const body of [
    { ...special, trackId: null },
    { ...core, title: 'Core of a track', trackId: track.id },
    { ...core, title: ' ' },
  ]) {
    expect((await admin.refused(createModule, { body })).status).toBe(422);
  }
  const taken = await admin.refused(createModule, { body: { ...core, title: 'Two' } });
  expect(taken.problem).toMatchObject({ code: 'duplicate', errors: [{ path: 'title' }] });
});

test('a new module, a new title and an archived module are followed by the progress of all members', async () => {
  const { db } = server;
  const cohort = await buildCohort(db, { curriculumVersion: 'followed' });
  const fellow = await buildParticipant(db);
  await enrol(db, { cohortId: cohort.id, participantId: fellow.id });
  const activity = await buildActivity(db, { cohortId: cohort.id, moduleName: 'Relays' });
  await buildActivity(db, { moduleName: 'Relays', applicableFellowship: false, applicableAmbassador: true });
  await attend(db, fellow.id, [activity]);
  const jobs = await server.runJobs();
  const client = await server.as(fellow);
  const completed = async () => (await client.call(readFellowship)).coreModules;
  const facts = { moduleType: 'core' as const, trackId: null, curriculumVersion: 'followed', isArchived: false };
  const { id } = await admin.call(createModule, { body: { ...facts, title: 'Relays' } });
  await expect.poll(completed).toEqual({ completed: 1, total: 1 });

  const params = { id };
  await admin.call(updateModule, { params, body: { ...facts, title: 'Relays and breakers', version: 1 } });
  const [row] = (await admin.call(listModules, { query: { curriculumVersion: 'followed' } })).rows;
  expect(row).toMatchObject({ title: 'Relays and breakers', activities: 1, completions: 1, version: 2 });
  const names = await db.selectFrom('trainingActivities').select(['cohortId', 'moduleName']).execute();
  expect(names).toContainEqual({ cohortId: cohort.id, moduleName: 'Relays and breakers' });
  expect(names).toContainEqual({ cohortId: null, moduleName: 'Relays' });
  expect((await admin.refused(deleteModule, { params })).problem.detail).toContain('1 people have completed');
  const moved = { ...facts, title: 'Relays and breakers', curriculumVersion: 'another', version: 2 };
  expect((await admin.refused(updateModule, { params, body: moved })).problem.code).toBe('conflict');

  await admin.call(updateModule, {
    params,
    body: { ...facts, title: 'Relays and breakers', isArchived: true, version: 2 },
  });
  await expect.poll(completed).toEqual({ completed: 0, total: 0 });
  const progress = () =>
    db.selectFrom('participantProgress').select('totalModules').where('participantId', '=', fellow.id).execute();
  await expect.poll(progress).toEqual([{ totalModules: 0 }]);
  // Completions are still known, and count again when the module comes back.
  expect((await admin.call(listModules, { query: { search: 'breakers' } })).rows).toMatchObject([{ completions: 1 }]);
  await jobs.stop();
});

test('DATA-16 a track is added, edited, taken off the offer, and removed while nobody has chosen it', async () => {
  const { db } = server;
  const facts = { name: 'Wind Operations', description: 'Offshore and on land.', durationWeeks: 4, isActive: true };
  const { id } = await admin.call(createTrack, { body: facts });
  const params = { id };
  const find = async () => (await admin.call(listTracks, { query: { search: 'wind' } })).rows;
  expect(await find()).toEqual([{ id, ...facts, version: 1, modules: 0, selections: 0 }]);
  expect((await admin.refused(createTrack, { body: facts })).problem.code).toBe('duplicate');
  for (const change of [{ name: '' }, { durationWeeks: 0 }, { durationWeeks: 17 }, { durationWeeks: 1.5 }]) {
    expect((await admin.refused(createTrack, { body: { ...facts, name: 'Other', ...change } })).status).toBe(422);
  }
  const fellow = await buildParticipant(db);
  const cohort = await buildCohort(db);
  await enrol(db, { cohortId: cohort.id, participantId: fellow.id });
  await db
    .insertInto('trackSelections')
    .values({ participantId: fellow.id, cohortId: cohort.id, specializationTrackId: id })
    .execute();
  await buildModule(db, { moduleType: 'specialization', specializationTrackId: id });
  expect((await admin.refused(deleteTrack, { params })).problem.detail).toContain(
    '1 people have chosen this track, and it has 1 modules',
  );
  await admin.call(updateTrack, { params, body: { ...facts, isActive: false, version: 1 } });
  expect(await find()).toMatchObject([{ isActive: false, version: 2, modules: 1, selections: 1 }]);
  const client = await server.as(fellow);
  expect((await client.call(readFellowship)).tracks.map(({ name }) => name)).not.toContain('Wind Operations');
  expect(await client.call(readTrack, { params })).toMatchObject({ name: 'Wind Operations' });
  const unused = await buildTrack(db);
  await admin.call(deleteTrack, { params: { id: unused.id } });
  expect((await admin.refused(deleteTrack, { params: { id: unused.id } })).status).toBe(404);
});

test('lists of modules and tracks come in pages that lose nothing', async () => {
  const { db } = server;
  await db
    .insertInto('courseModules')
    .values(
      Array.from({ length: 130 }, (_, index) => ({
        title: `Paged ${index}`,
        moduleType: 'core',
        curriculumVersion: 'paged',
        orderIndex: 1 + (index % 3),
      })),
    )
    .execute();
  await db
    .insertInto('specializationTracks')
    .values(Array.from({ length: 60 }, (_, index) => ({ name: `Paged ${index}` })))
    .execute();
  const modules = await admin.call(listModules, { query: { curriculumVersion: 'paged' } });
  const moreModules = await admin.call(listModules, {
    query: { curriculumVersion: 'paged', cursor: modules.nextCursor ?? '' },
  });
  expect(new Set([...modules.rows, ...moreModules.rows].map(({ id }) => id)).size).toBe(130);
  expect(moreModules.nextCursor).toBeNull();
  const tracks = await admin.call(listTracks, { query: { search: 'Paged' } });
  const moreTracks = await admin.call(listTracks, { query: { search: 'Paged', cursor: tracks.nextCursor ?? '' } });
  expect(new Set([...tracks.rows, ...moreTracks.rows].map(({ id }) => id)).size).toBe(60);
  for (const endpoint of [listModules, listTracks, listCourses]) {
    expect((await admin.refused(endpoint, { query: { cursor: 'nonsense' } })).problem.code).toBe('invalid_input');
  }
});

test('the requirements of a cohort come week by week in pages, those of no week last', async () => {
  const { id: cohortId } = await buildCohort(server.db);
  const weekOf = (index: number) => (index % 15 === 14 ? null : 1 + (index % 15));
  await server.db
    .insertInto('weeklyRequirements')
    .values(
      Array.from({ length: 130 }, (_, index) => ({
        ...{ cohortId, title: `Paged ${index}`, type: 'report', dueDate: '2026-02-02' },
        ...{ weekNumber: weekOf(index), orderIndex: 1 + (index % 2) },
      })),
    )
    .execute();
  const first = await admin.call(listRequirements, { query: { cohort: cohortId } });
  const second = await admin.call(listRequirements, { query: { cohort: cohortId, cursor: first.nextCursor ?? '' } });
  const rows = [...first.rows, ...second.rows];
  expect([first.rows.length, new Set(rows.map(({ id }) => id)).size, second.nextCursor]).toEqual([100, 130, null]);
  const weeks = rows.map(({ weekNumber }) => weekNumber ?? 99);
  expect(weeks).toEqual(weeks.toSorted((one, other) => one - other));
  expect(weeks.filter((week) => week === 99)).toHaveLength(8);
});

test('only admins set up courses, modules and tracks', async () => {
  const track = await buildTrack(server.db);
  for (const person of [await buildParticipant(server.db), await buildCoach(server.db)]) {
    const client = await server.as(person);
    const refusals = [
      await client.refused(listCourses, { query: {} }),
      await client.refused(createCourse, { body: { title: 'Not mine', trackType: 'fellowship' } }),
      await client.refused(listModules, { query: {} }),
      await client.refused(deleteTrack, { params: { id: track.id } }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  }
});

test('of two who give one name at once to cohorts, modules or tracks, one is refused at the name as if it had come later', async () => {
  const { db } = server;
  const name = 'Wanted by two';
  const cohorts = [await buildCohort(db), await buildCohort(db)].map(({ id }) => id);
  const modules = [
    await buildModule(db, { curriculumVersion: 'wanted' }),
    await buildModule(db, { curriculumVersion: 'wanted' }),
  ].map(({ id }) => id);
  const tracks = [await buildTrack(db), await buildTrack(db)].map(({ id }) => id);
  const cohort = {
    name,
    description: 'Begins with the thaw.',
    programType: 'fellowship',
    endDate: '2027-06-01',
    status: 'planning',
    capacity: 5,
    curriculumVersion: 'wanted',
    unlockedWeeks: 0,
  };
  const module = { title: name, moduleType: 'core', trackId: null, curriculumVersion: 'wanted', isArchived: false };
  const track = { name, description: 'On land.', durationWeeks: 4, isActive: true };
  const rivals: [Endpoint, string[], object, string][] = [
    [updateCohort, cohorts, cohort, 'name'],
    [updateModule, modules, module, 'title'],
    [updateTrack, tracks, track, 'name'],
  ];
  const send = ({ method }: Endpoint, address: string, body: object) =>
    admin.fetch(address, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  for (const [endpoint, ids, facts, field] of rivals) {
    const body = { ...facts, version: 1 };
    const answers = await Promise.all(ids.map((id) => send(endpoint, endpoint.path.replace(':id', id), body)));
    expect(answers.map(({ status }) => status).sort(), endpoint.name).toEqual([200, 409]);
    const refusal = answers.find(({ status }) => status === 409);
    expect(await refusal?.json()).toMatchObject({ code: 'duplicate', errors: [{ path: field }] });
  }
  const twice = { ...module, title: 'Added by two' };
  const added = await Promise.all([twice, twice].map((body) => send(createModule, createModule.path, body)));
  expect(added.map(({ status }) => status).sort()).toEqual([200, 409]);
});
