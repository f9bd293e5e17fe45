import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFellowship } from '#contract/fellowship.ts';
import { readActivity } from '#contract/learning.ts';
import {
  createActivity,
  createRequirement,
  deleteActivity,
  deleteRequirement,
  listProgrammeActivities,
  listRequirements,
  moveRequirement,
  updateActivity,
  updateRequirement,
} from '#contract/programme-items.ts';
import { weekFacts } from '#server/features/stipends/week-facts-queries.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildContentItem } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend } from '#test/factories/stipends.ts';
import { buildStoredFile } from '#test/factories/stored-files.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
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

const session = {
  title: 'Grid walk',
  weekNumber: 2,
  sessionDate: '2025-09-16',
  sessionTime: '14:30',
  duration: '2 hours',
  durationMinutes: 120,
  location: 'Room 4',
  deliveryPartner: 'City College',
  deliveryMedium: 'In-person' as const,
  trainingDeliveryMode: 'SME-delivered In-person' as const,
  moduleName: 'Case Management',
  description: 'Bring boots.',
  isRequired: true,
  audiences: ['fellowship', 'ambassador'],
};

test('DATA-23 requirements stand in a cohort week by week in their sequence, are edited, moved and removed', async () => {
  const cohort = await buildCohort(server.db);
  const add = (title: string, weekNumber: number) =>
    admin.call(createRequirement, {
      body: { cohortId: cohort.id, title, weekNumber, type: 'quiz', dueDate: '2025-09-19' },
    });
  const later = await add('Later', 3);
  const one = await add('One', 2);
  const two = await add('Two', 2);
  const list = async () => (await admin.call(listRequirements, { query: { cohort: cohort.id } })).rows;
  const titles = async () => (await list()).map(({ title }) => title);
  expect(await titles()).toEqual(['One', 'Two', 'Later']);
  expect((await list())[0]).toEqual({
    id: one.id,
    weekNumber: 2,
    title: 'One',
    type: 'quiz',
    dueDate: '2025-09-19',
    version: 0,
  });
  await admin.call(moveRequirement, { params: two, body: { direction: 'up' } });
  expect(await titles()).toEqual(['Two', 'One', 'Later']);
  expect((await admin.refused(moveRequirement, { params: later, body: { direction: 'up' } })).status).toBe(409);
  const edit = { title: 'Two now', weekNumber: 3, type: 'report', dueDate: '2025-09-26' };
  expect((await admin.refused(updateRequirement, { params: two, body: { ...edit, version: 0 } })).problem.code).toBe(
    'stale',
  );
  await admin.call(updateRequirement, { params: two, body: { ...edit, version: 1 } });
  expect(await titles()).toEqual(['One', 'Later', 'Two now']);
  await admin.call(deleteRequirement, { params: one });
  expect(await titles()).toEqual(['Later', 'Two now']);
  expect((await admin.refused(deleteRequirement, { params: one })).status).toBe(404);
  for (const change of [
    { title: '' },
    { weekNumber: 21 },
    { weekNumber: 0 },
    { dueDate: '2025-02-30' },
    { type: ' ' },
  ]) {
    const body = { ...edit, cohortId: cohort.id, ...change };
    expect((await admin.refused(createRequirement, { body })).status, JSON.stringify(change)).toBe(422);
  }
  const trail = await server.db.selectFrom('auditLog').select('action').where('subjectId', '=', two.id).execute();
  expect(trail.map(({ action }) => action)).toEqual(['requirement.create', 'requirement.move', 'requirement.update']);
});

