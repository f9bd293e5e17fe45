import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type pg from 'pg';
import type { Role } from '#contract/roles.ts';
import type { TestApp } from '../test/support/app.ts';
import { startServerProcess } from '../test/support/server-process.ts';
import { testSecret } from '../test/support/test-secret.ts';
import { connectBare, countBlocks, withoutTransactions } from './bare-statements.ts';
import { openBenchApp } from './bench-app.ts';
import { alignColumns } from './figures.ts';
import { findRefusal, keepRunning } from './load.ts';
import { parentOf } from './processor-time.ts';
import { recordStatements } from './record-statements.ts';
import { describeRun } from './run-of.ts';
import { buildSeededWorld } from './seeded-world.ts';
import { findActs, findReads, requestOf, type TableCall } from './table-calls.ts';
import { atOnce, type MeasuredLoads, measureLoads } from './table-loads.ts';
import { buildTableWorld, type TableWorld } from './table-world.ts';

interface Options extends Omit<Sizes, 'isWanted'> {
  /** Only calls whose names contain one of these. */
  only: string[];
}
export interface Measured extends MeasuredLoads {
  name: string;
  /** Null for an act, whose statements cannot run a second time. */
  blocks: number | null;
  statements: number;
}
export interface Sizes {
  sizes: number[];
  /** How long each call is kept running, at each number at once. */
  seconds: number;
  isWanted: (name: string) => boolean;
  /** Everybody has handed in six times the work. */
  isHeavy?: boolean;
  /** The programme is that of `npm run seed`. It takes some minutes for 10,000 people. */
  isSeeded?: boolean;
}
interface Refused {
  refusal: string;
}
interface Bench {
  app: TestApp;
  url: string;
  server: ChildProcess;
  postmaster: number;
  bare: pg.Client;
  world: TableWorld;
  cookieOf: (call: TableCall, line: number) => string;
}

const empty = 'readHealth';
/** More than this between the smallest and the largest size is called growth. */
const growth = 1.2;
/** Indexes that are a level deeper. */
const fewBlocks = 20;

/** Prints what each endpoint that a screen reads costs, and each of the ten commonest acts, at several sizes of data. */
export async function reportTable({ only, ...sizes }: Options): Promise<void> {
  const isWanted = (name: string) => only.length === 0 || only.some((part) => name.includes(part));
  reportGrowth(await measureSizes({ ...sizes, isWanted }));
}

/** Measures each call that is wanted at each size, and prints it as it comes. */
export async function measureSizes({ sizes, ...asked }: Sizes): Promise<Map<number, Measured[]>> {
  const bySize = new Map<number, Measured[]>();
  console.log(describeRun());
  for (const size of sizes) bySize.set(size, await measureSize(size, asked));
  return bySize;
}

async function measureSize(size: number, { seconds, isWanted, ...world }: Omit<Sizes, 'sizes'>): Promise<Measured[]> {
  const bench = await openBench(size, world);
  try {
    const { calls, left } = await findReads(bench.world);
    const wanted = [...calls, ...(await findActs(bench.world))].filter(({ name }) => name === empty || isWanted(name));
    const isEmpty = ({ name }: { name: string }) => name === empty;
    const measured: Measured[] = [];
    printHead(size);
    // The empty endpoint comes first, because the others are compared with it.
    for (const call of [...wanted.filter(isEmpty), ...wanted.filter((call) => !isEmpty(call))]) {
      const answer = await measureCall(bench, call, seconds).catch((error: Error) => ({ refusal: error.message }));
      if ('refusal' in answer) left.push(`${call.name}: ${answer.refusal}`);
      else {
        measured.push(answer);
        print(answer, measured[0]?.serverInMs ?? Number.NaN);
      }
    }
    for (const line of left) console.log(`not measured: ${line}`);
    return measured;
  } finally {
    await close(bench);
  }
}

type Kind = Pick<Sizes, 'isHeavy' | 'isSeeded'>;

