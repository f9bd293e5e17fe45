import { type RawBuilder, sql } from 'kysely';
import type { WeekFacts } from '#contract/stipend-facts.ts';
import { type AmountLine, amountFor, type Criteria, judge } from '#contract/stipend-rules.ts';
import type { Db } from '#server/db/database.ts';
import { weeksOfPeriod } from '#server/features/programmes/calendar-queries.ts';
import { changed } from '#server/platform/telling.ts';
import { loadRuleSets } from './rule-sets.ts';
import { judgedColumns, moreFactsAsJson, peopleOfWeek, weekFacts } from './week-facts-queries.ts';

interface WeekOfCohorts {
  cohortIds: string[];
  weekNumber: number;
}

/**
 * Makes or refreshes the row of everybody who has one for the week (STIP-25). Returns how many rows changed. Decided
 * rows and amounts set by hand stay as they are (STIP-26).
 */
export async function deriveWeek(db: Db, { cohortIds, weekNumber }: WeekOfCohorts): Promise<number> {
  await holdAlone(db, cohortIds);
  const isMeant = sql`stipends.cohort_id = any(${cohortIds}::uuid[]) and stipends.week_number = ${weekNumber}`;
  await heldUndecided(isMeant).execute(db);
  const changedRows = await writeJudged(db, peopleOfWeek(sql`${cohortIds}::uuid[]`, weekNumber), judgedFacts);
  if (changedRows > 0) await changed(db, 'stipends', { membersOf: cohortIds });
  return changedRows;
}

/** Until the transaction ends, no fact of these cohorts changes: rows that are new have nothing else to be locked by. */
async function holdAlone(db: Db, cohortIds: string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(weeks_lock(id)) from (
      select id from unnest(${cohortIds}::uuid[]) id order by id) cohorts`.execute(db);
}

/**
 * Refreshes the undecided rows that the condition on `stipends` means, before something rests on them. Holds them and
 * reads the facts. If two derive at once, the later one waits here.
 */
export async function deriveUndecided(db: Db, isMeant: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ ids: string[]; facts: FoundFacts[] | null }>`
    with held as materialized (${heldUndecided(isMeant)})
    select array(select id from held) as ids, (
      select json_agg(one) from (
        with ${weekFacts(sql`select person_id, cohort_id, week_number from held`)}
        select distinct rule_set_id, ${judgedColumns}, ${factsKey} as key from counted) one) as facts`.execute(db);
  const [found] = rows;
  // Stryker disable next-line OptionalChaining: The statement always has one row.
  if (!found?.facts) return 0;
  const changedRows = await writeJudged(db, rowsOf(found.ids), await judgeAll(db, found.facts));
  if (changedRows > 0) await changed(db, 'stipends', []);
  return changedRows;
}

/** The same for rows that are held. */
export async function writeWeeks(db: Db, ids: string[]): Promise<void> {
  const wanted = rowsOf(ids);
  await writeJudged(db, wanted, await judgeAll(db, await distinctFacts(db, wanted)));
}

/**
 * A part of a statement that holds the undecided rows that rest on these changes. A completion or a track is no fact of
 * a week.
 */
export function heldWeeks(changes: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select stipends.id from stipend_eligibility stipends
    join cohort_calendars calendar on calendar.id = stipends.cohort_id
    where payment_status = 'pending' and fellow_id = any(array(select person_id from ${changes} as changed))
      and exists (select from ${changes} as changed
      where changed.person_id = fellow_id and coalesce(changed.cohort_id, stipends.cohort_id) = stipends.cohort_id
        and (changed.week_number is null
          or changed.fact = 'rating' and changed.week_number = stipends.week_number
          or changed.fact <> 'rating' and changed.week_number between ${weeksOfPeriod(sql`stipends.week_number`)})
        and changed.fact not in ('completion', 'track'))
    order by stipends.cohort_id, stipends.week_number, fellow_id for no key update of stipends`;
}

