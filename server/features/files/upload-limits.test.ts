import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelUpload } from '#contract/files.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { problemOf } from '#test/support/problem-of.ts';
import { beginUpload, idOf, tusHeaders } from '#test/support/uploads.ts';
import { removeAbandonedUploadsJob } from './file-jobs.ts';

const mebibyte = 1024 * 1024;

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp({ UPLOADS_PER_DAY_MB: '10', UPLOADS_PER_DAY: '3', RATE_LIMIT_FACTOR: '1' });
});
afterAll(() => server.close());

const someone = async () => server.as(await buildParticipant(server.db));

test('what somebody uploads on a day is limited over all areas, said before any byte is sent', async () => {
  const client = await someone();
  const statuses: number[] = [];
  for (const area of ['my_files', 'messages'] as const) {
    statuses.push((await beginUpload(client, { area, name: 'a.pdf', size: 5 * mebibyte })).status);
  }
  const refused = await beginUpload(client, { area: 'submissions', name: 'work.pdf', size: 1 });
  expect([...statuses, refused.status]).toEqual([201, 201, 429]);
  expect(await refused.json()).toMatchObject({
    code: 'too_many_requests',
    detail: 'You can upload 10 MB a day, and 0 MB are left today. Please try again tomorrow.',
  });
  const whole = await beginUpload(await someone(), { area: 'my_files', name: 'a.pdf', size: 10 * mebibyte });
  const larger = await beginUpload(await someone(), { area: 'my_files', name: 'a.pdf', size: 10 * mebibyte + 1 });
  expect([whole.status, larger.status]).toEqual([201, 429]);
});

test('so is the number of files; giving an upload up gives nothing back; the next day in US Eastern begins anew', async () => {
  const client = await someone();
  const begin = () => beginUpload(client, { area: 'my_files', name: 'a.txt', size: 1 });
  const restoreClock = stopClockAt('2026-03-04T12:00:00Z');
  for (let index = 0; index < 3; index += 1) {
    const id = idOf(await begin());
    await client.fetch(cancelUpload.path.replace(':id', id), { method: 'DELETE', headers: tusHeaders });
  }
  const refused = await begin();
  expect([refused.status, (await problemOf(refused)).detail]).toEqual([
    429,
    'You can upload 3 files a day. Please try again tomorrow.',
  ]);
  restoreClock();
  const restoreLate = stopClockAt('2026-03-05T04:59:00Z');
  expect((await begin()).status).toBe(429);
  restoreLate();
  const restoreNext = stopClockAt('2026-03-05T05:00:00Z');
  expect((await begin()).status).toBe(201);
  restoreNext();
});

test('of many uploads that begin at once no more than the limit begin', async () => {
  const client = await someone();
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => beginUpload(client, { area: 'messages', name: 'a.txt', size: 1 })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(9);
});

test('a refused upload counts for nothing; a person who fills programs may upload ten times as much', async () => {
  const client = await someone();
  expect((await beginUpload(client, { area: 'messages', name: 'a.exe', size: 1 })).status).toBe(415);
  expect((await beginUpload(client, { area: 'messages', name: 'a.pdf', size: 11 * mebibyte })).status).toBe(429);
  expect((await beginUpload(client, { area: 'messages', name: 'a.pdf', size: 10 * mebibyte })).status).toBe(201);
  const [coach, admin] = [await server.as(await buildCoach(server.db)), await server.as(await buildAdmin(server.db))];
  expect((await beginUpload(coach, { area: 'messages', name: 'a.pdf', size: 11 * mebibyte })).status).toBe(429);
  expect((await beginUpload(admin, { area: 'content', name: 'a.pdf', size: 99 * mebibyte })).status).toBe(201);
  const refused = await beginUpload(admin, { area: 'content', name: 'a.pdf', size: 2 * mebibyte });
  expect((await problemOf(refused)).detail).toContain('You can upload 100 MB a day, and 1 MB');
});

test('what was counted is forgotten after some days', async () => {
  const { id } = await buildParticipant(server.db);
  const days = ['2026-03-01', '2026-03-04'].map((day) => ({ ownerId: id, day, files: 1, bytes: 1 }));
  await server.db.insertInto('uploadsByDay').values(days).execute();
  const restoreClock = stopClockAt('2026-03-05T12:00:00Z');
  await removeAbandonedUploadsJob.run(server.app, {}, { number: 1, isLast: false });
  restoreClock();
  const left = await server.db.selectFrom('uploadsByDay').select('day').where('ownerId', '=', id).execute();
  expect(left).toEqual([{ day: '2026-03-04' }]);
});
