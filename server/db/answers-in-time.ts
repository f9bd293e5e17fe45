// These are Node's own timers, so a test that stops time stops no statement.
import { clearTimeout, setTimeout } from 'node:timers';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { databaseIsAway, refusalOfStatement } from '#server/platform/database-refusals.ts';

/**
 * The pool as Kysely uses it. A database that hangs enforces no limit itself, so a statement without an answer after
 * `limitInMs` ends its connection. A statement that fails because the database is away is refused as unavailable.
 * `lost` holds the connections that are gone.
 */
export function answeringInTime(pool: pg.Pool, limitInMs: number, lost: WeakSet<pg.PoolClient>): PostgresPool {
  return {
    options: pool.options,
    connect: async () => {
      const client = await pool.connect().catch((error: unknown) => {
        throw databaseIsAway(error);
      });
      return answeringClient(client, limitInMs, lost);
    },
    end: () => pool.end(),
  };
}

function answeringClient(client: pg.PoolClient, limitInMs: number, lost: WeakSet<pg.PoolClient>): PostgresPoolClient {
  let isReleased = false;
  const release = (isBroken?: boolean) => {
    if (!isReleased) client.release(isBroken);
    isReleased = true;
  };
  // The pool closes a connection that is released as broken. That fails every statement that still waits on it.
  const giveUp = () => {
    lost.add(client);
    release(true);
  };
  async function query(text: string, parameters: readonly unknown[]) {
    const limit = setTimeout(giveUp, limitInMs);
    try {
      return await client.query(text, [...parameters]);
    } catch (error) {
      throw refusalOfStatement(error, lost.has(client)) ?? error;
    } finally {
      clearTimeout(limit);
    }
  }
  return { query: query as unknown as PostgresPoolClient['query'], release };
}
