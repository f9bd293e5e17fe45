import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#server/db/database.ts';
import { todayIn } from '#server/features/programmes/calendar-queries.ts';
import { defineJob } from '#server/platform/jobs.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { holdsNow, judgeRunningWeeks } from './week-risk-queries.ts';

const peopleAtOnce = 500;

/**
 * Fills in the outlooks that are missing (docs/decisions/0101), cohort by cohort. Returns how many. Whose weeks somebody
 * else holds is left for the next time.
 */
export async function fillOutlooks(db: Db): Promise<number> {
  let filled = 0;
  for (let after = beforeAll; ; ) {
    const members = await findWithoutOutlook(db, after);
    const last = members.at(-1);
    if (!last) return filled;
    // Who is in several cohorts is filled in with one of them.
    const cohortOf = new Map(members.map(({ personId, cohortId }) => [personId, cohortId]));
    for (const people of Map.groupBy(cohortOf.keys(), (id) => cohortOf.get(id)).values()) {
      filled += await inTransaction(db, (transaction) => fillOutlooksOf(transaction, people));
    }
    after = last;
  }
}

interface Member {
  cohortId: string;
  personId: string;
}
const noId = '00000000-0000-0000-0000-000000000000';
const beforeAll: Member = { cohortId: noId, personId: noId };

async function findWithoutOutlook(db: Db, after: Member): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select membership.cohort_id, membership.participant_id as person_id ${memberships}
    where membership.status = 'active'
      and (membership.cohort_id, membership.participant_id) > (${after.cohortId}::uuid, ${after.personId}::uuid)
      and not exists (
        select from stipend_outlooks outlook where outlook.person_id = membership.participant_id and ${holdsNow})
    order by membership.cohort_id, membership.participant_id limit ${sql.lit(peopleAtOnce)}`.execute(db);
  return rows;
}

const memberships = sql`
  from cohort_participants membership
  join cohort_calendars calendar on calendar.id = membership.cohort_id
  cross join lateral (select ${todayIn(sql`calendar.zone`)} as today) dated`;

/**
 * Nobody changes a fact of these people meanwhile, and each statement sees what was changed before the locks were taken.
 */
async function fillOutlooksOf(db: Db, people: string[]): Promise<number> {
  const { rows: held } = await sql<{ id: string }>`
    select id from (
      select distinct cohort_id as id from cohort_participants
      where participant_id = any(${people}::uuid[]) and status = 'active' order by id) cohorts
    where (select pg_try_advisory_xact_lock(outlooks_lock())) and pg_try_advisory_xact_lock(weeks_lock(id))`.execute(
    db,
  );
  const { rows: days } = await sql<Day>`
    select membership.participant_id as person_id, max(today::timestamp at time zone zone)::text as holds_from,
      min(case when calendar.status = 'active' and today <= calendar.end_date then ${endOfToday} else 'infinity' end)::text
        as holds_until
    ${memberships}
    where membership.participant_id = any(${people}::uuid[]) and membership.status = 'active'
    group by membership.participant_id
    having bool_and(membership.cohort_id = any(${held.map(({ id }) => id)}::uuid[]))`.execute(db);
  const known = days.map(({ personId }) => personId);
  const judged = await judgeRunningWeeks(db, known);
  await sql`
    insert into stipend_outlooks (person_id, is_at_risk, holds_from, holds_until, stipend_id, stipend_version)
    select day.id, coalesce(week.is_at_risk, false), holds_from, holds_until, week.stipend_id, week.stipend_version
    from unnest(${known}::uuid[], ${days.map(({ holdsFrom }) => holdsFrom)}::timestamptz[],
      ${days.map(({ holdsUntil }) => holdsUntil)}::timestamptz[]) as day (id, holds_from, holds_until)
    left join unnest(${judged.map(({ personId }) => personId)}::uuid[], ${judged.map((week) => week.isAtRisk)}::boolean[],
      ${judged.map((week) => week.stipendId)}::uuid[], ${judged.map((week) => week.stipendVersion)}::integer[])
      as week (id, is_at_risk, stipend_id, stipend_version) on week.id = day.id
    order by day.id
    on conflict (person_id) do update set is_at_risk = excluded.is_at_risk, holds_from = excluded.holds_from,
      holds_until = excluded.holds_until, stipend_id = excluded.stipend_id, stipend_version = excluded.stipend_version`.execute(
    db,
  );
  return days.length;
}

/** Where the clock is put back to midnight, midnight comes twice, and the first ends the day. */
const endOfToday = sql`(
  select case when ((midnight - interval '1 hour') at time zone zone)::date > today then midnight - interval '1 hour'
    else midnight end
  from (select (today + 1)::timestamp at time zone zone as midnight) second)`;

interface Day {
  personId: string;
  holdsFrom: string;
  holdsUntil: string;
}

export const outlooksJob = defineJob({
  name: 'stipend-outlooks',
  schema: z.object({}),
  cron: '* * * * *',
  runsAtStart: true,
  run: async ({ patientDb }) => void (await fillOutlooks(patientDb)),
});
