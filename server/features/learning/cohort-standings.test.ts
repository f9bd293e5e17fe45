import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCohortProgress } from '#contract/cohort-progress.ts';
import { readCohortCompletion, readCohortStandings } from '#contract/programme-figures.ts';
import { type StandingGroup, standingGroup, standingGroups } from '#contract/standing.ts';
import { addDays } from '#contract/weeks.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { countStatements } from '#test/support/statements.ts';
import { followProgress } from './progress-derivation.ts';

const startDate = '2025-09-08';
/** The Monday of week 6, and the Wednesday after it. */
const monday = '2025-10-13';
const wednesday = '2025-10-15T16:00:00Z';

let app: TestApp;
let restore: () => void;
beforeAll(async () => {
  app = await startTestApp();
  restore = stopClockAt(wednesday);
});
afterAll(async () => {
  restore();
  await app.close();
});

async function cohortOfItsOwn(facts: object = {}) {
  return buildCohort(app.db, { startDate, curriculumVersion: crypto.randomUUID(), ...facts });
}

async function memberOf(cohort: { id: string }, percentage: number | null, facts: object = {}) {
  const { id: participantId } = await buildParticipant(app.db, facts);
  await enrol(app.db, { cohortId: cohort.id, participantId });
  if (percentage !== null) {
    await app.db
      .insertInto('participantProgress')
      .values({ participantId, cohortId: cohort.id, overallCompletionPercentage: percentage, status: 'on_track' })
      .execute();
  }
  return participantId;
}

const groupsOf = (cohorts: { id: string; groups: Record<StandingGroup, number> }[], id: string) =>
  cohorts.find((cohort) => cohort.id === id)?.groups;

test('each member of a running cohort is in one group, the one that the contract names, and the list shows the same', async () => {
  const cohort = await cohortOfItsOwn();
  for (const percentage of [null, 0, 5, 20, 25, 30, 31, 33, 36, 60, 100]) await memberOf(cohort, percentage);
  await memberOf(cohort, 0, { firstName: 'Left' });
  await app.db
    .updateTable('cohortParticipants')
    .set({ status: 'withdrawn' })
    .where('participantId', 'in', (eb) => eb.selectFrom('profiles').select('id').where('firstName', '=', 'Left'))
    .execute();
  const admin = await app.as(await buildAdmin(app.db));
  const { cohorts } = await admin.call(readCohortStandings);
  const found = cohorts.find(({ id }) => id === cohort.id);
  const everybody = await admin.call(listCohortProgress, { params: { id: cohort.id }, query: {} });
  const expected = { atRisk: 0, behind: 0, onTrack: 0 };
  for (const programme of everybody.rows) expected[standingGroup({ isOutOfReach: false, programme })] += 1;
  expect(expected.behind).toBeGreaterThan(2);
  expect(expected.onTrack).toBeGreaterThan(2);
  expect(found).toMatchObject({ name: cohort.name, members: 11, groups: expected });
  for (const standing of standingGroups) {
    const list = await admin.call(listCohortProgress, { params: { id: cohort.id }, query: { standing } });
    expect(list.matching).toBe(expected[standing]);
    for (const programme of list.rows) expect(standingGroup({ isOutOfReach: false, programme })).toBe(standing);
  }
});

test('whose running week falls short is at risk, whatever the program says', async () => {
  const cohort = await cohortOfItsOwn();
  const lost = await memberOf(cohort, 90);
  const present = await memberOf(cohort, 90);
  // The week's only activity was held on its Monday.
  const activity = await buildActivity(app.db, {
    cohortId: cohort.id,
    weekNumber: 6,
    sessionDate: monday,
    applicableFellowship: true,
  });
  await attend(app.db, present, [activity]);
  const admin = await app.as(await buildAdmin(app.db));
  const { cohorts } = await admin.call(readCohortStandings);
  expect(groupsOf(cohorts, cohort.id)).toEqual({ atRisk: 1, behind: 0, onTrack: 1 });
  const list = await admin.call(listCohortProgress, { params: { id: cohort.id }, query: { standing: 'atRisk' } });
  expect(list.rows.map(({ participantId }) => participantId)).toEqual([lost]);
});

