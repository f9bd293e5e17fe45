import { type Kysely, sql } from 'kysely';
import type { DB } from '../server/db/schema.gen.ts';
import { processWeek } from '../server/features/stipends/stipends.ts';
import { buildCohort } from '../test/factories/cohorts.ts';
import { buildCoach } from '../test/factories/people.ts';
import { openBenchApp } from './bench-app.ts';
import type { Scenario } from './scenario.ts';

const fellows = 10_000;

/** Each round undoes both and clears the table of it, so that every round makes the same rows again. */
export const scenario: Scenario = {
  measured: `a week of ${fellows} fellows processed: 5 activities, 2 assignments, attendance, work and ratings of each`,
  baseline: 'a bare insert … select of as many finished rows into the same table',
  rounds: 10,
  prepare: async () => {
    const app = await openBenchApp();
    const cohortId = await buildWeek(app.db);
    await takenBack(app.db, async (db) => {
      const { changedRows } = await processWeek(db, 1, cohortId);
      if (changedRows !== fellows) throw new Error(`${changedRows} rows were made instead of ${fellows}.`);
    });
    await app.db.transaction().execute((db) => processWeek(db, 1, cohortId));
    await sql`create unlogged table finished_stipends as select * from stipend_eligibility`.execute(app.db);
    await sql`delete from stipend_eligibility`.execute(app.db);
    await sql`vacuum analyze stipend_eligibility, finished_stipends`.execute(app.db);
    return {
      cases: [
        {
          name: 'A week of stipends',
          runMeasured: () => takenBack(app.db, async (db) => void (await processWeek(db, 1, cohortId))),
          runBaseline: () => takenBack(app.db, async (db) => void (await insertFinished(db))),
          // Rows that were taken back stay in the table and its indexes otherwise, and each round meets more of them.
          clear: async () => void (await sql`vacuum stipend_eligibility`.execute(app.db)),
        },
      ],
      close: app.close,
    };
  },
};

async function takenBack(db: Kysely<DB>, work: (db: Kysely<DB>) => Promise<void>): Promise<void> {
  const transaction = await db.startTransaction().execute();
  try {
    await work(transaction);
  } finally {
    await transaction.rollback().execute();
  }
}

function insertFinished(db: Kysely<DB>) {
  return sql`
    insert into stipend_eligibility (fellow_id, cohort_id, week_number, is_member, criteria, rules_version,
      attendance_percentage, performance_rating, activities_total, activities_accessed, assignments_total,
      assignments_submitted, evidence)
    select fellow_id, cohort_id, week_number, is_member, criteria, rules_version, attendance_percentage,
      performance_rating, activities_total, activities_accessed, assignments_total, assignments_submitted, evidence
    from finished_stipends`.execute(db);
}

/** Everybody misses some of it: four of five activities, one of two assignments, ratings from 2.5 to 5. */
async function buildWeek(db: Kysely<DB>): Promise<string> {
  const { id: cohortId } = await buildCohort(db, { capacity: fellows });
  const { id: coachId } = await buildCoach(db);
  await sql`
    with people as (
      insert into profiles (id, email, first_name, last_name, role, track_type)
      select time_ordered_id(), 'fellow' || n || '@bench.example', 'Fellow', n::text, 'participant', 'fellowship'
      from generate_series(1, ${fellows}::integer) n returning id
    )
    insert into cohort_participants (cohort_id, participant_id, enrolled_at)
    select ${cohortId}::uuid, id, '2025-08-01' from people`.execute(db);
  await sql`
    with activity as (
      insert into training_activities (cohort_id, title, week_number, session_date, applicable_fellowship)
      select ${cohortId}::uuid, 'Session ' || n, 1, date '2025-09-07' + n, true from generate_series(1, 5) n
      returning id, session_date
    ), item as (
      insert into content_items (training_activity_id, title, content_type)
      select id, 'Work', 'assignment' from activity where session_date <= '2025-09-09' returning id
    )
    insert into content_assignments (content_item_id, title, instructions) select id, 'Task', 'Do it.' from item`.execute(
    db,
  );
  await sql`
    insert into attendance_records (fellow_id, cohort_id, content_id, week_number)
    select participant_id, cohort_id, activity.id, 1
    from cohort_participants join training_activities activity using (cohort_id)
    where activity.session_date <> '2025-09-12'`.execute(db);
  await sql`
    insert into content_submissions (assignment_id, user_id, submission_text)
    select assignment.id, participant_id, 'Done'
    from cohort_participants cross join content_assignments assignment
    where hashtext(assignment.id::text || participant_id) % 4 <> 0`.execute(db);
  await sql`
    insert into performance_feedback (fellow_id, cohort_id, week_number, overall_rating, rated_by)
    select participant_id, cohort_id, 1, 2.5 + 0.5 * abs(hashtext(participant_id::text) % 6), ${coachId}::uuid
    from cohort_participants`.execute(db);
  await sql`
    analyze profiles, cohort_participants, training_activities, content_items, content_assignments,
      attendance_records, content_submissions, performance_feedback`.execute(db);
  return cohortId;
}
