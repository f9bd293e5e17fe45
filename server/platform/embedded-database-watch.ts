import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Cluster, clearLeftovers, isClusterRunning, startCluster } from './embedded-database-control.ts';
import type { DatabaseLog } from './embedded-database-location.ts';

export interface WatchOptions {
  log: DatabaseLog;
  /** The waits before each restart, one after the other. After the last one nobody starts it again. */
  restartDelaysInMs?: number[];
  /** Called when it could not be kept running. */
  onLost?: (error: Error) => void;
}

const lookEveryMs = 1_000;
/** A database that has run this long counts as well again. */
const provenAfterMs = 60_000;
const growingDelaysInMs = [0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

/** Starts PostgreSQL again on the same port when it ends by itself. Returns the way to stop that. */
export function keepRunning(
  cluster: Cluster,
  port: number,
  { log, restartDelaysInMs = growingDelaysInMs, onLost }: WatchOptions,
): () => Promise<void> {
  const stopped = new AbortController();
  const { signal } = stopped;

  async function watch(): Promise<void> {
    let delays = [...restartDelaysInMs];
    let startedAt = performance.now();
    for (;;) {
      await pause(lookEveryMs, undefined, { signal, ref: false });
      if (await isClusterRunning(cluster)) {
        if (performance.now() - startedAt > provenAfterMs) delays = [...restartDelaysInMs];
        continue;
      }
      const delay = delays.shift();
      if (delay === undefined) return onLost?.(lostError(cluster, restartDelaysInMs.length));
      log.warn('The embedded database has ended; it is started again.');
      await pause(delay, undefined, { signal, ref: false });
      await restart();
      startedAt = performance.now();
    }
  }

  async function restart(): Promise<void> {
    try {
      await clearLeftovers(cluster);
      await startCluster(cluster, port);
    } catch (error) {
      log.warn(error instanceof Error ? error.message : String(error));
    }
  }

  const watching = watch().catch((error: Error) => {
    if (!signal.aborted) onLost?.(error);
  });
  return () => {
    stopped.abort();
    return watching;
  };
}

function lostError({ folder }: Cluster, tries: number): Error {
  const log = path.join(folder, 'postgres.log');
  return new Error(`The embedded database ended and was started again ${tries} times in vain. ${log} may say why.`);
}
