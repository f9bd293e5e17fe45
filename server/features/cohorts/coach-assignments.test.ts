import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { assignCoach, listCoaches, listParticipantsWithoutCoach } from '#contract/coach-assignment.ts';
import { listContacts } from '#contract/messages.ts';
import { readUser } from '#contract/user-management.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, buildCourse, enrol } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;
let admin: Client;
let coach: BuiltPerson;
let fellowshipId: string;
let otherCourseId: string;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.as(await buildAdmin(server.db));
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('userCourses').execute();
  await server.db.deleteFrom('courses').execute();
  const { id } = await server.db
    .insertInto('courses')
    .values({ title: 'Adults', trackType: 'adult_mobilization' })
    .returning('id')
    .executeTakeFirstOrThrow();
  otherCourseId = id;
  fellowshipId = (await buildCourse(server.db)).id;
  await buildCourse(server.db, { title: 'A later Fellowship' });
  coach = await buildCoach(server.db, { firstName: 'Nora', lastName: 'Nye' });
});

interface Enrolment {
  courseId?: string;
  coachId?: string | null;
  status?: string;
}

async function buildEnrolled(firstName: string, { courseId = fellowshipId, ...facts }: Enrolment = {}) {
  const person = await buildParticipant(server.db, { firstName });
  await server.db
    .insertInto('userCourses')
    .values({ userId: person.id, courseId, ...facts })
    .execute();
  return person;
}

const coursesOf = (userId: string) =>
  server.db
    .selectFrom('userCourses')
    .select(['courseId', 'coachId', 'status'])
    .where('userId', '=', userId)
    .orderBy('courseId', 'desc')
    .execute();
const waiting = () => admin.call(listParticipantsWithoutCoach, { query: {} });
const assign = (people: { id: string }[], coachId = coach.id) =>
  admin.call(assignCoach, { body: { participantIds: people.map(({ id }) => id), coachId } });
const refuse = (people: { id: string }[], coachId = coach.id) =>
  admin.refused(assignCoach, { body: { participantIds: people.map(({ id }) => id), coachId } });

test('CASN-02 CASN-03 USER-38 listed are exactly the participants with an enrolled course that has no coach, by first name', async () => {
  const cohort = await buildCohort(server.db, { name: 'Autumn' });
  const zed = await buildEnrolled('Zed');
  await enrol(server.db, { cohortId: cohort.id, participantId: zed.id });
  await buildEnrolled('Amy', { courseId: otherCourseId });
  await buildEnrolled('Bob', { coachId: coach.id });
  await buildEnrolled('Cid', { status: 'completed' });
  await buildEnrolled('Dot', { status: 'withdrawn' });
  await buildParticipant(server.db, { firstName: 'Eve' });
  const gone = await buildEnrolled('Fay');
  await server.db.updateTable('profiles').set({ deletedAt: new Date() }).where('id', '=', gone.id).execute();
  const found = await waiting();
  expect(found.rows.map(({ firstName, cohortName }) => [firstName, cohortName])).toEqual([
    ['Amy', null],
    ['Zed', 'Autumn'],
  ]);
  expect(found).toMatchObject({ matching: 2, nextCursor: null });
  const search = await admin.call(listParticipantsWithoutCoach, { query: { search: 'zed r' } });
  expect(search).toMatchObject({ matching: 1, rows: [{ id: zed.id }] });
});

test('CASN-03 the picker holds coaches only, by first name, each with how many people they have', async () => {
  const abel = await buildCoach(server.db, { firstName: 'Abel', lastName: 'Present' });
  await buildAdmin(server.db, { lastName: 'Present' });
  await buildParticipant(server.db, { lastName: 'Present' });
  await buildEnrolled('One', { coachId: abel.id });
  const two = await buildEnrolled('Two', { coachId: abel.id });
  await server.db
    .insertInto('userCourses')
    .values({ userId: two.id, courseId: otherCourseId, coachId: abel.id })
    .execute();
  await buildEnrolled('Former', { coachId: abel.id, status: 'completed' });
  const { rows } = await admin.call(listCoaches, { query: { search: 'present' } });
  expect(rows).toEqual([
    { id: abel.id, firstName: 'Abel', lastName: 'Present', email: abel.email, participantCount: 2 },
  ]);
  const names = (await admin.call(listCoaches, { query: {} })).rows.map(({ firstName }) => firstName);
  expect(names).toEqual(names.toSorted());
});

test('CASN-08 CASN-09 CASN-11 CASN-16 the coach is set on the rows of the first fellowship course; both sides find each other', async () => {
  const people = [await buildEnrolled('Ann'), await buildEnrolled('Ben')];
  expect(await assign(people)).toEqual({ assigned: 2, coachName: 'Nora Nye' });
  for (const { id } of people) {
    expect(await coursesOf(id)).toEqual([{ courseId: fellowshipId, coachId: coach.id, status: 'enrolled' }]);
    expect(await admin.call(readUser, { params: { id } })).toMatchObject({ coach: { id: coach.id } });
  }
  expect((await waiting()).rows).toEqual([]);
  const contactsOf = async (who: { id: string }) =>
    (await (await server.as(who)).call(listContacts, { query: {} })).rows.map(({ id }) => id).toSorted();
  expect(await contactsOf(coach)).toEqual(people.map(({ id }) => id).toSorted());
  for (const person of people) expect(await contactsOf(person)).toEqual([coach.id]);
  const told = await server.db.selectFrom('notices').select('message').where('userId', '=', coach.id).execute();
  expect(told).toHaveLength(1);
  expect(told[0]?.message).toMatch(/^(Ann|Ben) Reyes and 1 more are with you now\.$/);
});

