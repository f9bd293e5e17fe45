import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Storage } from '#server/platform/storage-shape.ts';
import { removeStoredFileQueue } from './stored-file-queue.ts';

export interface Orphans {
  /** Rows whose bytes are gone. */
  missing: { count: number; names: string[] };
  /** Bytes that no row knows. */
  unowned: { count: number; names: string[] };
}

const batchSize = 1000;
const mostNamed = 3;
const mostOpened = 5_000;

/**
 * Compares the storage with the rows, without holding either whole. Bytes that are about to be removed have an owner:
 * their job.
 */
export async function findOrphans(db: Db, storage: Storage): Promise<Orphans> {
  const unowned: Orphans['unowned'] = { count: 0, names: [] };
  let completeFiles = 0;
  let batch: string[] = [];
  const compare = async () => {
    const { unknown, complete } = await compareWithRows(db, batch);
    unowned.count += unknown.length;
    unowned.names.push(...unknown.slice(0, mostNamed - unowned.names.length));
    completeFiles += complete;
    batch = [];
  };
  for await (const path of storage.paths()) {
    batch.push(path);
    if (batch.length === batchSize) await compare();
  }
  await compare();
  const count = Math.max(0, (await countCompleteRows(db)) - completeFiles);
  return { unowned, missing: { count, names: count === 0 ? [] : await findMissing(db, storage) } };
}

/** The state of an upload lies beside it, under its path with one more ending. */
async function compareWithRows(db: Db, paths: string[]): Promise<{ unknown: string[]; complete: number }> {
  const { rows } = await sql<{ unknown: string[]; complete: number }>`
    with found as (select unnest(${paths}::text[]) as path)
    select count(*) filter (where file.completed_at is not null)::int as complete,
      coalesce(array_agg(found.path order by found.path) filter (where file.path is null and not exists (
        select from stored_files file where file.path = regexp_replace(found.path, '\\.(json|info|part)$', ''))
        and not exists (
          select from pgboss.job where name = ${removeStoredFileQueue.name} and state < 'completed'
            and data ->> 'path' = regexp_replace(found.path, '\\.(json|info|part)$', ''))), '{}') as unknown
    from found left join stored_files file using (path)`.execute(db);
  return rows[0] ?? { unknown: [], complete: 0 };
}

async function countCompleteRows(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('storedFiles')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('completedAt', 'is not', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Opens files, the newest first, until some are known to be gone. */
async function findMissing(db: Db, storage: Storage): Promise<string[]> {
  const files = await db
    .selectFrom('storedFiles')
    .select('path')
    .where('completedAt', 'is not', null)
    .orderBy('createdAt', 'desc')
    .limit(mostOpened)
    .execute();
  const names: string[] = [];
  for (const { path } of files) {
    const bytes = await storage.read(path, { start: 0, end: 0 }).catch(() => null);
    bytes?.stream.destroy();
    if (!bytes) names.push(path);
    if (names.length === mostNamed) break;
  }
  return names;
}
