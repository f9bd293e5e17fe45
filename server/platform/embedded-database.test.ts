import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startEmbeddedDatabase } from './embedded-database.ts';
import { findRunningProcess } from './embedded-database-processes.ts';

const log = { info: () => undefined, warn: () => undefined };
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-embedded-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

test('keeps its data from one start to the next', async () => {
  const first = await startEmbeddedDatabase({ dataDir, log });
  await query(first.connectionString, "create table crates (name text); insert into crates values ('kept')");
  await first.stop();
  const second = await startEmbeddedDatabase({ dataDir, log });
  expect(await query(second.connectionString, 'select name from crates')).toEqual([{ name: 'kept' }]);
  await second.stop();
});

test('is durable unless told otherwise, stores Unicode and UTC, asks for its password, and shows whose it is', async () => {
  const database = await startEmbeddedDatabase({ dataDir, log });
  const settings = ['fsync', 'synchronous_commit', 'server_encoding', 'timezone', 'listen_addresses'];
  const shown = await query(
    database.connectionString,
    `select ${settings.map((name) => `current_setting('${name}') as ${name}`).join(', ')}`,
  );
  expect(shown).toEqual([
    { fsync: 'on', synchronous_commit: 'on', server_encoding: 'UTF8', timezone: 'UTC', listen_addresses: '127.0.0.1' },
  ]);
  await expect(query(database.connectionString.replace(/:[^:@]+@/, ':wrong@'), 'select 1')).rejects.toThrow('password');
  expect((await findRunningProcess(await postmasterId()))?.command).toContain(dataDir);
  await database.stop();
});

test('refuses a folder that a living process owns', async () => {
  const database = await startEmbeddedDatabase({ dataDir, log, fast: true });
  await expect(startEmbeddedDatabase({ dataDir, log })).rejects.toThrow(`in use by process ${process.pid}`);
  expect(await query(database.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  await database.stop();
});

test('ends with an owner that is killed, and starts again with every commit', async () => {
  const owner = await startInOwnProcess();
  await query(owner.connectionString, "create table crates (name text); insert into crates values ('committed')");
  const postmaster = await postmasterId();
  owner.kill();
  await vi.waitUntil(async () => (await findRunningProcess(postmaster)) === null, { timeout: 20_000 });

  const database = await startEmbeddedDatabase({ dataDir, log });
  expect(await query(database.connectionString, 'select name from crates')).toEqual([{ name: 'committed' }]);
  await database.stop();
});

test('takes over at once from an owner that was just killed', async () => {
  const owner = await startInOwnProcess();
  await query(owner.connectionString, "create table crates (name text); insert into crates values ('committed')");
  owner.kill();
  await owner.ended;
  const database = await startEmbeddedDatabase({ dataDir, log });
  expect(await query(database.connectionString, 'select name from crates')).toEqual([{ name: 'committed' }]);
  await database.stop();
});

test('recovers when PostgreSQL was killed together with its owner', async () => {
  const owner = await startInOwnProcess();
  await query(owner.connectionString, "create table crates (name text); insert into crates values ('committed')");
  process.kill(await postmasterId(), 'SIGKILL');
  owner.kill();
  await owner.ended;
  const database = await startEmbeddedDatabase({ dataDir, log });
  expect(await query(database.connectionString, 'select name from crates')).toEqual([{ name: 'committed' }]);
  await database.stop();
});

async function startInOwnProcess() {
  const script = `
    import { startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
    const log = { info() {}, warn() {} };
    const { connectionString } = await startEmbeddedDatabase({ dataDir: process.argv[1], log });
    process.stdout.write(connectionString);
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [connectionString] = await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error('The owner ended before the database was up.'))),
  ]);
  return { connectionString: String(connectionString), ended, kill: () => child.kill('SIGKILL') };
}

async function postmasterId(): Promise<number> {
  return Number.parseInt(await readFile(path.join(dataDir, 'postgres', 'data', 'postmaster.pid'), 'utf8'), 10);
}

async function query(connectionString: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString });
  // The server ends connections when its owner is killed.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const result = await client.query(sql);
    return result.rows;
  } finally {
    await client.end();
  }
}
