import { afterAll, beforeAll, expect, test } from 'vitest';
import { listStipends } from '#contract/stipends.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('stipends are listed for one admin, week and cohort after another, and for all cohorts', async () => {
  for (const weekNumber of [3, 4, 5]) {
    const cohort = await buildCohort(app.db);
    const asking = await app.as(await buildAdmin(app.db));
    const { id } = await buildStipend(app.db, { cohortId: cohort.id, weekNumber });
    const elsewhere = await buildStipend(app.db, { cohortId: (await buildCohort(app.db)).id, weekNumber });
    const idsIn = async (query: { cohort?: string }) =>
      (await asking.call(listStipends, { query: { week: weekNumber, ...query } })).rows.map((row) => row.id);
    expect(await idsIn({ cohort: cohort.id })).toEqual([id]);
    expect(await idsIn({})).toEqual([elsewhere.id, id]);
  }
});
