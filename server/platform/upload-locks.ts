import { setTimeout as wait } from 'node:timers/promises';
import { ERRORS, type Locker, MemoryLocker } from '@tus/server';
import type pg from 'pg';
import { connectionBeside } from '#server/db/database.ts';
import type { App } from './app-parts.ts';
import { databaseIsAway } from './database-refusals.ts';

const channel = 'switchyard_uploads';
/** Keeps these apart from other advisory locks. */
const lockClass = 7_238_452;
const retryInMs = 200;
const patienceInMs = 30_000;

type Release = () => Promise<void> | void;

/**
 * Only one request at a time may write to an upload, in whichever process it arrives. A waiting request asks the holder
 * to let go. Otherwise a browser that comes back by another process would wait for its own dead connection.
 */
export function createUploadLocks(app: App): Locker {
  const inProcess = new MemoryLocker();
  const held = new Map<string, Release>();
  let connection: Promise<pg.Client> | null = null;
  let current: pg.Client | null = null;
  let lastAsked: Promise<unknown> = Promise.resolve();

  function connect(): Promise<pg.Client> {
    connection ??= openConnection().catch((error: unknown) => {
      connection = null;
      throw databaseIsAway(error);
    });
    return connection;
  }

  async function openConnection(): Promise<pg.Client> {
    const client = connectionBeside(app.pool, 'uploads');
    client.on('error', (error) => lose(client, error));
    client.on('notification', ({ payload }) => void held.get(payload ?? '')?.());
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      void client.end();
      throw error;
    }
    current = client;
    return client;
  }

  function lose(client: pg.Client, error: unknown): void {
    if (current !== client) return;
    current = null;
    connection = null;
    void client.end();
    // The database releases the locks of this connection once it hears that the connection ended.
    for (const release of held.values()) void release();
    held.clear();
    app.http.log.warn({ err: error }, 'the connection that holds upload locks was lost');
  }

  async function acquire(id: string, signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + patienceInMs;
    while (!signal.aborted) {
      const client = await connect();
      const [taken] = await ask<{ isTaken: boolean }>(
        client,
        'select pg_try_advisory_lock($1, hashtext($2)) as "isTaken"',
        [lockClass, id],
      );
      if (taken?.isTaken) return;
      if (performance.now() > deadline) throw ERRORS.ERR_LOCK_TIMEOUT;
      await ask(client, 'select pg_notify($1, $2)', [channel, id]);
      await wait(retryInMs);
    }
    throw ERRORS.ABORTED;
  }

  async function release(id: string): Promise<void> {
    if (!held.delete(id) || !current) return;
    const client = current;
    await ask(client, 'select pg_advisory_unlock($1, hashtext($2))', [lockClass, id]).catch((error: unknown) => {
      // A lock ends with its connection.
      if (current === client) throw error;
    });
  }

  /** The one connection takes one statement at a time. If a statement fails, the connection is given up. */
  function ask<Row extends object>(client: pg.Client, text: string, values: unknown[]): Promise<Row[]> {
    const asked = lastAsked.then(async () => {
      try {
        return (await client.query<Row>(text, values)).rows;
      } catch (error) {
        lose(client, error);
        throw databaseIsAway(error);
      }
    });
    lastAsked = asked.catch(() => undefined);
    return asked;
  }

  app.http.addHook('onClose', async () => {
    await connection?.catch(() => undefined);
    const client = current;
    current = null;
    await client?.end();
  });

  return {
    newLock: (id) => {
      const own = inProcess.newLock(id);
      return {
        lock: async (signal, cancelRequest) => {
          await own.lock(signal, cancelRequest);
          try {
            await acquire(id, signal);
          } catch (error) {
            await own.unlock();
            throw error;
          }
          held.set(id, cancelRequest);
        },
        unlock: async () => {
          try {
            await release(id);
          } finally {
            await own.unlock();
          }
        },
      };
    },
  };
}
