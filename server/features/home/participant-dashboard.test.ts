import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readParticipantDashboard } from '#contract/home.ts';
import { listStipends } from '#contract/stipends.ts';
import { addDays } from '#contract/weeks.ts';
import { processWeek } from '#server/features/stipends/stipends.ts';
import { buildCoachingSession } from '#test/factories/coaching.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildWeeklyRequirement } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend, buildRating, buildStipend } from '#test/factories/stipends.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
/** It is Wednesday of week 5 of a cohort that starts on 8 September 2025, 10:00 in US Eastern. */
const wednesday = '2025-10-08T14:00:00Z';

beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

async function dashboardOf(person: { id: string }, instant = wednesday) {
  const client = await server.as(person);
  const restart = stopClockAt(instant);
  return client.call(readParticipantDashboard).finally(restart);
}

async function member() {
  const cohort = await buildCohort(server.db);
  const participant = await buildParticipant(server.db);
  await enrol(server.db, { cohortId: cohort.id, participantId: participant.id });
  return { cohort, participant };
}

/** Builds two activities, two assignments and a rating in week 5, as `attended`, `handedIn` and `rating` say. */
async function weekFive(facts: { attended?: number; handedIn?: number; rating?: number; activities?: number } = {}) {
  const { attended = 0, handedIn = 0, rating, activities: count = 2 } = facts;
  const { cohort, participant } = await member();
  const activities = [];
  for (let number = 0; number < count; number += 1) {
    activities.push(
      await buildActivity(server.db, {
        cohortId: cohort.id,
        weekNumber: 5,
        sessionDate: addDays('2025-10-06', number % 5),
      }),
    );
  }
  const assignments = [];
  for (let number = 0; number < 2; number += 1) {
    assignments.push(await buildAssignment(server.db, { trainingActivityId: activities[0]?.id ?? '' }));
  }
  await attend(server.db, participant.id, activities.slice(0, attended));
  for (const { id } of assignments.slice(0, handedIn)) {
    await buildSubmission(server.db, { assignmentId: id, userId: participant.id });
  }
  if (rating !== undefined) {
    await buildRating(server.db, {
      fellowId: participant.id,
      cohortId: cohort.id,
      weekNumber: 5,
      overallRating: rating,
    });
  }
  return { cohort, participant, activities, assignments };
}

test('TIME-09 the week is that of the cohort, in US Eastern time', async () => {
  const { cohort, participant } = await member();
  expect(await dashboardOf(participant)).toMatchObject({
    cohort: { id: cohort.id, name: cohort.name, startDate: '2025-09-08' },
    week: { number: 5, firstDay: '2025-10-06', lastDay: '2025-10-10', holiday: null },
    today: '2025-10-08',
  });
  // Sunday evening in New York is Monday in UTC, and still the week before.
  expect((await dashboardOf(participant, '2025-10-13T03:59:59Z')).week?.number).toBe(5);
  expect((await dashboardOf(participant, '2025-10-13T04:00:00Z')).week?.number).toBe(6);
  expect((await dashboardOf(participant, '2025-11-26T12:00:00Z')).week).toMatchObject({
    number: 12,
    holiday: 'Thanksgiving',
  });
});

test('FELL-13 shows progress, what is done of the week, and what is pending with its day and state', async () => {
  const { cohort, participant, activities } = await weekFive({ attended: 1 });
  await server.db
    .insertInto('participantProgress')
    .values({
      participantId: participant.id,
      cohortId: cohort.id,
      overallCompletionPercentage: 31.25,
      status: 'behind',
    })
    .execute();
  const dashboard = await dashboardOf(participant);
  expect(dashboard).toMatchObject({
    progress: { overallPercentage: 31.25, status: 'behind', daysAheadBehind: Math.round(1.1 * 31.25) - 30 },
    thisWeek: { done: 1, total: 2, isOnTrack: true },
  });
  expect(dashboard.pendingActivities.map(({ id, state, sessionDate }) => ({ id, state, sessionDate }))).toEqual([
    { id: activities[1]?.id, state: 'overdue', sessionDate: '2025-10-07' },
  ]);
});

