import { AsyncLocalStorage } from 'node:async_hooks';
import { type RawBuilder, sql } from 'kysely';

/**
 * A part of a statement that takes up what triggers noted beside the facts, no matter who wrote those: `fact`,
 * `person_id`, `cohort_id` and `week_number`. The last two say where the fact counts. Null means in all of the person's.
 */
export type TakenChanges = RawBuilder<unknown>;

/** The class of what the trigger on `fact_changes` says (migration 0035). */
const factsNoted = 'SW001';

/** The transaction that runs. */
const current = new AsyncLocalStorage<{ hasNotes: boolean }>();

const atOnce = 5000;
const columns = sql.raw('fact, person_id, cohort_id, week_number');

const areOwn = sql`transaction_id = pg_current_xact_id_if_assigned()`;

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

/** Whether PostgreSQL says with this that the statement under way has noted facts. */
export function tellsOfNotes({ code }: { code?: string | undefined }): boolean {
  return code === factsNoted;
}

/** Runs one transaction, of which `hasOwnNotes` then knows. */
export function listeningForNotes<Result>(transaction: () => Promise<Result>): Promise<Result> {
  return current.run({ hasNotes: false }, transaction);
}

export function hearOwnNotes(): void {
  const transaction = current.getStore();
  if (transaction) transaction.hasNotes = true;
}

/** Whether the transaction that runs may have noted facts. PostgreSQL has said so by now, and nobody has to ask. */
export function hasOwnNotes(): boolean {
  return current.getStore()?.hasNotes ?? true;
}
