// These are Node's own timers, so a test that stops time stops no statement.
import { clearTimeout, setTimeout } from 'node:timers';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { isOutdated, mostHeldStatements, type StatementNames } from '#server/db/named-statements.ts';
import { type ConnectionsOf, connectionsOf, type Held, sendTogether } from '#server/db/shared-connections.ts';
import { noteFailedStatement, noteStatement } from '#server/platform/current-work.ts';
import { databaseIsAway, refusalOfStatement } from '#server/platform/database-refusals.ts';
import { statementSeconds, statementsFailed } from '#server/platform/metrics.ts';

interface Connections {
  /** Those that are gone. */
  lost: WeakSet<pg.PoolClient>;
  /** Absent behind a pooler that knows no named statements. */
  names: StatementNames | null;
}

const beginsTransaction = /^(begin|start transaction)/;
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

/** A transaction gets a connection of its own, and a statement beside it one that others of the same turn use too. */
function answeringClient(open: ConnectionsOf, limitInMs: number, { lost, names }: Connections): PostgresPoolClient {
  let holding: Promise<Held> | null = null;

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
  }
  async function send(client: pg.PoolClient, text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
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
  async function query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const begins = beginsTransaction.test(text);
    if (begins) release();
    const held = await hold(begins ? open.alone : open.shared);
    const limit = setTimeout(() => {
      lost.add(held.client);
      held.end();
    }, limitInMs);
    const begunAt = performance.now();
    try {
      return await send(held.client, text, parameters);
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
  return { query: query as unknown as PostgresPoolClient['query'], release };
}

function namesOn(client: pg.PoolClient): Set<string> {
  const held = heldNames.get(client) ?? new Set();
  heldNames.set(client, held);
  return held;
}
