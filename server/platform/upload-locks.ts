import { setTimeout as wait } from 'node:timers/promises';
import { ERRORS, type Locker, MemoryLocker } from '@tus/server';
import pg from 'pg';
import type { App } from './app-parts.ts';
import { connectionStringOf } from './jobs.ts';

const channel = 'switchyard_uploads';
/** Keeps these apart from other advisory locks. */
const lockClass = 7_238_452;
const retryInMs = 200;
const patienceInMs = 30_000;

type Release = () => Promise<void> | void;

/**
 * One request at a time may write to an upload, on whichever process it arrives. Whoever waits asks the holder to let
 * go: a browser that comes back by another process would otherwise wait for its own dead connection.
 */
export function createUploadLocks(app: App): Locker {
  const inProcess = new MemoryLocker();
  const held = new Map<string, Release>();
  let connection: Promise<pg.Client> | null = null;
  let lastAsked: Promise<unknown> = Promise.resolve();

  function connect(): Promise<pg.Client> {
    connection ??= openConnection().catch((error: unknown) => {
      connection = null;
      throw error;
    });
    return connection;
  }

  async function openConnection(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: connectionStringOf(app.pool),
      application_name: 'switchyard uploads',
      keepAlive: true,
    });
    const lost = (error?: Error) => {
      connection = null;
      // The database has released the locks of this connection.
      for (const release of held.values()) void release();
      held.clear();
      if (error) app.http.log.warn({ err: error }, 'the connection that holds upload locks was lost');
    };
    client.on('error', lost);
    client.on('notification', ({ payload }) => void held.get(payload ?? '')?.());
    await client.connect();
    await client.query(`listen ${channel}`);
    return client;
  }

  async function acquire(id: string, signal: AbortSignal): Promise<void> {
    const deadline = Date.now() + patienceInMs;
    while (!signal.aborted) {
      const client = await connect();
      const taken = await inTurn(() =>
        client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as taken', [lockClass, id]),
      );
      if (taken.rows[0]?.taken) return;
      if (Date.now() > deadline) throw ERRORS.ERR_LOCK_TIMEOUT;
      await inTurn(() => client.query('select pg_notify($1, $2)', [channel, id]));
      await wait(retryInMs);
    }
    throw ERRORS.ABORTED;
  }

  async function release(id: string): Promise<void> {
    if (!held.delete(id) || !connection) return;
    const client = await connection;
    await inTurn(() => client.query('select pg_advisory_unlock($1, hashtext($2))', [lockClass, id]));
  }

  /** The one connection takes one statement at a time. */
  function inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const asked = lastAsked.then(ask);
    lastAsked = asked.catch(() => undefined);
    return asked;
  }

  app.http.addHook('onClose', async () => {
    const client = await connection;
    client?.removeAllListeners('error');
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