function heldUndecided(isMeant: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select id, fellow_id as person_id, cohort_id, week_number from stipend_eligibility stipends
    where payment_status = 'pending' and ${isMeant} order by cohort_id, week_number, fellow_id for no key update`;
}

function rowsOf(ids: string[]): RawBuilder<unknown> {
  return sql`select fellow_id as person_id, cohort_id, week_number from stipend_eligibility where id = any(${ids}::uuid[])`;
}

/** Facts that are judged alike have one key. */
const factsKey = sql`concat_ws(' ', rule_set_id, ${judgedColumns})`;

interface FoundFacts extends WeekFacts {
  ruleSetId: string;
  key: string;
}

async function distinctFacts(db: Db, wanted: RawBuilder<unknown>): Promise<FoundFacts[]> {
  // Stryker disable next-line StringLiteral: What is not judged here is judged by the statement that writes, in one more turn.
  const { rows } = await sql<FoundFacts>`
    with ${weekFacts(wanted)} select distinct rule_set_id, ${judgedColumns}, ${factsKey} as key from counted`.execute(
    db,
  );
  return rows;
}

interface Judgment {
  criteria: Criteria;
  cents: number;
  lines: AmountLine[];
}

/** Judgments by the key of their facts. */
type Judged = ReadonlyMap<string, Judgment>;

const keptAtMost = 256;
/** Keeps what this process has judged. The weeks of many people have the same few. Published rules never change. */
const judgedFacts = new Map<string, Judgment>();

async function judgeAll(db: Db, found: FoundFacts[]): Promise<Judged> {
  const ruleSets = await loadRuleSets(db, new Set(found.map(({ ruleSetId }) => ruleSetId)));
  const judged = new Map<string, Judgment>();
  for (const { key, ruleSetId, ...facts } of found) {
    const rules = ruleSets(ruleSetId);
    judged.set(key, { criteria: judge(facts, rules), ...amountFor(facts, rules) });
  }
  // Stryker disable next-line ConditionalExpression,EqualityOperator,CallExpression: What is kept only spares judging the same again.
  for (const [key, judgment] of judged) if (judgedFacts.size < keptAtMost) judgedFacts.set(key, judgment);
  return judged;
}

/**
 * Writes the rows as a set, in the order in which everybody locks them. Repeats if it found facts that are not among
 * those judged.
 */
async function writeJudged(db: Db, wanted: RawBuilder<unknown>, judged: Judged): Promise<number> {
  const { rows } = await sql<{ written: number; notJudged: FoundFacts[] | null }>`
    with ${weekFacts(wanted)}, rows_to_write as materialized (
      select counted.*, ${JSON.stringify(Object.fromEntries(judged))}::jsonb -> ${factsKey} as judgment from counted
    ), written as (
      insert into stipend_eligibility as stored
        (fellow_id, cohort_id, week_number, is_member, criteria, rules_version, attendance_percentage,
         performance_rating, activities_total, activities_accessed, assignments_total, assignments_submitted, evidence,
         more_facts, stipend_amount_cents, rule_amount_cents, amount_lines)
      select fellow_id, cohort_id, week_number, is_member, judgment -> 'criteria', rules_version,
             case when activities_total = 0 then 100 else round(100.0 * activities_accessed / activities_total, 2) end,
             rating, activities_total, activities_accessed, assignments_total, assignments_submitted, evidence,
             ${moreFactsAsJson}, (judgment -> 'cents')::integer, (judgment -> 'cents')::integer, judgment -> 'lines'
      from rows_to_write where judgment is not null
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
        more_facts = excluded.more_facts,
        stipend_amount_cents = case when stored.is_amount_set_by_hand then stored.stipend_amount_cents
          else excluded.stipend_amount_cents end,
        rule_amount_cents = excluded.rule_amount_cents,
        amount_lines = excluded.amount_lines,
        first_approved_by = null,
        first_approved_at = null,
        version = stored.version + 1,
        updated_at = now()
      where stored.payment_status = 'pending'
        and (stored.is_member, stored.criteria, stored.rules_version, stored.evidence, stored.rule_amount_cents)
          is distinct from (excluded.is_member, excluded.criteria, excluded.rules_version, excluded.evidence,
            excluded.rule_amount_cents)
      returning 1
    )
    select (select count(*) from written) as written,
      (select json_agg(one) from (
        select distinct rule_set_id, ${judgedColumns}, ${factsKey} as key
        from rows_to_write where judgment is null) one) as not_judged`.execute(db);
  const [outcome] = rows;
  // Stryker disable next-line ConditionalExpression,StringLiteral,CallExpression: There always is one, as it says.
  if (!outcome) throw new Error('A select without a table answered no row.');
  if (!outcome.notJudged) return outcome.written;
  const also = await judgeAll(db, outcome.notJudged);
  return outcome.written + (await writeJudged(db, wanted, new Map([...judged, ...also])));
}
