import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCoachParticipants, readCoachDashboard } from '#contract/home.ts';
import { fillOutlooks } from '#server/features/stipends/week-outlooks.ts';
import { buildCoachingSession } from '#test/factories/coaching.ts';
import { assignCoach, buildCohort, buildCourse, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend } from '#test/factories/stipends.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
/** Wednesday, 10:00 in US Eastern. */
const wednesday = '2025-10-08T14:00:00Z';

beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

async function dashboardOf(coach: { id: string }, instant = wednesday) {
  const client = await server.as(coach);
  const restart = stopClockAt(instant);
  return client.call(readCoachDashboard).finally(restart);
}

async function ownParticipant(coach: { id: string }, names: { firstName?: string; lastName?: string } = {}) {
  const participant = await buildParticipant(server.db, names);
  const course = await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  return { participant, course };
}

async function handIn(userId: string, facts: Partial<Parameters<typeof buildSubmission>[1]> = {}) {
  const assignment = await buildAssignment(server.db);
  return buildSubmission(server.db, { assignmentId: assignment.id, userId, ...facts });
}

test('COACH-04 COACH-08 counts and lists the own enrolled participants, each once, no matter who else there is', async () => {
  const coach = await buildCoach(server.db);
  const { participant: ana } = await ownParticipant(coach, { firstName: 'Ana', lastName: 'Alvarez' });
  const second = await buildCourse(server.db, { title: 'Metering' });
  await server.db
    .insertInto('userCourses')
    .values({ userId: ana.id, courseId: second.id, coachId: coach.id, startDate: '2099-01-05' })
    .execute();
  const { participant: former } = await ownParticipant(coach);
  await server.db.updateTable('userCourses').set({ status: 'completed' }).where('userId', '=', former.id).execute();
  await ownParticipant(await buildCoach(server.db));
  await handIn(ana.id);
  await handIn(ana.id, { status: 'accepted', reviewedBy: coach.id });
  await handIn(ana.id, { status: 'needs_revision', reviewedBy: coach.id });

  const { counts, participants } = await dashboardOf(coach);
  expect(counts.participants).toBe(1);
  expect(participants).toEqual([
    {
      id: ana.id,
      firstName: 'Ana',
      lastName: 'Alvarez',
      email: ana.email,
      courseTitle: 'Metering',
      status: 'enrolled',
      trackType: 'fellowship',
      kindName: null,
      payPeriod: null,
      startDate: '2099-01-05',
      totalSubmissions: 3,
      gradedSubmissions: 2,
      missedActivities: 0,
      submissionsToRevise: 1,
      overdueAssignments: 0,
      missedSessions: 0,
      isSilent: false,
      isStipendAtRisk: false,
      progress: { overallPercentage: 0, status: 'on_track', daysAheadBehind: null },
    },
  ]);
});

test('the person who missed most comes first: past activities of the own cohort and track that they did not attend', async () => {
  const coach = await buildCoach(server.db);
  const { participant: ana } = await ownParticipant(coach, { firstName: 'Ana' });
  const { participant: zoe } = await ownParticipant(coach, { firstName: 'Zoe' });
  const cohort = await buildCohort(server.db);
  for (const { id } of [ana, zoe]) await enrol(server.db, { cohortId: cohort.id, participantId: id });
  const session = (sessionDate: string, facts: object = {}) =>
    buildActivity(server.db, { cohortId: cohort.id, weekNumber: 5, sessionDate, ...facts });
  const monday = await session('2025-10-06');
  await session('2025-10-07', { applicableFellowship: false, applicableAmp: true });
  await session('2025-10-08');
  await session('2025-10-07', { cohortId: (await buildCohort(server.db)).id });
  await attend(server.db, ana.id, [monday]);
  const { participants } = await dashboardOf(coach);
  expect(participants.map(({ firstName, missedActivities }) => [firstName, missedActivities])).toEqual([
    ['Zoe', 1],
    ['Ana', 0],
  ]);
});

test('what was due before somebody joined the cohort was not missed', async () => {
  const coach = await buildCoach(server.db);
  const { participant } = await ownParticipant(coach);
  const cohort = await buildCohort(server.db);
  await enrol(server.db, { cohortId: cohort.id, participantId: participant.id });
  await server.db
    .updateTable('cohortParticipants')
    .set({ enrolledAt: '2025-10-07T03:00:00Z' })
    .where('participantId', '=', participant.id)
    .execute();
  // The person joined on the evening of 6 October in New York.
  for (const [weekNumber, sessionDate] of [
    [1, '2025-09-09'],
    [5, '2025-10-05'],
    [5, '2025-10-06'],
    [5, '2025-10-07'],
  ] as const) {
    await buildActivity(server.db, { cohortId: cohort.id, weekNumber, sessionDate });
  }
  expect((await dashboardOf(coach)).participants[0]?.missedActivities).toBe(2);
});

