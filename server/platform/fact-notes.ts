import { type RawBuilder, sql } from 'kysely';

export interface FactNote {
  fact: string;
  personId: string | null;
  cohortId: string | null;
  weekNumber: number | null;
}

/**
 * A part of a statement that takes up what triggers noted beside the facts, no matter who wrote those: `fact`,
 * `person_id`, `cohort_id` and `week_number`. The last two say where the fact counts. Null means in all of the person's.
 */
export type TakenChanges = RawBuilder<unknown>;

const atOnce = 5000;
const columns = sql.raw('fact, person_id, cohort_id, week_number');

/** The notes of the caller's transaction so far. */
export function ownChanges(): TakenChanges {
  return sql`delete from fact_changes where transaction_id = pg_current_xact_id_if_assigned() returning ${columns}`;
}

/** Null where there is none. */
export function notesAsJson(changes: RawBuilder<unknown>): RawBuilder<FactNote[] | null> {
  return sql`(select json_agg(json_build_object('fact', fact, 'personId', person_id, 'cohortId', cohort_id,
    'weekNumber', week_number)) from ${changes})`;
}

/** Notes that an earlier statement of the transaction has taken up. */
export function givenChanges(notes: readonly FactNote[]): TakenChanges {
  return sql`select fact, "personId" as person_id, "cohortId" as cohort_id, "weekNumber" as week_number
    from jsonb_to_recordset(${JSON.stringify(notes)}::jsonb)
    as given (fact text, "personId" uuid, "cohortId" uuid, "weekNumber" integer)`;
}

/** The notes that writers beside the product have left. If two processes take them up, each takes others. */
export function leftChanges(): TakenChanges {
  return sql`
    delete from fact_changes
    where id in (select id from fact_changes order by id limit ${atOnce} for update skip locked) returning ${columns}`;
}