test('FELL-19 FELL-21 on track needs half of the week and nothing overdue from an earlier one', async () => {
  const { cohort, participant } = await weekFive({ activities: 3, attended: 1 });
  expect((await dashboardOf(participant)).thisWeek).toEqual({ done: 1, total: 3, isOnTrack: false });
  const half = await weekFive({ activities: 4, attended: 2 });
  expect((await dashboardOf(half.participant)).thisWeek.isOnTrack).toBe(true);
  await buildActivity(server.db, { cohortId: half.cohort.id, weekNumber: 4, sessionDate: '2025-10-01' });
  expect((await dashboardOf(half.participant)).thisWeek.isOnTrack).toBe(false);
  expect(cohort.id).not.toBe(half.cohort.id);
});

test('FELL-23 deadlines are of the own cohort, still to come, five at most, the soonest first', async () => {
  const { cohort, participant } = await member();
  const other = await buildCohort(server.db);
  await buildWeeklyRequirement(server.db, { cohortId: other.id, dueDate: '2025-10-09' });
  for (const days of [9, 2, 3, 4, 7, 8, -1]) {
    const dueDate = addDays('2025-10-08', days);
    await buildWeeklyRequirement(server.db, { cohortId: cohort.id, title: `${days}`, type: 'quiz', dueDate });
  }
  const { deadlines } = await dashboardOf(participant);
  expect(deadlines.map(({ title, isDueSoon }) => [title, isDueSoon])).toEqual([
    ['2', true],
    ['3', true],
    ['4', false],
    ['7', false],
    ['8', false],
  ]);
});

test('STIP0-01 STIP0-02 STIP0-07 the week is eligible by the facts of now: all three criteria, each at its limit', async () => {
  const stipendOf = async (facts: Parameters<typeof weekFive>[0]) =>
    (await dashboardOf((await weekFive(facts)).participant)).stipend;
  const met = await stipendOf({ activities: 5, attended: 4, handedIn: 2, rating: 3 });
  expect(met).toMatchObject({ weeklyCents: 50_000, isEligible: true });
  expect(met?.criteria.map(({ standing }) => standing)).toEqual(['4 of 5', '2 of 2', '3.0 of 5']);
  const fewer = await stipendOf({ activities: 5, attended: 3, handedIn: 2, rating: 3 });
  expect(fewer?.isEligible).toBe(false);
  expect(fewer?.criteria[0]).toMatchObject({
    name: 'Attendance',
    isMet: false,
    reason: '3 of 5 activities attended (60%), 80% needed',
  });
  const unsent = await stipendOf({ activities: 5, attended: 5, handedIn: 1, rating: 3 });
  expect(unsent?.criteria[1]).toMatchObject({ name: 'Assignments', isMet: false, reason: '1 of 2 handed in' });
  expect(unsent?.isEligible).toBe(false);
  const unrated = await stipendOf({ activities: 5, attended: 5, handedIn: 2 });
  expect(unrated).toMatchObject({ isEligible: false });
  expect(unrated?.criteria[2]).toMatchObject({
    name: 'Performance',
    isMet: false,
    reason: 'Not rated yet, 3.0 needed',
  });
  expect((await stipendOf({ activities: 5, attended: 5, handedIn: 2, rating: 2.5 }))?.isEligible).toBe(false);
});

test('work that came back does not count as submitted until it is handed in again', async () => {
  const { participant, assignments } = await weekFive({ attended: 2, handedIn: 1, rating: 4 });
  const coach = await buildCoach(server.db);
  await buildSubmission(server.db, {
    assignmentId: assignments[1]?.id ?? '',
    userId: participant.id,
    status: 'needs_revision',
    reviewedBy: coach.id,
  });
  const before = await dashboardOf(participant);
  expect(before.stipend).toMatchObject({ isEligible: false, criteria: [{}, { standing: '1 of 2, 1 returned' }, {}] });
  expect(before.nextStep).toMatchObject({ kind: 'resubmit', id: assignments[1]?.id });
  await server.db
    .updateTable('contentSubmissions')
    .set({ status: 'accepted' })
    .where('assignmentId', '=', assignments[1]?.id ?? '')
    .execute();
  expect((await dashboardOf(participant)).stipend?.isEligible).toBe(true);
});

