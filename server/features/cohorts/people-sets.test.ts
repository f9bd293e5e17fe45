import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { assignCoach, previewCoachAssignment } from '#contract/coach-assignment.ts';
import { enrolInCohort, enrolPeople, previewEnrolments } from '#contract/enrolments.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, buildCourse, enrol } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
let admin: Client;
let courseId: string;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.as(await buildAdmin(server.db));
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('userCourses').execute();
  await server.db.deleteFrom('courses').execute();
  courseId = (await buildCourse(server.db)).id;
});

const idsOf = (people: { id: string }[]) => people.map(({ id }) => id);
const bodyOf = (people: { id: string }[], cohortId: string) => ({ body: { userIds: idsOf(people), cohortId } });
const membersOf = async (cohortId: string) => {
  const members = server.db.selectFrom('cohortParticipants').select('participantId').where('cohortId', '=', cohortId);
  return idsOf((await members.where('status', '=', 'active').execute()).map((row) => ({ id: row.participantId })));
};
const coursesOf = (userId: string) =>
  server.db.selectFrom('userCourses').select(['courseId', 'coachId', 'status']).where('userId', '=', userId).execute();

test('enrolling several people says whom it enrolls and why not the others, and then does exactly that', async () => {
  const cohort = await buildCohort(server.db, { name: 'Spring', capacity: 10 });
  const coach = await buildCoach(server.db, { firstName: 'Nora', lastName: 'Nye' });
  const fresh = await buildParticipant(server.db, { firstName: 'Ann', trackType: null });
  const back = await buildParticipant(server.db, { firstName: 'Ben' });
  const inside = await buildParticipant(server.db, { firstName: 'Cid' });
  await enrol(server.db, { cohortId: cohort.id, participantId: back.id });
  await enrol(server.db, { cohortId: cohort.id, participantId: inside.id });
  const left = server.db.updateTable('cohortParticipants').set({ status: 'withdrawn', endedAt: new Date() });
  await left.where('participantId', '=', back.id).execute();
  await server.db.insertInto('userCourses').values({ userId: back.id, courseId, coachId: coach.id }).execute();
  const gone = newId();
  const chosen = [fresh, back, inside, coach, { id: gone }, fresh];

  const refused = [
    { id: inside.id, name: 'Cid Reyes', reason: 'Already in Spring' },
    { id: coach.id, name: 'Nora Nye', reason: 'Not a participant, but a coach' },
    { id: gone, name: 'Somebody', reason: 'No longer there' },
  ];
  const preview = await admin.call(previewEnrolments, bodyOf(chosen, cohort.id));
  expect(preview).toEqual({ ready: [fresh.id, back.id], refused, cohortName: 'Spring' });
  expect(await membersOf(cohort.id)).toEqual([inside.id]);

  const news = await toldBy(server, async () => {
    const done = await admin.call(enrolPeople, bodyOf(chosen, cohort.id));
    expect(done).toEqual({ enrolled: 2, cohortName: 'Spring', refused });
  });
  for (const person of [fresh, back]) expect(news(person)).toEqual(expect.arrayContaining(['enrolments', 'training']));
  expect((await membersOf(cohort.id)).toSorted()).toEqual(idsOf([fresh, back, inside]).toSorted());
  expect(await coursesOf(fresh.id)).toEqual([{ courseId, coachId: null, status: 'enrolled' }]);
  expect(await coursesOf(back.id)).toEqual([{ courseId, coachId: coach.id, status: 'enrolled' }]);
  const { trackType } = await server.db
    .selectFrom('profiles')
    .select('trackType')
    .where('id', '=', fresh.id)
    .executeTakeFirstOrThrow();
  expect(trackType).toBe('fellowship');
  const noted = await server.db
    .selectFrom('auditLog')
    .select(['action', 'before', 'after'])
    .where('subjectId', 'in', [fresh.id, back.id, inside.id])
    .orderBy('subjectId')
    .execute();
  expect(noted).toEqual([
    {
      action: 'cohort.enrol',
      before: { trackType: null, membership: null },
      after: { trackType: 'fellowship', membership: 'active', cohortId: cohort.id },
    },
    {
      action: 'cohort.enrol',
      before: { trackType: 'fellowship', membership: 'withdrawn' },
      after: { trackType: 'fellowship', membership: 'active', cohortId: cohort.id },
    },
  ]);

  const again = await admin.call(enrolPeople, bodyOf([fresh, back], cohort.id));
  expect(again).toMatchObject({ enrolled: 0, refused: [{ id: fresh.id }, { id: back.id }] });
});

