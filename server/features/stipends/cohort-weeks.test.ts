import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCoachWeeks, payParts, readCohortWeeks } from '#contract/programme-figures.ts';
import { listStipends } from '#contract/stipends.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { attend, badlyRated, buildStipend, buildWeekActivities } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { countStatements } from '#test/support/statements.ts';
import { findWeeksToDecide } from './cohort-week-queries.ts';
import { processWeek } from './stipends.ts';

let server: TestApp;
let restore: () => void;
beforeAll(async () => {
  server = await startTestApp();
  // A Wednesday, in week 6 of the cohorts here.
  restore = stopClockAt('2025-10-15T16:00:00Z');
});
afterAll(async () => {
  restore();
  await server.close();
});

async function member(cohort: { id: string }, facts: object = {}) {
  const person = await buildParticipant(server.db, facts);
  await enrol(server.db, { cohortId: cohort.id, participantId: person.id });
  return person;
}

test('a cohort’s weeks add up attendance and pay, and each sum is that of the rows its link lists', async () => {
  const { db } = server;
  const cohort = await buildCohort(db);
  const elsewhere = await buildCohort(db);
  const cohortId = cohort.id;
  const stipend = async (facts: object) =>
    buildStipend(db, { cohortId, fellowId: (await member(cohort)).id, ...facts });
  await stipend({ weekNumber: 1, paymentStatus: 'approved', payeeName: 'A', payeeEmail: 'a@people.example' });
  await stipend({ weekNumber: 1, stipendAmountCents: 40_000 });
  await stipend({ weekNumber: 1, paymentStatus: 'denied', stipendAmountCents: 30_000 });
  await stipend({ weekNumber: 1, activitiesAccessed: 2, stipendAmountCents: 20_000 });
  await stipend({ weekNumber: 3, ...badlyRated });
  await buildStipend(db, { cohortId: elsewhere.id, weekNumber: 1 });
  const admin = await server.as(await buildAdmin(db));
  const found = await admin.call(readCohortWeeks, { params: { id: cohortId } });
  expect(found).toEqual({
    id: cohortId,
    name: cohort.name,
    parts: [
      { state: 'paid', color: 'success', label: 'Paid' },
      { state: 'approved', color: 'info', label: 'Approved' },
      { state: 'toDecide', color: 'warning', label: 'Not decided yet' },
      { state: 'denied', color: 'danger', label: 'Denied' },
      { state: 'notEligible', color: 'neutral', label: 'Not eligible' },
    ],
    weeks: [
      {
        weekNumber: 1,
        firstDay: '2025-09-08',
        lastDay: '2025-09-12',
        payPeriod: 'week',
        people: 4,
        attendance: { attended: 17, total: 20 },
        cents: { paid: 0, approved: 50_000, toDecide: 40_000, denied: 30_000, notEligible: 20_000 },
        possibleCents: 140_000,
      },
      {
        weekNumber: 3,
        firstDay: '2025-09-22',
        lastDay: '2025-09-26',
        payPeriod: 'week',
        people: 1,
        attendance: { attended: 5, total: 5 },
        cents: { paid: 0, approved: 0, toDecide: 0, denied: 0, notEligible: 50_000 },
        possibleCents: 50_000,
      },
    ],
  });
  const filters = {
    paid: { status: 'paid' },
    approved: { status: 'approved' },
    toDecide: { status: 'pending', eligibility: 'eligible' },
    denied: { status: 'denied' },
    notEligible: { status: 'pending', eligibility: 'not_eligible' },
  } as const;
  for (const week of found.weeks) {
    for (const part of payParts) {
      const list = await admin.call(listStipends, {
        query: { week: week.weekNumber, cohort: cohortId, ...filters[part] },
      });
      expect([part, list.matchingCents]).toEqual([part, week.cents[part]]);
    }
    expect(payParts.reduce((sum, part) => sum + week.cents[part], 0)).toBe(week.possibleCents);
  }
});

test('a cohort without weeks has none, one that nobody knows is not found, and only admins read them', async () => {
  const cohort = await buildCohort(server.db);
  const admin = await server.as(await buildAdmin(server.db));
  const params = { id: cohort.id };
  expect((await admin.call(readCohortWeeks, { params })).weeks).toEqual([]);
  expect(await admin.refused(readCohortWeeks, { params: { id: crypto.randomUUID() } })).toMatchObject({
    status: 404,
    problem: { detail: 'This cohort was not found.' },
  });
  for (const person of [await buildCoach(server.db), await buildParticipant(server.db)]) {
    expect((await (await server.as(person)).refused(readCohortWeeks, { params })).status).toBe(403);
  }
});

