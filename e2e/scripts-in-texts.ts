import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

/** It asks for an address that nothing else asks for. So it is noticed even where the policy refuses to run it. */
const short = '<img src=/ran onerror=ran()>';
const long = `"><svg onload=ran()><script>ran()</script>[a](javascript:ran()) ![b](/ran) javascript:ran() ${short}`;
const script = 'javascript:ran()//https://example.org';

/** Other rows, or the code, compare these with what they know. Nobody writes them freely. */
const comparedColumns =
  /(^|_)(id|key|hash|token|path|email|address|status|type|kind|role|source|outcome|area|channel|category|list|zone|place|action|matter|mode|checksum|actions|period|endpoint|p256dh|secret|method|fact)$/;
/** They have at most 100 characters, which the contract says and no check of the database. */
const shortTexts = /^label$/;
const addressColumns = /(_url|_link|^link)$/;
/** Its name is like one of those above, but any text may stand in it. */
const isRequirementType = ({ table, name }: Column) => table === 'weekly_requirements' && name === 'type';
const tablesOfTheProcess = ['schema_migrations', 'push_keys', 'former_push_keys', 'ledger_verifications'];

interface Column {
  schema: string;
  table: string;
  name: string;
  type: string;
}

/** Ends every free text of the database with scripts. Returns the names of the columns that took one. */
export async function endTextsWithScripts(db: Db): Promise<Set<string>> {
  const { rows } = await sql<Column>`
    select c.table_schema as schema, c.table_name as "table", c.column_name as name, c.data_type as type
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER' and c.data_type in ('text', 'jsonb')
      and (c.table_schema = 'public' or (c.table_schema = 'auth' and c.column_name in ('first_name', 'last_name', 'name', 'user_agent')))
    `.execute(db);
  const columns = rows.filter(
    (one) => !tablesOfTheProcess.includes(one.table) && (isRequirementType(one) || !comparedColumns.test(one.name)),
  );
  const taken = new Set<string>();
  await db.connection().execute(async (connection) => {
    // Some rows are append-only, and the texts of others are copies that triggers would write again.
    const tables = [...new Set(columns.map(({ schema, table }) => `${schema}.${table}`))];
    for (const table of tables) await sql`alter table ${sql.table(table)} disable trigger all`.execute(connection);
    for (const column of columns) if (await endColumn(connection, column)) taken.add(column.name);
    await sql`update programmes set module_names = array(select name || ${short} from unnest(module_names) name)`.execute(
      connection,
    );
    taken.add('module_names');
    for (const table of tables) await sql`alter table ${sql.table(table)} enable trigger all`.execute(connection);
  });
  return taken;
}

async function endColumn(db: Db, column: Column): Promise<boolean> {
  if (column.type === 'jsonb') return endValues(db, column);
  const name = sql.ref(column.name);
  if (addressColumns.test(column.name)) {
    if (await tryTo(db, column, sql`${script}`)) return true;
    return tryTo(db, column, sql`${name} || ${'#"><svg/onload=ran()>'}`);
  }
  for (const ending of shortTexts.test(column.name) ? [short] : [long, short])
    if (await tryTo(db, column, sql`${name} || ${ending}`)) return true;
  return false;
}

/** The database may refuse it, by a check of the column. */
async function tryTo(db: Db, { schema, table, name }: Column, value: ReturnType<typeof sql>): Promise<boolean> {
  const place = sql.table(`${schema}.${table}`);
  try {
    await sql`update ${place} set ${sql.ref(name)} = ${value} where ${sql.ref(name)} is not null`.execute(db);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === '23514') return false;
    throw error;
  }
}

/** Values of several words are written freely. Names of kinds have one. */
async function endValues(db: Db, { schema, table, name }: Column): Promise<boolean> {
  const place = sql.table(`${schema}.${table}`);
  const column = sql.ref(name);
  const pattern = '("[^"\\\\]*[a-z]{2,} [^"\\\\]*)"(?!:)';
  await sql`update ${place} set ${column} = regexp_replace(${column}::text, ${pattern}, ${`\\1${short}"`}, 'g')::jsonb
    where ${column} is not null`.execute(db);
  return true;
}
