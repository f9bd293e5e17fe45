import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { listRatedWeeks, ratingStake } from '#contract/rated-weeks.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAssignment } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend, buildRating, buildStipend, buildWeekActivities } from '#test/factories/stipends.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { countStatements } from '#test/support/statements.ts';
import { processWeek } from './stipends.ts';

let server: TestApp;
let restoreClock: () => void;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());
/** Wednesday of week 5 of the cohort, which starts on 8 September 2025. */
beforeEach(() => {
  restoreClock = stopClockAt('2025-10-08T14:00:00Z');
});
afterEach(() => restoreClock());

async function weekOfThree() {
  const { db } = server;
  const cohort = await buildCohort(db);
  const coach = await buildCoach(db);
  const people = [];
  for (const trackType of ['fellowship', 'fellowship', 'self_learner'] as const) {
    const person = await buildParticipant(db, { trackType });
    await enrol(db, { cohortId: cohort.id, participantId: person.id, coachId: coach.id });
    people.push(person);
  }
  const activities = await buildWeekActivities(db, 5, {
    cohortId: cohort.id,
    weekNumber: 5,
    sessionDate: '2025-10-10',
  });
  const trainingActivityId = activities[0]?.id ?? '';
  const assignments = [
    await buildAssignment(db, { trainingActivityId, dueDate: '2025-10-10' }),
    await buildAssignment(db, { trainingActivityId, dueDate: '2025-10-10' }),
  ];
  const [ready, behind] = people as [(typeof people)[number], (typeof people)[number]];
  await attend(db, ready.id, activities.slice(0, 4));
  await attend(db, behind.id, activities.slice(0, 1));
  for (const [place, { id: assignmentId }] of assignments.entries()) {
    const status = place === 0 ? 'accepted' : 'submitted';
    await buildSubmission(db, { assignmentId, userId: ready.id, status, reviewedBy: coach.id });
  }
  return { cohort, coach, people, ready, behind, client: await server.as(coach) };
}

async function weeksOf(client: Client, week?: number) {
  const { weeks } = await client.call(listRatedWeeks, { query: { week } });
  return (id: string) => {
    const found = weeks.find(({ participantId }) => participantId === id);
    if (!found) throw new Error('The week is not in the list.');
    return { ...found, stake: ratingStake(found) };
  };
}

test('each week has what was attended and handed in, and what the rating decides, worked out before or not', async () => {
  const { cohort, people, ready, behind, client } = await weekOfThree();
  for (const isProcessed of [false, true]) {
    if (isProcessed) await processWeek(server.db, 5, cohort.id);
    const weekOf = await weeksOf(client);
    expect(weekOf(ready.id)).toMatchObject({
      weekNumber: 5,
      activities: { accessed: 4, total: 5 },
      assignments: { submitted: 2, accepted: 1, total: 2 },
      isPaid: true,
      stake: { sentence: 'A rating of 3.0 or more brings $500 for week 5.' },
    });
    expect(weekOf(behind.id)).toMatchObject({
      activities: { accessed: 1, total: 5 },
      assignments: { submitted: 0, accepted: 0, total: 2 },
      stake: { sentence: 'Still needed for $500 for week 5: 3 more activities and 2 more assignments.' },
    });
    expect(weekOf(people[2]?.id ?? '')).toMatchObject({ isPaid: false, stake: { state: 'unpaid' } });
  }
});

test('a decided week is said to be decided, and another week is asked for by its number', async () => {
  const { cohort, ready, client } = await weekOfThree();
  await buildStipend(server.db, { fellowId: ready.id, cohortId: cohort.id, weekNumber: 4, paymentStatus: 'denied' });
  const weekOf = await weeksOf(client, 4);
  expect(weekOf(ready.id)).toMatchObject({ weekNumber: 4, state: 'denied', stake: { state: 'denied' } });
});

test('a coach reads only of their own participants, in one statement; nobody else reads any', async () => {
  const { client, people } = await weekOfThree();
  const other = await server.as(await buildCoach(server.db));
  expect((await other.call(listRatedWeeks, { query: {} })).weeks).toEqual([]);
  for (const person of [people[0] ?? (await buildParticipant(server.db)), await buildAdmin(server.db)]) {
    expect((await (await server.as(person)).refused(listRatedWeeks, { query: {} })).status).toBe(403);
  }
  const count = await countStatements(server.app.pool, () => client.call(listRatedWeeks, { query: {} }));
  expect(count).toBeLessThanOrEqual(4);
});

