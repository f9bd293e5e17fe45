import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Db, type OpenDatabase, openDatabase } from '#server/db/database.ts';
import { sessionCookie, sessionKeysOf } from '#server/sign-in/auth-cookie.ts';
import { type Client, client } from '#test/support/app.ts';
import { endProgram, type Ground, isListening, lastWords, startProgram, waitFor } from './ground.ts';

export interface Product {
  /** At which people reach it. The cookie is of this address. */
  publicUrl: string;
  secret: string;
  env: Record<string, string>;
}

export interface Part {
  name: string;
  port: number;
  /** Of the repository that it is started from. */
  root: string;
  /** What it runs: requests alone, jobs alone, or both, which is the default of the product. */
  script: 'main' | 'worker' | 'both';
  child: ChildProcess;
}

export function planProduct({ folder }: Ground, publicUrl: string, env: Record<string, string>): Product {
  const secret = randomBytes(32).toString('hex');
  const settings = {
    PUBLIC_URL: publicUrl,
    DATA_DIR: path.join(folder, 'data'),
    // A killed process leaves pieces of uploads there.
    TMPDIR: path.join(folder, 'temporary'),
    AUTH_SECRET: secret,
    DEMO: '0',
    REQUIRE_ADMIN_SECOND_FACTOR: '0',
    RATE_LIMIT_FACTOR: '100000',
    UPLOADS_PER_DAY: '99999',
    LOG_LEVEL: 'warn',
  };
  return { publicUrl, secret, env: { ...settings, ...env } };
}

const programs = {
  main: ['server/main.ts', '--web-only'],
  both: ['server/main.ts'],
  worker: ['server/worker.ts'],
} satisfies Record<Part['script'], string[]>;

/** Starts one process of the product, and resolves once it is ready. A worker tells so at a port too. */
export async function startPart(ground: Ground, product: Product, wish: PartWish): Promise<Part> {
  const part = await beginPart(ground, product, wish);
  await untilReady(ground, part);
  return part;
}

type PartWish = Pick<Part, 'name' | 'port'> & Partial<Part>;

/** Starts it without waiting. */
export async function beginPart(
  ground: Ground,
  product: Product,
  { name, port, root = process.cwd(), script = 'main' }: PartWish,
): Promise<Part> {
  const { DATA_DIR = '', TMPDIR = '' } = product.env;
  for (const folder of [DATA_DIR, TMPDIR]) await mkdir(folder, { recursive: true });
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/node'),
    ...product.env,
    [script === 'worker' ? 'WORKER_PORT' : 'PORT']: `${port}`,
  };
  const child = startProgram(ground, name, [process.execPath, ...programs[script]], { cwd: root, env });
  return { name, port, root, script, child };
}

export async function untilReady(ground: Ground, { name, port, child }: Part): Promise<void> {
  const isUp = async () => {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`${name} ended: ${await lastWords(ground, name)}`);
    return isListening(port);
  };
  await waitFor(`${name} ready`, isUp, 120);
}

export async function restartPart(ground: Ground, product: Product, part: Part): Promise<void> {
  part.child = (await startPart(ground, product, part)).child;
}

export function killPart(part: Part): Promise<void> {
  return endProgram(part.child, 'SIGKILL');
}

export function openDrillDatabase({ undo }: Ground, connectionString: string): OpenDatabase {
  const database = openDatabase(connectionString, { max: 3 });
  undo.push(database.close);
  return database;
}

/** Longer than any drill lasts, by any clock. */
const sessionMs = 24 * 3_600_000;

/** A signed-in person at the product's public address. */
export async function signIn(db: Db, { publicUrl, secret }: Product, person: { id: string }): Promise<Client> {
  const token = randomBytes(24).toString('base64url');
  const expiresAt = new Date(Date.now() + sessionMs);
  await db.insertInto('auth.session').values({ userId: person.id, token, expiresAt }).execute();
  return client(publicUrl, sessionCookie(token, publicUrl, sessionKeysOf([secret])).split(';')[0] ?? '');
}
