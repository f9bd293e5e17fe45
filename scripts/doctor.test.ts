import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadAuthSecret } from '#server/auth-secret.ts';
import { openDatabase } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { jobList } from '#server/job-list.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
import { prepareJobQueues } from '#server/platform/jobs.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { startMailServer, type TestMailServer } from '#test/support/mail-server.ts';

const silent = { info: () => undefined, warn: () => undefined };
let dataDir: string;
let mail: TestMailServer;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'switchyard-doctor-'));
  mail = await startMailServer();
});
afterAll(async () => {
  await mail.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs the command as it is, on the folder of this file. */
function doctor(args: string[] = [], env: Record<string, string> = {}) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const settings = { DATA_DIR: dataDir, DEMO: '0', SMTP_URL: mail.url, ...env };
    const options = { env: { PATH: process.env.PATH, ...settings } };
    const child = execFile(process.execPath, ['scripts/doctor.ts', ...args], options, (_, out, err) => {
      resolve({ code: child.exitCode ?? -1, out: out.trim(), err: err.trim() });
    });
  });
}

async function onDatabase(work: (connectionString: string, embedded: EmbeddedDatabase) => Promise<void>) {
  const embedded = await startEmbeddedDatabase({ dataDir, log: silent });
  try {
    await work(embedded.connectionString, embedded);
  } finally {
    await embedded.stop();
  }
}

test('a healthy installation has no finding, beside a running server and without one, and each fault is a line with its exit code', async () => {
  expect(await doctor()).toMatchObject({ code: 2, out: expect.stringContaining('There is no database in') });

  await onDatabase(async (connectionString) => {
    expect(await doctor()).toMatchObject({ code: 2, out: expect.stringContaining('The database lacks baseline') });
    await migrate(connectionString);
    await prepareJobQueues(connectionString, jobList);
    await loadAuthSecret({ authSecret: null, dataDir });
    const { db, close } = openDatabase(connectionString, { max: 1 });
    const [name, place, startedAt] = ['one', '/backups', new Date()];
    await db
      .insertInto('backups')
      .values({
        name,
        place,
        startedAt,
        endedAt: startedAt,
        outcome: 'done',
        sizeBytes: 1,
        missingFiles: 0,
        isScheduled: false,
      })
      .execute();
    expect(await doctor()).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^warning: Nobody is an admin yet\..*\(admin-missing\)$/),
    });
    const { id: userId } = await buildAdmin(db);
    await db
      .insertInto('auth.passkey')
      .values({ userId, name: 'Key', credentialId: 'c', publicKey: Buffer.from('key'), counter: 0 })
      .execute();
    expect(await doctor()).toEqual({ code: 0, out: 'Nothing is wrong.', err: '' });
    await close();
  });

  expect(await doctor()).toEqual({ code: 0, out: 'Nothing is wrong.', err: '' });
  await chmod(path.join(dataDir, 'auth-secret'), 0o644);
  const both = await doctor(['--json'], { SMTP_URL: '' });
  expect(both.code).toBe(2);
  expect(JSON.parse(both.out)).toMatchObject({
    findings: [
      { code: 'files-readable', severity: 'error' },
      { code: 'mail-not-set-up', severity: 'warning' },
    ],
  });
});

test('wrong settings are findings, a database that is away is one, and wrong use gets a sentence', async () => {
  const wrong = await doctor([], { PORT: 'eighty' });
  expect(wrong).toMatchObject({
    code: 2,
    out: expect.stringMatching(/^error: The settings are not valid: PORT must be/),
  });
  const away = await doctor([], { DATABASE_URL: 'postgres://u@127.0.0.1:1/x' });
  expect(away).toMatchObject({
    code: 2,
    out: expect.stringMatching(/^error: The database does not answer: .*ECONNREFUSED/),
  });
  expect(await doctor(['--jsn'])).toEqual({ code: 2, out: '', err: 'Usage: npm run doctor [-- --json]' });
});
