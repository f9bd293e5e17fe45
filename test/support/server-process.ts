import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { sessionCookie, sessionKeysOf } from '#server/sign-in/auth-cookie.ts';
import type { Person, TestApp } from './app.ts';

const secret = randomBytes(32).toString('hex');
const children: ChildProcess[] = [];

/** Starts the product itself, on the test's database and folder. */
export async function startServerProcess(
  { connectionString, app }: { connectionString: string; app: { config: { dataDir: string } } },
  env: Record<string, string> = {},
  args: string[] = [],
): Promise<[url: string, child: ChildProcess]> {
  const child = spawn(process.execPath, ['server/main.ts', ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/node'),
      PORT: '0',
      DATABASE_URL: connectionString,
      DATA_DIR: app.config.dataDir,
      AUTH_SECRET: secret,
      LOG_LEVEL: 'silent',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.pipe(process.stderr);
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /ready at (http\S+)/.exec(line)?.[1];
    if (url) return [url, child];
  }
  throw new Error('The server ended before it was ready.');
}

/** Makes a session that every server process of this file accepts, and returns its cookie. */
export async function openProcessSession(
  { db, app }: { db: TestApp['db']; app: { config: { publicUrl: string } } },
  person: Person,
): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db.insertInto('auth.session').values({ userId: person.id, token, expiresAt }).execute();
  return sessionCookie(token, app.config.publicUrl, sessionKeysOf([secret])).split(';')[0] ?? '';
}

export function killServerProcesses(): void {
  for (const child of children) child.kill('SIGKILL');
}
