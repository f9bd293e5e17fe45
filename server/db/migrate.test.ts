import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { fingerprintSchema } from '#test/support/schema-fingerprint.ts';
import { somebodyWaits } from '#test/support/waiting-statements.ts';
import { migrate, refuseOldServer } from './migrate.ts';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.leave());

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'switchyard-schema-'));
  for (const part of ['baseline', 'migrations']) await mkdir(path.join(folder, part));
  await writeBaseline('order.txt', '# The yard comes before what stands in it.\nyards.sql\nsheds.sql\n');
  await writeBaseline('replaced.txt', '');
  await writeBaseline('yards.sql', 'create table yards (id int primary key);');
  await writeBaseline('sheds.sql', 'create table sheds (yard_id int references yards (id));');
  await database.pool.query('drop schema public cascade; drop schema if exists auth cascade; create schema public');
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, sql: string) => writeFile(path.join(folder, 'migrations', name), sql);
const writeBaseline = (name: string, text: string) => writeFile(path.join(folder, 'baseline', name), text);
const removeMigration = (name: string) => rm(path.join(folder, 'migrations', name));
const tables = async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  return rows.map(({ name }) => name);
};

test('makes the baseline, then runs what is new, in the order of the numbers, once', async () => {
  await write('0002-parcels.sql', 'create table parcels (crate_id int references crates (id));');
  await write('0001-crates.sql', 'create table crates (id int primary key);');
  expect(await migrate(database.pool, folder)).toEqual(['baseline', '0001-crates.sql', '0002-parcels.sql']);
  expect(await tables()).toEqual(['crates', 'parcels', 'schema_migrations', 'sheds', 'yards']);
  await write('0003-lids.sql', 'create table lids (id int primary key);');
  expect(await migrate(database.connectionString, folder)).toEqual(['0003-lids.sql']);
  expect(await migrate(database.pool, folder)).toEqual([]);
});

test('refuses a PostgreSQL that is too old, in words', () => {
  expect(() => refuseOldServer('140012')).toThrow('The database is PostgreSQL 14; Switchyard needs 15 or newer.');
  expect(() => refuseOldServer('150000')).not.toThrow();
});

test('lets one of several processes migrate while the others wait', async () => {
  await write('0001-crates.sql', 'create table crates (id int primary key);');
  const runs = await Promise.all([1, 2, 3].map(() => migrate(database.connectionString, folder)));
  expect(runs.flat()).toEqual(['baseline', '0001-crates.sql']);
});

test('a run that fails half-way names file and line of the mistake, and leaves rows and schema as they were', async () => {
  await migrate(database.pool, folder);
  await database.pool.query('insert into yards values (1)');
  const before = await fingerprintSchema(database.pool);
  await write('0001-crates.sql', 'create table crates (id int primary key); delete from yards;');
  await write('0002-lids.sql', '-- ä🙂\ncreate table lids (id int primary key);\n\ninsert into crate values (1);\n');
  await expect(migrate(database.pool, folder)).rejects.toThrow(
    /0002-lids\.sql:4: relation "crate" does not exist\nThe database is as it was\. The build before still starts on it\./,
  );
  expect(await tables()).toEqual(['schema_migrations', 'sheds', 'yards']);
  expect(await fingerprintSchema(database.pool)).toEqual(before);
  expect((await database.pool.query('select id from yards')).rows).toEqual([{ id: 1 }]);
  for (const name of ['0001-crates.sql', '0002-lids.sql']) await removeMigration(name);
  expect(await migrate(database.pool, folder)).toEqual([]);
});

test('a run that meets a request of the version before in a deadlock begins anew', async () => {
  await migrate(database.pool, folder);
  await write('0001-two.sql', 'alter table yards add size int; alter table sheds add size int;');
  const request = await database.pool.connect();
  // The request waits longer than the run, so that the run is the one that is ended.
  await request.query("set deadlock_timeout = '1min'; begin; select from sheds");
  const run = migrate(database.connectionString, folder);
  await somebodyWaits(database.db);
  await request.query('select from yards');
  await request.query('commit; reset deadlock_timeout');
  request.release();
  expect(await run).toEqual(['0001-two.sql']);
});

test('refuses a migration that was changed after it ran', async () => {
  await write('0001-crates.sql', 'create table crates (id int primary key);');
  await migrate(database.pool, folder);
  await write('0001-crates.sql', 'create table crates (id bigint primary key);');
  await expect(migrate(database.pool, folder)).rejects.toThrow('0001-crates.sql was changed after it ran');
});

test('refuses a database of a newer build', async () => {
  await write('0001-crates.sql', 'create table crates (id int primary key);');
  await migrate(database.pool, folder);
  await removeMigration('0001-crates.sql');
  await expect(migrate(database.pool, folder)).rejects.toThrow('belongs to a newer build');
});

test('refuses two migrations of one number, and a name without a number', async () => {
  await write('0001-crates.sql', '');
  await write('0001-lids.sql', '');
  await expect(migrate(database.pool, folder)).rejects.toThrow('have the same number');
  await removeMigration('0001-lids.sql');
  await write('lids.sql', '');
  await expect(migrate(database.pool, folder)).rejects.toThrow('must be named like');
});

test('the baseline is made whole or not at all, and a mistake in it is named with file and line', async () => {
  await writeBaseline('sheds.sql', 'create table sheds (id int);\n\ninsert into shed values (1);');
  await expect(migrate(database.pool, folder)).rejects.toThrow(
    /baseline\/sheds\.sql:3: relation "shed" does not exist/,
  );
  expect(await tables()).toEqual([]);
});

test('refuses a baseline that was changed after it ran, and a file of it that its order does not name', async () => {
  await migrate(database.pool, folder);
  await writeBaseline('sheds.sql', 'create table sheds (id bigint);');
  await expect(migrate(database.pool, folder)).rejects.toThrow('baseline was changed after it ran');
  await writeBaseline('carts.sql', '');
  await expect(migrate(database.pool, folder)).rejects.toThrow('order.txt does not name carts.sql');
});