test('TRAIN-17 an activity is added to a cohort in its week, or to none', async () => {
  const cohort = await buildCohort(server.db, { startDate: '2025-09-08' });
  const { id } = await admin.call(createActivity, { body: { ...session, cohortId: cohort.id } });
  const read = await admin.call(readActivity, { params: { id } });
  expect(read).toMatchObject({
    title: 'Grid walk',
    weekNumber: 2,
    sessionDate: '2025-09-16',
    sessionTime: '14:30',
    cohortName: cohort.name,
  });
  const row = await server.db.selectFrom('trainingActivities').selectAll().where('id', '=', id).executeTakeFirst();
  const { audiences: _, sessionTime: __, ...columns } = session;
  expect(row).toMatchObject({
    ...columns,
    applicableFellowship: true,
    applicableAmbassador: true,
    applicableAmp: false,
    applicableFellowshipAdjunct: false,
  });
  for (const sessionDate of ['2025-09-14', '2025-09-22']) {
    const refusal = await admin.refused(createActivity, { body: { ...session, sessionDate, cohortId: cohort.id } });
    expect(refusal.problem).toMatchObject({ code: 'invalid_input', errors: [{ path: 'sessionDate' }] });
    expect(refusal.problem.detail).toContain('from 2025-09-15 to 2025-09-21');
  }
  const loose = { ...session, cohortId: null, sessionDate: null, duration: ' ', location: null };
  const unassigned = await admin.call(createActivity, { body: loose });
  const stored = await server.db
    .selectFrom('trainingActivities')
    .select(['cohortId', 'duration', 'location'])
    .where('id', '=', unassigned.id)
    .executeTakeFirst();
  expect(stored).toEqual({ cohortId: null, duration: null, location: null });
  for (const change of [
    { title: ' ' },
    { weekNumber: 21 },
    { sessionTime: '25:00' },
    { deliveryMedium: 'Pigeon' as 'Online' },
    { audiences: [] },
    { durationMinutes: 0 },
  ]) {
    expect((await admin.refused(createActivity, { body: { ...loose, ...change } })).status).toBe(422);
  }
});

test('a required activity that is added or removed is followed by the progress of the members', async () => {
  const { db } = server;
  const cohort = await buildCohort(db);
  const fellow = await buildParticipant(db);
  await enrol(db, { cohortId: cohort.id, participantId: fellow.id });
  const attended = await buildActivity(db, { cohortId: cohort.id });
  await attend(db, fellow.id, [attended]);
  await db.deleteFrom('trainingActivities').where('cohortId', 'is', null).execute();
  const jobs = await server.runJobs();
  const client = await server.as(fellow);
  const percentage = async () => (await client.call(readFellowship)).progress.overallPercentage;
  const { id } = await admin.call(createActivity, { body: { ...session, cohortId: cohort.id } });
  await expect.poll(percentage).toBe(50);
  await admin.call(deleteActivity, { params: { id } });
  await expect.poll(percentage).toBe(100);
  await jobs.stop();
});

test('an activity says what hangs on it, goes with its contents, and stays once anybody did anything for it', async () => {
  const { db } = server;
  const cohort = await buildCohort(db);
  const fellow = await buildParticipant(db);
  await enrol(db, { cohortId: cohort.id, participantId: fellow.id });
  const build = async (title: string) => {
    const activity = await buildActivity(db, { cohortId: cohort.id, title });
    return { activity, assignment: await buildAssignment(db, { trainingActivityId: activity.id }) };
  };
  const attended = await build('Attended');
  const handedIn = await build('Handed in');
  const drafted = await build('Drafted');
  await attend(db, fellow.id, [attended.activity]);
  await buildSubmission(db, { assignmentId: handedIn.assignment.id, userId: fellow.id });
  await db
    .insertInto('assignmentDrafts')
    .values({ assignmentId: drafted.assignment.id, userId: fellow.id, draftText: 'So far' })
    .execute();
  const asked = await build('Asked about');
  const request = { participantId: fellow.id, activityId: asked.activity.id, cohortId: cohort.id, weekNumber: 1 };
  await db
    .insertInto('attendanceCorrections')
    .values({ ...request, attended: true, reason: 'I was there' })
    .execute();
  const ticked = await build('Ticked');
  await db
    .insertInto('contentTicks')
    .values({ userId: fellow.id, contentItemId: ticked.assignment.contentItemId })
    .execute();
  const untouched = await build('Untouched');
  const shared = await buildStoredFile(db, { ownerId: ada.id, area: 'content' });
  const own = await buildStoredFile(db, { ownerId: ada.id, area: 'content' });
  for (const { path } of [shared, own]) {
    await buildContentItem(db, { trainingActivityId: untouched.activity.id, filePath: path });
  }
  await buildContentItem(db, { trainingActivityId: attended.activity.id, filePath: shared.path });

  const { rows } = await admin.call(listProgrammeActivities, { query: { cohort: cohort.id } });
  const counts = rows.map(({ title, contents, assignments, attendance, submissions, drafts, corrections, ticks }) => {
    return [title, contents, assignments, attendance, submissions, drafts, corrections, ticks];
  });
  expect(counts).toEqual([
    ['Attended', 2, 1, 1, 0, 0, 0, 0],
    ['Handed in', 1, 1, 0, 1, 0, 0, 0],
    ['Drafted', 1, 1, 0, 0, 1, 0, 0],
    ['Asked about', 1, 1, 0, 0, 0, 1, 0],
    ['Ticked', 1, 1, 0, 0, 0, 0, 1],
    ['Untouched', 3, 1, 0, 0, 0, 0, 0],
  ]);
  for (const { activity } of [attended, handedIn, drafted, asked, ticked]) {
    const refusal = await admin.refused(deleteActivity, { params: { id: activity.id } });
    expect(refusal.problem).toMatchObject({ code: 'conflict' });
    expect(refusal.problem.detail).toMatch(
      /stays: \d people attended it, \d handed work in, \d are writing, \d asked about their attendance and \d marked/,
    );
  }
  await admin.call(deleteActivity, { params: { id: untouched.activity.id } });
  expect((await admin.call(listProgrammeActivities, { query: { cohort: cohort.id } })).rows).toHaveLength(5);
  const files = (await db.selectFrom('storedFiles').select('path').execute()).map(({ path }) => path);
  expect(files).toContain(shared.path);
  expect(files).not.toContain(own.path);
  expect((await admin.refused(deleteActivity, { params: { id: untouched.activity.id } })).status).toBe(404);
});

