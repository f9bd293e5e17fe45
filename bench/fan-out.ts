// One piece of news to many open live streams: npm run bench -- fan-out [--streams 1000] [--rounds 30] [--idle 30]
import { setTimeout as pause } from 'node:timers/promises';
import { listenLive } from '#contract/live.ts';
import { changed } from '#server/platform/telling.ts';
import { buildParticipant } from '../test/factories/people.ts';
import type { TestApp } from '../test/support/app.ts';
import { openProcessSession, startServerProcess } from '../test/support/server-process.ts';
import { readOptions, wholeNumber } from './asked.ts';
import { openBenchApp } from './bench-app.ts';
import { endProcess } from './end-process.ts';
import { alignColumns, quantile } from './figures.ts';
import { type Heard, type Listeners, openListeners } from './listeners.ts';
import { processTimeInMs } from './processor-time.ts';
import { residentMegabytes } from './resident-memory.ts';
import { describeRun } from './run-of.ts';

/** Longer than this, nobody waits for news. What is not there by then counts as lost. */
const givenUpAfterMs = 20_000;

interface Told {
  toldAtOnce: number;
  rounds: number;
  delivered: number;
  /** News to people whom it does not concern, or twice to one. */
  tooMany: number;
  latenciesInMs: number[];
  serverInMs: number;
}

export async function measureFanOut(args: string[]): Promise<string | null> {
  const asked = readOptions(args, {
    streams: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '30' },
    idle: { type: 'string', default: '30' },
  });
  const [streams, rounds, idle] = [asked.streams, asked.rounds, asked.idle].map((text) => wholeNumber(text));
  if (!streams || !rounds || !idle) return 'Streams, rounds and idle (in seconds) are whole numbers above zero.';
  console.log(describeRun());
  const app = await openBenchApp();
  const [url, server] = await startServerProcess(app, { DEMO: '0', RATE_LIMIT_FACTOR: '100000' }, ['--web-only']);
  const pid = server.pid ?? 0;
  try {
    const people = [];
    for (let index = 0; index < streams; index += 1) people.push(await buildParticipant(app.db));
    const cookies = [];
    for (const person of people) cookies.push(await openProcessSession(app, person));
    const [memory, time] = [residentMegabytes(pid), processTimeInMs(pid)];
    const listeners = await openListeners(`${url}${listenLive.path}`, cookies);
    const opened = processTimeInMs(pid) - time;
    await pause(idle * 1000);
    reportStreams({
      streams,
      idle,
      opened,
      idleInMs: processTimeInMs(pid) - time - opened,
      megabytes: residentMegabytes(pid) - memory,
    });
    const ids = people.map(({ id }) => id);
    const shares = [...new Set([streams, Math.ceil(streams / 10), 1])];
    const told: Told[] = [];
    for (const toldAtOnce of shares) told.push(await tell({ app, pid, listeners, ids, toldAtOnce, rounds }));
    reportTold(told);
    listeners.close();
    const lost = told.some((one) => one.delivered !== one.toldAtOnce * one.rounds || one.tooMany > 0);
    if (lost) throw new Error('News was lost, or reached somebody whom it does not concern.');
    return null;
  } finally {
    await endProcess(server);
    await app.close();
  }
}

interface Telling {
  app: Pick<TestApp, 'db'>;
  pid: number;
  listeners: Listeners;
  ids: string[];
  toldAtOnce: number;
  rounds: number;
}

/** Another part of the people each round. The first round warms both sides up and does not count. */
async function tell({ app, pid, listeners, ids, toldAtOnce, rounds }: Telling): Promise<Told> {
  const told: Told = { toldAtOnce, rounds, delivered: 0, tooMany: 0, latenciesInMs: [], serverInMs: 0 };
  const heardBefore = listeners.heardInAll();
  let heardRightly = 0;
  for (let round = -1; round < rounds; round += 1) {
    const places = Array.from({ length: toldAtOnce }, (_, place) => ((round + 1) * toldAtOnce + place) % ids.length);
    const before = processTimeInMs(pid);
    const heard = listeners.expect(places.length, givenUpAfterMs);
    const toldAt = performance.now();
    await changed(
      app.db,
      'messages',
      places.map((place) => ids[place] ?? ''),
    );
    const first = firstOfEach(await heard, new Set(places));
    heardRightly += first.size;
    if (round < 0) continue;
    told.delivered += first.size;
    told.latenciesInMs.push(...[...first.values()].map((at) => at - toldAt));
    told.serverInMs += processTimeInMs(pid) - before;
  }
  return { ...told, tooMany: listeners.heardInAll() - heardBefore - heardRightly };
}

/** When each whom it concerns heard of it first. */
function firstOfEach(news: Heard[], concerned: Set<number>): Map<number, number> {
  const first = new Map<number, number>();
  for (const { place, at } of news) if (concerned.has(place) && !first.has(place)) first.set(place, at);
  return first;
}

interface Opened {
  streams: number;
  idle: number;
  opened: number;
  idleInMs: number;
  megabytes: number;
}

function reportStreams({ streams, idle, opened, idleInMs, megabytes }: Opened): void {
  console.log(
    `${streams} streams: ${(opened / streams).toFixed(2)} ms of the server's processor to open one, ` +
      `${((idleInMs / streams / idle) * 60).toFixed(2)} ms a minute to keep one open, ` +
      `${((megabytes * 1000) / streams).toFixed(0)} kB of its memory`,
  );
}

function reportTold(all: Told[]): void {
  const rows = all.map(({ toldAtOnce, rounds, delivered, tooMany, latenciesInMs, serverInMs }) => [
    `${toldAtOnce} people`,
    `${delivered} of ${toldAtOnce * rounds}`,
    String(tooMany),
    ...[0.5, 0.99, 1 - Number.EPSILON].map((share) => quantile(latenciesInMs, share).toFixed(1)),
    (serverInMs / (toldAtOnce * rounds)).toFixed(3),
  ]);
  const head = ['news to', 'delivered', 'too many', 'p50, ms', 'p99, ms', 'last, ms', 'server for each, ms'];
  for (const line of alignColumns([head, ...rows])) console.log(line);
}
