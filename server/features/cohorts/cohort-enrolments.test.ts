import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assignCoach as assign, listCoaches, listParticipantsWithoutCoach } from '#contract/coach-assignment.ts';
import { takeMemberBack, withdrawMember } from '#contract/cohorts.ts';
import { enrolInCohort, listEnrolmentTargets } from '#contract/enrolments.ts';
import { listContacts } from '#contract/messages.ts';
import type { Role } from '#contract/roles.ts';
import { deleteUser, readUser, updateUser } from '#contract/user-management.ts';
import { followLeftChanges } from '#server/derivations.ts';
import { newId } from '#server/platform/ids.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { buildCohort, buildCourse, enrol } from '#test/factories/cohorts.ts';
import { buildActivity } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { jobsAreDone } from '#test/support/sign-in.ts';
import { memberChangedQueue } from './cohort-queue.ts';

let server: TestApp;
let admin: Client;
let courseId: string;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.as(await buildAdmin(server.db));
  courseId = (await buildCourse(server.db)).id;
});
afterAll(() => server.close());

const cohortOf = (id: string) =>
  server.db.selectFrom('cohorts').select('currentEnrollment').where('id', '=', id).executeTakeFirstOrThrow();
const membershipsOf = (participantId: string) =>
  server.db
    .selectFrom('cohortParticipants')
    .select(['cohortId', 'status'])
    .where('participantId', '=', participantId)
    .execute();
const coursesOf = (userId: string) =>
  server.db.selectFrom('userCourses').select(['courseId', 'coachId', 'status']).where('userId', '=', userId).execute();
const place = (userId: string, cohortId: string, coachId: string | null = null) => ({
  body: { userId, cohortId, coachId },
});

test('USER-26 USER-29 USER-32 USER-34 CASN-16 enrols a participant in the chosen cohort and its course, with the chosen coach', async () => {
  const cohort = await buildCohort(server.db, { status: 'planning' });
  const coach = await buildCoach(server.db, { firstName: 'Nora', lastName: 'Nye' });
  const person = await buildParticipant(server.db, { trackType: null });
  const reply = await admin.call(enrolInCohort, place(person.id, cohort.id, coach.id));
  const names = { firstName: 'Robin', lastName: 'Reyes', cohortName: cohort.name, coachName: 'Nora Nye' };
  expect(reply).toEqual({ ...names, sessions: { moved: 0, cancelled: 0 } });
  expect(await membershipsOf(person.id)).toEqual([{ cohortId: cohort.id, status: 'active' }]);
  expect(await coursesOf(person.id)).toEqual([{ courseId, coachId: coach.id, status: 'enrolled' }]);
  expect(await cohortOf(cohort.id)).toEqual({ currentEnrollment: 1 });
  const profile = await server.db.selectFrom('profiles').select('trackType').where('id', '=', person.id).execute();
  expect(profile).toEqual([{ trackType: 'fellowship' }]);
  const contactsOf = async (who: { id: string }) =>
    (await (await server.as(who)).call(listContacts, { query: {} })).rows.map(({ id }) => id);
  expect(await contactsOf(person)).toEqual([coach.id]);
  expect(await contactsOf(coach)).toEqual([person.id]);
  const told = await server.db
    .selectFrom('notices')
    .select(['userId', 'title'])
    .where('userId', 'in', [person.id, coach.id])
    .orderBy('title')
    .execute();
  expect(told).toEqual([
    { userId: coach.id, title: 'A participant was assigned to you' },
    { userId: person.id, title: 'You have a coach' },
  ]);
});

