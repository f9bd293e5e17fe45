import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { listStipends } from '#contract/stipends.ts';
import { migrate } from '#server/db/migrate.ts';
import { readSchemaFiles, schemaFolder } from '#server/db/schema-files.ts';
import { verifyLedger } from '#server/features/payments/ledger.ts';
import { jobList } from '#server/job-list.ts';
import { prepareJobQueues } from '#server/platform/jobs.ts';
import { openTestApp } from './support/app.ts';
import { readBackup, restoreTo } from './support/backed-up.ts';
import { createTestDatabase } from './support/database.ts';
import { createOwnedDatabase } from './support/owned-database.ts';
import { fingerprintSchema } from './support/schema-fingerprint.ts';

const folder = 'test/earlier-data';
const earlier = (await readdir(folder, { withFileTypes: true })).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

let owned: Awaited<ReturnType<typeof createOwnedDatabase>>;
let dataDir: string;
beforeEach(async () => {
  owned = await createOwnedDatabase(inject('testServer').connectionString);
  dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-migrated-'));
});
afterEach(async () => {
  await owned.drop();
  await rm(dataDir, { recursive: true, force: true });
});

test.each(earlier)('%s becomes an instance of this build, and keeps its people and its ledger', async (name) => {
  const backup = { to: folder, access: null, name, key: null };
  await restoreTo(backup, owned.connectionString, dataDir);
  const { manifest } = await readBackup(backup);
  const had = new Set(manifest.migrations.map((step) => step.name));
  const { migrations } = await readSchemaFiles(schemaFolder);
  const pending = migrations.map((step) => step.name).filter((step) => !had.has(step));
  expect(await migrate(owned.connectionString)).toEqual(pending);
  await prepareJobQueues(owned.connectionString, jobList);

  const pool = new pg.Pool({ connectionString: owned.connectionString, max: 1 });
  const fresh = await createTestDatabase();
  expect(await fingerprintSchema(pool)).toEqual(await fingerprintSchema(fresh.pool));
  await fresh.leave();
  await pool.end();

  const app = await openTestApp(owned.connectionString, { DATA_DIR: dataDir });
  const { count } = await app.db
    .selectFrom('profiles')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(count).toBe(manifest.tables.find((table) => table.name === 'public.profiles')?.rows);
  expect(await verifyLedger(app.db)).toMatchObject({ ...manifest.ledger, problems: [] });
  const admin = await app.db.selectFrom('profiles').select('id').where('role', '=', 'admin').executeTakeFirstOrThrow();
  const { rows } = await (await app.as(admin)).call(listStipends, { query: { week: 1 } });
  expect(rows.length).toBeGreaterThan(0);
  await app.close();
});
