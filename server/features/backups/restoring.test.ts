import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { removeStoredFileQueue } from '#server/features/files/stored-file-queue.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { openFolderStorage } from '#server/platform/storage-folder.ts';
import { pdfOf } from '#test/factories/files.ts';
import { buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { type BackupMade, backUp, contentOf, keyPair, readBackup, restoreTo, rowsOf } from '#test/support/backed-up.ts';
import { createOwnedDatabase } from '#test/support/owned-database.ts';
import { startS3 } from '#test/support/s3.ts';
import { fingerprintSchema } from '#test/support/schema-fingerprint.ts';
import { uploadFile } from '#test/support/uploads.ts';
import type { Manifest } from './backup-manifest.ts';

let server: TestApp;
let storedPath: string;
const content = pdfOf(70_000);
beforeAll(async () => {
  server = await startTestApp();
  for (const paymentStatus of ['approved', 'denied', 'pending'] as const)
    await buildStipend(server.db, { paymentStatus });
  const robin = await buildParticipant(server.db, { firstName: 'Žofie\t\\N', lastName: 'O\'Neill "线路"\nII' });
  const id = await uploadFile(await server.as(robin), { area: 'my_files', name: 'a.pdf' }, content);
  storedPath = `${robin.id}/${id}`;
  await enqueue(server.db, removeStoredFileQueue, [{ path: 'gone/one' }, { path: 'gone/two' }]);
  await server.db.insertInto('backups').values({ name: 'of-the-instance', place: 'here', isScheduled: true }).execute();
  await writeFile(path.join(server.app.config.dataDir, 'auth-secret'), `${'s'.repeat(40)}\n`);
});
afterAll(() => server.close());

let owned: Awaited<ReturnType<typeof createOwnedDatabase>>;
let target: pg.Pool;
let dataDir: string;
beforeEach(async () => {
  owned = await createOwnedDatabase(inject('testServer').connectionString);
  target = new pg.Pool({ connectionString: owned.connectionString, max: 2 });
  // The database is dropped while a connection may be on its way to its end.
  target.on('error', () => undefined);
  dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-restored-'));
});
afterEach(async () => {
  await target.end();
  await owned.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const restore = (backup: BackupMade) => restoreTo(backup, owned.connectionString, dataDir);
const tablesOfTarget = async () =>
  (await target.query("select 1 from pg_tables where schemaname in ('public', 'auth', 'pgboss')")).rowCount;

/** Nothing of a refused restore may stay. */
async function expectNothingRestored(): Promise<void> {
  expect(await tablesOfTarget()).toBe(0);
  expect(await readdir(dataDir, { recursive: true })).toEqual([]);
}

async function changeManifest({ to, name }: BackupMade, change: (manifest: Manifest) => unknown): Promise<void> {
  const file = path.join(to, name, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
  await writeFile(file, JSON.stringify({ ...manifest, ...(change(manifest) as object) }));
}

test('every row, file, job, sequence, reference and trigger is back, under an owner that is no superuser', async () => {
  const backup = await backUp(server);
  expect(await restore(backup)).toEqual([]);
  expect(await rowsOf(target)).toEqual(await rowsOf(server.app.pool));
  expect(await fingerprintSchema(target)).toEqual(await fingerprintSchema(server.app.pool));
  const storage = openFolderStorage(dataDir);
  expect(await contentOf(storage, storedPath)).toBe(await contentOf(server.app.storage, storedPath));
  const sequences = "select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1";
  expect((await target.query(sequences)).rows).toEqual((await server.app.pool.query(sequences)).rows);
  expect(await readFile(path.join(dataDir, 'auth-secret'), 'utf8')).toBe(`${'s'.repeat(40)}\n`);
  expect((await target.query('select * from backups')).rows).toEqual([]);
  await expect(target.query('update stipend_ledger set position = position')).rejects.toThrow('append-only');
});

test('only the secret half of the key opens a backup, and the public half is enough to make one', async () => {
  const { publicHalf, secretHalf } = await keyPair();
  const backup = await backUp(server, { key: publicHalf });
  const lies = await readdir(path.join(backup.to, backup.name), { recursive: true, withFileTypes: true });
  for (const entry of lies.filter((found) => found.isFile() && found.name !== 'manifest.json')) {
    expect((await readFile(path.join(entry.parentPath, entry.name), 'latin1')).slice(0, 21)).toBe(
      'age-encryption.org/v1',
    );
  }
  await expect(restore({ ...backup, key: null })).rejects.toThrow('The backup is encrypted: set BACKUP_KEY');
  await expect(restore({ ...backup, key: publicHalf })).rejects.toThrow('set BACKUP_KEY to the secret key');
  const other = (await keyPair()).secretHalf;
  await expect(restore({ ...backup, key: other })).rejects.toThrow(`BACKUP_KEY belongs to ${other.sealsFor}`);
  await expectNothingRestored();
  await restore({ ...backup, key: secretHalf });
  expect(await rowsOf(target)).toEqual(await rowsOf(server.app.pool));
});

test('a key that is wrong though it is called the right one opens nothing', async () => {
  const { publicHalf } = await keyPair();
  const other = (await keyPair()).secretHalf;
  const backup = await backUp(server, { key: publicHalf });
  const claimed = { ...backup, key: { sealsFor: publicHalf.sealsFor, opens: other.opens } };
  await expect(restore(claimed)).rejects.toThrow('is not as it was written');
  await expectNothingRestored();
});

test('what is kept is for its owner alone', async () => {
  const { to, name } = await backUp(server);
  const lies = await readdir(path.join(to, name), { recursive: true, withFileTypes: true });
  for (const entry of lies) {
    const { mode } = await stat(path.join(entry.parentPath, entry.name));
    expect([entry.name, mode & 0o777]).toEqual([entry.name, entry.isDirectory() ? 0o700 : 0o600]);
  }
});

test.each(['open', 'encrypted'])(
  'a byte that changed, an end that is missing or a part that is gone: %s',
  async (how) => {
    const key = how === 'open' ? null : (await keyPair()).secretHalf;
    const backup = await backUp(server, { key });
    const { manifest } = await readBackup(backup);
    const profiles = manifest.tables.find(({ name }) => name === 'public.profiles')?.part ?? '';
    const [file = ''] = await readdir(path.join(backup.to, backup.name, 'files'));
    for (const part of [profiles, `files/${file}`, manifest.files.list.part, manifest.secret?.part ?? '']) {
      const place = path.join(backup.to, backup.name, part);
      const bytes = await readFile(place);
      const changed = Buffer.from(bytes);
      changed[bytes.length - 5] = (changed[bytes.length - 5] ?? 0) ^ 1;
      for (const damage of [
        changed,
        bytes.subarray(0, -5),
        Buffer.concat([bytes, Buffer.from('x')]),
        Buffer.alloc(0),
      ]) {
        await writeFile(place, damage);
        await expect(restore(backup), part).rejects.toThrow(`The backup is damaged: ${part} is not as it was written.`);
      }
      await rm(place);
      await expect(restore(backup), part).rejects.toThrow(`The backup is not whole: ${part} is missing.`);
      await writeFile(place, bytes);
    }
    await expectNothingRestored();
    await restore(backup);
  },
);

test('a backup that was cut off is none, and the newest whole one is named', async () => {
  const backup = await backUp(server);
  const later = await backUp(server, backup);
  await rm(path.join(backup.to, later.name, 'manifest.json'));
  await expect(restore(later)).rejects.toThrow(
    `${later.name} is no whole backup: it has no manifest.json. The newest whole backup beside it is ${backup.name}.`,
  );
  await writeFile(path.join(backup.to, later.name, 'manifest.json'), '{"format": 1, "ver');
  await expect(restore(later)).rejects.toThrow('manifest.json is damaged.');
  await expect(restore({ ...backup, name: 'switchyard-of-nobody' })).rejects.toThrow('is no whole backup');
  await expectNothingRestored();
});

test.each<[what: string, change: (manifest: Manifest) => unknown, sentence: string]>([
  ['a newer form', () => ({ format: 2, version: '9.0.0' }), 'made by a newer build (9.0.0)'],
  [
    'a migration of a newer build',
    ({ migrations }) => ({ migrations: [...migrations, { name: '9999-crates.sql', checksum: 'x' }] }),
    'This build cannot restore a backup of version 0.1.0. The database has migration 9999-crates.sql, which this build does not know',
  ],
  [
    'a migration of another text',
    ({ migrations }) => ({ migrations: migrations.map((step) => ({ ...step, checksum: 'x' })) }),
    'was changed after it ran',
  ],
  [
    'a column that this build has no place for',
    ({ tables }) => ({ tables: tables.map((table) => ({ ...table, columns: [...table.columns, 'crates'] })) }),
    'This build has no place for auth.',
  ],
])('a backup with %s is refused', async (_what, change, sentence) => {
  const backup = await backUp(server);
  await changeManifest(backup, change);
  await expect(restore(backup)).rejects.toThrow(sentence);
  await expectNothingRestored();
});

test.each<[what: string, change: (manifest: Manifest) => unknown, sentence: string]>([
  [
    'a table has fewer rows',
    ({ tables }) => ({ tables: tables.map((table) => ({ ...table, rows: table.rows + 1 })) }),
    'were expected',
  ],
  [
    'the ledger ends otherwise',
    ({ ledger }) => ({ ledger: { ...ledger, lastHash: 'f'.repeat(64) } }),
    `and the backup says 2:${'f'.repeat(64)}`,
  ],
  [
    'a reference leads nowhere',
    ({ tables }) => ({
      tables: tables.map((table, _place, all) =>
        table.name === 'public.stored_files' ? { ...table, ...emptyOf(all), name: table.name } : table,
      ),
    }),
    'violates foreign key constraint',
  ],
])('a restore is taken back if %s', async (_what, change, sentence) => {
  const backup = await backUp(server);
  await changeManifest(backup, change);
  await expect(restore(backup)).rejects.toThrow(sentence);
  await expect(restore(backup)).rejects.toThrow('Nothing was restored.');
  await expectNothingRestored();
});

/** An empty table's part, with the columns that it has. */
function emptyOf(tables: Manifest['tables']) {
  const empty = tables.find(({ rows }) => rows === 0);
  return { part: empty?.part ?? '', bytes: empty?.bytes ?? 0, sha256: empty?.sha256 ?? '', rows: 0 };
}

test('a restore goes into an empty database, an empty storage and beside no other secret', async () => {
  const backup = await backUp(server);
  await target.query('create table crates (id int)');
  await expect(restore(backup)).rejects.toThrow('The database is not empty');
  expect((await target.query('select * from crates')).rowCount).toBe(0);
  await target.query('drop table crates');

  await writeFile(path.join(dataDir, 'auth-secret'), 'x'.repeat(40));
  await expect(restore(backup)).rejects.toThrow('holds the secret of another instance');
  await rm(path.join(dataDir, 'auth-secret'));

  const storage = openFolderStorage(dataDir);
  await writeFile(path.join(dataDir, 'files', 'a.txt'), 'kept');
  await expect(restore(backup)).rejects.toThrow('The storage of files is not empty');
  expect(await contentOf(storage, 'a.txt')).toBe('kept');
  expect(await tablesOfTarget()).toBe(0);
});

test('a bucket takes a backup and gives it back', async () => {
  const s3 = await startS3();
  const access = {
    endpoint: s3.env.S3_ENDPOINT ?? '',
    region: 'us-east-1',
    accessKeyId: 'test',
    secretAccessKey: 'test-secret',
    forcePathStyle: true,
  };
  const { secretHalf } = await keyPair();
  const backup = await backUp(server, { to: 's3://backups/hub', access, key: secretHalf });
  expect([...s3.objects.keys()]).toContain(`hub/${backup.name}/manifest.json`);
  await restore(backup);
  expect(await rowsOf(target)).toEqual(await rowsOf(server.app.pool));
  await s3.close();
});