test('USER-29 without a coach the course row has none, and a coach whom the participant has stays', async () => {
  const [first, second] = [await buildCohort(server.db), await buildCohort(server.db)];
  const coach = await buildCoach(server.db);
  const person = await buildParticipant(server.db, { trackType: 'self_learner' });
  await admin.call(enrolInCohort, place(person.id, first.id));
  expect(await coursesOf(person.id)).toEqual([{ courseId, coachId: null, status: 'enrolled' }]);
  await server.db.updateTable('userCourses').set({ coachId: coach.id }).where('userId', '=', person.id).execute();
  await admin.call(enrolInCohort, { body: { userId: person.id, cohortId: second.id } });
  expect(await coursesOf(person.id)).toEqual([{ courseId, coachId: coach.id, status: 'enrolled' }]);
  const profile = await server.db.selectFrom('profiles').select('trackType').where('id', '=', person.id).execute();
  expect(profile).toEqual([{ trackType: 'self_learner' }]);
});

test('USER-29 a chosen coach replaces the present one: both are told, and the log names both', async () => {
  const cohort = await buildCohort(server.db);
  const earlier = await buildCoach(server.db, { firstName: 'Nora', lastName: 'Nye' });
  const later = await buildCoach(server.db, { firstName: 'Cory', lastName: 'Coe' });
  const person = await buildParticipant(server.db);
  await server.db.insertInto('userCourses').values({ userId: person.id, courseId, coachId: earlier.id }).execute();
  const news = await toldBy(server, () => admin.call(enrolInCohort, place(person.id, cohort.id, later.id)));
  expect(news(earlier)).toEqual(expect.arrayContaining(['coaches', 'enrolments', 'notices']));
  expect(await coursesOf(person.id)).toEqual([{ courseId, coachId: later.id, status: 'enrolled' }]);
  const noted = await server.db.selectFrom('auditLog').selectAll().where('subjectId', '=', person.id).execute();
  expect(noted).toMatchObject([{ before: { coachId: earlier.id }, after: { coachId: later.id } }]);
  const told = await server.db
    .selectFrom('notices')
    .select(['userId', 'title', 'message'])
    .where('userId', 'in', [earlier.id, later.id])
    .orderBy('userId')
    .execute();
  expect(told).toEqual([
    {
      userId: earlier.id,
      title: 'A participant has a new coach',
      message: 'Robin Reyes is now with Cory Coe as their coach.',
    },
    { userId: later.id, title: 'A participant was assigned to you', message: 'Robin Reyes is with you now.' },
  ]);

  // The person is enrolled once more with the same coach, so nobody has anything new.
  await admin.call(enrolInCohort, place(person.id, (await buildCohort(server.db)).id, later.id));
  const again = server.db.selectFrom('notices').select('id').where('userId', '=', later.id);
  expect(await again.execute()).toHaveLength(1);
});

test('a person who comes back to a course has no coach until one is given, and waits for one', async () => {
  const cohort = await buildCohort(server.db);
  const [gone, present] = [await buildCoach(server.db), await buildCoach(server.db)];
  for (const former of [gone, present]) {
    const person = await buildParticipant(server.db);
    await admin.call(enrolInCohort, place(person.id, cohort.id, former.id));
    await changeRole(person.id, 'coach');
    expect(await coursesOf(person.id)).toMatchObject([{ status: 'withdrawn' }]);
    if (former === gone) await admin.call(deleteUser, { params: { id: former.id } });
    await changeRole(person.id, 'participant');
    await admin.call(enrolInCohort, place(person.id, cohort.id));
    expect(await coursesOf(person.id)).toEqual([{ courseId, coachId: null, status: 'enrolled' }]);
    const { rows } = await admin.call(listParticipantsWithoutCoach, { query: { search: person.email } });
    expect(rows.map(({ id }) => id)).toEqual([person.id]);
    const body = { participantIds: [person.id], coachId: present.id };
    expect(await admin.call(assign, { body })).toMatchObject({ assigned: 1 });
  }
});

async function changeRole(id: string, role: Role) {
  const { version } = await admin.call(readUser, { params: { id } });
  await admin.call(updateUser, { params: { id }, body: { role, version } });
}

