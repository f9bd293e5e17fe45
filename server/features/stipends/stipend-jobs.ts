import { sql } from 'kysely';
import { defineJob, type Job } from '#server/platform/jobs.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { publishedRulesQueue } from './published-rules-queue.ts';
import { deriveUndecided } from './week-derivation.ts';
import { outlooksJob } from './week-outlooks.ts';

/** Goes cohort by cohort, so that nobody waits long for a lock. */
const publishedRulesJob = defineJob({
  ...publishedRulesQueue,
  run: async ({ patientDb }, { ruleSetId }) => {
    const { rows: cohorts } = await sql<{ id: string; fromDay: string }>`
      select calendar.id, rules.from_day from rule_sets rules
      join cohort_calendars calendar on calendar.programme_id = rules.programme_id
      where rules.id = ${ruleSetId} order by calendar.id`.execute(patientDb);
    for (const { id, fromDay } of cohorts) {
      await inTransaction(patientDb, (db) =>
        deriveUndecided(
          db,
          sql`stipends.cohort_id = ${id} and (
            select period_first_day(start_date, pay_period, stipends.week_number) >= ${fromDay}::date
            from cohort_calendars where id = ${id})`,
        ),
      );
    }
  },
});

export const stipendJobs: Job[] = [publishedRulesJob, outlooksJob];