test('a participant needs attention for overdue work, missed sessions, seven days of silence and a stipend at risk', async () => {
  const coach = await buildCoach(server.db);
  const { participant } = await ownParticipant(coach);
  const cohort = await buildCohort(server.db);
  await enrol(server.db, { cohortId: cohort.id, participantId: participant.id });
  await server.db
    .updateTable('userCourses')
    .set({ startDate: '2025-09-08' })
    .where('userId', '=', participant.id)
    .execute();
  const reasons = async () => {
    const [first] = (await dashboardOf(coach)).participants;
    return [first?.overdueAssignments, first?.missedSessions, first?.isSilent, first?.isStipendAtRisk];
  };
  expect(await reasons()).toEqual([0, 0, true, false]);
  const message = { senderId: participant.id, recipientId: coach.id, recipientType: 'coach', message: 'Hello' };
  await server.db
    .insertInto('coachMessages')
    .values({ ...message, sentAt: '2025-10-01T14:00:01Z' })
    .execute();
  expect(await reasons()).toEqual([0, 0, false, false]);
  const session = (scheduledAt: string, facts: object) =>
    buildCoachingSession(server.db, { coachId: coach.id, participantId: participant.id, scheduledAt, ...facts });
  await session('2025-10-01T15:00:00Z', { status: 'no_show' });
  await session('2025-09-09T15:00:00Z', { status: 'no_show' });
  await session('2025-10-02T15:00:00Z', { status: 'completed' });
  expect((await reasons())[1]).toBe(1);
  const activity = await buildActivity(server.db, { cohortId: cohort.id, weekNumber: 4, sessionDate: '2025-10-20' });
  await buildAssignment(server.db, { trainingActivityId: activity.id, dueDate: '2025-10-07' });
  await buildAssignment(server.db, { trainingActivityId: activity.id, dueDate: '2025-10-08' });
  expect(await reasons()).toEqual([1, 1, false, false]);
  const lost = await buildActivity(server.db, { cohortId: cohort.id, weekNumber: 5, sessionDate: '2025-10-06' });
  for (let number = 0; number < 3; number += 1) {
    await buildActivity(server.db, { cohortId: cohort.id, weekNumber: 5, sessionDate: '2025-10-09' });
  }
  expect((await reasons())[3]).toBe(true);
  await buildActivity(server.db, { cohortId: cohort.id, weekNumber: 5, sessionDate: '2025-10-09' });
  expect((await reasons())[3]).toBe(false);
  await buildAssignment(server.db, { trainingActivityId: lost.id, dueDate: '2025-10-07' });
  expect(await reasons()).toEqual([2, 1, false, true]);
});

test('the person who needs the coach most comes first: by the gravest reason, then by how much is open, then by name', async () => {
  const coach = await buildCoach(server.db);
  const cohort = await buildCohort(server.db);
  const other = await buildCohort(server.db, { startDate: '2025-08-04' });
  const own = async (firstName: string, cohortId?: string) => {
    const { participant } = await ownParticipant(coach, { firstName });
    if (cohortId) await enrol(server.db, { cohortId, participantId: participant.id });
    return participant;
  };
  for (const name of ['Abe', 'Bea', 'Cal', 'Dee', 'Eva', 'Fay']) await own(name);
  const quiet = await own('Quiet');
  await server.db.updateTable('userCourses').set({ startDate: '2025-09-08' }).where('userId', '=', quiet.id).execute();
  const absent = await own('Absent');
  for (const scheduledAt of ['2025-10-01T15:00:00Z', '2025-10-02T15:00:00Z', '2025-10-03T15:00:00Z']) {
    const facts = { coachId: coach.id, participantId: absent.id, status: 'no_show' };
    await buildCoachingSession(server.db, { ...facts, scheduledAt });
  }
  const [reviser, doubleReviser] = [await own('Ada'), await own('Zed')];
  for (const { id } of [reviser, doubleReviser, doubleReviser]) {
    await handIn(id, { status: 'needs_revision', reviewedBy: coach.id });
  }
  // The missed activity lies in an earlier week, so no stipend of this week is at risk.
  const late = await own('Late', other.id);
  await own('Gone', other.id);
  const activity = await buildActivity(server.db, { cohortId: other.id, weekNumber: 2, sessionDate: '2025-09-30' });
  await buildAssignment(server.db, { trainingActivityId: activity.id, dueDate: '2025-10-01' });
  await attend(server.db, late.id, [activity]);
  await own('Poor', cohort.id);
  await buildActivity(server.db, { cohortId: cohort.id, weekNumber: 5, sessionDate: '2025-10-06' });

  const { participants } = await dashboardOf(coach);
  const names = ['Poor', 'Gone', 'Late', 'Zed', 'Ada', 'Absent', 'Quiet', 'Abe', 'Bea', 'Cal'];
  expect(participants.map(({ firstName }) => firstName)).toEqual(names);
  expect(participants.slice(0, 3)).toMatchObject([
    { isStipendAtRisk: true },
    { isStipendAtRisk: false, missedActivities: 1, overdueAssignments: 1 },
    { isStipendAtRisk: false, missedActivities: 0, overdueAssignments: 1 },
  ]);
});

