import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { listWeeklyRatings, rateWeek } from '#contract/coaching.ts';
import { listStipends, processStipends } from '#contract/stipends.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildRating, buildStipend } from '#test/factories/stipends.ts';
import { type Client, type Refusal, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { toldBy } from '#test/support/live-news.ts';
import { somebodyWaits } from '#test/support/waiting-statements.ts';

let app: TestApp;
let restoreClock: () => void;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
/** Wednesday of week 5 of the cohort that starts on 8 September 2025. */
beforeEach(() => {
  restoreClock = stopClockAt('2025-10-08T14:00:00Z');
});
afterEach(() => restoreClock());

async function coachWithParticipant(names: { firstName?: string; lastName?: string } = {}) {
  const cohort = await buildCohort(app.db);
  const coach = await buildCoach(app.db);
  const participant = await buildParticipant(app.db, names);
  await enrol(app.db, { cohortId: cohort.id, participantId: participant.id, coachId: coach.id });
  return { cohort, coach, participant, client: await app.as(coach) };
}

function rating(participant: { id: string }, rating: number, weekNumber = 5, comment: string | null = null) {
  return { params: { participantId: participant.id, weekNumber }, body: { rating, comment } };
}

function storedRatings(participantId: string) {
  return app.db
    .selectFrom('performanceFeedback')
    .select(['weekNumber', 'overallRating', 'comment', 'ratedBy'])
    .where('fellowId', '=', participantId)
    .orderBy('weekNumber')
    .execute();
}

async function ratedWeek(client: Client, week?: number) {
  return (await client.call(listWeeklyRatings, { query: { week } })).ratings;
}

test('lists the own participants in active cohorts, for their current week or the one asked for', async () => {
  const { client, coach, cohort, participant } = await coachWithParticipant({ firstName: 'Nadia', lastName: 'Ng' });
  const someone = await buildParticipant(app.db, { firstName: 'Aron', lastName: 'Abel' });
  await enrol(app.db, { cohortId: cohort.id, participantId: someone.id, coachId: coach.id });
  const finished = await buildCohort(app.db, { status: 'completed' });
  const former = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: finished.id, participantId: former.id, coachId: coach.id });
  await buildRating(app.db, {
    fellowId: participant.id,
    cohortId: cohort.id,
    weekNumber: 2,
    overallRating: 3.5,
    comment: 'Steady.',
  });
  await coachWithParticipant();

  expect(await ratedWeek(client)).toMatchObject([
    { firstName: 'Aron', weekNumber: 5, rating: null, can: { rate: true } },
    { firstName: 'Nadia', weekNumber: 5, rating: null, comment: null, updatedAt: null, can: { rate: true } },
  ]);
  expect((await ratedWeek(client, 2))[1]).toMatchObject({
    participantId: participant.id,
    cohortName: cohort.name,
    weekNumber: 2,
    rating: 3.5,
    comment: 'Steady.',
  });
  expect((await ratedWeek(client, 6)).map(({ can }) => can.rate)).toEqual([false, false]);
  expect(await ratedWeek(await app.as(await buildCoach(app.db)))).toEqual([]);
});

test('STIP-33 a rating is one row a participant and week, can be changed, and the stipend follows it', async () => {
  const { client, coach, cohort, participant } = await coachWithParticipant();
  await app.db.updateTable('cohorts').set({ createdAt: '2020-01-01T00:00:00Z' }).where('id', '=', cohort.id).execute();
  await enrol(app.db, { cohortId: cohort.id, participantId: (await buildParticipant(app.db)).id });
  const admin = await app.as(await buildAdmin(app.db));
  const isEligible = async () => {
    await admin.call(processStipends, { body: { weekNumber: 5 } });
    const { rows } = await admin.call(listStipends, { query: { week: 5, search: participant.email } });
    return rows[0]?.overallEligible;
  };
  expect(await isEligible()).toBe(false);
  expect(await client.call(rateWeek, rating(participant, 2.5, 5, '  Late twice. '))).toMatchObject({
    participantId: participant.id,
    weekNumber: 5,
    rating: 2.5,
    comment: 'Late twice.',
    updatedAt: '2025-10-08T14:00:00.000Z',
  });
  expect(await isEligible()).toBe(false);
  await client.call(rateWeek, rating(participant, 3));
  expect(await isEligible()).toBe(true);
  await client.call(rateWeek, rating(participant, 5, 4));
  expect(await storedRatings(participant.id)).toEqual([
    { weekNumber: 4, overallRating: 5, comment: null, ratedBy: coach.id },
    { weekNumber: 5, overallRating: 3, comment: null, ratedBy: coach.id },
  ]);
  const audited = await app.db
    .selectFrom('auditLog')
    .select(['action', 'before', 'after'])
    .where('actorId', '=', coach.id)
    .execute();
  expect(audited.map(({ action }) => action)).toEqual(['performance.rate', 'performance.rate', 'performance.rate']);
  expect(audited[1]).toMatchObject({ before: { rating: 2.5 }, after: { rating: 3 } });
});

