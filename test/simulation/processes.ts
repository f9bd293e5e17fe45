import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Order, Report } from './simulated-process.ts';

/** One process of the product, which can be killed and started again. */
export class Unreachable extends Error {}

export interface SimulatedProcess {
  url: string;
  /** Counts how often it was started. */
  starts: number;
  isDown(): boolean;
  child: ChildProcess;
}

type Wish = { clock: string } | { runScheduledJobs: true };

export interface ProcessSettings {
  env: Record<string, string>;
  planted: string;
  /** What the product's clock says at the start. */
  clock: () => string;
}

const program = path.join(import.meta.dirname, 'simulated-process.ts');
const startsInMs = 60_000;

export async function startSimulated(settings: ProcessSettings): Promise<SimulatedProcess> {
  const { child, url } = await launch(settings);
  const started: SimulatedProcess = { url, starts: 1, child, isDown: () => isGone(started.child) };
  return started;
}

export async function restartSimulated(started: SimulatedProcess, settings: ProcessSettings): Promise<void> {
  await endSimulated(started, 'SIGKILL');
  const { child, url } = await launch(settings);
  Object.assign(started, { child, url, starts: started.starts + 1 });
}

/** Throws if the process ends before it has done so. */
export async function order({ child }: SimulatedProcess, wish: Wish): Promise<void> {
  orders += 1;
  const id = orders;
  const done = Promise.withResolvers<void>();
  const listen = (report: Report) => {
    if ('done' in report && report.done === id) done.resolve();
    if ('failed' in report && report.failed === id) done.reject(new Error(report.reason));
  };
  const onExit = () => done.reject(new Unreachable('The process has ended.'));
  child.on('message', listen).once('exit', onExit);
  if (isGone(child)) onExit();
  else child.send({ id, ...wish } satisfies Order, (error) => error && onExit());
  try {
    await done.promise;
  } finally {
    child.off('message', listen).off('exit', onExit);
  }
}

export async function endSimulated({ child }: SimulatedProcess, signal: NodeJS.Signals): Promise<void> {
  if (isGone(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  if (signal !== 'SIGKILL') child.kill('SIGCONT');
  await ended;
}

let orders = 0;

async function launch({ env, planted, clock }: ProcessSettings): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(program, {
    env: { ...env, PATH: process.env.PATH ?? '', SIMULATED_AT: clock(), PLANTED: planted },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-4_000);
  });
  const ready = Promise.withResolvers<string>();
  const limit = setTimeout(() => ready.reject(new Error(`The process was not ready in time: ${words}`)), startsInMs);
  child.on('message', (report: Report) => 'url' in report && ready.resolve(report.url));
  child.once('exit', (code) => ready.reject(new Error(`The process ended with ${code}: ${words}`)));
  try {
    return { child, url: await ready.promise };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearTimeout(limit);
  }
}

function isGone({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