test('COACH-05 COACH-10 COACH-12 DATA-24 pending reviews are the own participants’, the five that wait longest, and how many in all, beside the participants', async () => {
  const coach = await buildCoach(server.db);
  const { participant, course } = await ownParticipant(coach, { firstName: 'Ana', lastName: 'Alvarez' });
  const { participant: other } = await ownParticipant(await buildCoach(server.db));
  await handIn(other.id, { submittedAt: new Date('2025-09-01T12:00:00Z') });
  await handIn(participant.id, { status: 'accepted', reviewedBy: coach.id });
  const activity = await buildActivity(server.db, { title: 'Line safety', weekNumber: 4 });
  const assignment = await buildAssignment(server.db, { title: 'Safety report', trainingActivityId: activity.id });
  const longest = await buildSubmission(server.db, {
    assignmentId: assignment.id,
    userId: participant.id,
    submittedAt: new Date('2025-10-01T12:00:00Z'),
  });
  for (const day of [7, 3, 5, 4, 6, 2]) {
    await handIn(participant.id, { submittedAt: new Date(`2025-10-0${day}T12:00:00Z`) });
  }
  const { counts, participants, pendingEvaluations } = await dashboardOf(coach);
  expect(participants).toMatchObject([
    {
      id: participant.id,
      firstName: 'Ana',
      lastName: 'Alvarez',
      email: participant.email,
      courseTitle: course.title,
      status: 'enrolled',
      trackType: 'fellowship',
      startDate: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      totalSubmissions: 8,
      gradedSubmissions: 1,
    },
  ]);
  expect(participants).toHaveLength(1);
  expect(counts.pendingReviews).toBe(7);
  expect(pendingEvaluations[0]).toEqual({
    id: longest.id,
    assignmentTitle: 'Safety report',
    participantId: longest.userId,
    firstName: 'Ana',
    lastName: 'Alvarez',
    courseTitle: course.title,
    weekTitle: 'Week 4: Line safety',
    submittedAt: '2025-10-01T12:00:00.000Z',
    can: { openPerson: true },
  });
  expect(pendingEvaluations.map(({ submittedAt }) => submittedAt.slice(8, 10))).toEqual(['01', '02', '03', '04', '05']);
});

test('COACH-06 COACH-11 TIME-02 today is the US Eastern day without what was cancelled; next are three from now on', async () => {
  const coach = await buildCoach(server.db);
  const { participant } = await ownParticipant(coach);
  const { participant: other } = await ownParticipant(coach);
  const session = (scheduledAt: string, facts: object = {}) =>
    buildCoachingSession(server.db, { coachId: coach.id, participantId: participant.id, scheduledAt, ...facts });
  await session('2025-10-08T03:30:00Z');
  await session('2025-10-08T04:00:00Z', { status: 'completed' });
  await session('2025-10-08T13:00:00Z');
  await session('2025-10-08T15:00:00Z', { status: 'cancelled' });
  await session('2025-10-08T16:00:00Z');
  await session('2025-10-09T03:30:00Z');
  await session('2025-10-09T04:00:00Z', { status: 'cancelled' });
  await session('2025-10-10T15:00:00Z');
  await session('2025-10-11T15:00:00Z');
  const elsewhere = await buildCoach(server.db);
  await buildCoachingSession(server.db, {
    coachId: elsewhere.id,
    participantId: other.id,
    scheduledAt: '2025-10-08T18:00:00Z',
  });

  const { counts, todaysSessions, upcomingSessions } = await dashboardOf(coach);
  expect(counts.todaysSessions).toBe(4);
  expect(todaysSessions.map(({ scheduledAt, status }) => [scheduledAt.slice(0, 16), status])).toEqual([
    ['2025-10-08T04:00', 'completed'],
    ['2025-10-08T13:00', 'scheduled'],
    ['2025-10-08T16:00', 'scheduled'],
    ['2025-10-09T03:30', 'scheduled'],
  ]);
  expect(todaysSessions[0]).toMatchObject({ firstName: participant.firstName, email: participant.email });
  expect(upcomingSessions.map(({ scheduledAt }) => scheduledAt.slice(0, 16))).toEqual([
    '2025-10-08T16:00',
    '2025-10-09T03:30',
    '2025-10-10T15:00',
  ]);
});