test('a rating is read again by the participant, on the dashboard and among the weeks, and by the coach in the list', async () => {
  const { client, coach, participant } = await coachWithParticipant();
  const told = await toldBy(app, () => client.call(rateWeek, rating(participant, 4)));
  expect(told(participant)).toEqual(['progress', 'ratings', 'stipends']);
  expect(told(coach)).toEqual(['progress', 'ratings', 'stipends']);
});

test('only halves from 1.0 to 5.0 are ratings', async () => {
  const { client, participant } = await coachWithParticipant();
  for (const value of [0, 0.5, 1.25, 3.1, 5.5, -3]) {
    expect((await client.refused(rateWeek, rating(participant, value))).status, String(value)).toBe(422);
  }
  expect((await client.refused(rateWeek, rating(participant, 3, 105))).status).toBe(422);
  expect(await storedRatings(participant.id)).toEqual([]);
  for (const value of [1, 1.5, 4.5, 5]) {
    expect((await client.call(rateWeek, rating(participant, value))).rating).toBe(value);
  }
});

test('nobody rates the participants of another coach, and only coaches rate', async () => {
  const { participant } = await coachWithParticipant();
  const { client: stranger } = await coachWithParticipant();
  expect((await stranger.refused(rateWeek, rating(participant, 5))).status).toBe(404);
  for (const person of [participant, await buildAdmin(app.db)]) {
    const client = await app.as(person);
    expect((await client.refused(rateWeek, rating(participant, 5))).status).toBe(403);
    expect((await client.refused(listWeeklyRatings, { query: {} })).status).toBe(403);
  }
  expect(await storedRatings(participant.id)).toEqual([]);
});

test('a week to come and a week whose stipend is decided are refused', async () => {
  const { client, cohort, participant } = await coachWithParticipant();
  const refusal = async (weekNumber: number) => {
    const { status, problem } = await client.refused(rateWeek, rating(participant, 5, weekNumber));
    return [status, problem.code];
  };
  expect(await refusal(6)).toEqual([409, 'conflict']);
  const facts = { fellowId: participant.id, cohortId: cohort.id };
  for (const [index, paymentStatus] of ['approved', 'denied', 'paid'].entries()) {
    await buildStipend(app.db, { ...facts, weekNumber: index + 1, paymentStatus });
    expect(await refusal(index + 1)).toEqual([409, 'conflict']);
    expect((await ratedWeek(client, index + 1))[0]?.can).toEqual({ rate: false });
  }
  await buildStipend(app.db, { ...facts, weekNumber: 4 });
  expect((await client.call(rateWeek, rating(participant, 5, 4))).can.rate).toBe(true);
  expect((await storedRatings(participant.id)).map(({ weekNumber }) => weekNumber)).toEqual([4]);
});

test('of four first ratings at once all are answered, and one row stays', async () => {
  const { client, participant } = await coachWithParticipant();
  await Promise.all([2, 3, 4, 5].map((value) => client.call(rateWeek, rating(participant, value))));
  expect(await storedRatings(participant.id)).toHaveLength(1);
});

test('a rating that is sent while the week is being decided waits for that, and is refused', async () => {
  const { cohort, participant, client } = await coachWithParticipant();
  await buildStipend(app.db, {
    fellowId: participant.id,
    cohortId: cohort.id,
    weekNumber: 4,
    paymentStatus: 'pending',
  });
  const decider = await buildAdmin(app.db);
  let refused: Promise<Refusal> | undefined;
  await app.db.transaction().execute(async (deciding) => {
    await deciding
      .updateTable('stipendEligibility')
      .set({
        paymentStatus: 'denied',
        denialReason: 'Not what was agreed.',
        approvedBy: decider.id,
        approvedAt: new Date(),
      })
      .where('fellowId', '=', participant.id)
      .execute();
    refused = client.refused(rateWeek, rating(participant, 5, 4));
    await somebodyWaits(app.db);
  });
  expect((await refused)?.problem.code).toBe('conflict');
  expect(await storedRatings(participant.id)).toEqual([]);
});