test('a person who is enrolled has progress from the act itself, and the job that tells their screens derives it no second time', async () => {
  const cohort = await buildCohort(server.db);
  const person = await buildParticipant(server.db);
  while (await inTransaction(server.db, followLeftChanges));
  const writtenBy = async () => {
    const { rows } = await sql<{ writtenBy: string }>`
      select xmin::text as written_by from participant_progress where participant_id = ${person.id}`.execute(server.db);
    return rows.map((row) => row.writtenBy);
  };
  await admin.call(enrolInCohort, place(person.id, cohort.id));
  const byTheAct = await writtenBy();
  expect(byTheAct).toHaveLength(1);
  const jobs = await server.runJobs();
  await jobsAreDone(server.db, memberChangedQueue.name);
  await jobs.stop();
  expect(await writtenBy()).toEqual(byTheAct);
});

test('TRACK-13 progress follows another track and the return into a cohort', async () => {
  const cohort = await buildCohort(server.db);
  const person = await buildParticipant(server.db);
  const facts = { cohortId: cohort.id, isRequired: true };
  const attended = await buildActivity(server.db, { ...facts, applicableAmp: true });
  await buildActivity(server.db, facts);
  const percentage = async () => {
    const found = await server.db
      .selectFrom('participantProgress')
      .select('overallCompletionPercentage')
      .where('participantId', '=', person.id)
      .execute();
    return found.map(({ overallCompletionPercentage }) => Number(overallCompletionPercentage));
  };
  const followed = (expected: number[]) => expect.poll(percentage).toEqual(expected);
  await server.db
    .insertInto('attendanceRecords')
    .values({ fellowId: person.id, cohortId: cohort.id, contentId: attended.id, weekNumber: 1 })
    .execute();
  await admin.call(enrolInCohort, place(person.id, cohort.id));
  await server.runJobs();
  await followed([50]);
  const { version } = await admin.call(readUser, { params: { id: person.id } });
  const trackType = 'adult_mobilization';
  await admin.call(updateUser, { params: { id: person.id }, body: { trackType, version } });
  await followed([100]);
  const member = { params: { id: cohort.id, participantId: person.id } };
  await admin.call(withdrawMember, { ...member, body: { reason: 'Moved away' } });
  await buildActivity(server.db, { ...facts, applicableAmp: true });
  await admin.call(takeMemberBack, member);
  await followed([50]);
});

test('USER-27 only active and planning cohorts are offered and accepted', async () => {
  const person = await buildParticipant(server.db);
  for (const status of ['active', 'planning', 'completed', 'cancelled']) {
    const cohort = await buildCohort(server.db, { status });
    const isOpen = status === 'active' || status === 'planning';
    const { cohorts } = await admin.call(listEnrolmentTargets);
    expect(cohorts.some(({ id }) => id === cohort.id)).toBe(isOpen);
    if (isOpen) continue;
    const { status: answered, problem } = await admin.refused(enrolInCohort, place(person.id, cohort.id));
    expect([answered, problem.detail]).toEqual([
      409,
      `${cohort.name} is ${status}: only active and planning cohorts take people.`,
    ]);
  }
  expect(await membershipsOf(person.id)).toEqual([]);
});

test('USER-28 without a cohort nothing is written', async () => {
  const person = await buildParticipant(server.db);
  for (const cohortId of ['', 'none']) {
    const { status, problem } = await admin.refused(enrolInCohort, place(person.id, cohortId));
    expect(status).toBe(422);
    expect(problem.errors).toEqual([{ path: 'cohortId', message: 'Please select a cohort' }]);
  }
  expect((await admin.refused(enrolInCohort, place(person.id, newId()))).status).toBe(404);
  expect(await membershipsOf(person.id)).toEqual([]);
});

