import { type RawBuilder, sql } from 'kysely';

/**
 * What triggers have noted beside the facts themselves, whoever wrote them: `fact`, `person_id`, and where it counts,
 * `cohort_id` and `week_number`, each null where it counts in all of the person's. A part of a statement that takes them up.
 */
export type TakenChanges = RawBuilder<unknown>;

const atOnce = 5000;
const columns = sql.raw('fact, person_id, cohort_id, week_number');

/** What the caller's transaction has changed so far. */
export function ownChanges(): TakenChanges {
  return sql`delete from fact_changes where transaction_id = pg_current_xact_id_if_assigned() returning ${columns}`;
}

/** What writers beside the product have left; of two processes that take them up, each takes its own. */
export function leftChanges(): TakenChanges {
  return sql`
    delete from fact_changes
    where id in (select id from fact_changes order by id limit ${atOnce} for update skip locked) returning ${columns}`;
}
