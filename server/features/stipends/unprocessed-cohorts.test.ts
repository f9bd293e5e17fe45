import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { houseZone } from '#contract/house-zone.ts';
import { listUnprocessedCohorts, processUnprocessedCohorts } from '#contract/stipend-cohorts.ts';
import { listStipends, processStipends } from '#contract/stipends.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { newId } from '#server/platform/ids.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { attend, buildWeekActivities } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { findSteps } from '#test/support/blocks-read.ts';
import { toldBy } from '#test/support/live-news.ts';
import { addCohorts } from '#test/support/many-cohorts.ts';
import { somebodyWaits } from '#test/support/waiting-statements.ts';
import { processWeek } from './stipends.ts';
import { findUnprocessedCohorts } from './unprocessed-cohorts.ts';

let app: TestApp;
let ada: BuiltPerson;
let admin: Client;
beforeAll(async () => {
  app = await startTestApp();
  ada = await buildAdmin(app.db);
  admin = await app.as(ada);
});
afterAll(() => app.close());

/** A cohort with one participant who was there from the first day on. */
async function cohortSince(startDate: string, facts: Parameters<typeof buildCohort>[1] = {}) {
  const cohort = await buildCohort(app.db, { startDate, ...facts });
  const { id: participantId } = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId });
  return { ...cohort, participantId };
}

test('the cohorts of a week say which have no stipends yet, and one act computes those, and those alone', async () => {
  const today = dayAt(new Date(), houseZone);
  const [long, now, soon] = [addDays(today, -21), addDays(today, -8), addDays(today, -2)];
  const known = await cohortSince(long, { name: 'Computed' });
  const open = await cohortSince(long, { name: 'B open' });
  const other = await cohortSince(now, { name: 'A open' });
  await cohortSince(soon, { name: 'Week 2 has not begun' });
  await cohortSince(long, { name: 'Cancelled', status: 'cancelled' });
  await cohortSince(long, { name: 'Pays nothing', programType: 'adult_mobilization' });
  await buildCohort(app.db, { name: 'Nobody in it', startDate: long });
  await admin.call(processStipends, { body: { weekNumber: 2, cohortId: known.id } });
  const standing = () => admin.call(listUnprocessedCohorts, { query: { week: 2 } });
  expect(await standing()).toEqual({
    processed: 1,
    unprocessed: [
      { id: other.id, name: 'A open', endedOn: null },
      { id: open.id, name: 'B open', endedOn: null },
    ],
  });

  const act = () => admin.call(processUnprocessedCohorts, { body: { weekNumber: 2 } });
  const [first, second] = await Promise.all([act(), act()]);
  expect(Math.max(first.changedRows, second.changedRows)).toBe(2);
  expect(await standing()).toEqual({ processed: 3, unprocessed: [] });
  expect(await act()).toEqual({ cohorts: 0, changedRows: 0 });
  const { rows } = await admin.call(listStipends, { query: { week: 2 } });
  expect(rows.map(({ cohortName }) => cohortName).sort()).toEqual(['A open', 'B open', 'Computed']);
});

test('a cohort that has ended still has the week that nobody calculated, and says when it ended', async () => {
  const facts = { name: 'Finished', status: 'completed', startDate: '2025-09-08', endDate: '2025-12-26' };
  const { id, name } = await buildCohort(app.db, facts);
  const { id: participantId } = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: id, participantId });
  const endedAt = new Date('2025-12-26T12:00:00Z');
  await app.db
    .updateTable('cohortParticipants')
    .set({ status: 'completed', endedAt })
    .where('cohortId', '=', id)
    .execute();
  const waiting = async () =>
    (await admin.call(listUnprocessedCohorts, { query: { week: 5 } })).unprocessed.filter((cohort) => cohort.id === id);
  expect(await waiting()).toEqual([{ id, name, endedOn: '2025-12-26' }]);
  await admin.call(processUnprocessedCohorts, { body: { weekNumber: 5 } });
  expect(await waiting()).toEqual([]);
  const { rows } = await admin.call(listStipends, { query: { week: 5, cohort: id } });
  expect(rows.map((row) => row.fellowId)).toEqual([participantId]);
});

test('each cohort is looked at on its own, and not compared with all others', async () => {
  const cohorts = 40;
  await addCohorts(app.db, cohorts);
  await sql`vacuum analyze`.execute(app.db);
  const begunWeek = 6;
  const steps = await findSteps(app, async () => {
    const { unprocessed } = await findUnprocessedCohorts(app.db, begunWeek);
    expect(unprocessed.length).toBeGreaterThanOrEqual(cohorts);
  });
  const looks = steps.filter(({ table }) => table === 'cohorts').reduce((sum, { rows }) => sum + rows, 0);
  expect(looks).toBeGreaterThanOrEqual(cohorts);
  expect(looks).toBeLessThan(3 * cohorts);
});

test('the last week of a cohort is computed, and one after it is refused, as is a cohort that is not there', async () => {
  const { id: programmeId } = await buildProgramme(app.db, { weeks: 6, payPeriod: 'two_weeks' });
  const { id: cohortId } = await cohortSince('2025-09-08', { programmeId });
  const process = (weekNumber: number, cohort = cohortId) => ({ body: { weekNumber, cohortId: cohort } });
  expect(await admin.call(processStipends, process(3))).toEqual({ cohortId, changedRows: 1 });
  const detail = "This cohort's program has 3 stipends for each participant.";
  expect(await admin.refused(processStipends, process(4))).toMatchObject({
    status: 422,
    problem: { detail, errors: [{ path: 'weekNumber', message: detail }] },
  });
  expect(await admin.refused(processStipends, process(1, newId()))).toMatchObject({
    status: 404,
    problem: { detail: 'This cohort was not found.' },
  });
});

test('a week that is computed is seen at once, and by nobody where it is as it was', async () => {
  const { id: cohortId, participantId } = await cohortSince('2025-09-08');
  const process = () => admin.call(processStipends, { body: { weekNumber: 1, cohortId } });
  const first = await toldBy(app, process);
  expect([first(ada), first({ id: participantId })]).toEqual([['stipends'], ['stipends']]);
  const second = await toldBy(app, process);
  expect([second(ada), second({ id: participantId })]).toEqual([[], []]);
});

test('a fact that changes while its week is computed for the first time waits for that, and is not lost', async () => {
  const { id: cohortId, participantId } = await cohortSince('2025-09-08');
  const activities = await buildWeekActivities(app.db, 1, { cohortId });
  const computing = await app.db.startTransaction().execute();
  await processWeek(computing, 1, cohortId);
  const attended = inTransaction(app.db, (db) => attend(db, participantId, activities));
  await somebodyWaits(app.db).finally(() => computing.commit().execute());
  await attended;
  const row = app.db.selectFrom('stipendEligibility').select(['activitiesTotal', 'activitiesAccessed']);
  expect(await row.where('fellowId', '=', participantId).execute()).toEqual([
    { activitiesTotal: 1, activitiesAccessed: 1 },
  ]);
});

test('without a named cohort the documented one is computed, and nothing where there is none', async () => {
  await app.db.updateTable('cohorts').set({ status: 'completed' }).execute();
  const process = () => admin.call(processStipends, { body: { weekNumber: 1 } });
  expect(await process()).toEqual({ cohortId: null, changedRows: 0 });
  const { id: cohortId } = await cohortSince('2025-09-08');
  expect(await process()).toEqual({ cohortId, changedRows: 1 });
});
