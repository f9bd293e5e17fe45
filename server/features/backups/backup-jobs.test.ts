import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listNotices } from '#contract/notices.ts';
import { jobList } from '#server/job-list.ts';
import { lockForBackup } from '#server/platform/backup-lock.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { backUp, contentOf } from '#test/support/backed-up.ts';
import { uploadFile } from '#test/support/uploads.ts';
import { backUpWhenDue } from './backup-jobs.ts';
import { findLastBackup, isTooOld } from './backup-queries.ts';
import { isBackupDue, lastDueMoment } from './backup-schedule.ts';
import { openPlace } from './open-place.ts';

let server: TestApp;
let scheduled: TestApp;
let to: string;
beforeAll(async () => {
  server = await startTestApp();
});
beforeEach(async () => {
  to = await mkdtemp(path.join(tmpdir(), 'switchyard-backup-'));
  const { dataDir } = server.app.config;
  scheduled = await openTestApp(server.connectionString, { DATA_DIR: dataDir, BACKUP_TO: to, BACKUP_KEEP: '2' });
  await server.db.deleteFrom('backups').execute();
});
afterEach(async () => {
  await scheduled.close();
  await rm(to, { recursive: true, force: true });
});
afterAll(() => server.close());

/** The next due time is there at once. */
const letTimePass = () => server.app.pool.query("update backups set started_at = started_at - interval '1 day'");

describe('when a backup is due', () => {
  const daily = { everyHours: 24, at: '02:00' };
  const at = (text: string) => new Date(text);

  test.each([
    ['2026-07-10T07:00:00Z', daily, '2026-07-10T06:00:00Z'],
    ['2026-07-10T05:59:00Z', daily, '2026-07-09T06:00:00Z'],
    ['2026-01-10T07:30:00Z', daily, '2026-01-10T07:00:00Z'],
    ['2026-07-10T23:00:00Z', { everyHours: 6, at: '02:00' }, '2026-07-10T18:00:00Z'],
    ['2026-07-10T05:00:00Z', { everyHours: 6, at: '02:00' }, '2026-07-10T00:00:00Z'],
  ])('up to %s, %o: the last moment was %s', (moment, schedule, due) => {
    expect(lastDueMoment(at(moment), schedule)).toEqual(at(due));
  });

  test('once for each moment, an hour after one that failed, and at once after one that was cut off', () => {
    const noon = at('2026-07-10T16:00:00Z');
    const due = (startedAt: string, outcome: string | null) =>
      isBackupDue({ startedAt: at(startedAt), outcome }, noon, daily);
    expect(isBackupDue(null, noon, daily)).toBe(true);
    expect(due('2026-07-10T06:00:01Z', 'done')).toBe(false);
    expect(due('2026-07-10T05:59:59Z', 'done')).toBe(true);
    expect(due('2026-07-10T15:00:01Z', 'failed')).toBe(false);
    expect(due('2026-07-10T15:00:00Z', 'failed')).toBe(true);
    expect(due('2026-07-10T15:59:00Z', null)).toBe(true);
  });

  test('it is too old once two are missing', () => {
    expect(isTooOld(at('2026-07-08T16:00:00Z'), at('2026-07-10T16:00:00Z'), daily)).toBe(false);
    expect(isTooOld(at('2026-07-08T15:59:00Z'), at('2026-07-10T16:00:00Z'), daily)).toBe(true);
  });
});

test('without a setting, nothing is backed up', async () => {
  await backUpWhenDue(server.app);
  expect(await findLastBackup(server.db)).toBeNull();
});

test('a due backup is made once, and its result is on record', async () => {
  expect(jobList.map(({ name }) => name)).toContain('back-up-when-due');
  await backUpWhenDue(scheduled.app);
  const [name] = await readdir(to);
  expect(await (await openPlace(to, null)).findWhole()).toEqual([name]);
  const last = await findLastBackup(server.db);
  expect(last).toMatchObject({ outcome: 'done', place: to, missingFiles: 0, error: null, startedAt: last?.lastDoneAt });
  expect(last?.sizeInBytes).toBeGreaterThan(1_000);
  await backUpWhenDue(scheduled.app);
  expect(await readdir(to)).toEqual([name]);
});

