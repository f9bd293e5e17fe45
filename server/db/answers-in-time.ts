// These are Node's own timers, so a test that stops time stops no statement.
import { clearTimeout, setTimeout } from 'node:timers';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { isOutdated, mostHeldStatements, type StatementNames } from '#server/db/named-statements.ts';
import { type ConnectionsOf, connectionsOf, type Held, sendTogether } from '#server/db/shared-connections.ts';
import { noteFailedStatement, noteStatement } from '#server/platform/current-work.ts';
import { databaseIsAway, refusalOfStatement } from '#server/platform/database-refusals.ts';
import { askWhetherNoted } from '#server/platform/fact-notes.ts';
import { statementSeconds, statementsFailed } from '#server/platform/metrics.ts';

interface Connections {
  /** Those that are gone. */
  lost: WeakSet<pg.PoolClient>;
  /** Those that hear what PostgreSQL says when triggers note facts. */
  hears: WeakSet<pg.ClientBase>;
  /** Those that have heard it in their present transaction. */
  noted: WeakSet<pg.ClientBase>;
  /** Absent behind a pooler that knows no named statements. */
  names: StatementNames | null;
}

interface Statement {
  text: string;
  parameters: readonly unknown[];
}

const beginsTransaction = /^(begin|start transaction)/;
const endsTransaction = /^(commit|rollback)$/;
/** A lock is held and news is told, and there is nothing to read. */
const answersNothing = /^\s*select pg_(advisory_xact_lock|notify)\(/;
const nothing: pg.QueryResult = { command: 'SELECT', rowCount: 0, oid: 0, fields: [], rows: [] };
const heldNames = new WeakMap<pg.PoolClient, Set<string>>();

/**
 * The pool as Kysely uses it. A database that hangs enforces no limit itself, so a statement without an answer after
 * `limitInMs` ends its connection. A statement that fails because the database is away is refused as unavailable.
 */
export function answeringInTime(pool: pg.Pool, limitInMs: number, connections: Connections): PostgresPool {
  const open = connectionsOf(pool, (client) => namesOn(client).size > mostHeldStatements);
  return {
    options: pool.options,
    connect: async () => answeringClient(open, limitInMs, connections),
    end: () => pool.end(),
  };
}

/**
 * A transaction gets a connection of its own, and a statement beside it one that others of the same turn use too. What
 * answers nothing leaves in one write with the next statement of its transaction. If it fails, so does that one.
 */
function answeringClient(
  open: ConnectionsOf,
  limitInMs: number,
  { lost, hears, noted, names }: Connections,
): PostgresPoolClient {
  let holding: Promise<Held> | null = null;
  let isTransaction = false;
  let unsent: Statement[] = [];

  async function hold(connection: () => Promise<Held>): Promise<Held> {
    holding ??= connection();
    return await holding.catch((error: unknown) => {
      throw databaseIsAway(error);
    });
  }
  function release(isBroken = false): void {
    // A statement has said by now why there is none.
    holding?.then(isBroken ? (held) => held.end() : (held) => held.giveBack(), () => undefined);
    holding = null;
    isTransaction = false;
    unsent = [];
  }
  async function send(client: pg.PoolClient, { text, parameters }: Statement): Promise<pg.QueryResult> {
    sendTogether(client);
    const name = names?.nameOf(text);
    if (name === undefined) return client.query(text, [...parameters]);
    namesOn(client).add(name);
    const isAlone = client.getTransactionStatus() !== 'T';
    try {
      return await client.query({ name, text, values: [...parameters] });
    } catch (error) {
      if (!isOutdated(error)) throw error;
      names?.outlive(text, name);
      // PostgreSQL has given the transaction up. It begins anew as a whole.
      if (!isAlone) throw error;
      return await client.query(text, [...parameters]);
    }
  }
  /** Sends it at once. `before` is the answer of what left before it. If that failed, this did not run. */
  async function ask(held: Held, statement: Statement, before: Promise<unknown> | null): Promise<pg.QueryResult> {
    const { text } = statement;
    const limit = setTimeout(() => {
      lost.add(held.client);
      held.end();
    }, limitInMs);
    const answer = send(held.client, statement);
    answer.catch(() => undefined);
    try {
      await before;
    } catch (error) {
      clearTimeout(limit);
      throw error;
    }
    const begunAt = performance.now();
    try {
      return await answer;
    } catch (error) {
      statementsFailed.inc();
      noteFailedStatement(text, error);
      throw refusalOfStatement(error, lost.has(held.client)) ?? error;
    } finally {
      clearTimeout(limit);
      const ms = performance.now() - begunAt;
      statementSeconds.observe(ms / 1000);
      noteStatement(text, ms);
    }
  }
  async function query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const begins = beginsTransaction.test(text);
    if (begins) release();
    const held = await hold(begins ? open.alone : open.shared);
    if (begins) {
      isTransaction = true;
      noted.delete(held.client);
    }
    if (isTransaction && text === askWhetherNoted && hears.has(held.client)) {
      return { ...nothing, rows: [{ has_notes: noted.has(held.client) }] };
    }
    const statement = { text, parameters };
    if (isTransaction && answersNothing.test(text) && parameters.every(isPlain)) {
      unsent.push(statement);
      return nothing;
    }
    const before = unsent;
    unsent = [];
    if (endsTransaction.test(text)) isTransaction = false;
    // What is given up waits for no lock and tells nothing.
    if (text === 'rollback') return ask(held, statement, null);
    let answer: Promise<pg.QueryResult> | null = null;
    for (const one of before) {
      answer = ask(held, one, answer);
      // A commit on its way could come after its act was refused for waiting too long.
      if (text === 'commit' && answersNothing.exec(one.text)?.[1] !== 'notify') await answer;
    }
    return ask(held, statement, answer);
  }
  return { query: query as unknown as PostgresPoolClient['query'], release };
}

/** The driver cannot fail to write such a value. If it did, PostgreSQL would run what left behind it. */
function isPlain(parameter: unknown): boolean {
  if (Array.isArray(parameter)) return parameter.every((item) => typeof item === 'string');
  return typeof parameter === 'string' || typeof parameter === 'number';
}

function namesOn(client: pg.PoolClient): Set<string> {
  const held = heldNames.get(client) ?? new Set();
  heldNames.set(client, held);
  return held;
}