test('USER-31 USER-33 a repeat is refused in words and makes no second membership, also when both come at once', async () => {
  const cohort = await buildCohort(server.db);
  const person = await buildParticipant(server.db);
  const send = () =>
    admin.fetch(enrolInCohort.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(place(person.id, cohort.id).body),
    });
  const answers = await Promise.all([send(), send()]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const { problem } = await admin.refused(enrolInCohort, place(person.id, cohort.id));
  expect(problem).toMatchObject({ code: 'duplicate', detail: `Robin Reyes is already registered in ${cohort.name}.` });
  expect(await membershipsOf(person.id)).toEqual([{ cohortId: cohort.id, status: 'active' }]);
  expect(await cohortOf(cohort.id)).toEqual({ currentEnrollment: 1 });
});

test('USER-34 the last place is given once', async () => {
  const cohort = await buildCohort(server.db, { capacity: 1, name: 'Tiny' });
  const rivals = [await buildParticipant(server.db), await buildParticipant(server.db)];
  const answers = await Promise.allSettled(rivals.map(({ id }) => admin.call(enrolInCohort, place(id, cohort.id))));
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const late = await buildParticipant(server.db);
  const { problem } = await admin.refused(enrolInCohort, place(late.id, cohort.id));
  expect(problem).toMatchObject({ code: 'conflict', detail: 'Tiny is full: all 1 places are taken.' });
  expect(await cohortOf(cohort.id)).toEqual({ currentEnrollment: 1 });
});

test('USER-36 a coach, an admin, a deleted person and a stranger are not enrolled, nor is a participant under one who is no coach', async () => {
  const cohort = await buildCohort(server.db);
  for (const person of [await buildCoach(server.db), await buildAdmin(server.db)]) {
    const { status, problem } = await admin.refused(enrolInCohort, place(person.id, cohort.id));
    expect(status).toBe(409);
    expect(problem.detail).toContain('only participants can be registered');
  }
  const gone = await buildParticipant(server.db);
  await server.db.updateTable('profiles').set({ deletedAt: new Date() }).where('id', '=', gone.id).execute();
  expect((await admin.refused(enrolInCohort, place(gone.id, cohort.id))).status).toBe(404);
  expect((await admin.refused(enrolInCohort, place(newId(), cohort.id))).status).toBe(404);
  const person = await buildParticipant(server.db);
  for (const coach of [await buildAdmin(server.db), await buildParticipant(server.db), { id: newId() }]) {
    expect((await admin.refused(enrolInCohort, place(person.id, cohort.id, coach.id))).status).toBe(409);
  }
  expect(await membershipsOf(person.id)).toEqual([]);
  expect(await cohortOf(cohort.id)).toEqual({ currentEnrollment: 0 });
});

test('USER-38 coaches to choose from come by first name', async () => {
  for (const firstName of ['Yara', 'Abel', 'Milo']) await buildCoach(server.db, { firstName, lastName: 'Picker' });
  const { rows } = await admin.call(listCoaches, { query: { search: 'picker' } });
  expect(rows.map(({ firstName }) => firstName)).toEqual(['Abel', 'Milo', 'Yara']);
});

test('SEC1-17 participants and coaches can neither enrol anybody nor assign a coach', async () => {
  const cohort = await buildCohort(server.db);
  const [person, coach] = [await buildParticipant(server.db), await buildCoach(server.db)];
  await enrol(server.db, { cohortId: cohort.id, participantId: person.id });
  await server.db.insertInto('userCourses').values({ userId: person.id, courseId }).execute();
  const other = await buildCohort(server.db);
  for (const who of [person, coach]) {
    const client = await server.as(who);
    const body = { participantIds: [person.id], coachId: coach.id };
    expect((await client.refused(enrolInCohort, place(person.id, other.id, coach.id))).status).toBe(403);
    expect((await client.refused(assign, { body })).status).toBe(403);
    expect((await client.refused(listParticipantsWithoutCoach, { query: {} })).status).toBe(403);
    expect((await client.refused(listCoaches, { query: {} })).status).toBe(403);
  }
  expect(await membershipsOf(person.id)).toEqual([{ cohortId: cohort.id, status: 'active' }]);
  expect(await coursesOf(person.id)).toEqual([{ courseId, coachId: null, status: 'enrolled' }]);
});
