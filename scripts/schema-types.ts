import type pg from 'pg';
import { camelCaseOf } from '#server/db/column-names.ts';

type Column = {
  schema: string;
  relation: string;
  column: string;
  type: string;
  kind: string;
  labels: string[] | null;
  isArray: boolean;
  isNullable: boolean;
  hasDefault: boolean;
  isGenerated: boolean;
};

const typesByName: Record<string, string> = {
  bool: 'boolean',
  bytea: 'Buffer',
  json: 'Json',
  jsonb: 'Json',
  timestamp: 'Timestamp',
  timestamptz: 'Timestamp',
};
for (const name of ['int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'oid']) typesByName[name] = 'number';
for (const name of [
  'text',
  'varchar',
  'bpchar',
  'citext',
  'name',
  'uuid',
  'date',
  'time',
  'inet',
  'tsvector',
  'char',
  'xid8',
]) {
  typesByName[name] = 'string';
}
for (const name of ['tstzrange', 'tsrange', 'daterange', 'int4range', 'int8range', 'numrange']) {
  typesByName[name] = 'string';
}

const header = `// Written by \`npm run db:types\` from the migrated database. Do not edit.
import type { ColumnType } from 'kysely';

export type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;
export type GeneratedAlways<T> = T extends ColumnType<infer S, infer _I, infer _U> ? ColumnType<S, never, never> : ColumnType<T, never, never>;
/** Pass JSON.stringify(value). The driver would write an array as a PostgreSQL array. */
export type Json = ColumnType<unknown, string, string>;
export type Timestamp = ColumnType<Date, Date | string, Date | string>;
`;

const columnsOfSchemas = `
  select n.nspname as schema, c.relname as relation, a.attname as column,
    coalesce(element.typname, base.typname, t.typname) as type,
    coalesce(element.typtype, base.typtype, t.typtype)::text as kind,
    (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e
      where e.enumtypid in (t.oid, element.oid)) as labels,
    element.oid is not null as "isArray",
    not (a.attnotnull or t.typnotnull) as "isNullable",
    a.atthasdef or a.attidentity <> '' as "hasDefault",
    a.attgenerated <> '' or a.attidentity = 'a' as "isGenerated"
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_namespace n on n.oid = c.relnamespace
  join pg_type t on t.oid = a.atttypid
  left join pg_type base on base.oid = t.typbasetype
  left join pg_type element on element.typarray = coalesce(base.oid, t.oid)
  where n.nspname in ('public', 'auth') and c.relkind in ('r', 'p', 'v', 'm')
    and a.attnum > 0 and not a.attisdropped and not c.relispartition
    and c.relname <> 'schema_migrations'
    and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by n.nspname = 'public' desc, n.nspname, c.relname, a.attname`;

/** Describes the schemas public and auth as types for Kysely, with the names that the code uses. */
export async function describeSchemaAsTypes(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<Column>(columnsOfSchemas);
  const relations = Map.groupBy(rows, keyOf);
  const interfaces = [...relations].map(([key, columns]) => {
    const lines = columns.map((column) => `  ${camelCaseOf(column.column)}: ${typeOf(column)};`);
    return `export interface ${interfaceName(key)} {\n${lines.join('\n')}\n}\n`;
  });
  const entries = [...relations.keys()].map(
    (key) => `  ${key.includes('.') ? `'${key}'` : key}: ${interfaceName(key)};`,
  );
  return [header, ...interfaces, `export interface DB {\n${entries.join('\n')}\n}\n`].join('\n');
}

function keyOf({ schema, relation }: Column): string {
  return schema === 'public' ? camelCaseOf(relation) : `${camelCaseOf(schema)}.${camelCaseOf(relation)}`;
}

function typeOf(column: Column): string {
  const plain =
    column.kind === 'e' ? (column.labels ?? []).map((label) => `'${label}'`).join(' | ') : typesByName[column.type];
  if (!plain) {
    throw new Error(
      `${column.relation}.${column.column} has type ${column.type}, which scripts/schema-types.ts does not know.`,
    );
  }
  const type = (column.isArray ? `(${plain})[]` : plain).replace(/^\((\w+)\)\[\]$/, '$1[]');
  const complete = column.isNullable ? `${type} | null` : type;
  if (column.isGenerated) return `GeneratedAlways<${complete}>`;
  return column.hasDefault ? `Generated<${complete}>` : complete;
}

/** Not every table name is plural. The name stays, so nothing has to guess. */
function interfaceName(key: string): string {
  const words = key.split('.').map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  return `${words.join('')}Table`;
}