test('the schedule keeps as many of its own as it is told, and leaves all others alone', async () => {
  const byHand = await backUp(server, { to });
  await mkdir(path.join(to, 'switchyard-of-another-instance'));
  await writeFile(path.join(to, 'switchyard-of-another-instance', 'manifest.json'), '{}');
  const made: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    await letTimePass();
    const before = await readdir(to);
    await backUpWhenDue(scheduled.app);
    made.push(...(await readdir(to)).filter((name) => !before.includes(name)));
  }
  expect(made).toHaveLength(4);
  expect((await readdir(to)).toSorted()).toEqual(
    [byHand.name, 'switchyard-of-another-instance', ...made.slice(2)].toSorted(),
  );
});

test('of two at once, one is made and the other refused', async () => {
  const results = await Promise.allSettled([backUp(server, { to }), backUp(server, { to })]);
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  expect(refused).toEqual([expect.stringContaining('Another backup is under way.')]);
  expect(await readdir(to)).toHaveLength(1);
});

test('what a killed process left is removed, and on record as failed', async () => {
  await server.db.insertInto('backups').values({ name: 'switchyard-killed', place: to, isScheduled: true }).execute();
  await mkdir(path.join(to, 'switchyard-killed.unfinished', 'tables'), { recursive: true });
  expect(await (await openPlace(to, null)).findWhole()).toEqual([]);
  await backUpWhenDue(scheduled.app);
  expect(await readdir(to)).toEqual([expect.stringMatching(/^switchyard-\d{4}-\d\d-\d\dT\d{6}Z-[0-9a-f]{6}$/)]);
  const killed = await server.db.selectFrom('backups').selectAll().where('name', '=', 'switchyard-killed').execute();
  expect(killed).toMatchObject([{ outcome: 'failed', error: 'The process that made it ended.' }]);
});

test('admins are told once of a backup that failed, and again after one that did not', async () => {
  const admin = await server.as(await buildAdmin(server.db));
  const told = async () => {
    const { rows } = await admin.call(listNotices, { query: {} });
    return rows.filter(({ kind }) => kind === 'backup').map(({ title, message }) => `${title}: ${message}`);
  };
  await rm(to, { recursive: true });
  await writeFile(to, 'a file in its place');
  for (let round = 0; round < 2; round += 1) {
    await letTimePass();
    await backUpWhenDue(scheduled.app);
  }
  expect(await told()).toEqual([expect.stringMatching(/^Backup failed: .*ENOTDIR.* There is no whole backup yet\.$/)]);
  expect(await findLastBackup(server.db)).toMatchObject({ outcome: 'failed', lastDoneAt: null });
  await rm(to);
  await letTimePass();
  await backUpWhenDue(scheduled.app);
  await rm(to, { recursive: true });
  await writeFile(to, 'a file in its place');
  await letTimePass();
  await backUpWhenDue(scheduled.app);
  expect(await told()).toEqual([expect.stringMatching(/ET\.$/)]);
});

test('admins are told once of a backup that is too old', async () => {
  const admin = await server.as(await buildAdmin(server.db));
  await backUpWhenDue(scheduled.app);
  await server.app.pool.query("update backups set is_scheduled = false, started_at = now() - interval '3 days'");
  await server.db
    .insertInto('backups')
    .values({ name: 'failed', place: to, isScheduled: true, endedAt: new Date(), outcome: 'failed', error: 'no' })
    .execute();
  for (let round = 0; round < 2; round += 1) await backUpWhenDue(scheduled.app);
  const { rows } = await admin.call(listNotices, { query: {} });
  expect(rows.map(({ title }) => title)).toEqual(['Backup is too old']);
});

test('while a backup runs, a file that was let go stays, and is removed afterwards', async () => {
  const robin = await buildParticipant(server.db);
  const id = await uploadFile(await server.as(robin), { area: 'my_files', name: 'a.txt' }, 'a text');
  const stored = `${robin.id}/${id}`;
  const remove = jobList.find(({ name }) => name === 'remove-stored-file');
  const attempt = { number: 1, isLast: false };
  const lock = await lockForBackup(server.connectionString);
  await remove?.run(server.app, { path: stored }, attempt);
  expect(await contentOf(server.app.storage, stored)).toBe('a text');
  const { rows } = await server.app.pool.query(
    "select data, start_after > now() as is_later from pgboss.job where name = 'remove-stored-file'",
  );
  expect(rows).toEqual([{ data: { path: stored }, is_later: true }]);
  await lock?.release();
  await remove?.run(server.app, { path: stored }, attempt);
  expect(await contentOf(server.app.storage, stored)).toBeNull();
});