test('STIP0-08 DATA-27 attendance, assignments, submissions, ratings and stipend rows each show in the figures of the week, and messages beside it', async () => {
  const { participant, cohort, activities, assignments } = await weekFive();
  const figures = async () => {
    const { stipend } = await dashboardOf(participant);
    return [...(stipend?.criteria.map(({ standing }) => standing) ?? []), stipend?.weeklyCents];
  };
  expect(await figures()).toEqual(['0 of 2', '0 of 2', 'Not rated yet', 50_000]);
  await attend(server.db, participant.id, activities.slice(0, 1));
  expect(await figures()).toEqual(['1 of 2', '0 of 2', 'Not rated yet', 50_000]);
  const view = server.db.selectFrom('weeklyAttendance').select(['activitiesAccessed', 'activitiesTotal']);
  expect(await view.where('fellowId', '=', participant.id).execute()).toEqual([
    { activitiesAccessed: 1, activitiesTotal: 2 },
  ]);
  await buildAssignment(server.db, { trainingActivityId: activities[1]?.id ?? '' });
  expect(await figures()).toEqual(['1 of 2', '0 of 3', 'Not rated yet', 50_000]);
  await buildSubmission(server.db, { assignmentId: assignments[0]?.id ?? '', userId: participant.id });
  expect(await figures()).toEqual(['1 of 2', '1 of 3', 'Not rated yet', 50_000]);
  const week = { fellowId: participant.id, cohortId: cohort.id, weekNumber: 5 };
  await buildRating(server.db, { ...week, overallRating: 3.5 });
  expect(await figures()).toEqual(['1 of 2', '1 of 3', '3.5 of 5', 50_000]);
  await buildStipend(server.db, { ...week, performanceRating: 4.5, stipendAmountCents: 61_000 });
  expect(await figures()).toEqual(['5 of 5', '2 of 2', '4.5 of 5', 61_000]);
  const unread = async () => (await dashboardOf(participant)).coaching?.unreadMessages;
  expect(await unread()).toBe(0);
  const coach = await buildCoach(server.db);
  await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  await message(coach, participant);
  expect(await unread()).toBe(1);
});

test('STIP0-02 a decided week shows what it was decided on, the same numbers that the admin sees', async () => {
  const { participant, cohort } = await weekFive({ activities: 5, attended: 4, handedIn: 2, rating: 3 });
  await processWeek(server.db, 5, cohort.id);
  const before = (await dashboardOf(participant)).stipend;
  const criteria = [{ standing: '4 of 5' }, { standing: '2 of 2' }, { standing: '3.0 of 5' }];
  expect(before).toMatchObject({ decidedAt: null, isEligible: true, criteria });
  const admin = await buildAdmin(server.db);
  await server.db
    .updateTable('stipendEligibility')
    .set({ paymentStatus: 'approved', approvedBy: admin.id, approvedAt: '2025-10-08T15:00:00Z' })
    .where('fellowId', '=', participant.id)
    .execute();
  await server.db.deleteFrom('attendanceRecords').where('fellowId', '=', participant.id).execute();
  const { stipend } = await dashboardOf(participant);
  expect(stipend).toEqual({
    ...before,
    decidedAt: '2025-10-08T15:00:00.000Z',
    recentWeeks: [{ ...before?.recentWeeks[0], paymentStatus: 'approved' }],
    totalEarnedCents: 50_000,
  });
  const { rows } = await (await server.as(admin)).call(listStipends, { query: { week: 5, cohort: cohort.id } });
  expect(stipend?.criteria).toEqual(rows[0]?.criteria);
});