test('a week tells what the rules pay until it is worked out, then its own amount, and is sent only while it is not paid', async () => {
  const { db } = server;
  const { cohort, ready, client } = await weekOfThree();
  const own = { fellowId: ready.id, cohortId: cohort.id };
  await buildStipend(db, { ...own, weekNumber: 4, stipendAmountCents: 45_000, performanceRating: null });
  const { id: createdBy } = await buildAdmin(db);
  const batch = { body: '{}', recipients: 1, totalCents: 50_000, createdBy };
  const states = [
    { weekNumber: 1, paymentStatus: 'approved', standing: { status: 'sent', sentAt: new Date() } },
    { weekNumber: 2, paymentStatus: 'paid', standing: { status: 'sent', sentAt: new Date() } },
    { weekNumber: 3, paymentStatus: 'approved', standing: { status: 'queued' } },
  ];
  for (const { weekNumber, paymentStatus, standing } of states) {
    const { id: stipendId } = await buildStipend(db, { ...own, weekNumber, paymentStatus });
    const { id: handoverId } = await db
      .insertInto('stipendHandovers')
      .values({ ...batch, ...standing, weekNumber })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.insertInto('stipendHandoverRows').values({ handoverId, stipendId, amountCents: 50_000 }).execute();
  }
  const found = [];
  for (const week of [1, 2, 3, 4, 5]) {
    const { state, amountCents } = (await weeksOf(client, week))(ready.id);
    found.push([state, amountCents]);
  }
  expect(found).toEqual([
    ['sent', 50_000],
    ['paid', 50_000],
    ['approved', 50_000],
    ['pending', 45_000],
    ['pending', 50_000],
  ]);
  expect((await weeksOf(client, 4))(ready.id)).toMatchObject({
    ...{ participantId: ready.id, cohortId: cohort.id, payPeriod: 'week', today: '2025-10-08' },
    ...{ firstDay: '2025-09-29', lastDay: '2025-10-03', ratingNeeded: 3, isOutOfReach: false },
    criteriaAtBest: [{ isMet: true }, { isMet: true }, { name: 'Performance', isMet: true, reason: 'Rated 5.0 of 5' }],
  });
});

test('a week is out of reach, whatever is rated, while it is undecided', async () => {
  const { db } = server;
  const cohort = await buildCohort(db);
  const coach = await buildCoach(db);
  const { id: fellowId } = await buildParticipant(db);
  await enrol(db, { cohortId: cohort.id, participantId: fellowId, coachId: coach.id });
  await buildWeekActivities(db, 5, { cohortId: cohort.id, weekNumber: 5, sessionDate: '2025-10-06' });
  await processWeek(db, 5, cohort.id);
  const client = await server.as(coach);
  const isOutOfReach = async () => (await weeksOf(client))(fellowId).isOutOfReach;
  expect(await isOutOfReach()).toBe(true);
  const { id: approvedBy } = await buildAdmin(db);
  await db
    .updateTable('stipendEligibility')
    .set({ paymentStatus: 'denied', denialReason: 'Not there.', approvedBy, approvedAt: new Date() })
    .where('fellowId', '=', fellowId)
    .execute();
  expect(await isOutOfReach()).toBe(false);
});

test('a week that lost nothing is within reach whatever it is rated so far, also once it is worked out', async () => {
  const { db } = server;
  const { cohort, ready, client } = await weekOfThree();
  await buildRating(db, { fellowId: ready.id, cohortId: cohort.id, weekNumber: 5, overallRating: 1.5 });
  for (const isProcessed of [false, true]) {
    if (isProcessed) await processWeek(db, 5, cohort.id);
    const week = (await weeksOf(client, 5))(ready.id);
    expect(week).toMatchObject({ isOutOfReach: false, state: 'pending', amountCents: 50_000 });
    expect(week.criteriaAtBest.map(({ name, isMet }) => [name, isMet])).toEqual([
      ['Attendance', true],
      ['Assignments', true],
      ['Performance', true],
    ]);
  }
});
