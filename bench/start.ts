// From `npm start` to the first ready answer: npm run bench -- start [--times 3]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readReadiness } from '#contract/health.ts';
import { freePort } from '../e2e/instance.ts';
import { readOptions, wholeNumber } from './asked.ts';
import { alignColumns, median } from './figures.ts';
import { describeRun } from './run-of.ts';

const root = path.join(import.meta.dirname, '..');
const betweenLooksInMs = 20;

/** `npm start` makes a demo program unless it is told not to. */
const programs = { 'without a program': '0', 'with the demo program': '1' };

export async function measureStart(args: string[]): Promise<string | null> {
  const asked = readOptions(args, { times: { type: 'string', default: '3' } });
  const times = wholeNumber(asked.times);
  if (times === null) return 'Times are a whole number above zero.';
  console.log(describeRun());
  const took = new Map<string, number[]>();
  const note = (name: string, ms: number) => took.set(name, [...(took.get(name) ?? []), ms]);
  // The first start of a checkout builds the browser app and compiles the server. All others find both.
  await startsOf('0', () => undefined);
  for (let time = 0; time < times; time += 1) {
    for (const [name, demo] of Object.entries(programs)) {
      await startsOf(demo, (place, ms) => note(`${place}, ${name}`, ms));
    }
  }
  const rows = [...took].map(([name, all]) => [name, seconds(median(all)), all.map(seconds).join(' ')]);
  for (const line of alignColumns([['until ready, s', 'median', 'all'], ...rows])) console.log(line);
  return null;
}

/** Starts twice in one new folder. */
async function startsOf(demo: string, note: (place: string, ms: number) => void): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-start-'));
  try {
    for (const place of ['a new data folder', 'the same again']) note(place, await startOnce(dataDir, demo));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startOnce(dataDir: string, demo: string): Promise<number> {
  const port = await freePort();
  const settings = { PORT: String(port), DATA_DIR: dataDir, DEMO: demo, LOG_LEVEL: 'warn' };
  const startedAt = performance.now();
  const started = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: 'pipe',
  });
  let said = '';
  for (const stream of [started.stdout, started.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk));
  const closed = once(started, 'close');
  try {
    await untilReady(`http://127.0.0.1:${port}`, started, () => said);
    return performance.now() - startedAt;
  } finally {
    started.kill('SIGTERM');
    await closed;
  }
}

/** Resolves when a server that was started says at its address that it is ready. Throws if it ends before. */
export async function untilReady(url: string, started: ChildProcess, said = () => ''): Promise<void> {
  while (started.exitCode === null) {
    const answer = await fetch(`${url}${readReadiness.path}`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await pause(betweenLooksInMs);
  }
  throw new Error(`The server ended with ${started.exitCode}:\n${said()}`);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(2);
}
