import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

/** A table with the columns whose values nobody can compute anew. `name` is quoted and names its schema. */
export interface CopiedTable {
  name: string;
  columns: string[];
}

export interface SequenceState {
  name: string;
  lastValue: string;
  isCalled: boolean;
}

/** The schemas of the product and of its job queue. */
export const ourSchemas = ['public', 'auth', 'pgboss'];
/** The job queue makes its own version and its statistics of queues anew. */
const madeAnew = ['pgboss.version', 'pgboss.queue_stats', 'pgboss.warning'];
/** The record of backups belongs to one instance alone. */
export const ofThisInstance = ['public.backups'];

/** Text as COPY writes it then means the same to every server, and comes in the same order each time. */
const plainText = `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local client_encoding = 'UTF8';
  set local synchronize_seqscans = off; set local max_parallel_workers_per_gather = 0;
  set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0`;

/** All reads of this connection then see the same moment, until it commits. */
export async function beginSnapshot(client: pg.ClientBase): Promise<void> {
  await client.query(`begin isolation level repeatable read read only; ${plainText}`);
}

export async function beginLoading(client: pg.ClientBase): Promise<void> {
  await client.query(`begin; ${plainText}; set local jit = off; set local maintenance_work_mem = '256MB'`);
}

export async function findTables(client: pg.ClientBase, leftOut: string[] = []): Promise<CopiedTable[]> {
  const { rows } = await client.query<CopiedTable>(
    `select format('%I.%I', n.nspname, c.relname) as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition
      and not format('%I.%I', n.nspname, c.relname) = any($2)
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    group by n.nspname, c.relname order by 1`,
    [ourSchemas, [...madeAnew, ...leftOut]],
  );
  return rows;
}

/** Sequences are of no snapshot. Read them after the tables, so that none is behind its rows. */
export async function findSequences(client: pg.ClientBase): Promise<SequenceState[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, sequencename) as name from pg_sequences
    where schemaname = any($1) order by 1`,
    [ourSchemas],
  );
  const found: SequenceState[] = [];
  for (const { name } of rows) {
    const state = await client.query<Omit<SequenceState, 'name'>>(
      `select last_value::text as "lastValue", is_called as "isCalled" from ${name}`,
    );
    if (state.rows[0]) found.push({ name, ...state.rows[0] });
  }
  return found;
}

/** Its `rowCount` counts once the stream has ended. */
export function copyOut(client: pg.ClientBase, { name, columns }: CopiedTable): Readable & { rowCount: number } {
  return client.query(copyTo(`copy (select ${listOf(columns)} from ${name}) to stdout`));
}

export async function copyIn(client: pg.ClientBase, table: CopiedTable, rows: Readable): Promise<number> {
  const copy = client.query(copyFrom(`copy ${table.name} (${listOf(table.columns)}) from stdin`));
  await pipeline(rows, copy);
  return copy.rowCount;
}

function listOf(columns: string[]): string {
  return columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(', ');
}
