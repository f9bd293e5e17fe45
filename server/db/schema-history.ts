import type pg from 'pg';
import type { SchemaFiles } from './schema-files.ts';

/** The names and checksums of what made a database, as its table schema_migrations has them. */
type History = Map<string, string>;

/** The record has the baseline under this name. */
export const baselineName = 'baseline';

/** Returns an empty history for an empty database. Refuses a database that is neither empty nor made by Switchyard. */
export async function readHistory(client: pg.ClientBase): Promise<History> {
  const history = await readRecord(client);
  if (history.size === 0 && (await hasTables(client))) {
    throw new Error(
      'The database holds tables that Switchyard has no record of: name an empty database in DATABASE_URL.',
    );
  }
  return history;
}

/**
 * True if the database stands where the baseline begins: all migrations that the baseline replaced made it, and no
 * others.
 */
export function standsAtBaseline(history: History, { replaced }: SchemaFiles['baseline']): boolean {
  if (history.size === 0) return false;
  const isSame = history.size === replaced.size && [...replaced].every(([name, sum]) => history.get(name) === sum);
  if (isSame) return true;
  throw new Error(
    `The baseline does not go on from the migrations of this database (${history.size}, the last ${lastOf(history)}): bring it to exactly ${lastOf(replaced)} with the build that made it, then start this build.`,
  );
}

export function refuseForeignHistory(history: History, { baseline, migrations }: SchemaFiles): void {
  const known = new Map([
    [baselineName, baseline.checksum],
    ...migrations.map(({ name, checksum }) => [name, checksum] as const),
  ]);
  for (const [name, checksum] of history) {
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

function lastOf(history: History): string | undefined {
  return [...history.keys()].toSorted().at(-1);
}

async function readRecord(client: pg.ClientBase): Promise<History> {
  const { rows: places } = await client.query<{ record: string | null }>(
    "select to_regclass('public.schema_migrations')::text as record",
  );
  if (!places[0]?.record) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from public.schema_migrations',
  );
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** The record itself, and tables that extensions brought, do not count. */
async function hasTables(client: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await client.query(`
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'auth') and c.relkind in ('r', 'p', 'v', 'm') and c.relname <> 'schema_migrations'
      and not exists (select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    limit 1`);
  return rowCount === 1;
}