test('everything that an activity was made with is edited; what somebody else wrote meanwhile is not overwritten', async () => {
  const { db } = server;
  const cohort = await buildCohort(db, { startDate: '2025-09-08' });
  const other = await buildCohort(db, { startDate: '2025-10-06' });
  const { id } = await admin.call(createActivity, { body: { ...session, cohortId: cohort.id } });
  const row = async (cohortId: string) =>
    (await admin.call(listProgrammeActivities, { query: { cohort: cohortId } })).rows.find((found) => found.id === id);
  expect(await row(cohort.id)).toMatchObject({ ...session, cohortId: cohort.id, version: 0 });
  const edit = {
    title: 'Grid walk, outdoors',
    cohortId: other.id,
    weekNumber: 1,
    sessionDate: '2025-10-07',
    sessionTime: '09:15',
    duration: null,
    durationMinutes: 45,
    location: 'Yard',
    deliveryPartner: null,
    deliveryMedium: 'Hybrid' as const,
    trainingDeliveryMode: null,
    moduleName: null,
    description: 'Bring boots and a vest.',
    isRequired: false,
    audiences: ['amp'],
  };
  const refusal = await admin.refused(updateActivity, {
    params: { id },
    body: { ...edit, sessionDate: '2025-10-13', version: 0 },
  });
  expect(refusal.problem).toMatchObject({ code: 'invalid_input', errors: [{ path: 'sessionDate' }] });
  await admin.call(updateActivity, { params: { id }, body: { ...edit, version: 0 } });
  expect(await row(other.id)).toMatchObject({ ...edit, version: 1 });
  expect((await admin.refused(updateActivity, { params: { id }, body: { ...edit, version: 0 } })).problem.code).toBe(
    'stale',
  );
  const finished = await buildCohort(db, { status: 'completed', startDate: '2025-10-06' });
  const moved = await admin.refused(updateActivity, {
    params: { id },
    body: { ...edit, cohortId: finished.id, version: 1 },
  });
  expect(moved.problem.detail).toContain('activities go to active and planned cohorts only');
  const trail = await db
    .selectFrom('auditLog')
    .select(['action', 'before', 'after'])
    .where('subjectId', '=', id)
    .orderBy('id')
    .execute();
  expect(trail.map(({ action }) => action)).toEqual(['activity.create', 'activity.update']);
  expect(trail[1]).toMatchObject({ before: { ...session, cohortId: cohort.id }, after: edit });
  expect(
    (await admin.refused(updateActivity, { params: { id: cohort.id }, body: { ...edit, version: 0 } })).status,
  ).toBe(404);
});

