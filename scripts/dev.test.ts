import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { readContract } from '#test/support/contract.ts';
import { signInWith } from '#test/support/sign-in.ts';
import { serverPaths } from './server-paths.ts';

let server: TestApp;
let dev: ChildProcess | null = null;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(async () => {
  if (dev?.pid && dev.exitCode === null && dev.signalCode === null) process.kill(-dev.pid, 'SIGKILL');
  await server.close();
});

test('what the contract names is asked of the server, and no file of the browser app is', async () => {
  const isOfServer = new RegExp(serverPaths);
  const paths = (await readContract()).map(({ path }) => path);
  expect(paths.filter((path) => !isOfServer.test(path))).toEqual([]);
  const files = globSync('web/**/*.{ts,tsx,css,svg,js}').map((file) => file.replace(/^web/, ''));
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => isOfServer.test(file) || isOfServer.test(`${file}?t=1`))).toEqual([]);
});

test('npm run dev serves the source of the browser app and the server at one address, and ends by SIGTERM', async () => {
  const { email } = await buildParticipant(server.db);
  dev = spawn('npm', ['run', 'dev'], {
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
  const url = await addressOf(dev);

  const page = await fetch(`${url}/stipends`, { headers: { accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('/@vite/client')]);
  expect(await (await fetch(`${url}/api/call.ts`)).text()).toContain('export async function call');
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  // The server judges whether a write is from this site by the address that people see.
  const fromHere = { origin: url, 'sec-fetch-site': 'same-origin' };
  expect((await signInWith({ url }, email, 'wrong', fromHere)).body.code).toBe('not_authenticated');
  expect((await signInWith({ url }, email, 'wrong', { origin: 'http://elsewhere.example' })).body.code).toBe(
    'csrf_refused',
  );

  const exited = once(dev, 'exit');
  dev.kill('SIGTERM');
  await exited;
  await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
});

async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('What it prints is not heard.');
  for await (const line of createInterface({ input: stdout })) {
    const url = /ready at (http\S+)/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('The server ended before it was ready.');
}
