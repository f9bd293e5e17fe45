import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { compileCache, type Instance, settingsOf, startLimitInMs } from './instance.ts';

export interface InstanceInOwnProcess extends Instance {
  /** Everything that the process has printed so far. */
  output(): string;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

/** Starts the real server as `npm start` runs it, in a process of its own, so that a test can kill it. */
export async function startInOwnProcess(env: Record<string, string> = {}): Promise<InstanceInOwnProcess> {
  const settings = await settingsOf(env);
  const server = spawn(process.execPath, ['server/main.ts'], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  // When Playwright gives up on a worker, the worker's server must end too.
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
    output: () => output,
    stop: async () => {
      await end('SIGTERM');
      if (!env.DATA_DIR) await rm(settings.DATA_DIR, { recursive: true, force: true });
    },
    kill: () => end('SIGKILL'),
  };
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