test('the last places go in the order of the people, and a set and a single enrollment at once overbook nothing', async () => {
  const cohort = await buildCohort(server.db, { name: 'Small', capacity: 2 });
  const [first, second, third] = [
    await buildParticipant(server.db),
    await buildParticipant(server.db),
    await buildParticipant(server.db),
  ];
  const people = [first, second, third];
  const preview = await admin.call(previewEnrolments, bodyOf([second, first, third], cohort.id));
  expect(preview).toEqual({
    ready: [second.id, first.id],
    refused: [{ id: third.id, name: 'Robin Reyes', reason: 'No place left in Small' }],
    cohortName: 'Small',
  });
  const other = await buildParticipant(server.db);
  await Promise.allSettled([
    admin.call(enrolPeople, bodyOf(people, cohort.id)),
    admin.call(enrolPeople, bodyOf(people.toReversed(), cohort.id)),
    admin.call(enrolInCohort, { body: { userId: other.id, cohortId: cohort.id } }),
  ]);
  expect(await membersOf(cohort.id)).toHaveLength(2);
});

test('a closed cohort takes nobody, a request names 1 to 1,000 people, and only admins call it', async () => {
  const closed = await buildCohort(server.db, { name: 'Past', status: 'completed' });
  const person = await buildParticipant(server.db);
  for (const call of [previewEnrolments, enrolPeople]) {
    expect((await admin.refused(call, bodyOf([person], closed.id))).problem.detail).toMatch(/^Past is completed/);
    expect((await admin.refused(call, bodyOf([person], newId()))).status).toBe(404);
    expect((await admin.refused(call, bodyOf([], closed.id))).problem.errors).toEqual([
      { path: 'userIds', message: 'Please select at least one person' },
    ]);
    const many = Array.from({ length: 1001 }, () => ({ id: newId() }));
    expect((await admin.refused(call, bodyOf(many, closed.id))).problem.errors).toEqual([
      { path: 'userIds', message: 'At most 1,000 people can be selected at once' },
    ]);
  }
  const coach = await server.as(await buildCoach(server.db));
  expect((await coach.refused(enrolPeople, bodyOf([person], closed.id))).status).toBe(403);
});

test('two people and forty take the same number of statements', async () => {
  const cohort = await buildCohort(server.db, { capacity: 100 });
  const people = [];
  for (let index = 0; index < 42; index += 1) people.push(await buildParticipant(server.db));
  const count = (chosen: { id: string }[]) =>
    countStatements(server.app.pool, () => admin.call(enrolPeople, bodyOf(chosen, cohort.id)));
  const few = await count(people.slice(0, 2));
  expect(await count(people.slice(2))).toBe(few);
  expect((await membersOf(cohort.id)).length).toBe(42);
});

test('before a coach is assigned to several people, it is said who waits for one, and why not the others', async () => {
  const [coach, rival] = [
    await buildCoach(server.db, { firstName: 'Nora', lastName: 'Nye' }),
    await buildCoach(server.db, { firstName: 'Cory', lastName: 'Coe' }),
  ];
  const enrolled = async (firstName: string, coachId: string | null) => {
    const person = await buildParticipant(server.db, { firstName });
    await server.db.insertInto('userCourses').values({ userId: person.id, courseId, coachId }).execute();
    return person;
  };
  const [waiting, own, foreign] = [
    await enrolled('Ann', null),
    await enrolled('Ben', coach.id),
    await enrolled('Cid', rival.id),
  ];
  const outside = await buildParticipant(server.db, { firstName: 'Dot' });
  const left = await enrolled('Eve', null);
  await server.db.updateTable('profiles').set({ deletedAt: new Date() }).where('id', '=', left.id).execute();
  const participantIds = idsOf([waiting, own, foreign, outside, rival, left]);
  const preview = await admin.call(previewCoachAssignment, { body: { participantIds, coachId: coach.id } });
  expect(preview).toEqual({
    ready: [waiting.id],
    refused: [
      { id: own.id, name: 'Ben Reyes', reason: 'Already with Nora Nye' },
      { id: foreign.id, name: 'Cid Reyes', reason: 'Already with another coach' },
      { id: outside.id, name: 'Dot Reyes', reason: 'Not enrolled yet: enroll them in a cohort first' },
      { id: rival.id, name: 'Cory Coe', reason: 'Not a participant' },
      { id: left.id, name: 'Somebody', reason: 'No longer there' },
    ],
    coachName: 'Nora Nye',
  });
  const body = { participantIds: preview.ready, coachId: coach.id };
  expect(await admin.call(assignCoach, { body })).toEqual({ assigned: 1, coachName: 'Nora Nye' });
  expect((await admin.call(previewCoachAssignment, { body })).ready).toEqual([]);
  const notACoach = { participantIds, coachId: outside.id };
  expect((await admin.refused(previewCoachAssignment, { body: notACoach })).status).toBe(409);
});
