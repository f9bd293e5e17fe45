import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { busyness } from '#test/support/patience.ts';

export interface Ground {
  folder: string;
  /** Steps that take down what was put up, the newest first. */
  undo: (() => Promise<unknown> | unknown)[];
  /** True once the drill is taken down. What still runs of it must begin nothing any more. */
  isOver: boolean;
  say(line: string): void;
}

export interface Outcome {
  figures: [string, string | number][];
  /** What was lost or doubled, a sentence each. */
  faults: string[];
  /** What one line says of it. Only faults have it. */
  summary?: Summary;
}

export interface Summary {
  injected: string;
  underWay: string;
  lost: number;
  secondsWithoutAnswers: number;
}

export interface DrillOptions {
  /** The version that an upgrade begins with. */
  from?: string | undefined;
  /** Decides the moments of a drill that breaks things at random ones. */
  seed?: number;
}

/** What became of a drill. A skipped one has the reason alone. */
export type Ending = Outcome | { skipped: string };

export type Drill = (ground: Ground, options: DrillOptions) => Promise<Outcome>;

/** A drill throws this if this machine lacks something that it needs. */
export class Skipped extends Error {}

const longestInMs = 15 * 60_000 * Math.min(4, busyness());

/** Runs a drill in a folder of its own, says what became of it, and cleans up however it ends. */
export async function runDrill(name: string, drill: Drill, options: DrillOptions): Promise<Ending> {
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s`;
  const folder = await mkdtemp(path.join(tmpdir(), `switchyard-drill-${name}-`));
  // Started as root, the database runs as another account, which has to pass through.
  await chmod(folder, 0o711);
  const ground: Ground = { folder, undo: [], isOver: false, say: (line) => console.log(`${seconds()}  ${line}`) };
  const limit = endAfter(longestInMs);
  try {
    const outcome = await Promise.race([drill(ground, options), limit.ended]);
    print(name, outcome);
    return outcome;
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    console.log(`${name}: skipped. ${error.message}`);
    return { skipped: error.message };
  } finally {
    ground.isOver = true;
    for (const step of ground.undo.toReversed()) await Promise.resolve(step()).catch((error) => console.error(error));
    limit.clear();
    if (process.env.DRILL_KEEP !== '1') await rm(folder, { recursive: true, force: true });
    else console.log(`The folder ${folder} was kept.`);
  }
}

/** The exit code of an ending. */
export function codeOf(ending: Ending): number {
  return 'skipped' in ending || ending.faults.length === 0 ? 0 : 1;
}

/** Rejects after the time, and at whatever would end the process before it has cleaned up. */
function endAfter(milliseconds: number) {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`The drill took longer than ${milliseconds / 60_000} minutes.`)),
    milliseconds,
  );
  const end = (signal: string) => reject(new Error(`The drill was ended by ${signal}.`));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, end);
  process.on('uncaughtException', reject);
  return {
    ended,
    clear: () => {
      clearTimeout(timer);
      for (const signal of signals) process.off(signal, end);
      process.off('uncaughtException', reject);
    },
  };
}

function print(name: string, { figures, faults }: Outcome): void {
  const width = Math.max(...figures.map(([label]) => label.length));
  console.log(`\n${figures.map(([label, figure]) => `${label.padEnd(width)}  ${figure}`).join('\n')}\n`);
  for (const fault of faults) console.error(fault);
  console.log(faults.length === 0 ? `${name}: nothing was lost or doubled.` : `${name}: ${faults.length} faults.`);
}

/** Starts a program whose words go to a file of the drill's folder. It ends with the drill. */
export function startProgram(
  { folder, undo, isOver }: Ground,
  name: string,
  [program, ...args]: [string, ...string[]],
  options: SpawnOptions = {},
): ChildProcess {
  if (isOver) throw new Error(`The drill is over, so ${name} does not start.`);
  const log = createWriteStream(path.join(folder, `${name}.log`), { flags: 'a' });
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  child.on('error', (error) => log.write(`${error.message}\n`));
  undo.push(() => endProgram(child));
  return child;
}

export async function endProgram(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Returns as many free ports of loopback, all different. */
export async function findPorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  for (const server of servers) server.close();
  return ports;
}

/** Waits until something is so, and throws with what was waited for if it never is. A busy machine has longer. */
export async function waitFor(what: string, isSo: () => Promise<boolean> | boolean, longestOnIdleMachine = 60) {
  const longestSeconds = longestOnIdleMachine * Math.min(4, busyness());
  const giveUpAt = performance.now() + longestSeconds * 1000;
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`After ${longestSeconds} seconds: not ${what}.`);
    await pause(100);
  }
}

export async function isListening(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  const answers = await promise;
  socket.destroy();
  return answers;
}

/** The end of what a program said, to explain why it failed. */
export async function lastWords({ folder }: Ground, name: string): Promise<string> {
  const file = path.join(folder, `${name}.log`);
  return existsSync(file) ? (await readFile(file, 'utf8')).trim().split('\n').slice(-5).join('\n') : '';
}
