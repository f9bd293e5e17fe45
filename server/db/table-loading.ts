import type { Readable } from 'node:stream';
import type pg from 'pg';
import { jobSchemaStatements } from '#server/platform/jobs.ts';
import { makeSchemaOf } from './migrate.ts';
import { type CopiedTable, copyIn, findTables, ourSchemas, type SequenceState } from './table-copies.ts';

export interface TablesToLoad {
  /** What made the schema: the names and checksums of schema_migrations. */
  history: Map<string, string>;
  /** With the number of rows, where it is known before. */
  tables: (CopiedTable & { rows?: number })[];
  sequences: SequenceState[];
  open(table: CopiedTable): Promise<Readable>;
}

interface SetAside {
  indexes: { name: string; definition: string }[];
  triggers: { table: string; name: string; state: string }[];
  references: { table: string; name: string; definition: string }[];
}

const stateWords: Record<string, string> = { O: 'enable', A: 'enable always', R: 'enable replica' };

/** Returns whether nothing of the product, and nothing else, is in the database. */
export async function isEmptyDatabase(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%' and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
        and not exists (select from pg_depend d
          where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))
      or exists (select from pg_namespace where nspname = any($1) and nspname <> 'public') as found`,
    [ourSchemas],
  );
  return rows[0]?.found === false;
}

/**
 * Fills an empty database in the caller's transaction, which the database takes whole or not at all. No trigger runs,
 * because what triggers write is among the rows. Indexes and references are made anew after the rows, which is faster and
 * proves every reference. An owner that is no superuser may do all of this.
 */
export async function loadTables(client: pg.ClientBase, { history, tables, sequences, open }: TablesToLoad) {
  await makeSchemaOf(client, history);
  await client.query(jobSchemaStatements());
  await requireColumns(client, tables);
  const aside = await setAside(client);
  for (const table of tables) {
    await emptyTable(client, table);
    const loaded = await copyIn(client, table, await open(table));
    if (loaded !== (table.rows ?? loaded))
      throw new Error(`${table.name} has ${loaded} rows; ${table.rows} were expected.`);
  }
  for (const { name, lastValue, isCalled } of sequences) {
    await client.query('select setval($1::regclass, $2, $3)', [name, lastValue, isCalled]);
  }
  await putBack(client, aside);
}

async function requireColumns(client: pg.ClientBase, tables: CopiedTable[]): Promise<void> {
  const present = new Map((await findTables(client)).map(({ name, columns }) => [name, new Set(columns)]));
  const missing = tables.flatMap(({ name, columns }) =>
    columns.filter((column) => !present.get(name)?.has(column)).map((column) => `${name}.${column}`),
  );
  if (missing.length === 0) return;
  throw new Error(`This build has no place for ${missing.slice(0, 5).join(', ')}: use the build that it is of.`);
}

async function setAside(client: pg.ClientBase): Promise<SetAside> {
  const triggers = await client.query<SetAside['triggers'][number]>(
    `select t.tgrelid::regclass::text as table, quote_ident(t.tgname) as name, t.tgenabled::text as state
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1) and not t.tgisinternal and t.tgparentid = 0 and t.tgenabled <> 'D'`,
    [ourSchemas],
  );
  const references = await client.query<SetAside['references'][number]>(
    `select k.conrelid::regclass::text as table, quote_ident(k.conname) as name,
      pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_namespace n on n.oid = k.connamespace
    where n.nspname = any($1) and k.contype = 'f' and k.conparentid = 0 order by k.oid`,
    [ourSchemas],
  );
  // Those that hold a rule stay. A partition's index belongs to that of its table.
  const indexes = await client.query<SetAside['indexes'][number]>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1) and c.relkind = 'r' and not c.relispartition and not i.indisunique
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid) order by i.indexrelid`,
    [ourSchemas],
  );
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`);
  for (const { table, name } of triggers.rows) await client.query(`alter table ${table} disable trigger ${name}`);
  for (const { table, name } of references.rows) await client.query(`alter table ${table} drop constraint ${name}`);
  return { indexes: indexes.rows, triggers: triggers.rows, references: references.rows };
}

async function putBack(client: pg.ClientBase, { indexes, triggers, references }: SetAside): Promise<void> {
  for (const { definition } of indexes) await client.query(definition);
  for (const { table, name, definition } of references) {
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
  for (const { table, name, state } of triggers) {
    await client.query(`alter table ${table} ${stateWords[state]} trigger ${name}`);
  }
}

/** The schema brings rows of its own, which are among those that follow. Tables that only grow bring none. */
async function emptyTable(client: pg.ClientBase, { name }: CopiedTable): Promise<void> {
  const { rowCount } = await client.query(`select from ${name} limit 1`);
  if (rowCount !== 0) await client.query(`delete from ${name}`);
}
