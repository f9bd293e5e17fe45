import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;
const started: ChildProcess[] = [];
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(async () => {
  for (const { pid } of started) if (pid) endGroup(pid);
  await server.close();
});

/** An npm script on the database and folder of the test; in a process group, so that none of it can outlive the test. */
async function npm(args: string[], { ready }: { ready: RegExp }): Promise<[found: string, npm: ChildProcess]> {
  const child = spawn('npm', args, {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATABASE_URL: server.connectionString,
      DATA_DIR: server.app.config.dataDir,
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  started.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const found = ready.exec(line)?.[1];
    if (found) return [found, child];
  }
  throw new Error(`npm ${args.join(' ')} ended before it was ready.`);
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // Nothing of it is left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

test('SIGTERM to npm start ends the server, and npm after it', async () => {
  const [url, start] = await npm(['start'], { ready: /ready at (http\S+)/ });
  expect((await fetch(new URL('/healthz', url))).status).toBe(200);
  const exited = once(start, 'exit');
  start.kill('SIGTERM');
  await exited;
  await expect(fetch(new URL('/healthz', url))).rejects.toThrow('fetch failed');
}, 120_000);
