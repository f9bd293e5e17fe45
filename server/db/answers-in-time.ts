// These are Node's own timers, so a test that stops time stops no statement.
import { clearTimeout, setTimeout } from 'node:timers';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { isOutdated, mostHeldStatements, type StatementNames } from '#server/db/named-statements.ts';
import { noteFailedStatement, noteStatement } from '#server/platform/current-work.ts';
import { databaseIsAway, refusalOfStatement } from '#server/platform/database-refusals.ts';
import { statementSeconds, statementsFailed } from '#server/platform/metrics.ts';

interface Connections {
  /** Those that are gone. */
  lost: WeakSet<pg.PoolClient>;
  /** Absent behind a pooler that knows no named statements. */
  names: StatementNames | null;
}

const heldStatements = new WeakMap<pg.PoolClient, Set<string>>();

/**
 * The pool as Kysely uses it. A database that hangs enforces no limit itself, so a statement without an answer after
 * `limitInMs` ends its connection. A statement that fails because the database is away is refused as unavailable.
 */
export function answeringInTime(pool: pg.Pool, limitInMs: number, connections: Connections): PostgresPool {
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw databaseIsAway(error);
      });
      return answeringClient(client, limitInMs, connections);
    },
    end: () => pool.end(),
  };
}

function answeringClient(client: pg.PoolClient, limitInMs: number, { lost, names }: Connections): PostgresPoolClient {
  const held = heldStatements.get(client) ?? new Set();
  heldStatements.set(client, held);
  let isReleased = false;
  const release = (isBroken?: boolean) => {
    if (!isReleased) client.release(isBroken || held.size > mostHeldStatements);
    isReleased = true;
  };
  // The pool closes a connection that is released as broken. That fails every statement that still waits on it.
  const giveUp = () => {
    lost.add(client);
    release(true);
  };
  async function send(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const name = names?.nameOf(text);
    if (name === undefined) return client.query(text, [...parameters]);
    held.add(name);
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
  async function query(text: string, parameters: readonly unknown[]) {
    const limit = setTimeout(giveUp, limitInMs);
    const begunAt = performance.now();
    try {
      return await send(text, parameters);
    } catch (error) {
      statementsFailed.inc();
      noteFailedStatement(text, error);
      throw refusalOfStatement(error, lost.has(client)) ?? error;
    } finally {
      clearTimeout(limit);
      const ms = performance.now() - begunAt;
      statementSeconds.observe(ms / 1000);
      noteStatement(text, ms);
    }
  }
  return { query: query as unknown as PostgresPoolClient['query'], release };
}
