import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { fingerprintSchema } from '#test/support/schema-fingerprint.ts';
import { migrate } from './migrate.ts';
import { readSchemaFiles, schemaFolder } from './schema-files.ts';

/** Has the product's baseline, and in place of its migrations those that a test writes. */
let folder: string;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'switchyard-baseline-'));
  await cp(path.join(schemaFolder, 'baseline'), path.join(folder, 'baseline'), { recursive: true });
});
afterAll(async () => {
  await database.leave();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  await mkdir(path.join(folder, 'migrations'));
  await run('drop schema public cascade; create schema public');
  for (const schema of ['auth', 'pgboss']) await run(`drop schema if exists ${schema} cascade`);
});
afterEach(() => rm(path.join(folder, 'migrations'), { recursive: true }));

const run = (statement: string) => database.pool.query<Record<string, unknown>>(statement);
const recordOf = async () => {
  const { rows } = await run("select to_regclass('public.schema_migrations') as record");
  if (!rows[0]?.record) return 'none';
  return (await run('select name from schema_migrations order by name collate "C"')).rows.map(({ name }) => name);
};

/** Leaves the database as the migrations before the baseline did: with its schema, and the record of all 74. */
async function standBeforeBaseline(): Promise<void> {
  await migrate(database.pool, folder);
  const { baseline } = await readSchemaFiles(folder);
  expect(baseline.replaced.size).toBe(74);
  await run('delete from schema_migrations');
  for (const [name, checksum] of baseline.replaced) {
    await run(`insert into schema_migrations (name, checksum) values ('${name}', '${checksum}')`);
  }
}

/** Returns every row of every table except the record of what ran. */
async function everyRow(): Promise<Record<string, unknown[]>> {
  const { rows } = await run(`select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
    from information_schema.tables
    where table_schema in ('public', 'auth') and table_type = 'BASE TABLE' and table_name <> 'schema_migrations'`);
  const found: Record<string, unknown[]> = {};
  for (const { name } of rows)
    found[String(name)] = (await run(`select * from ${name} as row order by row::text`)).rows;
  return found;
}

test('the baseline makes the schema that the migrations before it made', async () => {
  await migrate(database.pool, folder);
  const pinned = await readFile(path.join(import.meta.dirname, 'baseline', 'fingerprint.txt'), 'utf8');
  expect(await fingerprintSchema(database.pool)).toEqual(pinned.trimEnd().split('\n'));
  const rows = Object.entries(await everyRow()).filter(([, found]) => found.length > 0);
  expect(rows).toMatchObject([['auth.sign_in_policy', [{ is_only_row: true, second_factor_roles: [] }]]]);
});

test('a database at the last migration before the baseline goes on with everything that it holds', async () => {
  await standBeforeBaseline();
  await run(`
    insert into profiles (id, email, first_name, last_name, role, track_type) values
      ('00000000-0000-4000-8000-00000000000a', 'ada@example.org', 'Ada', 'Admin', 'admin', null),
      ('00000000-0000-4000-8000-000000000001', 'nadia@example.org', 'Nadia', 'Ng', 'participant', 'fellowship');
    insert into auth."user" (id, name, email) values
      ('00000000-0000-4000-8000-000000000001', 'Nadia Ng', 'nadia@example.org');
    insert into auth.session (user_id, token, expires_at, proved_by)
      values ('00000000-0000-4000-8000-000000000001', 'token', now() + interval '1 day', 'password');
    insert into cohorts (id, name, program_type, start_date, end_date) values
      ('00000000-0000-4000-8000-0000000000c0', 'Fall', 'fellowship', '2025-09-08', '2025-12-28');
    insert into cohort_participants (cohort_id, participant_id) select c.id, p.id from cohorts c, profiles p
      where role = 'participant';
    insert into audit_log (actor_id, action, subject_type, subject_id)
      values ('00000000-0000-4000-8000-00000000000a', 'cohort.create', 'cohort', '00000000-0000-4000-8000-0000000000c0');
    insert into stipend_eligibility (fellow_id, cohort_id, week_number, criteria, rules_version, attendance_percentage,
      activities_total, activities_accessed, assignments_total, assignments_submitted)
      select participant_id, cohort_id, 1, '[{"name": "Attendance", "isMet": true}]', 1, 100, 1, 1, 0, 0
      from cohort_participants;
    update stipend_eligibility set payment_status = 'approved', approved_at = now(),
      approved_by = '00000000-0000-4000-8000-00000000000a'`);
  const held = await everyRow();
  expect(held['public.stipend_ledger']).toMatchObject([{ kind: 'approval', owed_cents: 50_000 }]);
  expect(held['public.fact_changes']).toHaveLength(1);

  await writeFile(path.join(folder, 'migrations', '0001-crates.sql'), 'create table crates (id int primary key);');
  const runs = await Promise.all([1, 2].map(() => migrate(database.connectionString, folder)));
  expect(runs.flat()).toEqual(['baseline', '0001-crates.sql']);
  expect(await recordOf()).toEqual(['0001-crates.sql', 'baseline']);
  expect(await everyRow()).toEqual({ ...held, 'public.crates': [] });
  expect(await migrate(database.pool, folder)).toEqual([]);
});

test('the migrations of this build run on a database that stood before the baseline', async () => {
  await standBeforeBaseline();
  await migrate(database.pool);
  const fresh = await createTestDatabase();
  expect(await fingerprintSchema(database.pool)).toEqual(await fingerprintSchema(fresh.pool));
  await fresh.leave();
});

const goesOnFrom = 'bring it to exactly 0121-what-is-taught-is-noted.sql with the build that made it';
const isNotOurs = 'name an empty database in DATABASE_URL';
const otherStates: [what: string, statement: string, sentence: string][] = [
  ['a migration before the baseline is missing', "delete from schema_migrations where name like '0088-%'", goesOnFrom],
  ['its last migrations are missing', "delete from schema_migrations where name > '0110'", goesOnFrom],
  ['a migration is unknown', "insert into schema_migrations values ('0122-crates.sql', 'x')", goesOnFrom],
  ['another text ran', "update schema_migrations set checksum = 'x' where name like '0047-%'", goesOnFrom],
  ['the record is empty', 'delete from schema_migrations', isNotOurs],
  ['there is no record', 'drop table schema_migrations', isNotOurs],
];

test('a database in any other state is refused with a sentence, and nothing of it changes', async () => {
  await standBeforeBaseline();
  await run('create table kept as select * from schema_migrations');
  const rows = await everyRow();
  const schema = await fingerprintSchema(database.pool);
  for (const [what, statement, sentence] of otherStates) {
    await run('delete from schema_migrations');
    await run('insert into schema_migrations select * from kept');
    await run(statement);
    const record = await recordOf();
    await expect(migrate(database.pool, folder), what).rejects.toThrow(sentence);
    expect(await recordOf(), what).toEqual(record);
  }
  expect(await everyRow()).toEqual(rows);
  expect(await fingerprintSchema(database.pool)).toEqual(schema);
});