test('FELL-14 STIP0-03 STIP0-04 STIP0-05 total earned counts approved and paid weeks, and the newest four show', async () => {
  const { cohort, participant } = await member();
  const weeks = [
    { weekNumber: 1, paymentStatus: 'paid', stipendAmountCents: 50_000 },
    { weekNumber: 2, paymentStatus: 'approved', stipendAmountCents: 42_550 },
    { weekNumber: 3, paymentStatus: 'denied', stipendAmountCents: 50_000 },
    { weekNumber: 4, paymentStatus: 'pending', performanceRating: 2.5 },
    { weekNumber: 5, paymentStatus: 'pending', stipendAmountCents: 61_000 },
  ];
  // The weeks were processed in another order than their own.
  for (const week of weeks.toReversed()) {
    await buildStipend(server.db, { fellowId: participant.id, cohortId: cohort.id, ...week });
  }
  const { stipend } = await dashboardOf(participant);
  expect(stipend?.totalEarnedCents).toBe(92_550);
  expect(stipend?.weeklyCents).toBe(61_000);
  expect(
    stipend?.recentWeeks.map(({ weekNumber, paymentStatus, isEligible }) => [weekNumber, paymentStatus, isEligible]),
  ).toEqual([
    [5, 'pending', true],
    [4, 'pending', false],
    [3, 'denied', true],
    [2, 'approved', true],
  ]);
  expect(stipend?.recentWeeks[1]?.criteria[2]).toMatchObject({ isMet: false, reason: 'Rated 2.5 of 5, 3.0 needed' });
});

test('FELL-31 STIP0-06 FELL-32 COACH-45 everything is of the signed-in participant only', async () => {
  const { cohort, participant } = await weekFive({ attended: 0 });
  const coach = await buildCoach(server.db, { firstName: 'Casey', lastName: 'Cole' });
  await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  const neighbour = await buildParticipant(server.db);
  await enrol(server.db, { cohortId: cohort.id, participantId: neighbour.id, coachId: coach.id });
  const activities = await server.db
    .selectFrom('trainingActivities')
    .selectAll()
    .where('cohortId', '=', cohort.id)
    .execute();
  await attend(server.db, neighbour.id, activities);
  await buildRating(server.db, { fellowId: neighbour.id, cohortId: cohort.id, weekNumber: 5, overallRating: 5 });
  await buildStipend(server.db, { fellowId: neighbour.id, cohortId: cohort.id, weekNumber: 4, paymentStatus: 'paid' });
  await buildCoachingSession(server.db, {
    coachId: coach.id,
    participantId: neighbour.id,
    scheduledAt: '2025-10-09T15:00:00Z',
  });
  await message(coach, neighbour);
  await message(coach, participant);
  await message(participant, coach);

  const mine = await dashboardOf(participant);
  expect(mine).toMatchObject({
    thisWeek: { done: 0, total: 2 },
    stipend: { totalEarnedCents: 0, recentWeeks: [], criteria: [{ standing: '0 of 2' }, {}, {}] },
    coaching: { coach: { id: coach.id, firstName: 'Casey', lastName: 'Cole' }, nextSession: null, unreadMessages: 1 },
  });
  expect(await dashboardOf(neighbour)).toMatchObject({
    thisWeek: { done: 2, total: 2 },
    stipend: { totalEarnedCents: 50_000, criteria: [{}, {}, { standing: '5.0 of 5' }] },
    coaching: { nextSession: { scheduledAt: '2025-10-09T15:00:00.000Z' }, unreadMessages: 1 },
  });
});

test('COACH-47 no coach, a coach without scheduling, a coach with a link; the running session counts as next', async () => {
  const { participant } = await member();
  expect((await dashboardOf(participant)).coaching).toEqual({ coach: null, nextSession: null, unreadMessages: 0 });
  const coach = await buildCoach(server.db);
  await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  const schedulingLink = 'https://calendly.com/casey';
  const set = (isEnabled: boolean) =>
    server.db
      .updateTable('profiles')
      .set({ schedulingEnabled: isEnabled, schedulingLink, externalBookingInstructions: 'Mornings are best.' })
      .where('id', '=', coach.id)
      .execute();
  await set(false);
  expect((await dashboardOf(participant)).coaching?.coach).toMatchObject({ schedulingLink: null, instructions: null });
  await set(true);
  for (const scheduledAt of ['2025-10-08T13:00:00Z', '2025-10-08T13:45:00Z', '2025-10-09T13:45:00Z']) {
    await buildCoachingSession(server.db, { coachId: coach.id, participantId: participant.id, scheduledAt });
  }
  expect((await dashboardOf(participant)).coaching).toMatchObject({
    coach: { schedulingLink, instructions: 'Mornings are best.' },
    nextSession: { scheduledAt: '2025-10-08T13:45:00.000Z', durationMinutes: 30, teamsLink: null },
  });
});

