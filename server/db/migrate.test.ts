import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { migrate, migrationsFolder, refuseOldServer } from './migrate.ts';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.leave());

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'switchyard-migrations-'));
  await database.pool.query('drop schema public cascade; create schema public');
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, sql: string) => writeFile(path.join(folder, name), sql);
const tables = async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  return rows.map(({ name }) => name);
};

test('runs what is new, in the order of the numbers, once', async () => {
  await write('0002-parcels.sql', 'create table parcels (crate_id int references crates (id));');
  await write('0001-crates.sql', 'create table crates (id int primary key);');
  expect(await migrate(database.pool, folder)).toEqual(['0001-crates.sql', '0002-parcels.sql']);
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
  expect(runs.flat()).toEqual(['0001-crates.sql']);
});

test('names file and line of a mistake, and leaves nothing of that file behind', async () => {
  await write('0001-crates.sql', 'create table crates (id int primary key);');
  await write('0002-lids.sql', '-- ä🙂\ncreate table lids (id int primary key);\n\ninsert into crate values (1);\n');
  await expect(migrate(database.pool, folder)).rejects.toThrow(/0002-lids\.sql:4: relation "crate" does not exist/);
  expect(await tables()).toEqual(['crates', 'schema_migrations']);
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
  await rm(path.join(folder, '0001-crates.sql'));
  await expect(migrate(database.pool, folder)).rejects.toThrow('belongs to a newer build');
});

test('refuses two migrations of one number, and a name without a number', async () => {
  await write('0001-crates.sql', '');
  await write('0001-lids.sql', '');
  await expect(migrate(database.pool, folder)).rejects.toThrow('have the same number');
  await rm(path.join(folder, '0001-lids.sql'));
  await write('lids.sql', '');
  await expect(migrate(database.pool, folder)).rejects.toThrow('must be named like');
});

test('stipends of before have the payee that was handed over, else the person as they are called now', async () => {
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).toSorted();
  const copyOf = (name: string) => copyFile(path.join(migrationsFolder, name), path.join(folder, name));
  for (const name of names.filter((each) => each < '0110')) await copyOf(name);
  await database.pool.query('drop schema if exists auth cascade; drop schema if exists pgboss cascade');
  await migrate(database.pool, folder);
  const body = { approved_stipends: [{ participant_name: 'Nadia Ng', participant_email: 'Nadia@old.example' }] };
  await database.pool.query(`
    insert into profiles (id, email, first_name, last_name, role) values
      ('00000000-0000-4000-8000-00000000000a', 'ada@example.org', 'Ada', 'Admin', 'admin'),
      ('00000000-0000-4000-8000-000000000001', 'nadia@new.example', 'Nadia', 'Nguyen', 'participant'),
      ('00000000-0000-4000-8000-000000000002', 'gone@deleted.invalid', 'Deleted', 'user', 'participant');
    update profiles set deleted_at = now() where last_name = 'user';
    insert into cohorts (id, name, program_type, start_date, end_date) values
      ('00000000-0000-4000-8000-0000000000c0', 'Fall', 'fellowship', '2025-09-08', '2025-12-28');
    insert into stipend_eligibility (id, fellow_id, cohort_id, week_number, attendance_eligible, assignment_eligible,
      performance_eligible, attendance_percentage, activities_total, activities_accessed, assignments_total,
      assignments_submitted, payment_status, approved_by, approved_at)
    select ('00000000-0000-4000-8000-00000000010' || week)::uuid, ('00000000-0000-4000-8000-00000000000' || person)::uuid,
      '00000000-0000-4000-8000-0000000000c0', week, true, true, true, 100, 0, 0, 0, 0, status,
      case when status <> 'pending' then '00000000-0000-4000-8000-00000000000a'::uuid end,
      case when status <> 'pending' then now() end
    from (values (1, 1, 'approved'), (2, 1, 'paid'), (3, 1, 'pending'), (4, 2, 'approved'), (5, 1, 'approved'))
      as given (week, person, status);
    insert into stipend_handovers (id, week_number, body, recipients, total_cents, created_by) values
      ('00000000-0000-4000-8000-0000000000b0', 1, '${JSON.stringify(body)}', 2, 100000,
        '00000000-0000-4000-8000-00000000000a'),
      ('00000000-0000-4000-8000-0000000000b1', 5, '${JSON.stringify(body)}', 1, 50000,
        '00000000-0000-4000-8000-00000000000a');
    insert into stipend_handover_rows (handover_id, stipend_id, amount_cents, participant_email) values
      ('00000000-0000-4000-8000-0000000000b0', '00000000-0000-4000-8000-000000000101', 50000, 'nadia@old.example'),
      ('00000000-0000-4000-8000-0000000000b0', '00000000-0000-4000-8000-000000000104', 50000, 'gone@old.example'),
      ('00000000-0000-4000-8000-0000000000b1', '00000000-0000-4000-8000-000000000105', 50000, 'nadia@old.example');
    update stipend_handovers set status = 'recalled', recall_reason = 'Too early' where week_number = 5`);
  for (const name of names.filter((each) => each >= '0110')) await copyOf(name);
  await migrate(database.pool, folder);
  const { rows } = await database.pool.query(
    'select week_number as week, payee_name as name, payee_email as email from stipend_eligibility order by 1',
  );
  expect(rows).toEqual([
    { week: 1, name: 'Nadia Ng', email: 'nadia@old.example' },
    { week: 2, name: 'Nadia Nguyen', email: 'nadia@new.example' },
    { week: 3, name: null, email: null },
    { week: 4, name: 'Deleted user', email: 'gone@deleted.invalid' },
    { week: 5, name: 'Nadia Nguyen', email: 'nadia@new.example' },
  ]);
});

test('CONT-15 an old content address that is none of the web becomes text, and the rule holds for every row', async () => {
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).toSorted();
  const copyOf = (name: string) => copyFile(path.join(migrationsFolder, name), path.join(folder, name));
  for (const name of names.filter((each) => each < '0027')) await copyOf(name);
  await database.pool.query('drop schema if exists auth cascade; drop schema if exists pgboss cascade');
  await migrate(database.pool, folder);
  await database.pool.query(`
    with activity as (insert into training_activities (title, week_number) values ('Old', 1) returning id)
    insert into content_items (training_activity_id, title, content_url, content_text, order_index)
    select id, title, url, words, place from activity, (values
      ('Script', 'javascript:alert(1)', 'Read this.', 1),
      ('Share', '//server/share/manual.pdf', null, 2),
      ('Web', 'https://example.org/a', 'Kept.', 3)) as given (title, url, words, place)`);
  for (const name of names.filter((each) => each >= '0027')) await copyOf(name);
  await migrate(database.pool, folder);
  const { rows } = await database.pool.query(
    'select content_url as url, content_text as words from content_items order by order_index',
  );
  expect(rows).toEqual([
    { url: null, words: 'Read this.\n\njavascript:alert(1)' },
    { url: null, words: '//server/share/manual.pdf' },
    { url: 'https://example.org/a', words: 'Kept.' },
  ]);
  const broken = database.pool.query("update content_items set content_url = 'javascript:alert(1)'");
  await expect(broken).rejects.toThrow('content_items_url_is_of_the_web');
});
