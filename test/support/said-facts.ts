import { sql } from 'kysely';
import type pg from 'pg';
import type { Fact } from '#contract/facts.ts';
import type { Db, OpenDatabase } from '#server/db/database.ts';
import { factsSaid } from '#server/platform/telling.ts';
import { factTables } from './fact-tables.ts';
import { textOf } from './statements.ts';

interface Written {
  table: string;
  rows: number;
}

/**
 * Counts rows that this transaction has written, and earlier ones of its connection that the server has not yet
 * reported.
 */
const writtenRows = `
  select coalesce(json_agg(json_build_object('table', namespace.nspname || '.' || tables.relname, 'rows', written)), '[]')
  from pg_class tables join pg_namespace namespace on namespace.oid = tables.relnamespace,
    lateral (select pg_stat_get_xact_tuples_inserted(tables.oid) + pg_stat_get_xact_tuples_updated(tables.oid)
      + pg_stat_get_xact_tuples_deleted(tables.oid) as written) as counted
  where tables.relkind = 'r' and namespace.nspname in ('public', 'auth') and written > 0`;

/** The rows counted when the transaction began, by process of the database. */
const before = new Map<number, Written[]>();

/** At the beginning of every transaction, notes what its connection had written by then. */
export function noteBeginnings({ pool }: Pick<OpenDatabase, 'pool'>): void {
  pool.on('connect', (client) => {
    const connection = client as pg.PoolClient & { processID: number };
    const send = connection.query.bind(connection) as (...args: unknown[]) => Promise<pg.QueryResult>;
    const begin = async (args: unknown[]) => {
      const answer = await send(...args);
      const { rows } = await send({ text: writtenRows, rowMode: 'array' });
      before.set(connection.processID, rows[0][0]);
      return answer;
    };
    connection.query = ((...args: unknown[]) =>
      isBegin(args[0]) ? begin(args) : send(...args)) as typeof connection.query;
  });
}

/** Closes transactions by `close`, and lists those that wrote facts without saying so. */
export function requireSaid(close: (db: Db) => Promise<void>) {
  const silent = new Set<string>();
  const beforeCommit = async (db: Db) => {
    await close(db);
    const { rows } = await sql<{ id: number; written: Written[]; hasNotes: boolean }>`
      select pg_backend_pid() as id, (${sql.raw(writtenRows)}) as written,
        exists (select from fact_changes where transaction_id = pg_current_xact_id_if_assigned()) as has_notes`.execute(
      db,
    );
    const [{ id, written, hasNotes } = { id: 0, written: [], hasNotes: false }] = rows;
    if (hasNotes) silent.add('facts were noted, and nothing followed from them');
    const said = factsSaid(db);
    const earlier = new Map(before.get(id)?.map(({ table, rows: count }) => [table, count]));
    for (const { table, rows: count } of written) {
      if (count > (earlier.get(table) ?? 0) && !isSaid(table, said))
        silent.add(`${table} was written: ${[...said]} said`);
    }
  };
  const requireAllSaid = () => {
    if (silent.size > 0) throw new Error(`Acts changed facts and did not say so:\n  ${[...silent].join('\n  ')}`);
  };
  return { beforeCommit, requireAllSaid };
}

function isSaid(table: string, said: ReadonlySet<Fact>): boolean {
  const shown = factTables[table];
  if (shown === undefined) throw new Error(`${table}: which facts does it hold? Say so in test/support/fact-tables.ts`);
  return typeof shown === 'string' || shown.some((fact) => said.has(fact));
}

function isBegin(query: unknown): boolean {
  return /^\s*(begin|start transaction)\b/i.test(textOf(query));
}