test('COACH-07 the completion rate is the share with reviewed work, 0 with no participants', async () => {
  const coach = await buildCoach(server.db);
  expect(await dashboardOf(coach)).toEqual({
    counts: { participants: 0, pendingReviews: 0, todaysSessions: 0, completionRate: 0 },
    participants: [],
    pendingEvaluations: [],
    todaysSessions: [],
    upcomingSessions: [],
    firstSteps: { hasTimes: false, hasSessions: false },
  });
  const { participant: reviewed } = await ownParticipant(coach);
  const { participant: waiting } = await ownParticipant(coach);
  await ownParticipant(coach);
  await handIn(waiting.id);
  expect((await dashboardOf(coach)).counts.completionRate).toBe(0);
  await handIn(reviewed.id, { status: 'rejected', reviewedBy: coach.id });
  await handIn(reviewed.id, { status: 'graded', reviewedBy: coach.id });
  expect((await dashboardOf(coach)).counts.completionRate).toBe(33);
});

test("a new coach's first steps are done once times are offered, here or elsewhere, and a session is planned", async () => {
  const coach = await buildCoach(server.db);
  const other = await buildCoach(server.db);
  await server.db
    .updateTable('profiles')
    .set({ schedulingEnabled: true, schedulingLink: 'https://calendly.com/casey' })
    .where('id', '=', other.id)
    .execute();
  const stepsOf = async (person: typeof coach) => (await dashboardOf(person)).firstSteps;
  expect(await stepsOf(coach)).toEqual({ hasTimes: false, hasSessions: false });
  expect(await stepsOf(other)).toEqual({ hasTimes: true, hasSessions: false });
  await server.db
    .insertInto('coachAvailability')
    .values({ coachId: coach.id, weekStartDate: '2025-10-05', dayOfWeek: 1, startTime: '09:00', endTime: '09:30' })
    .execute();
  const { participant } = await ownParticipant(coach);
  await buildCoachingSession(server.db, {
    coachId: coach.id,
    participantId: participant.id,
    scheduledAt: '2025-10-10T15:00:00Z',
  });
  expect(await stepsOf(coach)).toEqual({ hasTimes: true, hasSessions: true });
  expect(await stepsOf(other)).toEqual({ hasTimes: true, hasSessions: false });
});

test('a coach of a hundred and one reads the first ten with the count of all, and each of them once by pages', async () => {
  const coach = await buildCoach(server.db);
  const cohort = await buildCohort(server.db);
  const course = await buildCourse(server.db);
  const people = [];
  for (let number = 0; number < 101; number += 1) people.push(await buildParticipant(server.db));
  await server.db
    .insertInto('userCourses')
    .values(people.map(({ id }) => ({ userId: id, courseId: course.id, coachId: coach.id })))
    .execute();
  // Some missed one activity, others two. All have the same name.
  for (const { id } of people.slice(0, 30)) await enrol(server.db, { cohortId: cohort.id, participantId: id });
  const facts = { cohortId: cohort.id, weekNumber: 5, sessionDate: '2025-10-06' };
  const [first] = [await buildActivity(server.db, facts), await buildActivity(server.db, facts)];
  for (const { id } of people.slice(0, 12)) await attend(server.db, id, [first]);
  await ownParticipant(await buildCoach(server.db));

  const { counts, participants } = await dashboardOf(coach);
  expect([counts.participants, participants.length]).toEqual([101, 10]);
  const restart = stopClockAt(wednesday);
  const client = await server.as(coach);
  const rows = [];
  let cursor: string | undefined;
  do {
    const page = await client.call(listCoachParticipants, { query: { cursor } });
    rows.push(...page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  restart();
  expect(rows.map(({ missedActivities }) => missedActivities)).toEqual(
    people.map((_, index) => (index < 18 ? 2 : index < 30 ? 1 : 0)),
  );
  expect(rows.map(({ id }) => id).toSorted()).toEqual(people.map(({ id }) => id).toSorted());
  expect(participants).toEqual(rows.slice(0, 10));
  const counted = async () => [
    await countStatements(server.app.pool, () => client.call(readCoachDashboard)),
    await countStatements(server.app.pool, () => client.call(listCoachParticipants, { query: {} })),
  ];
  expect(await counted()).toEqual([5, 4]);
  expect(await fillOutlooks(server.db)).toBeGreaterThan(30);
  expect(await counted()).toEqual([3, 2]);
});

test('only a coach reads the coach dashboard', async () => {
  for (const person of [await buildParticipant(server.db), await buildAdmin(server.db)]) {
    const client = await server.as(person);
    const refusal = await client.refused(readCoachDashboard);
    expect(refusal).toMatchObject({ status: 403, problem: { code: 'forbidden' } });
    expect((await client.refused(listCoachParticipants, { query: {} })).status).toBe(403);
  }
  expect(await (await server.as(null)).refused(readCoachDashboard)).toMatchObject({ status: 401 });
});
