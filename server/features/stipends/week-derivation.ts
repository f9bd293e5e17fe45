import { type RawBuilder, sql } from 'kysely';
import { type Criteria, judge, type RuleSet, type WeekFacts } from '#contract/stipend-rules.ts';
import type { Db } from '#server/db/database.ts';
import { changed } from '#server/platform/telling.ts';
import { ruleSetInForce } from './rule-sets.ts';
import { judgedColumns, peopleOfWeek, weekFacts } from './week-facts-queries.ts';

interface WeekOfCohorts {
  cohortIds: string[];
  weekNumber: number;
}

/**
 * Makes or refreshes the row of everybody who has one for the week (STIP-25). Returns how many rows changed. Decided
 * rows and amounts set by hand stay as they are (STIP-26).
 */
export async function deriveWeek(db: Db, { cohortIds, weekNumber }: WeekOfCohorts): Promise<number> {
  const isMeant = sql`stipends.cohort_id = any(${cohortIds}::uuid[]) and stipends.week_number = ${weekNumber}`;
  await heldUndecided(isMeant).execute(db);
  const changedRows = await writeJudged(db, peopleOfWeek(sql`${cohortIds}::uuid[]`, weekNumber), judgedBefore());
  if (changedRows > 0) await changed(db, 'stipends', { membersOf: cohortIds });
  return changedRows;
}

/**
 * Refreshes the undecided rows that the condition on `stipends` means, before something rests on them. Holds them and
 * reads the facts. If two derive at once, the later one waits here.
 */
export async function deriveUndecided(db: Db, isMeant: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ ids: string[] | null; facts: WeekFacts[] | null }>`
    with held as materialized (${heldUndecided(isMeant)})
    select (select array_agg(id) from held) as ids, (
      select json_agg(one) from (
        with ${weekFacts(sql`select person_id, cohort_id, week_number from held`)}
        select distinct ${judgedColumns} from counted) one) as facts`.execute(db);
  const { ids = null, facts = null } = rows[0] ?? {};
  if (!facts) return 0;
  const changedRows = await writeJudged(db, rowsOf(ids ?? []), judgeAll(facts));
  if (changedRows > 0) await changed(db, 'stipends', []);
  return changedRows;
}

/** The same for rows that are held. */
export async function writeWeeks(db: Db, ids: string[]): Promise<void> {
  const wanted = rowsOf(ids);
  await writeJudged(db, wanted, judgeAll(await distinctFacts(db, wanted)));
}

/**
 * A part of a statement that holds the undecided rows that rest on these changes. A completion or a track is no fact of
 * a week.
 */
export function heldWeeks(changes: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select id from stipend_eligibility
    where payment_status = 'pending' and fellow_id = any(array(select person_id from ${changes} as changed))
      and exists (select from ${changes} as changed
      where changed.person_id = fellow_id and coalesce(changed.cohort_id, stipend_eligibility.cohort_id) = stipend_eligibility.cohort_id
        and coalesce(changed.week_number, stipend_eligibility.week_number) = stipend_eligibility.week_number
        and changed.fact not in ('completion', 'track'))
    order by stipend_eligibility.cohort_id, stipend_eligibility.week_number, fellow_id for no key update`;
}

function heldUndecided(isMeant: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select id, fellow_id as person_id, cohort_id, week_number from stipend_eligibility stipends
    where payment_status = 'pending' and ${isMeant} order by cohort_id, week_number, fellow_id for no key update`;
}

function rowsOf(ids: string[]): RawBuilder<unknown> {
  return sql`select fellow_id as person_id, cohort_id, week_number from stipend_eligibility where id = any(${ids}::uuid[])`;
}

async function distinctFacts(db: Db, wanted: RawBuilder<unknown>): Promise<WeekFacts[]> {
  const { rows } = await sql<WeekFacts>`
    with ${weekFacts(wanted)} select distinct ${judgedColumns} from counted`.execute(db);
  return rows;
}

interface Judged extends WeekFacts {
  criteria: Criteria;
}

