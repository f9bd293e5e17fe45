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
  // An idle connection that is lost is replaced by the pool; without a listener it would end the process.
  pool.on('error', outliveLoss);
  pool.on('connect', (client) => client.on('error', outliveLoss));
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
  return { db, pool, close: () => db.destroy() };
}

/** One connection for a piece of work, without a pool. */
export async function withConnection<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString });
  client.on('error', outliveLoss);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The statement under way fails with the same error, and so does the next one on this connection. */
function outliveLoss(): void {}

function setArrayParser(oid: number, parse: (value: string) => unknown): void {
  pg.types.setTypeParser(oid as never, parse as never);
}

function parseNumberArray(value: string): (number | null)[] {
  return parseTextArray(value).map((item) => (item === null ? null : Number(item)));
}
