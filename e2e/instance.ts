import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Instance {
  url: string;
  dataDir: string;
  /** What the process printed so far. */
  output(): string;
  /** SIGTERM; resolves when the process has ended. */
  stop(): Promise<void>;
  /** kill -9 */
  kill(): Promise<void>;
}

export const startLimitInMs = 90_000;

/** The real server as `npm start` runs it, on a free port, with a data folder of its own unless one is given. */
export async function startInstance(env: Record<string, string> = {}): Promise<Instance> {
  const dataDir = env.DATA_DIR ?? (await mkdtemp(path.join(tmpdir(), 'switchyard-e2e-')));
  const server = spawn(process.execPath, ['server/main.ts'], {
    env: {
      ...process.env,
      PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
      NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/node'),
      RATE_LIMIT_FACTOR: '1000',
      DEMO: '0',
      ...env,
      DATA_DIR: dataDir,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  // A worker that Playwright gives up on must not leave its server behind.
  const endWithTests = () => server.kill('SIGTERM');
  process.once('exit', endWithTests);
  server.once('exit', () => process.off('exit', endWithTests));
  const url = await readyAt(server, () => output);
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill(signal);
    await ended;
  };
  return {
    url,
    dataDir,
    output: () => output,
    stop: async () => {
      await end('SIGTERM');
      if (!env.DATA_DIR) await rm(dataDir, { recursive: true, force: true });
    },
    kill: () => end('SIGKILL'),
  };
}

/** Links in mails name the port, so it is chosen before the start. */
export function freePort(): Promise<number> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

function readyAt(server: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      server.kill('SIGTERM');
      reject(new Error(`The server was not ready in time:\n${output()}`));
    }, startLimitInMs);
    server.stdout?.on('data', () => {
      const url = /ready at (http:\S+)/.exec(output())?.[1];
      if (!url) return;
      clearTimeout(limit);
      resolve(url);
    });
    server.once('exit', (code) => {
      clearTimeout(limit);
      reject(new Error(`The server ended with ${code}:\n${output()}`));
    });
  });
}
