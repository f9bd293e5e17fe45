import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Db } from '#server/db/database.ts';
import { startInMs } from '#test/support/patience.ts';
import { testSecret } from '#test/support/test-secret.ts';
import type { HostAnswer, HostRequest } from './server-host.ts';

export interface Instance {
  url: string;
  stop(): Promise<void>;
}

export interface InstanceWithDatabase extends Instance {
  db: Db;
}

export const startLimitInMs = startInMs;
export const compileCache = path.resolve('node_modules/.cache/node');

/**
 * Ports that this worker's instances have left. The next instance takes one, so that the worker's windows have already
 * read and compiled the app of its address. At a new address its pages cost a third more processor time.
 */
const leftPorts: number[] = [];

let host: ChildProcess | null = null;
let requests = 0;
const waiting = new Map<number, (answer: HostAnswer) => void>();

/**
 * Starts an instance with everything that the server's process has. One process serves all instances of this worker in
 * turn, because loading the server takes longer than most tests. The instance has a free port and, unless given one, a
 * data folder of its own.
 */
export async function startInstance(env: Record<string, string> = {}): Promise<Instance> {
  const settings = await settingsOf({ PORT: String(await freePort(leftPorts.pop())), ...env });
  const url = await askHost({ start: settings });
  return {
    url,
    stop: async () => {
      await askHost({ stop: url });
      if (!env.PORT) leftPorts.push(Number(settings.PORT));
      if (!env.DATA_DIR) await rm(settings.DATA_DIR, { recursive: true, force: true });
    },
  };
}

/**
 * Links in emails name the port, so the test chooses it before the start. It is the wished one unless another program
 * has taken that.
 */
export function freePort(wished = 0): Promise<number> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => probe.listen(0, '127.0.0.1'));
    probe.listen(wished, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** Adds the settings of every instance to the test's. */
export async function settingsOf(env: Record<string, string>) {
  return {
    PORT: String(await freePort()),
    LOG_LEVEL: 'warn',
    RATE_LIMIT_FACTOR: '1000',
    DEMO: '0',
    AUTH_SECRET: testSecret,
    ...env,
    DATA_DIR: env.DATA_DIR ?? (await mkdtemp(path.join(tmpdir(), 'switchyard-e2e-'))),
  };
}

async function askHost(request: { start: Record<string, string> } | { stop: string }): Promise<string> {
  host ??= startHost();
  requests += 1;
  const id = requests;
  const answered = new Promise<HostAnswer>((resolve) => waiting.set(id, resolve));
  // This process stays alive while it waits for an answer.
  host.channel?.ref();
  host.send({ ...request, id } satisfies HostRequest);
  const answer = await answered;
  if (waiting.size === 0) host?.channel?.unref();
  if ('error' in answer) throw new Error(answer.error);
  return answer.url;
}

/** The host ends when it notices that this worker has ended. */
function startHost(): ChildProcess {
  const started = fork(path.join(import.meta.dirname, 'server-host.ts'), {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    // The worker's own options do not fit: they load TypeScript in another way.
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  started.on('message', (answer: HostAnswer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  started.once('exit', (code) => {
    host = null;
    for (const [id, resolve] of waiting) resolve({ id, error: `The process of the instances ended with ${code}.` });
    waiting.clear();
  });
  // Lets the worker end while the host waits for its next instance.
  started.unref();
  started.channel?.unref();
  return started;
}
