import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deliveryMedia, deliveryModes } from '#contract/learning.ts';
import { listNotices } from '#contract/notices.ts';
import { moduleNames } from '#contract/specified-modules.ts';
import {
  assignActivity,
  listActivityCohorts,
  listTrainingActivities,
  readTrainingActivity,
  type TrainingActivityFacts,
  updateTrainingActivity,
} from '#contract/training-activities.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildModule } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
let admin: Client;
beforeAll(async () => {
  server = await startTestApp();
  admin = await server.as(await buildAdmin(server.db));
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('trainingActivities').execute();
});

const facts: TrainingActivityFacts = {
  title: 'Arc flash',
  deliveryPartner: 'Grid Partners',
  trainingDeliveryMode: 'SME-delivered Hybrid',
  deliveryMedium: 'Hybrid',
  weekNumber: 3,
  location: 'Room 4',
  duration: '2 hours ',
  sessionDate: '2026-03-08',
  moduleName: 'Quality Assurance',
  cohortId: null,
};

type Query = { search?: string; week?: number; cohort?: string; cursor?: string };

async function titles(query: Query = {}) {
  return (await admin.call(listTrainingActivities, { query })).rows.map(({ title }) => title);
}

function stored(id: string) {
  return server.db.selectFrom('trainingActivities').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

function audited(subjectId: string) {
  return server.db
    .selectFrom('auditLog')
    .select(['action', 'before', 'after'])
    .where('subjectId', '=', subjectId)
    .orderBy('id')
    .execute();
}

test('TRAIN-02 all activities come by week, then by when they were made, and every one of them is reached by pages', async () => {
  const { db } = server;
  await buildActivity(db, { title: 'Late in 2', weekNumber: 2, createdAt: '2026-01-03T00:00:00Z' });
  await buildActivity(db, { title: 'Early in 2', weekNumber: 2, createdAt: '2026-01-01T00:00:00Z' });
  await buildActivity(db, { title: 'Of 1', weekNumber: 1, createdAt: '2026-01-04T00:00:00Z' });
  expect(await titles()).toEqual(['Of 1', 'Early in 2', 'Late in 2']);
  await db
    .insertInto('trainingActivities')
    .values(Array.from({ length: 120 }, (_, index) => ({ title: `Many ${index}`, weekNumber: 3 + (index % 2) })))
    .execute();
  const seen = [];
  let cursor: string | undefined;
  do {
    const page = await admin.call(listTrainingActivities, { query: { cursor } });
    expect(page.rows.length).toBeLessThanOrEqual(50);
    expect(page.matching).toBe(123);
    seen.push(...page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(123);
  expect(seen.map(({ weekNumber }) => weekNumber)).toEqual(seen.map(({ weekNumber }) => weekNumber).toSorted());
  // The other statement reads who asks.
  expect(await countStatements(server.app.pool, () => titles())).toBe(2);
  expect((await admin.refused(listTrainingActivities, { query: { cursor: 'nonsense' } })).status).toBe(422);
});

test('TRAIN-03 the search finds parts of title, module and delivery partner in any case, and % and _ mean themselves', async () => {
  const { db } = server;
  await buildActivity(db, { title: 'Arc FLASH 100%' });
  await buildActivity(db, { title: 'Talk', moduleName: 'Career Readiness', weekNumber: 2 });
  await buildActivity(db, { title: 'Visit', deliveryPartner: 'Flash_Works', weekNumber: 3 });
  expect(await titles({ search: 'flash' })).toEqual(['Arc FLASH 100%', 'Visit']);
  expect(await titles({ search: ' career READ ' })).toEqual(['Talk']);
  expect(await titles({ search: '%' })).toEqual(['Arc FLASH 100%']);
  expect(await titles({ search: 'h_w' })).toEqual(['Visit']);
});

test('TRAIN-04 TRAIN-05 TRAIN-06 week, cohort, unassigned and search apply together', async () => {
  const { db } = server;
  const cohort = await buildCohort(db, { status: 'completed' });
  await buildActivity(db, { title: 'One', weekNumber: 20, cohortId: cohort.id });
  await buildActivity(db, { title: 'Two', weekNumber: 20 });
  await buildActivity(db, { title: 'Three', weekNumber: 4, cohortId: cohort.id });
  expect(await titles({ week: 20 })).toEqual(['One', 'Two']);
  expect(await titles({ cohort: 'unassigned' })).toEqual(['Two']);
  expect(await titles({ cohort: cohort.id })).toEqual(['Three', 'One']);
  expect(await titles({ week: 20, cohort: cohort.id })).toEqual(['One']);
  expect(await titles({ week: 20, cohort: cohort.id, search: 'two' })).toEqual([]);
  expect((await admin.call(listTrainingActivities, { query: { week: 20 } })).matching).toBe(2);
  for (const week of [0, 109, 1.5]) {
    expect((await admin.refused(listTrainingActivities, { query: { week } })).status).toBe(422);
  }
  const { cohorts } = await admin.call(listActivityCohorts);
  expect(cohorts).toContainEqual({
    ...{ id: cohort.id, name: cohort.name, status: 'completed', isTarget: false },
    programmeId: cohort.programmeId,
  });
});

test('TRAIN-09 TRAIN-11 TRAIN-14 TRAIN-17 an edit writes the ten facts, keeps everything else, and is on record', async () => {
  const cohort = await buildCohort(server.db, { status: 'planning', startDate: '2026-02-16' });
  const activity = await buildActivity(server.db, { description: 'Stays', sessionTime: '14:00', isRequired: false });
  expect(activity.cohortId).toBeNull();
  const { version } = await admin.call(readTrainingActivity, { params: { id: activity.id } });
  const wanted = { ...facts, cohortId: cohort.id };
  const reply = await admin.call(updateTrainingActivity, {
    params: { id: activity.id },
    body: { ...wanted, version, isRequired: true, id: newId(), calendarSequence: 99 } as never,
  });
  expect(reply).toEqual({
    id: activity.id,
    ...wanted,
    cohortName: cohort.name,
    reachedCount: expect.any(Number),
    version: version + 1,
  });
  expect(await stored(activity.id)).toMatchObject({
    ...wanted,
    duration: '2 hours ',
    description: 'Stays',
    sessionTime: '14:00:00',
    isRequired: false,
    calendarSequence: version + 1,
  });
  expect(await audited(activity.id)).toMatchObject([
    { action: 'activity.update', before: { title: activity.title, cohortId: null }, after: wanted },
  ]);
});

test('TRAIN-12 an empty session date is stored as null, and a given one never shifts by a zone', async () => {
  const activity = await buildActivity(server.db, { sessionDate: '2026-03-07' });
  const edit = async (sessionDate: string | null) => {
    const { version } = await admin.call(readTrainingActivity, { params: { id: activity.id } });
    return admin.call(updateTrainingActivity, {
      params: { id: activity.id },
      body: { ...facts, sessionDate, version },
    });
  };
  // The clocks go forward on that day.
  expect((await edit('2026-03-08')).sessionDate).toBe('2026-03-08');
  expect((await stored(activity.id)).sessionDate).toBe('2026-03-08');
  expect((await edit(null)).sessionDate).toBeNull();
  expect((await stored(activity.id)).sessionDate).toBeNull();
});

test('TRAIN-10 TRAIN-13 DATA1-03 DATA1-04 DATA1-05 blank titles, weeks outside 1 to 20 and what is not in the fixed lists are refused', async () => {
  const activity = await buildActivity(server.db, { moduleName: 'A module of its own' });
  const params = { id: activity.id };
  const attempts: [object, string][] = [
    [{ title: '   ' }, 'A title is required'],
    [{ weekNumber: 0 }, 'The week must be a whole number from 1 on'],
    [{ weekNumber: 21 }, 'The week must be a whole number from 1 to 20'],
    [{ weekNumber: 2.5 }, 'The week must be a whole number from 1 on'],
    [{ trainingDeliveryMode: 'By post' }, ''],
    [{ deliveryMedium: 'Radio' }, ''],
    [{ moduleName: 'Basket weaving' }, 'Please choose a module from the list.'],
    [{ sessionDate: '2026-02-30' }, ''],
    [{ cohortId: newId() }, 'This cohort no longer exists'],
  ];
  for (const [wrong, words] of attempts) {
    const body = { ...facts, moduleName: activity.moduleName, ...wrong, version: 0 };
    const { status, problem } = await admin.refused(updateTrainingActivity, { params, body: body as never });
    expect({ wrong, status }).toEqual({ wrong, status: 422 });
    expect(JSON.stringify(problem)).toContain(words);
  }
  expect(await stored(activity.id)).toEqual(activity);
  expect(moduleNames).toHaveLength(13);
  expect(deliveryModes).toHaveLength(4);
  expect(deliveryMedia).toHaveLength(4);
  let version = 0;
  for (const moduleName of [activity.moduleName, ...moduleNames]) {
    version = (await admin.call(updateTrainingActivity, { params, body: { ...facts, moduleName, version } })).version;
  }
  for (const trainingDeliveryMode of deliveryModes) {
    const body = { ...facts, trainingDeliveryMode, version };
    version = (await admin.call(updateTrainingActivity, { params, body })).version;
  }
  for (const deliveryMedium of deliveryMedia) {
    const body = { ...facts, deliveryMedium, version };
    version = (await admin.call(updateTrainingActivity, { params, body })).version;
  }
});

test('a module of Programme Setup can be chosen after the fixed list, until it is archived', async () => {
  await buildModule(server.db, { title: 'Heat pumps' });
  await buildModule(server.db, { title: 'Heat pumps', curriculumVersion: 'other' });
  await buildModule(server.db, { title: 'Mock Interviews' });
  const old = await buildModule(server.db, { title: 'Steam engines', archivedAt: new Date() });
  const { modules } = await admin.call(listActivityCohorts);
  expect(modules.slice(0, 13)).toEqual(moduleNames);
  expect(modules.slice(13)).toEqual(['Heat pumps']);
  const { id } = await buildActivity(server.db);
  const edit = { params: { id }, body: { ...facts, version: 0 } };
  const chosen = { ...edit, body: { ...edit.body, moduleName: 'Heat pumps' } };
  expect(await admin.call(updateTrainingActivity, chosen)).toMatchObject({ moduleName: 'Heat pumps' });
  const archived = { ...edit, body: { ...edit.body, moduleName: old.title, version: 1 } };
  expect(await admin.refused(updateTrainingActivity, archived)).toMatchObject({ status: 422 });
});

test('of two edits at once one is written, the other is refused as stale', async () => {
  const { id } = await buildActivity(server.db);
  const edit = (title: string) =>
    admin.fetch(updateTrainingActivity.path.replace(':id', id), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...facts, title, version: 0 }),
    });
  const answers = await Promise.all([edit('First'), edit('Second')]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect((await problemOf(await edit('Third'))).code).toBe('stale');
  expect((await stored(id)).calendarSequence).toBe(1);
});

test('TRAIN-15 what no longer exists is refused in words', async () => {
  const params = { id: newId() };
  for (const refusal of [
    await admin.refused(readTrainingActivity, { params }),
    await admin.refused(updateTrainingActivity, { params, body: { ...facts, version: 0 } }),
  ]) {
    expect(refusal).toMatchObject({ status: 404, problem: { detail: expect.stringContaining('no longer exists') } });
  }
});

test('TRAIN-18 TRAIN-19 TRAIN-24 one activity goes to an active or planned cohort, and a coach who is named is told', async () => {
  const { db } = server;
  const [active, planned, finished] = [
    await buildCohort(db, { status: 'active' }),
    await buildCohort(db, { status: 'planning' }),
    await buildCohort(db, { status: 'completed' }),
  ];
  const { id, title } = await buildActivity(db, { cohortId: finished.id });
  const coach = await buildCoach(db, { firstName: 'Cora', lastName: 'Coach' });
  const params = { id };
  const { cohorts } = await admin.call(listActivityCohorts);
  const targets = cohorts.filter(({ isTarget }) => isTarget).map((cohort) => cohort.id);
  expect(targets).toEqual(expect.arrayContaining([active.id, planned.id]));
  expect(targets).not.toContain(finished.id);

  const unnamed = await admin.call(assignActivity, { params, body: { cohortId: planned.id, coachId: null } });
  expect(unnamed).toMatchObject({ cohortId: planned.id, cohortName: planned.name });
  await admin.call(assignActivity, { params, body: { cohortId: active.id, coachId: coach.id } });
  const { rows } = await (await server.as(coach)).call(listNotices, { query: {} });
  expect(rows).toMatchObject([{ title: 'Activity assigned', message: `${title} is assigned to ${active.name}.` }]);

  const refused = await admin.refused(assignActivity, { params, body: { cohortId: finished.id, coachId: null } });
  expect(refused).toMatchObject({ status: 409, problem: { detail: expect.stringContaining('is completed') } });
  const participant = await buildParticipant(db);
  const body = { cohortId: planned.id, coachId: participant.id };
  expect((await admin.refused(assignActivity, { params, body })).status).toBe(404);
  expect((await admin.refused(assignActivity, { params, body: { coachId: null } as never })).status).toBe(422);
  expect((await stored(id)).cohortId).toBe(active.id);
  expect(await audited(id)).toMatchObject([
    { action: 'activity.assign', before: { cohortId: finished.id }, after: { cohortId: planned.id } },
    { action: 'activity.assign', before: { cohortId: planned.id }, after: { toldCoachId: coach.id } },
  ]);
});

test('a finished cohort keeps what it has: an edit of its activity is no assignment', async () => {
  const cohort = await buildCohort(server.db, { status: 'completed', startDate: '2026-02-16' });
  const { id } = await buildActivity(server.db, { cohortId: cohort.id });
  const other = await buildActivity(server.db);
  const body = { ...facts, cohortId: cohort.id, version: 0 };
  expect((await admin.call(updateTrainingActivity, { params: { id }, body })).title).toBe(facts.title);
  expect((await admin.refused(updateTrainingActivity, { params: { id: other.id }, body })).status).toBe(409);
});

test('TRAIN-27 activities can neither be created nor deleted here', async () => {
  const { id } = await buildActivity(server.db);
  for (const [method, address] of [
    ['POST', '/api/training-activities'],
    ['DELETE', `/api/training-activities/${id}`],
  ] as const) {
    const headers = { 'content-type': 'application/json' };
    const { status } = await admin.fetch(address, { method, headers, body: JSON.stringify(facts) });
    expect(status).toBe(404);
  }
  expect(await titles()).toHaveLength(1);
});

test('SEC1-18 nobody but an admin reads or changes training activities here', async () => {
  const activity = await buildActivity(server.db);
  const cohort = await buildCohort(server.db);
  const params = { id: activity.id };
  for (const person of [await buildParticipant(server.db), await buildCoach(server.db)]) {
    const client = await server.as(person);
    const refusals = [
      await client.refused(listTrainingActivities, { query: {} }),
      await client.refused(readTrainingActivity, { params }),
      await client.refused(updateTrainingActivity, { params, body: { ...facts, version: 0 } }),
      await client.refused(assignActivity, { params, body: { cohortId: cohort.id, coachId: null } }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  }
  expect(await stored(activity.id)).toEqual(activity);
});

test('an activity of no cohort says how many people it reaches: every active member of its audience, once', async () => {
  const [spring, fall] = [await buildCohort(server.db), await buildCohort(server.db)];
  const facts = { weekNumber: 1, applicableFellowship: false };
  const { id: toFellows } = await buildActivity(server.db, { ...facts, applicableFellowship: true });
  const { id: toMobilized } = await buildActivity(server.db, { ...facts, applicableAmp: true });
  const { id: toNobody } = await buildActivity(server.db, { ...facts, applicableAmbassador: true });
  const { id: ofCohort } = await buildActivity(server.db, {
    ...facts,
    applicableFellowship: true,
    cohortId: spring.id,
  });
  const reached = async () => {
    const { rows } = await admin.call(listTrainingActivities, { query: {} });
    const of = (wanted: string) => rows.find(({ id }) => id === wanted)?.reachedCount;
    const { reachedCount: all } = await admin.call(listActivityCohorts);
    return { all, fellows: of(toFellows), mobilized: of(toMobilized), nobody: of(toNobody), cohort: of(ofCohort) };
  };
  const before = await reached();
  // An activity of a cohort counts whom it would reach without one. An admin asks that before they take it out.
  expect(before).toMatchObject({ nobody: 0, cohort: before.fellows });
  const [twice, without, withdrawn, mobilized] = [
    await buildParticipant(server.db),
    await buildParticipant(server.db, { trackType: null }),
    await buildParticipant(server.db),
    await buildParticipant(server.db, { trackType: 'adult_mobilization' }),
  ];
  await buildParticipant(server.db);
  for (const { id } of [spring, fall]) await enrol(server.db, { cohortId: id, participantId: twice.id });
  for (const { id } of [without, withdrawn, mobilized]) {
    await enrol(server.db, { cohortId: fall.id, participantId: id });
  }
  await server.db
    .updateTable('cohortParticipants')
    .set({ status: 'withdrawn', endedAt: new Date() })
    .where('participantId', '=', withdrawn.id)
    .execute();
  expect(await reached()).toEqual({
    all: before.all + 3,
    fellows: (before.fellows ?? 0) + 2,
    mobilized: (before.mobilized ?? 0) + 1,
    nobody: 0,
    cohort: (before.fellows ?? 0) + 2,
  });
  const one = await admin.call(readTrainingActivity, { params: { id: toMobilized } });
  expect(one.reachedCount).toBe((before.mobilized ?? 0) + 1);
  const assigned = { params: { id: toMobilized }, body: { cohortId: spring.id, coachId: null } };
  expect((await admin.call(assignActivity, assigned)).reachedCount).toBe(one.reachedCount);
});

test('an activity of no cohort reaches nobody whose latest cohort is of another program', async () => {
  const { id } = await buildActivity(server.db, { weekNumber: 1, applicableFellowship: true });
  const reached = async () => {
    const { reachedCount: all } = await admin.call(listActivityCohorts);
    return { all, one: (await admin.call(readTrainingActivity, { params: { id } })).reachedCount };
  };
  const other = await buildProgramme(server.db);
  const elsewhere = await buildCohort(server.db, { programmeId: other.id, startDate: '2026-09-07' });
  const before = await reached();
  const [member, both] = [await buildParticipant(server.db), await buildParticipant(server.db)];
  for (const person of [member, both]) await enrol(server.db, { cohortId: elsewhere.id, participantId: person.id });
  expect(await reached()).toEqual(before);
  const later = await buildCohort(server.db, { startDate: '2026-11-02' });
  await enrol(server.db, { cohortId: later.id, participantId: both.id });
  expect(await reached()).toEqual({ all: before.all + 1, one: before.one + 1 });
  const earlier = await buildCohort(server.db, { startDate: '2026-01-05' });
  await enrol(server.db, { cohortId: earlier.id, participantId: member.id });
  expect(await reached()).toEqual({ all: before.all + 1, one: before.one + 1 });
});
