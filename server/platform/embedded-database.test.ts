import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { killServerProcesses, startServerProcess } from '#test/support/server-process.ts';
import { startEmbeddedDatabase } from './embedded-database.ts';
import { findRunningProcess } from './embedded-database-processes.ts';

const log = { info: () => undefined, warn: () => undefined };
const runFile = promisify(execFile);
const often = { interval: 50 };
let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-embedded-'));
});
afterEach(async () => {
  killServerProcesses();
  await rm(dataDir, { recursive: true, force: true });
});

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
  await vi.waitUntil(async () => (await findRunningProcess(postmaster)) === null);

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

test("a dead owner's watchdog never ends the database of the next owner, however late it comes", async () => {
  const late = await makeLateGrep();
  const owner = await startInOwnProcess({ PATH: `${late.folder}:${process.env.PATH}` });
  await query(owner.connectionString, "create table crates (name text); insert into crates values ('committed')");
  process.kill(await postmasterId(), 'SIGKILL');
  owner.kill();
  const watchdog = await late.asked();
  const database = await startEmbeddedDatabase({ dataDir, log });
  await late.answer();
  await vi.waitUntil(async () => (await findRunningProcess(watchdog)) === null, often);
  expect(await query(database.connectionString, 'select name from crates')).toEqual([{ name: 'committed' }]);
  await database.stop();
});

test('is started again at the same address whenever it is killed, with every commit', async () => {
  const database = await startEmbeddedDatabase({ dataDir, log, restartDelaysInMs: [0, 0] });
  await query(database.connectionString, 'create table crates (name text)');
  for (const name of ['first', 'second']) {
    await query(database.connectionString, `insert into crates values ('${name}')`);
    const killed = await postmasterId();
    process.kill(killed, 'SIGKILL');
    await vi.waitFor(async () => expect(await postmasterId()).not.toBe(killed), often);
    await vi.waitFor(() => query(database.connectionString, 'select 1'), often);
  }
  expect(await query(database.connectionString, 'select name from crates order by name')).toEqual([
    { name: 'first' },
    { name: 'second' },
  ]);
  await database.stop();
  await expect(query(database.connectionString, 'select 1')).rejects.toThrow();
});

test('says so when it cannot be started again, and can be stopped all the same', async () => {
  const lost = Promise.withResolvers<Error>();
  const database = await startEmbeddedDatabase({ dataDir, log, restartDelaysInMs: [0, 0], onLost: lost.resolve });
  await appendFile(path.join(dataDir, 'postgres', 'data', 'postgresql.conf'), 'no_such_setting = on\n');
  process.kill(await postmasterId(), 'SIGKILL');
  expect((await lost.promise).message).toMatch(/started again 2 times in vain\. .*postgres\.log may say why/);
  await database.stop();
});

test('the product lives on when its embedded database is killed, and serves again', async () => {
  const [url, child] = await startServerProcess({ connectionString: '', app: { config: { dataDir } } }, { DEMO: '0' });
  const readiness = async () => (await fetch(new URL('/readyz', url))).status;
  await vi.waitFor(async () => expect(await readiness()).toBe(200), often);
  const killed = await postmasterId();
  process.kill(killed, 'SIGKILL');
  await vi.waitFor(async () => expect(await postmasterId()).not.toBe(killed), often);
  await vi.waitFor(async () => expect(await readiness()).toBe(200), often);
  expect(child.exitCode).toBeNull();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('the product ends with a sentence and a code once its embedded database is given up', async () => {
  const [, child] = await startServerProcess({ connectionString: '', app: { config: { dataDir } } }, { DEMO: '0' });
  let said = '';
  child.stderr?.on('data', (part) => {
    said += part;
  });
  const ended = once(child, 'exit');
  const killed = await postmasterId();
  await appendFile(path.join(dataDir, 'postgres', 'data', 'postgresql.conf'), 'no_such_setting = on\n');
  process.kill(killed, 'SIGKILL');
  expect(await ended).toEqual([1, null]);
  expect(said).toMatch(/started again 7 times in vain\. .*postgres\.log may say why/);
});

/**
 * A grep that, when it is first asked, has its answer and gives it when told: what a process is that gets no time on a
 * busy machine.
 */
async function makeLateGrep() {
  const folder = await mkdtemp(path.join(tmpdir(), 'switchyard-late-'));
  const [asked, gate, grep, first] = ['asked', 'gate', 'grep', 'first'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  const find = (await runFile('sh', ['-c', 'command -v grep'])).stdout.trim();
  await runFile('mkfifo', ['-m', '666', asked, gate]);
  await writeFile(
    grep,
    `#!/bin/sh
      ${find} "$@"
      found=$?
      if mkdir '${first}' 2> /dev/null; then
        echo $PPID > '${asked}'
        read -r go < '${gate}'
      fi
      exit $found`,
  );
  await Promise.all([chmod(folder, 0o777), chmod(grep, 0o755)]);
  onTestFinished(() => rm(folder, { recursive: true }));
  return {
    folder,
    asked: async () => Number.parseInt(await readFile(asked, 'utf8'), 10),
    answer: () => appendFile(gate, 'go\n'),
  };
}

async function startInOwnProcess(env: Record<string, string> = {}) {
  const script = `
    import { startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
    const log = { info() {}, warn() {} };
    const { connectionString } = await startEmbeddedDatabase({ dataDir: process.argv[1], log });
    process.stdout.write(connectionString);
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
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
