import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { readMetrics } from '#contract/operations.ts';
import type { App } from '#server/platform/app-parts.ts';
import { isLoopbackHost } from '#server/platform/client-address.ts';
import { notFound } from '#server/platform/errors.ts';
import {
  collectProcessMetrics,
  diskFree,
  diskSize,
  poolConnections,
  poolWaiting,
  registry,
} from '#server/platform/metrics.ts';
import { serveStream } from '#server/platform/serve.ts';
import { readDisk } from './inspected.ts';
import { metricsWithoutDatabase, readStockMetrics } from './metrics-queries.ts';

const keptForMs = 5_000;
/** Less than the time after which Prometheus gives a reading up. */
const answerLimitInMs = 3_000;
/** Each of them says that the request came through somebody else. */
const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

export function metricsRoutes(app: App): void {
  const readStock = readSometimes(app);
  serveStream(app, readMetrics, async ({ request, reply }) => {
    if (!mayRead(request, app.config.metricsToken)) throw notFound('There is nothing at this address.');
    collectProcessMetrics();
    const { totalCount, idleCount, waitingCount } = app.pool;
    poolConnections.set({ state: 'idle' }, idleCount);
    poolConnections.set({ state: 'used' }, totalCount - idleCount);
    poolWaiting.set(waitingCount);
    const [stock, { freeBytes, diskBytes }] = await Promise.all([readStock(), readDisk(app.config)]);
    diskFree.set(freeBytes);
    diskSize.set(diskBytes);
    return reply.type(registry.contentType).send(`${await registry.metrics()}${stock}`);
  });
}

/** Whoever sends a token is judged by it alone. A proxy on this machine is no reader, but the reader behind it is. */
function mayRead({ raw, headers }: FastifyRequest, token: string | null): boolean {
  if (headers.authorization !== undefined) {
    return token !== null && isSameText(headers.authorization, `Bearer ${token}`);
  }
  // A hook has dropped what it could not read from the headers. The raw ones have all.
  const isForwarded = raw.rawHeaders.some(
    (name, index) => index % 2 === 0 && forwardingHeaders.includes(name.toLowerCase()),
  );
  return !isForwarded && isLoopbackHost(raw.socket.remoteAddress ?? '');
}

/** Takes the same time whatever the texts are. */
function isSameText(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Reads the database once in some seconds, however many ask. */
function readSometimes({ db, http }: App): () => Promise<string> {
  let latest: { at: number; text: Promise<string> } | null = null;
  const read = () =>
    withinLimit(readStockMetrics(db)).catch((error: unknown) => {
      http.log.warn({ err: error }, 'the metrics lack what is in the database');
      return metricsWithoutDatabase();
    });
  return () => {
    if (latest === null || performance.now() - latest.at > keptForMs) latest = { at: performance.now(), text: read() };
    return latest.text;
  };
}

async function withinLimit(reading: Promise<string>): Promise<string> {
  let limit: NodeJS.Timeout | undefined;
  const isOver = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(new Error('The database did not answer in time.')), answerLimitInMs);
  });
  return Promise.race([reading, isOver]).finally(() => clearTimeout(limit));
}
