import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';

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

export const demoPassword = 'Power-Up-2026!';
const startLimitInMs = 90_000;

/** The real server as `npm start` runs it, on a free port, with a data folder of its own unless one is given. */
export async function startInstance(env: Record<string, string> = {}): Promise<Instance> {
  const dataDir = env.DATA_DIR ?? (await mkdtemp(path.join(tmpdir(), 'switchyard-e2e-')));
  const server = spawn(process.execPath, ['server/main.ts'], {
    env: {
      ...process.env,
      PORT: String(await freePort()),
      LOG_LEVEL: 'warn',
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
function freePort(): Promise<number> {
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
    const limit = setTimeout(() => reject(new Error(`The server was not ready in time:\n${output()}`)), startLimitInMs);
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

interface WorkerFixtures {
  /** An instance with the demo programme, shared by the tests of one worker: read it, don't change it. */
  demo: Instance;
}

export const test = base.extend<Record<never, never>, WorkerFixtures>({
  demo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from the pattern.
    async ({}, use) => {
      const instance = await startInstance({ DEMO: '1' });
      await use(instance);
      await instance.stop();
    },
    { scope: 'worker', timeout: startLimitInMs },
  ],
});
export { expect };

export type DemoRole = 'participant' | 'coach' | 'admin' | 'newcomer';

export async function signIn(page: Page, url: string, email: string, password: string = demoPassword): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL('**/dashboard');
}

export function signInAs(page: Page, instance: Instance, role: DemoRole): Promise<void> {
  return signIn(page, instance.url, `${role}@demo.example`);
}

/** Refuses any finding of axe on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const findings = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );
  expect(findings, `axe on ${page.url()}`).toEqual([]);
}
