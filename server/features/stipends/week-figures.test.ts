import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '#server/db/database.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { buildWeekActivities } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { countBlocksRead } from '#test/support/blocks-read.ts';
import { settleRows } from '#test/support/settled-rows.ts';
import { processWeek } from './stipends.ts';
import { findWeekFigures } from './week-figure-queries.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('the cards of a week are summed up from an index, and nobody has their evidence read for them', async () => {
  const cohort = await buildProcessedCohort([1, 2]);
  await settleRows(app.db, ['stipend_eligibility']);
  const actor = { id: cohort.id };
  await app.db.transaction().execute(async (db) => {
    for (const cohortId of [undefined, cohort.id]) {
      const { summary } = await findWeekFigures(db, actor, { week: 1, cohort: cohortId });
      expect(summary.totalParticipants).toBe(500);
    }
    expect(await rowsRead(db)).toBe(0);
  });
});

test('the cards of all cohorts cost the same however many people have the week', async () => {
  const blocksOfCards = async () => {
    await settleRows(app.db, ['stipend_eligibility']);
    let summary: unknown;
    const blocks = await countBlocksRead(app, async () => {
      ({ summary } = await findWeekFigures(app.db, { id: newId() }, { week: 3 }));
    });
    return { blocks, summary };
  };
  await buildProcessedCohort([3]);
  const before = await blocksOfCards();
  for (let count = 0; count < 4; count += 1) await buildProcessedCohort([3]);
  const after = await blocksOfCards();
  expect([before, after]).toMatchObject([
    { summary: { totalParticipants: 500 } },
    { summary: { totalParticipants: 2500 } },
  ]);
  expect(after.blocks).toBeLessThanOrEqual(before.blocks + 2);
});

/** With 500 members, whom nobody has rated. */
async function buildProcessedCohort(weeks: number[]) {
  const cohort = await buildCohort(app.db, { startDate: '2025-09-08', capacity: 1000 });
  await buildWeekActivities(app.db, 10, { cohortId: cohort.id, sessionDate: '2025-09-09' });
  await sql`
    with people as (
      insert into profiles (id, email, first_name, last_name, role, track_type)
      select time_ordered_id(), n || '@' || ${cohort.id} || '.example', 'Fellow', n::text, 'participant', 'fellowship'
      from generate_series(1, 500) n returning id
    )
    insert into cohort_participants (cohort_id, participant_id) select ${cohort.id}, id from people`.execute(app.db);
  for (const week of weeks) await processWeek(app.db, week, cohort.id);
  return cohort;
}

/** How many weeks this transaction has read in the table itself. */
async function rowsRead(db: Db): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
    where relname = 'stipend_eligibility'`.execute(db);
  return rows[0]?.read ?? Number.NaN;
}