async function openBench(size: number, { isHeavy, isSeeded }: Kind): Promise<Bench & { close(): Promise<void> }> {
  const app = await openBenchApp();
  const world = isSeeded
    ? await buildSeededWorld(app.connectionString, app.app.storage, size)
    : await buildTableWorld(app.db, size, { isHeavy });
  // The server takes the sessions of the app beside it.
  const env = { AUTH_SECRET: testSecret, DEMO: '0', RATE_LIMIT_FACTOR: '100000', REQUIRE_ADMIN_SECOND_FACTOR: '0' };
  const [url, server] = await startServerProcess(app, env, ['--web-only']);
  const bare = await connectBare(app.connectionString);
  const { rows } = await bare.query<{ pid: number }>('select pg_backend_pid() as pid');
  const people = { participant: world.participants, coach: [world.coach], admin: [world.admin] };
  const cookies = {} as Record<Role, string[]>;
  for (const role of Object.keys(people) as Role[]) {
    cookies[role] = await Promise.all(people[role].map(async (person) => (await app.as(person)).cookie));
  }
  const cookieOf = ({ role }: TableCall, line: number) =>
    role ? (cookies[role][line % cookies[role].length] ?? '') : '';
  const postmaster = parentOf(rows[0]?.pid ?? 0);
  return { app, url, server, postmaster, bare, world, cookieOf, close: app.close };
}

async function close({ server, bare, close }: Bench & { close(): Promise<void> }): Promise<void> {
  if (server.exitCode === null && server.signalCode === null) {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
  }
  await bare.end();
  await close();
}

async function measureCall(bench: Bench, call: TableCall, seconds: number): Promise<Measured | Refused> {
  const { app, url, server, postmaster, bare, cookieOf } = bench;
  const isRead = call.endpoint.method === 'GET';
  // A read is asked by the one whose records it names, so that a person of another line is not refused.
  const next = (line: number, turn: number) =>
    requestOf(call, isRead ? 0 : line, turn, cookieOf(call, isRead ? 0 : line));
  const refusal = await findRefusal(app.url, next(0, 0));
  if (refusal !== null) return { refusal };
  // That was the first call of the process, which asks for what it then keeps. This is the second one.
  const recorded = await recordStatements(
    async () => void (await keepRunning(app.url, { atOnce: 1, seconds: 0 }, next)),
  );
  const statements = withoutTransactions(recorded);
  const blocks = isRead ? await countBlocks(bare, statements) : null;

  return {
    name: call.name,
    blocks,
    statements: statements.length,
    ...(await measureLoads({ app, url, server, postmaster }, { next, seconds, bare: isRead ? statements : [] })),
  };
}

const columns = [
  'server, ms',
  'database, ms',
  'times empty',
  'blocks',
  'statements',
  'bytes',
  ...atOnce.flatMap((lines) => [`a second at ${lines}`, '  p50/p95/p99, ms']),
  'bare: database, ms',
  'bare: a second',
  'of bare',
];
const nameWidth = 32;

function printHead(size: number): void {
  console.log([`${size.toLocaleString('en-US')} people`.padEnd(nameWidth), ...columns].join('  '));
}

function print(one: Measured, emptyInMs: number): void {
  const cells = [
    one.serverInMs.toFixed(2),
    one.databaseInMs.toFixed(2),
    ((one.serverInMs + one.databaseInMs) / emptyInMs).toFixed(1),
    one.blocks === null ? '-' : String(one.blocks),
    String(one.statements),
    String(one.bytes),
    ...atOnce.flatMap((_, place) => [
      (one.perSecond[place] ?? 0).toFixed(0),
      (one.latencies[place] ?? []).map((latency) => latency.toFixed(0)).join('/'),
    ]),
    ...(one.bare ? [one.bare.databaseInMs.toFixed(2), one.bare.perSecond.toFixed(0), one.bare.ratio.toFixed(2)] : []),
  ];
  const padded = cells.map((cell, column) => cell.padStart(columns[column]?.length ?? 0));
  console.log([one.name.padEnd(nameWidth), ...padded].join('  '));
}

function reportGrowth(bySize: Map<number, Measured[]>): void {
  const [smallest, largest] = [Math.min(...bySize.keys()), Math.max(...bySize.keys())];
  if (smallest === largest) return;
  console.log(`What grew by more than a fifth from ${smallest} to ${largest} people:`);
  const rows = (bySize.get(largest) ?? []).flatMap((after) => {
    const before = bySize.get(smallest)?.find(({ name }) => name === after.name);
    if (!before) return [];
    const time = (after.serverInMs + after.databaseInMs) / (before.serverInMs + before.databaseInMs);
    const mostBlocks = (before.blocks ?? 0) * growth + fewBlocks;
    if (!(time > growth || (after.blocks ?? 0) > mostBlocks)) return [];
    return [
      [after.name, `${time.toFixed(2)} times`, after.blocks === null ? '-' : `${before.blocks} to ${after.blocks}`],
    ];
  });
  for (const line of alignColumns([['', 'processor time', 'blocks'], ...rows])) console.log(line);
}