test('a coach reads the weeks of own participants in their present cohort, each in the words of the contract', async () => {
  const { db } = server;
  const cohort = await buildCohort(db);
  const earlier = await buildCohort(db, { startDate: '2025-02-03', status: 'completed' });
  const coach = await buildCoach(db);
  const ana = await member(cohort, { firstName: 'Ana', lastName: 'Abe' });
  const zoe = await buildParticipant(db, { firstName: 'Zoe', lastName: 'Zhu' });
  const stranger = await member(cohort, { firstName: 'Bo' });
  for (const { id } of [ana, zoe]) await assignCoach(db, { participantId: id, coachId: coach.id });
  await assignCoach(db, { participantId: ana.id, coachId: coach.id });
  await buildStipend(db, { cohortId: cohort.id, fellowId: stranger.id });
  await buildStipend(db, { cohortId: earlier.id, fellowId: ana.id });
  const week = (weekNumber: number, facts: object) =>
    buildStipend(db, { cohortId: cohort.id, fellowId: ana.id, weekNumber, ...facts });
  await week(1, { paymentStatus: 'approved', payeeName: 'Ana', payeeEmail: 'ana@people.example' });
  await week(2, { activitiesAccessed: 2 });
  await week(3, { performanceRating: null });
  await week(6, { activitiesAccessed: 1, assignmentsSubmitted: 0, performanceRating: null });
  await week(9, {});
  const client = await server.as(coach);
  const { rows, nextCursor } = await client.call(listCoachWeeks, { query: {} });
  expect(nextCursor).toBeNull();
  expect(rows).toMatchObject([
    {
      id: ana.id,
      firstName: 'Ana',
      cohortName: cohort.name,
      weeks: [
        {
          weekNumber: 1,
          standing: { state: 'approved', label: 'Approved' },
          criteria: [{ state: 'met' }, { state: 'met' }, { state: 'met' }],
          pay: { state: 'approved', label: 'Approved' },
        },
        {
          weekNumber: 2,
          standing: { state: 'not_met', label: 'Not met: Attendance', color: 'danger' },
          criteria: [{ state: 'not_met' }, { state: 'met' }, { state: 'met' }],
          pay: { label: 'Not decided yet' },
        },
        { weekNumber: 3, standing: { state: 'waiting_for_rating' } },
        { weekNumber: 6, standing: { state: 'so_far', label: 'Attendance: 1 of 5 so far' } },
      ],
    },
    { id: zoe.id, cohortName: null, weeks: [] },
  ]);
  expect(rows).toHaveLength(2);
  expect((await (await server.as(await buildAdmin(db))).refused(listCoachWeeks, { query: {} })).status).toBe(403);
  expect((await (await server.as(ana)).refused(listCoachWeeks, { query: {} })).status).toBe(403);
});

test('the grid goes on by pages, in one statement each', async () => {
  const { db } = server;
  const cohort = await buildCohort(db);
  const coach = await buildCoach(db);
  for (let index = 0; index < 17; index += 1) {
    const { id } = await member(cohort, { firstName: `Person ${String.fromCharCode(65 + index)}` });
    await assignCoach(db, { participantId: id, coachId: coach.id });
  }
  const client = await server.as(coach);
  const first = await client.call(listCoachWeeks, { query: {} });
  const second = await client.call(listCoachWeeks, { query: { cursor: first.nextCursor ?? '' } });
  const names = [...first.rows, ...second.rows].map(({ firstName }) => firstName);
  expect([first.rows.length, second.rows.length, second.nextCursor]).toEqual([15, 2, null]);
  expect(names).toEqual(names.toSorted());
  // One of them asks who the person is.
  const statements = await countStatements(server.app.pool, () => client.call(listCoachWeeks, { query: {} }));
  expect(statements).toBe(2);
});

