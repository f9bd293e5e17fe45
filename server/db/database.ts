import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import { answeringInTime } from '#server/db/answers-in-time.ts';
import { camelCaseResults, ourCompiler } from '#server/db/column-names.ts';
import { nameStatements } from '#server/db/named-statements.ts';
import type { DB } from '#server/db/schema.gen.ts';
import { factsNoted } from '#server/platform/fact-notes.ts';

export type Db = Kysely<DB>;
export interface OpenDatabase {
  db: Db;
  /** The same database for work that nobody waits for. Its statements may take minutes. */
  patientDb: Db;
  pool: pg.Pool;
  close(): Promise<void>;
}

interface OpenOptions {
  max?: number;
  /** Limits how long `db` waits for a connection and for the answer to a statement. */
  answerLimitInMs?: number;
  /** The address of the same database without a pooler. The default is the one that is opened. */
  directAddress?: string;
  /** The default is true. False behind a pooler that knows no named statements. */
  namesStatements?: boolean;
  /** Every transaction of `inTransaction` runs this last, before it commits. */
  beforeCommit?: BeforeCommit;
}

type BeforeCommit = (transaction: Db) => Promise<void>;

const hooks = new WeakMap<Db, BeforeCommit>();
const directAddresses = new WeakMap<pg.Pool, string>();

/**
 * A new connection plans each statement anew. Where all were closed after ten quiet seconds, the next page cost ten times
 * as much. Those that only many at once need stay for a while.
 */
const openWhenQuiet = 4;
const openAfterManyInMs = 60_000;
/** So that what is in between keeps a quiet connection open, and one whose other end is gone is noticed. */
const untilProbedInMs = 30_000;

/** A request is refused before its person has waited ten seconds. */
const requestLimitInMs = 8_000;
const patientLimitInMs = 10 * 60_000;

const { builtins } = pg.types;
const textArray = 1009;
const parseTextArray = pg.types.getTypeParser(textArray as never) as (value: string) => (string | null)[];

pg.types.setTypeParser(builtins.INT8, Number);
pg.types.setTypeParser(builtins.NUMERIC, Number);
pg.types.setTypeParser(builtins.DATE, (value) => value);
setArrayParser(1016, parseNumberArray);
setArrayParser(1231, parseNumberArray);
setArrayParser(1182, parseTextArray);

export function openDatabase(connectionString: string, options: OpenOptions = {}): OpenDatabase {
  const { max = 10, answerLimitInMs = requestLimitInMs, namesStatements = true, beforeCommit } = options;
  const pool = new pg.Pool({
    connectionString,
    max,
    min: openWhenQuiet,
    idleTimeoutMillis: openAfterManyInMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: untilProbedInMs,
    pipeline: true,
    connectionTimeoutMillis: answerLimitInMs,
    onConnect: async (client) => {
      await asOnEveryServer(client);
      if (await hearsOfNotes(client, () => noted.add(client))) hears.add(client);
    },
  });
  directAddresses.set(pool, options.directAddress ?? connectionString);
  const lost = new WeakSet<pg.PoolClient>();
  const noted = new WeakSet<pg.ClientBase>();
  const hears = new WeakSet<pg.ClientBase>();
  const names = namesStatements ? nameStatements() : null;
  // Without listeners, a lost connection would end the process. The first one is for idle connections, the second for
  // those in use.
  pool.on('error', outliveLoss);
  pool.on('connect', (client) => client.on('error', () => lost.add(client)));
  const open = (limitInMs: number) => {
    const dialect = new PostgresDialect({ pool: answeringInTime(pool, limitInMs, { lost, hears, noted, names }) });
    dialect.createQueryCompiler = ourCompiler;
    const db = new Kysely<DB>({ dialect, plugins: [camelCaseResults] });
    if (beforeCommit) hooks.set(db, beforeCommit);
    return db;
  };
  return { db: open(answerLimitInMs), patientDb: open(patientLimitInMs), pool, close: () => pool.end() };
}

/** Words statements for one connection, which the caller opened and ends. They are part of its transaction. */
export function databaseOn(client: pg.Client): Db {
  const held = { query: client.query.bind(client), release: () => undefined };
  const pool = { connect: async () => held, end: async () => undefined } as unknown as PostgresPool;
  const dialect = new PostgresDialect({ pool });
  dialect.createQueryCompiler = ourCompiler;
  return new Kysely<DB>({ dialect, plugins: [camelCaseResults] });
}

/**
 * A PostgreSQL with LLVM compiles a statement that it expects to be large. For one that says who sees a change, among ten
 * thousand people, that took a second at every act instead of a millisecond. The zone makes instants in jsonb look alike
 * whoever writes them. No statement reads it otherwise. The cost of a page is that of memory and solid disks. With the cost
 * of a turning disk, PostgreSQL would rather read ten thousand people than look up a hundred of them.
 */
export async function asOnEveryServer(client: pg.ClientBase): Promise<void> {
  await client.query("set jit = off; set timezone = 'UTC'; set random_page_cost = 1.1");
}

/**
 * Listens to what PostgreSQL says when triggers note facts. Returns false if it is not heard through what is in between.
 */
async function hearsOfNotes(client: pg.ClientBase, onNotes: () => void): Promise<boolean> {
  let hasHeard = false;
  client.on('notice', ({ code }) => {
    if (code !== factsNoted) return;
    hasHeard = true;
    onNotes();
  });
  await client.query(`do $$ begin raise info 'Heard?' using errcode = '${factsNoted}'; end $$`);
  return hasHeard;
}

export function beforeCommitOf(db: Db): BeforeCommit | undefined {
  return hooks.get(db);
}

/** Opens one connection for a piece of work, without a pool. */
export async function withConnection<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: requestLimitInMs });
  client.on('error', outliveLoss);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Returns a connection beside the pool, to the same database and with the same limits, for work that stays on one
 * connection. No pooler is in between. The caller listens to its errors.
 */
export function connectionBeside(pool: pg.Pool, name: string): pg.Client {
  const { connectionTimeoutMillis } = pool.options;
  return new pg.Client({
    connectionString: directAddressOf(pool),
    application_name: `switchyard ${name}`,
    keepAlive: true,
    connectionTimeoutMillis,
    query_timeout: connectionTimeoutMillis,
  });
}

/** For what listens, locks or prepares beyond a transaction. */
export function directAddressOf(pool: pg.Pool): string {
  const address = directAddresses.get(pool);
  if (!address) throw new Error('The database pool was not opened by openDatabase.');
  return address;
}

/** The statement under way fails with the same error, and so does the next one on this connection. */
function outliveLoss(): void {}

function setArrayParser(oid: number, parse: (value: string) => unknown): void {
  pg.types.setTypeParser(oid as never, parse as never);
}

function parseNumberArray(value: string): (number | null)[] {
  return parseTextArray(value).map((item) => (item === null ? null : Number(item)));
}