test('FELL-27 FELL-33 without an active cohort the answer is empty, not a failure', async () => {
  const newcomer = await buildParticipant(server.db);
  expect(await dashboardOf(newcomer)).toEqual({
    cohort: null,
    week: null,
    progress: { overallPercentage: 0, status: 'on_track', daysAheadBehind: null },
    thisWeek: { done: 0, total: 0, isOnTrack: true },
    weekActivities: [],
    nextStep: null,
    pendingActivities: [],
    openAssignments: [],
    deadlines: [],
    stipend: null,
    coaching: { coach: null, nextSession: null, unreadMessages: 0 },
    notLoaded: [],
    today: '2025-10-08',
  });
  const { participant } = await member();
  const leaving = server.db.updateTable('cohortParticipants').set({ status: 'withdrawn' });
  await leaving.where('participantId', '=', participant.id).execute();
  expect((await dashboardOf(participant)).cohort).toBeNull();
});

test('a person who is not in the fellowship is shown no stipend', async () => {
  const cohort = await buildCohort(server.db, { programType: 'self_learner' });
  const participant = await buildParticipant(server.db, { trackType: 'self_learner' });
  await enrol(server.db, { cohortId: cohort.id, participantId: participant.id });
  expect(await dashboardOf(participant)).toMatchObject({ week: { number: 5 }, stipend: null, notLoaded: [] });
});

test('a section that cannot be read is named, and the others are answered', async () => {
  const { participant } = await weekFive({ attended: 1 });
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(server.db);
  await rename('coaching_sessions', 'coaching_sessions_away');
  const withoutCoaching = await dashboardOf(participant).finally(() =>
    rename('coaching_sessions_away', 'coaching_sessions'),
  );
  expect(withoutCoaching).toMatchObject({ coaching: null, notLoaded: ['coaching'], week: { number: 5 } });
  expect(withoutCoaching.stipend).not.toBeNull();
  await rename('performance_feedback', 'performance_feedback_away');
  const withoutStipend = await dashboardOf(participant).finally(() =>
    rename('performance_feedback_away', 'performance_feedback'),
  );
  expect(withoutStipend).toMatchObject({ stipend: null, notLoaded: ['stipend'], thisWeek: { done: 1, total: 2 } });
  expect(withoutStipend.coaching).not.toBeNull();
});

test('FELL-25 fewer than ten statements, whatever the size; only participants ask', async () => {
  const { participant, cohort } = await weekFive({ activities: 40, attended: 20, handedIn: 2, rating: 4 });
  const coach = await buildCoach(server.db);
  await assignCoach(server.db, { participantId: participant.id, coachId: coach.id });
  for (let week = 1; week < 6; week += 1) {
    await buildStipend(server.db, { fellowId: participant.id, cohortId: cohort.id, weekNumber: week });
  }
  const client = await server.as(participant);
  expect(await countStatements(server.app.pool, () => client.call(readParticipantDashboard))).toBe(6);
  for (const person of [coach, await buildAdmin(server.db)]) {
    const refusal = await (await server.as(person)).refused(readParticipantDashboard);
    expect(refusal).toMatchObject({ status: 403, problem: { code: 'forbidden' } });
  }
  expect(await (await server.as(null)).refused(readParticipantDashboard)).toMatchObject({ status: 401 });
});

async function message(sender: BuiltPerson, recipient: BuiltPerson) {
  await server.db
    .insertInto('coachMessages')
    .values({
      senderId: sender.id,
      recipientId: recipient.id,
      recipientType: recipient.role === 'coach' ? 'coach' : 'fellow',
      message: 'How was the substation?',
    })
    .execute();
}