test('the grid says of a week that runs and lost nothing so far how it stands, by all that its rules count', async () => {
  const { db } = server;
  const coach = await buildCoach(db);
  const { id: cohortId } = await buildCohort(db);
  const { id } = await member({ id: cohortId });
  await assignCoach(db, { participantId: id, coachId: coach.id });
  const held = { cohortId, weekNumber: 6, sessionDate: '2025-10-17' };
  await attend(db, id, (await buildWeekActivities(db, 5, held)).slice(0, 1));
  await processWeek(db, 6, cohortId);
  const { rows } = await (await server.as(coach)).call(listCoachWeeks, { query: {} });
  expect(rows.map(({ weeks }) => weeks)).toMatchObject([
    [
      {
        weekNumber: 6,
        standing: { state: 'so_far', label: 'Attendance: 1 of 5 so far' },
        criteria: [
          { state: 'so_far', label: 'Attendance: 1 of 5 so far' },
          { state: 'met', label: 'Assignments met' },
          { state: 'waiting_for_rating', label: "Waiting for the coach's rating" },
        ],
      },
    ],
  ]);
});

test('weeks with stipends to decide come the longest waiting first, then by cohort, with how long they wait', async () => {
  const { db } = server;
  const zeta = await buildCohort(db, { name: 'Zeta' });
  const alpha = await buildCohort(db, { name: 'Alpha' });
  const waiting = [
    [zeta, 6],
    [zeta, 5],
    [zeta, 5],
    [alpha, 5],
    [zeta, 4],
  ] as const;
  for (const [{ id: cohortId }, weekNumber] of waiting) await buildStipend(db, { cohortId, weekNumber });
  for (const facts of [badlyRated, { paymentStatus: 'approved' }]) {
    await buildStipend(db, { cohortId: alpha.id, weekNumber: 4, ...facts });
  }
  const found = (await findWeeksToDecide(db)).filter(({ cohortId }) => [zeta.id, alpha.id].includes(cohortId));
  const week = (cohort: typeof zeta, weekNumber: number, count: number, age: string) => ({
    ...{ cohortId: cohort.id, cohortName: cohort.name, weekNumber, count, age },
  });
  expect(found).toEqual([
    week(zeta, 4, 1, 'fromSevenDays'),
    week(alpha, 5, 1, 'underSevenDays'),
    week(zeta, 5, 2, 'underSevenDays'),
    week(zeta, 6, 1, 'underOneDay'),
  ]);
});

test('the grid says which weeks were sent, which are out of reach, and which were decided before there were rules', async () => {
  const { db } = server;
  const coach = await buildCoach(db);
  const client = await server.as(coach);
  const { id: programmeId } = await buildProgramme(db);
  const owned = async (startDate: string) => {
    const cohort = await buildCohort(db, { programmeId, startDate });
    const { id } = await member(cohort);
    await assignCoach(db, { participantId: id, coachId: coach.id });
    return { cohortId: cohort.id, fellowId: id };
  };
  const own = await owned('2025-09-08');
  const { id: createdBy } = await buildAdmin(db);
  for (const [weekNumber, paymentStatus, status] of [
    [1, 'approved', 'sent'],
    [2, 'paid', 'sent'],
    [3, 'approved', 'queued'],
  ] as const) {
    const { id: stipendId } = await buildStipend(db, { ...own, weekNumber, paymentStatus });
    const sentAt = status === 'sent' ? new Date() : null;
    const { id: handoverId } = await db
      .insertInto('stipendHandovers')
      .values({ weekNumber, body: '{}', recipients: 1, totalCents: 50_000, createdBy, status, sentAt })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.insertInto('stipendHandoverRows').values({ handoverId, stipendId, amountCents: 50_000 }).execute();
  }
  await buildWeekActivities(db, 5, { cohortId: own.cohortId, weekNumber: 6, sessionDate: '2025-10-13' });
  await processWeek(db, 6, own.cohortId);
  await buildStipend(db, { ...(await owned('1999-09-06')), paymentStatus: 'denied' });
  const { rows } = await client.call(listCoachWeeks, { query: {} });
  const weeksOf = (id: string) => rows.find((row) => row.id === id)?.weeks ?? [];
  expect(weeksOf(own.fellowId).map(({ weekNumber, pay }) => [weekNumber, pay.state])).toEqual([
    [1, 'sent'],
    [2, 'paid'],
    [3, 'approved'],
    [6, 'pending'],
  ]);
  expect(weeksOf(own.fellowId).at(-1)).toMatchObject({
    standing: { state: 'out_of_reach' },
    criteria: [
      { state: 'out_of_reach', label: 'Attendance: out of reach, 0 of 5 so far' },
      { state: 'met' },
      { state: 'waiting_for_rating' },
    ],
  });
  const decided = rows.flatMap(({ id, weeks }) => (id === own.fellowId ? [] : weeks));
  expect(decided).toMatchObject([{ weekNumber: 1, standing: { state: 'denied' }, pay: { state: 'denied' } }]);
});
