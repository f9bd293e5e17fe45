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

/** Uses the test's database and folder. A process group makes sure that no part of it outlives the test. */
async function npmStart(): Promise<[url: string, npm: ChildProcess]> {
  const child = spawn('npm', ['start'], {
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
    const url = /ready at (http\S+)/.exec(line)?.[1];
    if (url) return [url, child];
  }
  throw new Error('The server ended before it was ready.');
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: no process of the group is left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

test('SIGTERM to npm start ends the server, and npm after it', async () => {
  const [url, npm] = await npmStart();
  expect((await fetch(new URL('/healthz', url))).status).toBe(200);
  const exited = once(npm, 'exit');
  npm.kill('SIGTERM');
  await exited;
  await expect(fetch(new URL('/healthz', url))).rejects.toThrow('fetch failed');
});
