import { type RawBuilder, sql } from 'kysely';

/**
 * A part of a statement that takes up what triggers noted beside the facts, no matter who wrote those: `fact`,
 * `person_id`, `cohort_id` and `week_number`. The last two say where the fact counts. Null means in all of the person's.
 */
export type TakenChanges = RawBuilder<unknown>;

/** The class of what the trigger on `fact_changes` says (migration 0035). */
export const factsNoted = 'SW001';

const atOnce = 5000;
const columns = sql.raw('fact, person_id, cohort_id, week_number');

const own = 'transaction_id = pg_current_xact_id_if_assigned()';
const areOwn = sql.raw(own);

/** Whether the caller's transaction has noted anything. A connection that hears what PostgreSQL says answers it itself. */
export const askWhetherNoted = `select exists (select from fact_changes where ${own}) as has_notes`;

/** The notes of the caller's transaction so far. */
export function ownChanges(): TakenChanges {
  return sql`delete from fact_changes where ${areOwn} returning ${columns}`;
}

/** The notes that writers beside the product have left. If two processes take them up, each takes others. */
export function leftChanges(): TakenChanges {
  return sql`
    delete from fact_changes
    where id in (select id from fact_changes order by id limit ${atOnce} for update skip locked) returning ${columns}`;
}
