import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { specifiedCalendar, specifiedRules } from '#contract/default-programme.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { attend, buildRating, buildStipend, buildWeekActivities, judgedWeek } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { findParticipantStipend } from './dashboard-stipend-queries.ts';
import { processWeek } from './stipends.ts';

let app: TestApp;
let restoreClock: () => void;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(() => {
  restoreClock = stopClockAt('2025-09-19T16:00:00Z');
});
afterEach(() => restoreClock());

/** A member of a program of its own, on the Friday of week 2, whose sessions of that Wednesday are as attended. */
async function memberInWeekTwo({ attended = 5, trackType = 'fellowship' as const, startDate = '2025-09-08' } = {}) {
  const { id: programmeId } = await buildProgramme(app.db);
  const cohort = await buildCohort(app.db, { programmeId, startDate });
  const { id: participantId } = await buildParticipant(app.db, { trackType });
  await enrol(app.db, { cohortId: cohort.id, participantId });
  const facts = { cohortId: cohort.id, weekNumber: 2, sessionDate: '2025-09-17' };
  await attend(app.db, participantId, (await buildWeekActivities(app.db, 5, facts)).slice(0, attended));
  const own = { fellowId: participantId, cohortId: cohort.id };
  await buildRating(app.db, { ...own, weekNumber: 2 });
  const calendar = specifiedCalendar;
  const find = (today = '2025-09-19') =>
    findParticipantStipend(app.db, { participantId, cohort: { id: cohort.id, startDate, calendar }, today });
  return { cohort, own, find };
}

const present = { weekNumber: 2, firstDay: '2025-09-15', lastDay: '2025-09-19', payPeriod: 'week' };
const notYet = { totalEarnedCents: 0, decidedAt: null, recentWeeks: [] };

test('a week that is not worked out is judged by what is there now', async () => {
  const { find } = await memberInWeekTwo();
  const found = await find();
  expect(found).toMatchObject({
    ...{ ...notYet, present, rules: { criteria: specifiedRules.criteria } },
    ...{ weeklyCents: 50_000, isEligible: true, isOutOfReach: false },
  });
  expect(found?.criteria.map(({ name, isMet }) => [name, isMet])).toEqual([
    ['Attendance', true],
    ['Assignments', true],
    ['Performance', true],
  ]);
  const behind = await memberInWeekTwo({ attended: 0 });
  expect(await behind.find()).toMatchObject({ ...notYet, weeklyCents: 50_000, isEligible: false, isOutOfReach: true });
});

test('a week that is worked out is told as it was judged, out of reach while it is undecided', async () => {
  const { find, own, cohort } = await memberInWeekTwo({ attended: 0 });
  await processWeek(app.db, 2, cohort.id);
  const row = app.db.updateTable('stipendEligibility').where('fellowId', '=', own.fellowId);
  await row.set({ stipendAmountCents: 45_000, isAmountSetByHand: true }).execute();
  const recent = { ...present, amountCents: 45_000, isEligible: false };
  expect(await find()).toMatchObject({
    ...{ weeklyCents: 45_000, isEligible: false, isOutOfReach: true, decidedAt: null },
    recentWeeks: [{ ...recent, paymentStatus: 'pending' }],
  });
  const { id: approvedBy } = await buildAdmin(app.db);
  const decision = { paymentStatus: 'denied', denialReason: 'No.', approvedBy, approvedAt: new Date() };
  await row.set(decision).execute();
  const decided = await find();
  expect(decided).toMatchObject({
    ...{ weeklyCents: 45_000, isEligible: false, isOutOfReach: false, decidedAt: decision.approvedAt.toISOString() },
    recentWeeks: [{ ...recent, paymentStatus: 'denied' }],
  });
  expect(decided?.criteria[0]).toMatchObject({ name: 'Attendance', isMet: false });
});

test('a decided week keeps the criteria that decided it, also of somebody who is paid nothing any more', async () => {
  const { find, own } = await memberInWeekTwo({ attended: 0 });
  const strict = { ...own, weekNumber: 2, isMember: false, paymentStatus: 'paid', stipendAmountCents: 30_000 };
  await buildStipend(app.db, strict);
  const found = await find();
  expect(found).toMatchObject({ weeklyCents: 30_000, totalEarnedCents: 30_000, isEligible: false });
  expect(found?.criteria).toEqual(JSON.parse(judgedWeek().criteria));
});

test('an undecided week is told as it was judged, also if the rules would judge it otherwise by now', async () => {
  const { find, own } = await memberInWeekTwo();
  const { criteria } = judgedWeek({ performanceRating: 2.5 });
  await buildStipend(app.db, { ...own, weekNumber: 2, criteria });
  const found = await find();
  expect(found).toMatchObject({ isEligible: false, decidedAt: null });
  expect(found?.criteria).toEqual(JSON.parse(criteria));
});

test('nobody has a stipend of a week for which they are paid nothing, or that has no rules', async () => {
  const unpaid = await memberInWeekTwo();
  await app.db
    .updateTable('profiles')
    .set({ trackType: 'self_learner' })
    .where('id', '=', unpaid.own.fellowId)
    .execute();
  expect(await unpaid.find()).toBeNull();
  await buildStipend(app.db, { ...unpaid.own, weekNumber: 2, isMember: false });
  expect(await unpaid.find()).toBeNull();
  const early = await memberInWeekTwo({ startDate: '1999-09-06' });
  expect(await early.find('1999-09-10')).toBeNull();
});

test('the last four weeks come the newest first, undecided ones only once they have begun', async () => {
  const { find, own } = await memberInWeekTwo();
  for (const weekNumber of [1, 2, 3]) await buildStipend(app.db, { ...own, weekNumber });
  for (const weekNumber of [4, 5]) await buildStipend(app.db, { ...own, weekNumber, paymentStatus: 'approved' });
  const recent = async (today?: string) => (await find(today))?.recentWeeks.map(({ weekNumber }) => weekNumber);
  expect(await recent()).toEqual([5, 4, 2, 1]);
  expect(await recent('2025-09-22')).toEqual([5, 4, 3, 2]);
  expect(await recent('2025-09-08')).toEqual([5, 4, 1]);
  expect(await recent('2025-09-07')).toEqual([5, 4]);
  expect(await find()).toMatchObject({ totalEarnedCents: 100_000 });
});