test('CASN-10 a participant without a row of that course gets one, and the row that lacked a coach has the coach too', async () => {
  const person = await buildEnrolled('Amy', { courseId: otherCourseId });
  await assign([person]);
  const rows = await coursesOf(person.id);
  expect(rows).toHaveLength(2);
  expect(rows).toContainEqual({ courseId: fellowshipId, coachId: coach.id, status: 'enrolled' });
  expect(rows).toContainEqual({ courseId: otherCourseId, coachId: coach.id, status: 'enrolled' });
  expect((await waiting()).rows).toEqual([]);
});

test('CASN-05 CASN-06 nobody chosen, or no coach, writes nothing', async () => {
  const person = await buildEnrolled('Ann');
  expect((await refuse([])).problem.errors).toEqual([
    { path: 'participantIds', message: 'Please select at least one participant' },
  ]);
  expect((await refuse([person], '')).problem.errors).toEqual([{ path: 'coachId', message: 'Please select a coach' }]);
  expect(await coursesOf(person.id)).toEqual([{ courseId: fellowshipId, coachId: null, status: 'enrolled' }]);
});

test('CASN-07 without a fellowship course nothing is written', async () => {
  const person = await buildEnrolled('Amy', { courseId: otherCourseId });
  await server.db.deleteFrom('courses').where('trackType', '=', 'fellowship').execute();
  const { problem } = await refuse([person]);
  expect(problem.detail).toBe('No Fellowship course found. Please create a Fellowship course first.');
  expect(await coursesOf(person.id)).toEqual([{ courseId: otherCourseId, coachId: null, status: 'enrolled' }]);
});

test('CASN-12 a person who has this coach already is answered as a duplicate, and nobody is assigned', async () => {
  const [fresh, settled] = [await buildEnrolled('Ann'), await buildEnrolled('Ben', { coachId: coach.id })];
  const { status, problem } = await refuse([fresh, settled]);
  expect([status, problem.code, problem.detail]).toEqual([
    409,
    'duplicate',
    'Some participants are already assigned to this coach',
  ]);
  expect(await coursesOf(fresh.id)).toMatchObject([{ coachId: null }]);
});

test('CASN-17 a coach set meanwhile stays, and nobody but a coach is assigned', async () => {
  const rival = await buildCoach(server.db);
  const [fresh, settled] = [await buildEnrolled('Ann'), await buildEnrolled('Ben', { coachId: rival.id })];
  expect((await refuse([fresh, settled])).problem).toMatchObject({
    code: 'stale',
    detail: 'Ben Reyes no longer waits for a coach. Nobody was assigned; please look at the list again.',
  });
  expect(await coursesOf(settled.id)).toMatchObject([{ coachId: rival.id }]);
  const gone = await buildCoach(server.db);
  await server.db.updateTable('profiles').set({ deletedAt: new Date() }).where('id', '=', gone.id).execute();
  for (const { id } of [await buildAdmin(server.db), await buildParticipant(server.db), gone, { id: newId() }]) {
    expect((await refuse([fresh], id)).status).toBe(409);
  }
  expect((await refuse([fresh, { id: newId() }])).problem.code).toBe('stale');
  expect((await refuse([fresh, rival])).problem.code).toBe('stale');
  expect(await coursesOf(fresh.id)).toEqual([{ courseId: fellowshipId, coachId: null, status: 'enrolled' }]);
});

test('CASN-17 of two admins who assign one participant at once, one does', async () => {
  const rival = await buildCoach(server.db);
  const person = await buildEnrolled('Ann');
  const answers = await Promise.allSettled([assign([person]), assign([person], rival.id)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const winner = answers[0]?.status === 'fulfilled' ? coach.id : rival.id;
  expect(await coursesOf(person.id)).toEqual([{ courseId: fellowshipId, coachId: winner, status: 'enrolled' }]);
});

test('a whole intake is assigned at once, and the list of people who wait comes page by page', async () => {
  const people: { id: string }[] = [];
  for (let index = 0; index < 120; index += 1) people.push(await buildEnrolled(`Person ${index % 9}`));
  const first = await waiting();
  expect(first).toMatchObject({ matching: 120 });
  const second = await admin.call(listParticipantsWithoutCoach, { query: { cursor: first.nextCursor ?? '' } });
  const listed = [...first.rows, ...second.rows].map(({ id }) => id);
  expect(new Set(listed)).toEqual(new Set(people.map(({ id }) => id)));
  expect(second.nextCursor).toBeNull();
  expect(await assign(people)).toMatchObject({ assigned: 120 });
  expect((await waiting()).matching).toBe(0);
});
