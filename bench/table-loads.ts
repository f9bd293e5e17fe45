import type { ChildProcess } from 'node:child_process';
import type { Agent } from 'node:http';
import type { TestApp } from '../test/support/app.ts';
import { type Bare, openBare } from './bare-statements.ts';
import { median, quantile } from './figures.ts';
import { keepRunning, type Load, openConnections, type Sent } from './load.ts';
import { databaseTimeInMs, processTimeInMs } from './processor-time.ts';
import type { Statement } from './record-statements.ts';

interface Measuring {
  app: TestApp;
  url: string;
  server: ChildProcess;
  postmaster: number;
}
interface Asked {
  next: (line: number, turn: number) => Sent;
  /** How long each number at once is kept running. */
  seconds: number;
  /** What the bare driver runs beside it. */
  bare: Statement[];
}
export interface MeasuredLoads {
  serverInMs: number;
  databaseInMs: number;
  bytes: number;
  perSecond: number[];
  latencies: number[][];
  /** Null if the bare driver runs nothing. The ratio is that of the server's requests to its runs. */
  bare: { databaseInMs: number; perSecond: number; ratio: number } | null;
}

const mostAtOnce = 32;
const fewerAtOnce = [1, 8];
export const atOnce = [...fewerAtOnce, mostAtOnce];
/** The pool of the server's own process. */
const mostConnections = 20;
/**
 * PostgreSQL plans a name anew for its first five runs on a connection. The bare driver begins after them too. The server's
 * pool uses some connections more than others, so it runs three times as many until all have done that.
 */
const turnsToWarmUp = Math.ceil((3 * 6 * mostConnections) / mostAtOnce);
/** The server and the bare driver take so many turns. A machine that is slow for a moment is not so for one of them alone. */
const turnsWithBare = 5;

/** Keeps requests running at each number at once, and at the largest one in turns with the bare driver. */
export async function measureLoads(measuring: Measuring, { next, seconds, bare }: Asked): Promise<MeasuredLoads> {
  const { app, url } = measuring;
  const agent = openConnections(mostAtOnce);
  const driver = bare.length > 0 ? await openBare(app.connectionString, mostConnections, bare) : null;
  try {
    // For a while too, because V8 compiles what serves it only after hundreds of runs.
    await keepRunning(url, { atOnce: mostAtOnce, seconds, turns: turnsToWarmUp, agent }, next);
    const fewer = [];
    for (const lines of fewerAtOnce) {
      fewer.push(await timed(measuring, () => keepRunning(url, { atOnce: lines, seconds }, next)));
    }
    const inTurns = await measureInTurns(measuring, { next, seconds, agent, driver });
    const loads = [...fewer, ...inTurns.loads];
    const answers = sumOf(loads, ({ latenciesInMs }) => latenciesInMs.length);
    const atEach = [...fewer, joined(inTurns.loads)];
    return {
      serverInMs: sumOf(loads, ({ serverInMs }) => serverInMs) / answers,
      databaseInMs: sumOf(loads, ({ databaseInMs }) => databaseInMs) / answers,
      bytes: loads[0]?.bytes ?? 0,
      perSecond: atEach.map(({ latenciesInMs, seconds: took }) => latenciesInMs.length / took),
      latencies: atEach.map(({ latenciesInMs }) => [0.5, 0.95, 0.99].map((share) => quantile(latenciesInMs, share))),
      bare: inTurns.bare,
    };
  } finally {
    agent.destroy();
    await driver?.close();
  }
}

interface InTurns extends Omit<Asked, 'bare'> {
  agent: Agent;
  driver: Bare | null;
}

/** The ratio is the middle one of all turns. */
async function measureInTurns(measuring: Measuring, { next, seconds: inAll, agent, driver }: InTurns) {
  const seconds = inAll / turnsWithBare;
  const loads = [];
  const runs = [];
  const ratios = [];
  for (let turn = 0; turn < turnsWithBare; turn += 1) {
    const load = await timed(measuring, () => keepRunning(measuring.url, { atOnce: mostAtOnce, seconds, agent }, next));
    loads.push(load);
    if (!driver) continue;
    const run = await timed(measuring, () => driver.run(seconds));
    runs.push(run);
    ratios.push(load.latenciesInMs.length / load.seconds / (run.runs / run.seconds));
  }
  if (!driver) return { loads, bare: null };
  const count = sumOf(runs, (run) => run.runs);
  return {
    loads,
    bare: {
      databaseInMs: sumOf(runs, ({ databaseInMs }) => databaseInMs) / count,
      perSecond: count / sumOf(runs, (run) => run.seconds),
      ratio: median(ratios),
    },
  };
}

/** Adds the processor time that the server and the database took meanwhile. */
async function timed<Done extends object>({ server, postmaster }: Measuring, work: () => Promise<Done>) {
  const before = { server: processTimeInMs(server.pid ?? 0), database: databaseTimeInMs(postmaster) };
  const done = await work();
  return {
    ...done,
    serverInMs: processTimeInMs(server.pid ?? 0) - before.server,
    databaseInMs: databaseTimeInMs(postmaster) - before.database,
  };
}

function joined(loads: Load[]): Pick<Load, 'latenciesInMs' | 'seconds'> {
  return {
    latenciesInMs: loads.flatMap(({ latenciesInMs }) => latenciesInMs),
    seconds: sumOf(loads, ({ seconds }) => seconds),
  };
}

function sumOf<One>(list: One[], figureOf: (one: One) => number): number {
  return list.reduce((sum, one) => sum + figureOf(one), 0);
}
