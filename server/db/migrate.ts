import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isDeadlock } from '#server/platform/transactions.ts';
import { withConnection } from './database.ts';
import { readSchemaFiles, type SchemaFiles, type SqlFile, type Step, schemaFolder } from './schema-files.ts';
import { baselineName, readHistory, refuseForeignHistory, standsAtBaseline } from './schema-history.ts';

const lockKey = 7_238_451;
const oldestServer = 15;
const mostTries = 20;
/** Of the pause before the next try, in which requests under way come to their end. */
const longestPauseInMs = 1_000;

/**
 * Brings the database to the schema of this build, in one transaction. An empty one gets the baseline. Then the
 * migrations that it has not seen run. Returns the names of what it has now and did not have before.
 */
export async function migrate(target: string | pg.Pool, folder: string = schemaFolder): Promise<string[]> {
  const files = await readSchemaFiles(folder);
  if (typeof target === 'string') return withConnection(target, (client) => applyAll(client, files));
  const client = await target.connect();
  try {
    return await applyAll(client, files);
  } finally {
    client.release();
  }
}

/**
 * Makes exactly the schema that a history names, in an empty database and in the caller's transaction. Refuses a history
 * that this build does not know.
 */
export async function makeSchemaOf(client: pg.ClientBase, history: Map<string, string>): Promise<void> {
  const { baseline, migrations } = await readSchemaFiles(schemaFolder);
  refuseForeignHistory(history, { baseline, migrations });
  await write(client, baselineName, baseline);
  for (const { name, ...migration } of migrations) if (history.has(name)) await write(client, name, migration);
}

/** Throws in words if a history holds what this build does not know, or knows otherwise. */
export async function requireKnownHistory(history: Map<string, string>): Promise<void> {
  refuseForeignHistory(history, await readSchemaFiles(schemaFolder));
}

/** Returns the names of what `migrate` would still do. Changes nothing. */
export async function findPending(client: pg.ClientBase): Promise<string[]> {
  const { baseline, migrations } = await readSchemaFiles(schemaFolder);
  const history = await readHistory(client);
  const isBegun = history.has(baselineName);
  if (isBegun) refuseForeignHistory(history, { baseline, migrations });
  const pending = migrations.map(({ name }) => name).filter((name) => !history.has(name));
  return isBegun ? pending : [baselineName, ...pending];
}

/** Takes the version as `show server_version_num` answers it: 150004 is 15.4. */
export function refuseOldServer(version: string): void {
  if (Number(version) >= oldestServer * 10_000) return;
  const major = Math.floor(Number(version) / 10_000);
  throw new Error(`The database is PostgreSQL ${major}; Switchyard needs ${oldestServer} or newer.`);
}

async function applyAll(client: pg.ClientBase, { baseline, migrations }: SchemaFiles): Promise<string[]> {
  const server = await client.query<{ server_version_num: string }>('show server_version_num');
  refuseOldServer(server.rows[0]?.server_version_num ?? '');
  await client.query('select pg_advisory_lock($1)', [lockKey]);
  try {
    return await beginningAnew(() => inOneTransaction(client, () => applyPending(client, { baseline, migrations })));
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockKey]);
  }
}

/**
 * Requests of the version before go on meanwhile. A run that waits for one of them while that one waits for the run is
 * ended by PostgreSQL, and begins anew.
 */
async function beginningAnew<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      const isEndedByOthers = error instanceof Error && isDeadlock(error.cause);
      if (tries === mostTries || !isEndedByOthers) throw error;
      await pause(Math.random() * longestPauseInMs);
    }
  }
}

/** The schema already is that of the baseline, so only the record changes. */
async function takeOver(client: pg.ClientBase, checksum: string): Promise<void> {
  await client.query(
    `with earlier as (delete from public.schema_migrations)
    insert into public.schema_migrations (name, checksum) values ($1, $2)`,
    [baselineName, checksum],
  );
}

/** A run that fails leaves the database as it was, so that the build before still starts on it. */
async function inOneTransaction<Result>(client: pg.ClientBase, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function applyPending(client: pg.ClientBase, { baseline, migrations }: SchemaFiles): Promise<string[]> {
  const history = await readHistory(client);
  const isBegun = history.has(baselineName);
  if (isBegun) refuseForeignHistory(history, { baseline, migrations });
  else if (standsAtBaseline(history, baseline)) await takeOver(client, baseline.checksum);
  else await write(client, baselineName, baseline);
  const pending = migrations.filter(({ name }) => !history.has(name));
  for (const { name, ...migration } of pending) await write(client, name, migration);
  return [...(isBegun ? [] : [baselineName]), ...pending.map(({ name }) => name)];
}

async function write(client: pg.ClientBase, name: string, { files, checksum }: Step): Promise<void> {
  await client.query(`create table if not exists public.schema_migrations (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`);
  for (const file of files) await run(client, file);
  await client.query('insert into public.schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
}

async function run(client: pg.ClientBase, file: SqlFile): Promise<void> {
  try {
    await client.query(file.sql);
  } catch (error) {
    throw describeFailure(error, file);
  }
}

function describeFailure(error: unknown, file: SqlFile): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const place = error.position ? `:${lineAt(file.sql, Number(error.position))}` : '';
  const more = [error.detail, error.hint, error.where].filter(Boolean).map((line) => `\n${line}`);
  const shown = path.relative(process.cwd(), file.path);
  const after = 'The database is as it was. The build before still starts on it.';
  return new Error(`${shown}${place}: ${error.message}${more.join('')}\n${after}`, { cause: error });
}

/** PostgreSQL counts characters from 1. It counts one where JavaScript keeps a pair. */
function lineAt(sql: string, position: number): number {
  return (
    Array.from(sql)
      .slice(0, position - 1)
      .filter((character) => character === '\n').length + 1
  );
}
