import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { DB } from '#server/db/schema.gen.ts';

export type Db = Kysely<DB>;
export type OpenDatabase = { db: Db; pool: pg.Pool; close(): Promise<void> };

type OpenOptions = { max?: number };

const { builtins } = pg.types;
const textArray = 1009;
const parseTextArray = pg.types.getTypeParser(textArray as never) as (value: string) => (string | null)[];

pg.types.setTypeParser(builtins.INT8, Number);
pg.types.setTypeParser(builtins.NUMERIC, Number);
pg.types.setTypeParser(builtins.DATE, (value) => value);
setArrayParser(1016, parseNumberArray);
setArrayParser(1231, parseNumberArray);
setArrayParser(1182, parseTextArray);

export function openDatabase(connectionString: string, { max = 10 }: OpenOptions = {}): OpenDatabase {
  const pool = new pg.Pool({ connectionString, max });
  // An idle connection that the server ends is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined);
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
  return { db, pool, close: () => db.destroy() };
}

function setArrayParser(oid: number, parse: (value: string) => unknown): void {
  pg.types.setTypeParser(oid as never, parse as never);
}

function parseNumberArray(value: string): (number | null)[] {
  return parseTextArray(value).map((item) => (item === null ? null : Number(item)));
}