test('an activity for nobody is hidden and counts for nobody, and what people did is there again when it is shown', async () => {
  const { db } = server;
  await db.deleteFrom('trainingActivities').where('cohortId', 'is', null).execute();
  const cohort = await buildCohort(db, { startDate: '2025-09-08' });
  const fellow = await buildParticipant(db);
  await enrol(db, { cohortId: cohort.id, participantId: fellow.id });
  const attended = await buildActivity(db, { cohortId: cohort.id, title: 'Attended' });
  await buildActivity(db, { cohortId: cohort.id, title: 'Missed' });
  const assignment = await buildAssignment(db, { trainingActivityId: attended.id });
  await buildSubmission(db, { assignmentId: assignment.id, userId: fellow.id });
  await attend(db, fellow.id, [attended]);
  const client = await server.as(fellow);
  const factsOfWeek = async () => {
    const found = await sql<{ activitiesTotal: number; activitiesAccessed: number; assignmentsTotal: number }>`
      with ${weekFacts(sql`
        select ${fellow.id}::uuid as person_id, ${cohort.id}::uuid as cohort_id, 1 as week_number`)}
      select activities_total, activities_accessed, assignments_total from counted`.execute(db);
    return found.rows[0];
  };
  const asItIs = async () => {
    const { rows } = await admin.call(listProgrammeActivities, { query: { cohort: cohort.id, search: 'Attended' } });
    const [row] = rows;
    if (!row) throw new Error('The activity is listed, hidden or not.');
    return row;
  };
  const choose = async (audiences: string[]) => {
    const { version, ...row } = await asItIs();
    const { deliveryMedium: _, trainingDeliveryMode: __, ...facts } = row;
    const body = { ...facts, deliveryMedium: null, trainingDeliveryMode: null, audiences, version };
    await admin.call(updateActivity, { params: { id: row.id }, body });
  };
  expect(await factsOfWeek()).toEqual({ activitiesTotal: 2, activitiesAccessed: 1, assignmentsTotal: 1 });

  await choose([]);
  expect(await asItIs()).toMatchObject({ audiences: [], attendance: 1, submissions: 1 });
  expect((await client.refused(readActivity, { params: { id: attended.id } })).status).toBe(404);
  expect((await admin.refused(deleteActivity, { params: { id: attended.id } })).problem.detail).toContain(
    'You can hide it',
  );
  expect(await factsOfWeek()).toEqual({ activitiesTotal: 1, activitiesAccessed: 0, assignmentsTotal: 0 });

  await choose(['fellowship']);
  expect((await client.call(readActivity, { params: { id: attended.id } })).title).toBe('Attended');
  expect(await factsOfWeek()).toEqual({ activitiesTotal: 2, activitiesAccessed: 1, assignmentsTotal: 1 });
});

test('activities are found by cohort, by none, by week and by words, in pages that lose none', async () => {
  const { db } = server;
  const cohort = await buildCohort(db);
  await db
    .insertInto('trainingActivities')
    .values(
      Array.from({ length: 70 }, (_, index) => ({
        title: index === 3 ? 'About 100% breakers' : `Paged ${index}`,
        weekNumber: 1 + (index % 4),
        cohortId: cohort.id,
        applicableFellowship: true,
      })),
    )
    .execute();
  const find = (query: object) => admin.call(listProgrammeActivities, { query: { cohort: cohort.id, ...query } });
  const first = await find({});
  const second = await find({ cursor: first.nextCursor });
  expect([first.rows.length, second.rows.length, second.nextCursor]).toEqual([50, 20, null]);
  const seen = [...first.rows, ...second.rows];
  expect(new Set(seen.map(({ id }) => id)).size).toBe(70);
  const weeks = seen.map(({ weekNumber }) => weekNumber);
  expect(weeks).toEqual(weeks.toSorted());
  expect((await find({ search: '0% BREAK' })).rows.map(({ title }) => title)).toEqual(['About 100% breakers']);
  expect((await find({ week: 4 })).rows.every(({ weekNumber }) => weekNumber === 4)).toBe(true);
  const loose = await buildActivity(db);
  expect((await find({ cohort: 'none' })).rows.map(({ id }) => id)).toContain(loose.id);
  expect((await admin.call(listProgrammeActivities, { query: { id: loose.id } })).rows).toMatchObject([
    { id: loose.id, title: loose.title, version: 0 },
  ]);
  expect((await find({ id: loose.id })).rows).toEqual([]);
  expect((await admin.refused(listProgrammeActivities, { query: { cursor: 'nonsense' } })).status).toBe(422);
});

test('only admins add, edit and remove activities and requirements', async () => {
  const cohort = await buildCohort(server.db);
  const activity = await buildActivity(server.db, { cohortId: cohort.id });
  for (const person of [await buildParticipant(server.db), await buildCoach(server.db)]) {
    const client = await server.as(person);
    const refusals = [
      await client.refused(createActivity, { body: { ...session, cohortId: cohort.id } }),
      await client.refused(deleteActivity, { params: { id: activity.id } }),
      await client.refused(updateActivity, {
        params: { id: activity.id },
        body: { ...session, cohortId: null, version: 0 },
      }),
      await client.refused(listProgrammeActivities, { query: {} }),
      await client.refused(listRequirements, { query: { cohort: cohort.id } }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  }
});