const keptAtMost = 256;
/** Keeps what this process has judged, by rule set and facts. The weeks of many people have the same few. */
const judgedFacts = new WeakMap<RuleSet, Map<string, Judged>>();

function judgeAll(found: WeekFacts[]): Judged[] {
  const rules = ruleSetInForce();
  const judged = found.map((facts) => ({ ...facts, criteria: judge(facts, rules) }));
  const kept = judgedFacts.get(rules) ?? new Map<string, Judged>();
  for (const one of judged) if (kept.size < keptAtMost) kept.set(keyOf(one), one);
  judgedFacts.set(rules, kept);
  return judged;
}

function keyOf(facts: WeekFacts): string {
  const { activitiesTotal, activitiesAccessed, assignmentsTotal, assignmentsSubmitted, assignmentsUntouched } = facts;
  const counts = [activitiesTotal, activitiesAccessed, assignmentsTotal, assignmentsSubmitted, assignmentsUntouched];
  return [...counts, facts.rating].join();
}

function judgedBefore(): Judged[] {
  return [...(judgedFacts.get(ruleSetInForce())?.values() ?? [])];
}

/** Writes the rows as a set. Repeats if it found facts that are not among those judged. */
async function writeJudged(db: Db, wanted: RawBuilder<unknown>, judged: Judged[]): Promise<number> {
  const rules = ruleSetInForce();
  const { rows } = await sql<{ written: number; notJudged: WeekFacts[] | null }>`
    with ${weekFacts(wanted)}, judged as (
      select * from json_to_recordset(${JSON.stringify(judged)}) as one("activitiesTotal" integer,
        "activitiesAccessed" integer, "assignmentsTotal" integer, "assignmentsSubmitted" integer,
        "assignmentsUntouched" integer, "rating" numeric, "criteria" jsonb)
    ), rows_to_write as materialized (
      select counted.*, judged.criteria
      from counted
      left join judged on judged."activitiesTotal" = activities_total
        and judged."activitiesAccessed" = activities_accessed and judged."assignmentsTotal" = assignments_total
        and judged."assignmentsSubmitted" = assignments_submitted
        and judged."assignmentsUntouched" = assignments_untouched
        and judged."rating" is not distinct from counted.rating
    ), written as (
      insert into stipend_eligibility as stored
        (fellow_id, cohort_id, week_number, is_member, criteria, rules_version, attendance_percentage,
         performance_rating, activities_total, activities_accessed, assignments_total, assignments_submitted, evidence)
      select fellow_id, cohort_id, week_number, is_member, criteria, ${rules.version}::integer,
             case when activities_total = 0 then 100 else round(100.0 * activities_accessed / activities_total, 2) end,
             rating, activities_total, activities_accessed, assignments_total, assignments_submitted, evidence
      from rows_to_write where criteria is not null
      order by fellow_id
      on conflict (fellow_id, cohort_id, week_number) do update set
        is_member = excluded.is_member,
        criteria = excluded.criteria,
        rules_version = excluded.rules_version,
        attendance_percentage = excluded.attendance_percentage,
        performance_rating = excluded.performance_rating,
        activities_total = excluded.activities_total,
        activities_accessed = excluded.activities_accessed,
        assignments_total = excluded.assignments_total,
        assignments_submitted = excluded.assignments_submitted,
        evidence = excluded.evidence,
        first_approved_by = null,
        first_approved_at = null,
        version = stored.version + 1,
        updated_at = now()
      where stored.payment_status = 'pending'
        and (stored.is_member, stored.criteria, stored.rules_version, stored.evidence)
          is distinct from (excluded.is_member, excluded.criteria, excluded.rules_version, excluded.evidence)
      returning 1
    )
    select (select count(*) from written) as written,
      (select json_agg(one) from (
        select distinct ${judgedColumns} from rows_to_write where criteria is null) one) as not_judged`.execute(db);
  const [outcome] = rows;
  if (!outcome) throw new Error('A select without a table answered no row.');
  if (!outcome.notJudged) return outcome.written;
  return outcome.written + (await writeJudged(db, wanted, [...judged, ...judgeAll(outcome.notJudged)]));
}
