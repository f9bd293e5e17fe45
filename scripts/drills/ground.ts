import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

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
}

export interface DrillOptions {
  /** The version that an upgrade begins with. */
  from?: string | undefined;
}

export type Drill = (ground: Ground, options: DrillOptions) => Promise<Outcome>;

/** A drill throws this if this machine lacks something that it needs. */
export class Skipped extends Error {}

const longestInMs = 15 * 60_000;

/** Runs a drill in a folder of its own, cleans up however it ends, and returns the exit code. */
export async function runDrill(name: string, drill: Drill, options: DrillOptions): Promise<number> {
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s`;
  const folder = await mkdtemp(path.join(tmpdir(), `switchyard-drill-${name}-`));
  const ground: Ground = { folder, undo: [], isOver: false, say: (line) => console.log(`${seconds()}  ${line}`) };
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => limit.reject(new Error(`The drill took longer than ${longestInMs / 60_000} minutes.`)),
    longestInMs,
  );
  // A second signal must not end the clean-up.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => limit.reject(new Error(`The drill was ended by ${signal}.`)));
  try {
    const { figures, faults } = await Promise.race([drill(ground, options), limit.promise]);
    const width = Math.max(...figures.map(([label]) => label.length));
    console.log(`\n${figures.map(([label, figure]) => `${label.padEnd(width)}  ${figure}`).join('\n')}\n`);
    for (const fault of faults) console.error(fault);
    console.log(faults.length === 0 ? `${name}: nothing was lost or doubled.` : `${name}: ${faults.length} faults.`);
    return faults.length === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    console.log(`${name}: skipped. ${error.message}`);
    return 0;
  } finally {
    clearTimeout(timer);
    ground.isOver = true;
    for (const step of ground.undo.toReversed()) await Promise.resolve(step()).catch((error) => console.error(error));
    if (process.env.DRILL_KEEP !== '1') await rm(folder, { recursive: true, force: true });
    else console.log(`The folder ${folder} was kept.`);
  }
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

/** Waits until something is so, and throws with what was waited for if it never is. */
export async function waitFor(what: string, isSo: () => Promise<boolean> | boolean, longestSeconds = 60) {
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
