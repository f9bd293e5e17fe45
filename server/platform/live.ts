import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { z } from 'zod';
import { Fact } from '#contract/facts.ts';
import { LiveNotice, listenLive } from '#contract/live.ts';
import { connectionBeside, type Db } from '#server/db/database.ts';
import type { App } from './app-parts.ts';
import { AppError } from './errors.ts';
import { type LiveStream, openLiveStream } from './live-stream.ts';
import { liveStreams } from './metrics.ts';
import { endOrphans, endWithSession } from './open-connections.ts';
import { serveStream } from './serve.ts';
import { liveChannel, tell } from './telling.ts';

/** PostgreSQL takes less than 8,000 bytes. */
const largestPayload = 7_900;
const idBytes = 39;
const heartbeatInMs = 20_000;
const slowestReconnectInMs = 10_000;
/** The most tabs of a browser that have a stream open. Further ones read again when they are looked at. */
const mostStreamsOfSession = 10;
const retryAfterSeconds = 30;

const Payload = z.object({
  /** Null means everybody. */
  userIds: z.array(z.string()).nullable(),
  facts: z.array(Fact).default([]),
  /** The id that the browser gave the act. */
  act: z.string().nullable().default(null),
  notice: LiveNotice.nullable().default(null),
  /** Sessions of these people ended. */
  haveEnded: z.boolean().default(false),
});
type Payload = z.infer<typeof Payload>;

interface Notice {
  type: 'success' | 'info' | 'warning';
  title: string;
  message?: string;
}

/** When the caller's transaction commits, the open browsers of these people show this at once, on every process. */
export async function showNotice(db: Db, userIds: string[], { message = '', ...notice }: Notice): Promise<void> {
  const news = { notice: { ...notice, message: message || null } };
  const room = Math.floor((largestPayload - Buffer.byteLength(JSON.stringify({ userIds: [], ...news }))) / idBytes);
  if (room < 1) throw new Error('This notice is too long for one live message.');
  const payloads = chunksOf([...new Set(userIds)], room).map((chunk) => JSON.stringify({ userIds: chunk, ...news }));
  await tell(db, payloads);
}

/** Every process ends the streams and uploads of sessions that end with the caller's transaction. */
export async function tellSessionsEnded(db: Db, ...userIds: string[]): Promise<void> {
  await sql`select ${sessionsEnded(...userIds)}`.execute(db);
}

/** The same as a part of the statement that ends them. */
export function sessionsEnded(...userIds: string[]): RawBuilder<unknown> {
  const payload = JSON.stringify({ userIds, facts: ['sign-ins'] satisfies Fact[], haveEnded: true });
  return sql`pg_notify(${liveChannel}, ${payload})`;
}

/** Serves the event stream, and listens to the database on one connection of its own until the server closes. */
export function startLive(app: App): void {
  /** The streams of each person, each with its session. */
  const streams = new Map<string, Map<LiveStream, string>>();
  const streamsOf = (userId: string) => [...(streams.get(userId)?.keys() ?? [])];
  const everyStream = () => [...streams.keys()].flatMap(streamsOf);
  const listener = createListener(app, {
    onPayload: ({ userIds, facts, act, notice, haveEnded }) => {
      if (haveEnded) void endOrphans(userIds ?? 'all');
      for (const stream of userIds?.flatMap(streamsOf) ?? everyStream()) {
        if (facts.length > 0) stream.send('changed', { facts, act });
        if (notice) stream.send('notice', notice);
      }
    },
    onReconnect: () => {
      void endOrphans('all');
      for (const stream of everyStream()) stream.send('resync', {});
    },
  });
  app.http.addHook('onReady', listener.start);
  app.http.addHook('preClose', async () => {
    for (const stream of everyStream()) stream.end();
    await listener.stop();
  });

  serveStream(app, listenLive, async ({ actor, request, reply }) => {
    const own = streams.get(actor.id) ?? new Map<LiveStream, string>();
    requireRoom([...own.values()].filter((sessionId) => sessionId === actor.sessionId).length);
    const stream = openLiveStream(reply);
    streams.set(actor.id, own.set(stream, actor.sessionId));
    liveStreams.inc();
    const unwatch = endWithSession(app, request, actor, stream.end);
    stream.onEnd(() => {
      unwatch();
      liveStreams.dec();
      own.delete(stream);
      if (own.size === 0 && streams.get(actor.id) === own) streams.delete(actor.id);
    });
    // A browser that had a stream before may have missed something in between.
    if (request.headers['last-event-id'] !== undefined) stream.send('resync', {});
    stream.beatEvery(heartbeatInMs, async () => (await app.sessions.identify(request)).actor?.id === actor.id);
  });
}

function requireRoom(openStreams: number): void {
  if (openStreams < mostStreamsOfSession) return;
  const message = 'Switchyard is open in many tabs. This one updates when you open it.';
  throw new AppError('too_many_requests', message, { retryAfter: retryAfterSeconds });
}

interface Listening {
  onPayload(payload: Payload): void;
  onReconnect(): void;
}

function createListener(app: App, { onPayload, onReconnect }: Listening) {
  const log = app.http.log;
  let client: pg.Client | null = null;
  let waiting: NodeJS.Timeout | undefined;
  let isStopped = false;
  let failures = 0;
  let connections = 0;
  let connecting: Promise<void> = Promise.resolve();

  async function connect(): Promise<void> {
    const next = connectionBeside(app.pool, 'live');
    let isLost = false;
    const lost = (error?: Error) => {
      if (isStopped || isLost) return;
      isLost = true;
      if (client === next) client = null;
      failures += 1;
      const delay = Math.min(slowestReconnectInMs, 100 * 2 ** failures);
      log.warn({ err: error, delay }, 'the live listener lost the database and tries again');
      waiting = setTimeout(() => {
        waiting = undefined;
        connecting = connect();
      }, delay);
      next.end().catch((failure: Error) => log.debug({ err: failure }, 'the lost connection could not be closed'));
    };
    next.on('error', lost);
    next.on('end', lost);
    next.on('notification', ({ payload }) => {
      try {
        onPayload(Payload.parse(JSON.parse(payload ?? '')));
      } catch (error) {
        log.error({ err: error }, 'the live listener received what nobody here sends');
      }
    });
    try {
      await next.connect();
      await next.query(`listen ${liveChannel}`);
    } catch (error) {
      return lost(error instanceof Error ? error : new Error(String(error)));
    }
    if (isStopped) return next.end();
    client = next;
    failures = 0;
    connections += 1;
    if (connections > 1) onReconnect();
  }

  return {
    /** Never throws. What fails now is tried again. */
    start: () => {
      connecting = connect();
      return connecting;
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(waiting);
      await connecting;
      await client?.end();
      client = null;
    },
  };
}

function chunksOf<Item>(items: Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
