import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { backUp } from '#test/support/backed-up.ts';

const run = promisify(execFile);

let server: TestApp;
let folder: string;
beforeAll(async () => {
  server = await startTestApp();
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'switchyard-commands-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
afterAll(() => server.close());

async function command(script: string, args: string[], settings: Record<string, string> = {}) {
  const env = { PATH: process.env.PATH, LOG_LEVEL: 'silent', DATA_DIR: path.join(folder, 'data'), ...settings };
  return run(process.execPath, [`scripts/${script}.ts`, ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

/** Says one sentence, without a stack, and leaves the folder as it was. */
async function expectRefused(script: string, args: string[], sentence: string, settings?: Record<string, string>) {
  const before = await readdir(folder, { recursive: true });
  const { code, stderr } = await command(script, args, settings);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(sentence) });
  expect(stderr).not.toMatch(/\n\s+at /);
  expect((await readdir(folder, { recursive: true })).toSorted()).toEqual(before.toSorted());
}

describe('npm run backup', () => {
  const ofServer = () => ({ DATABASE_URL: server.connectionString, DATA_DIR: server.app.config.dataDir });

  test.each<[args: string[], sentence: string]>([
    [['--into', 'x'], 'Usage: npm run backup'],
    [['somewhere'], 'Usage: npm run backup'],
    [['--to'], 'Usage: npm run backup'],
    [['--to', ''], 'Usage: npm run backup'],
    [['--new-key', '--to', 'x'], 'Usage: npm run backup'],
    [[], 'Usage: npm run backup'],
    [['--to', 'ftp://user:secret@backup.example'], 'or to s3://bucket/prefix, not to ftp:'],
    [['--to', 's3://backups/hub'], 's3://backups/hub needs BACKUP_S3_* or S3_* settings'],
  ])('refuses %j', async (args, sentence) => {
    await expectRefused('backup', args, sentence, ofServer());
  });

  test('refuses a key that is none, and a folder without an instance', async () => {
    await expectRefused('backup', ['--to', folder], 'BACKUP_KEY must be a key', {
      ...ofServer(),
      BACKUP_KEY: 'secret',
    });
    await expectRefused('backup', ['--to', folder], 'There is no database in ');
    const other = { DATABASE_URL: server.connectionString };
    await expectRefused('backup', ['--to', folder], 'There is no folder of files in ', other);
  });

  test('refuses a database that this build has not migrated', async () => {
    const pool = server.app.pool;
    await pool.query("create table kept as select * from schema_migrations where name like '0010-%'");
    await pool.query("delete from schema_migrations where name like '0010-%'");
    await expectRefused('backup', ['--to', folder], 'The database is of an older build (0010-', ofServer());
    await pool.query('insert into schema_migrations select * from kept; drop table kept');
  });

  test('refuses a place that cannot be written, and says why', async () => {
    await writeFile(path.join(folder, 'a-file'), '');
    await expectRefused('backup', ['--to', path.join(folder, 'a-file')], 'ENOTDIR', ofServer());
  });

  test('prints a key, makes a backup and says how large it is', async () => {
    const { stdout } = await command('backup', ['--new-key']);
    const [publicHalf = '', secretHalf = ''] = [...stdout.matchAll(/^BACKUP_KEY=(\S+)$/gm)].map(([, key = '']) => key);
    const place = path.join(folder, 'backups');
    const made = await command('backup', ['--to', place], { ...ofServer(), BACKUP_KEY: publicHalf });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^switchyard-\S+ is whole: \d+ rows, 0 files, \d+ bytes, [\d.]+ s\.$/m);
    expect(made.stdout).toContain(`It lies in ${place}, encrypted for ${publicHalf}.`);
    const [name = ''] = await readdir(place);
    const into = path.join(folder, 'into');
    const args = ['--from', path.join(place, name), '--into', into];
    await expectRefused('restore', args, `set BACKUP_KEY to the secret key that belongs to ${publicHalf}`);
    const restored = await command('restore', args, { BACKUP_KEY: secretHalf });
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('Restored: ') });
    await expectRefused('restore', args, `${into} is not empty`, { BACKUP_KEY: secretHalf });
  });
});

describe('npm run restore', () => {
  test.each<[args: string[], sentence: string]>([
    [[], 'Usage: npm run restore'],
    [['--to', 'x'], 'Usage: npm run restore'],
    [['--from', 'x', '--into', ''], 'Usage: npm run restore'],
    [['--from', 'x', '--into', 'mysql://u:secret@host/db'], 'Usage: npm run restore'],
    [['--from', 's3://backups/hub/switchyard-1'], 'needs BACKUP_S3_* or S3_* settings'],
    [['--from', '/nowhere/switchyard-1'], 'switchyard-1 is no whole backup'],
  ])('refuses %j', async (args, sentence) => {
    await expectRefused('restore', args, sentence);
  });

  test('leaves a folder with anything in it alone', async () => {
    const { to, name } = await backUp(server);
    await mkdir(path.join(folder, 'into'));
    await writeFile(path.join(folder, 'into', 'notes.txt'), 'mine');
    await expectRefused(
      'restore',
      ['--from', path.join(to, name), '--into', path.join(folder, 'into')],
      'is not empty',
    );
  });

  test('restores into what it was told, never into the database that the settings name', async () => {
    const { to, name } = await backUp(server);
    const args = ['--from', path.join(to, name), '--into', 'postgres://hub:secret@127.0.0.1:1/hub'];
    const ofSettings = { DATABASE_URL: server.connectionString, DATABASE_DIRECT_URL: server.connectionString };
    await expectRefused('restore', args, 'ECONNREFUSED 127.0.0.1:1', ofSettings);
  });

  test('leaves a folder as empty as it was if what was restored is not right', async () => {
    const { to, name, manifest } = await backUp(server);
    const wrong = { ...manifest, ledger: { lines: 1, lastHash: '1'.repeat(64) } };
    await writeFile(path.join(to, name, 'manifest.json'), JSON.stringify(wrong));
    const args = ['--from', path.join(to, name), '--into', path.join(folder, 'into')];
    await expectRefused('restore', args, 'Nothing was restored.');
    await mkdir(path.join(folder, 'into'));
    await expectRefused('restore', args, 'into is as empty as before.');
  });

  test('what a killed restore left does not start', async () => {
    const dataDir = path.join(folder, 'into');
    await mkdir(dataDir);
    await writeFile(path.join(dataDir, 'restore-unfinished'), '');
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0' };
    const started = run(process.execPath, ['server/main.ts'], { env });
    await expect(started).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('was cut off. Delete') });
    expect(await readdir(dataDir)).toEqual(['restore-unfinished']);
  });
});
