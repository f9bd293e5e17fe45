import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { withConnection } from './database.ts';

type Migration = { name: string; file: string; sql: string; checksum: string };

export const migrationsFolder = path.join(import.meta.dirname, 'migrations');
const lockKey = 7_238_451;
const oldestServer = 15;

/** Runs the migrations that the database has not seen, each in a transaction of its own. Returns their names. */
export async function migrate(target: string | pg.Pool, folder: string = migrationsFolder): Promise<string[]> {
  const migrations = await readMigrations(folder);
  if (typeof target === 'string') return withConnection(target, (client) => applyAll(client, migrations));
  const client = await target.connect();
  try {
    return await applyAll(client, migrations);
  } finally {
    client.release();
  }
}

/** Changes whenever any migration does. */
export async function checksumOfMigrations(folder: string = migrationsFolder): Promise<string> {
  const migrations = await readMigrations(folder);
  return checksumOf(migrations.map(({ name, checksum }) => `${name} ${checksum}`).join('\n'));
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  const seen = new Map<string, string>();
  for (const name of names) {
    const number = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1];
    if (!number) throw new Error(`Migration ${name} must be named like 0001-what-it-brings.sql.`);
    const other = seen.get(number);
    if (other) throw new Error(`Migrations ${other} and ${name} have the same number.`);
    seen.set(number, name);
  }
  return Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      const sql = await readFile(file, 'utf8');
      return { name, file, sql, checksum: checksumOf(sql) };
    }),
  );
}

/** As `show server_version_num` answers it: 150004 is 15.4. */
export function refuseOldServer(version: string): void {
  if (Number(version) >= oldestServer * 10_000) return;
  const major = Math.floor(Number(version) / 10_000);
  throw new Error(`The database is PostgreSQL ${major}; Switchyard needs ${oldestServer} or newer.`);
}

async function applyAll(client: pg.ClientBase, migrations: Migration[]): Promise<string[]> {
  const server = await client.query<{ server_version_num: string }>('show server_version_num');
  refuseOldServer(server.rows[0]?.server_version_num ?? '');
  await client.query('select pg_advisory_lock($1)', [lockKey]);
  try {
    await client.query(`create table if not exists public.schema_migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from public.schema_migrations',
    );
    const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
    refuseForeignHistory(applied, migrations);
    const pending = migrations.filter(({ name }) => !applied.has(name));
    for (const migration of pending) await apply(client, migration);
    return pending.map(({ name }) => name);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [lockKey]);
  }
}

function refuseForeignHistory(applied: Map<string, string>, migrations: Migration[]): void {
  const known = new Map(migrations.map((migration) => [migration.name, migration.checksum]));
  for (const [name, checksum] of applied) {
    const present = known.get(name);
    if (present === undefined) {
      throw new Error(
        `The database has migration ${name}, which this build does not know: it belongs to a newer build.`,
      );
    }
    if (present !== checksum) {
      throw new Error(
        `Migration ${name} was changed after it ran. Restore it, and put the change into a new migration.`,
      );
    }
  }
}

async function apply(client: pg.ClientBase, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.sql);
    await client.query('insert into public.schema_migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw describeFailure(error, migration);
  }
}

function describeFailure(error: unknown, migration: Migration): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  const place = error.position ? `:${lineAt(migration.sql, Number(error.position))}` : '';
  const more = [error.detail, error.hint, error.where].filter(Boolean).map((line) => `\n${line}`);
  const file = path.relative(process.cwd(), migration.file);
  return new Error(`${file}${place}: ${error.message}${more.join('')}`, { cause: error });
}

/** PostgreSQL counts characters from 1, and counts one for what JavaScript keeps as a pair. */
function lineAt(sql: string, position: number): number {
  return (
    Array.from(sql)
      .slice(0, position - 1)
      .filter((character) => character === '\n').length + 1
  );
}

function checksumOf(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