test('a coach sees own participants only, planned cohorts are in no figure, and participants are refused', async () => {
  const cohort = await cohortOfItsOwn();
  const planned = await cohortOfItsOwn({ status: 'planning', startDate: addDays(startDate, 70) });
  const other = await cohortOfItsOwn();
  const own = await memberOf(cohort, 0);
  await memberOf(cohort, 0);
  await memberOf(other, 0);
  await memberOf(planned, 0);
  const coach = await buildCoach(app.db);
  await assignCoach(app.db, { participantId: own, coachId: coach.id });
  const asCoach = await app.as(coach);
  const { cohorts } = await asCoach.call(readCohortStandings);
  expect(cohorts).toMatchObject([{ id: cohort.id, members: 1, groups: { atRisk: 0, behind: 1, onTrack: 0 } }]);
  const completion = await asCoach.call(readCohortCompletion, { params: { id: cohort.id } });
  expect(completion.members).toBe(1);
  const refusal = await asCoach.refused(readCohortCompletion, { params: { id: other.id } });
  expect([refusal.status, refusal.problem.detail]).toEqual([404, 'Cohort not found']);
  const asAdmin = await app.as(await buildAdmin(app.db));
  expect(groupsOf((await asAdmin.call(readCohortStandings)).cohorts, planned.id)).toBeUndefined();
  const participant = await app.as(await buildParticipant(app.db));
  expect((await participant.refused(readCohortStandings)).status).toBe(403);
  expect((await participant.refused(readCohortCompletion, { params: { id: cohort.id } })).status).toBe(403);
});

test('completion by week ends where the progress of the members is, beside the plan', async () => {
  const cohort = await cohortOfItsOwn();
  const activities = [];
  for (const weekNumber of [1, 2, 3, 4]) {
    activities.push(
      await buildActivity(app.db, {
        cohortId: cohort.id,
        weekNumber,
        sessionDate: addDays(startDate, 7 * (weekNumber - 1)),
        applicableFellowship: true,
        isRequired: true,
      }),
    );
  }
  const [one, two] = [await memberOf(cohort, null), await memberOf(cohort, null)];
  const [first, second, third] = activities;
  if (!first || !second || !third) throw new Error('Four activities were built.');
  const inWeek = (week: number) => ({ accessedAt: `${addDays(startDate, 7 * (week - 1) + 2)}T16:00:00Z` });
  await attend(app.db, one, [first], inWeek(1));
  await attend(app.db, one, [second], inWeek(2));
  await attend(app.db, two, [first, third], inWeek(3));
  const admin = await app.as(await buildAdmin(app.db));
  const { members, weeks } = await admin.call(readCohortCompletion, { params: { id: cohort.id } });
  expect(members).toBe(2);
  expect(weeks).toHaveLength(16);
  expect(weeks.map(({ completedPercentage }) => completedPercentage)).toEqual([
    12.5,
    25,
    50,
    50,
    50,
    50,
    ...Array.from({ length: 10 }, () => null),
  ]);
  expect(weeks[0]?.plannedPercentage).toBeCloseTo(700 / 110, 5);
  expect(weeks.at(-1)?.plannedPercentage).toBe(100);
  await followProgress(app.db, [one, two], [cohort.id]);
  const { rows } = await admin.call(listCohortProgress, { params: { id: cohort.id }, query: {} });
  const average = rows.reduce((sum, { overallPercentage }) => sum + overallPercentage, 0) / rows.length;
  expect(average).toBe(50);
});

test('the figures take as many statements for many as for one', async () => {
  const cohort = await cohortOfItsOwn();
  await memberOf(cohort, 0);
  const admin = await app.as(await buildAdmin(app.db));
  const read = async () => {
    await admin.call(readCohortStandings);
    await admin.call(readCohortCompletion, { params: { id: cohort.id } });
  };
  const before = await countStatements(app.app.pool, read);
  for (let more = 0; more < 5; more += 1) await memberOf(cohort, 10);
  expect(await countStatements(app.app.pool, read)).toBe(before);
});
