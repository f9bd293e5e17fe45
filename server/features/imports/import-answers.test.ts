import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { processBulkInvitations } from '#contract/documented-functions.ts';
import { readImport } from '#contract/import-results.ts';
import { listImports } from '#contract/imports.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { type BulkRecordInput, bulkRecordFor, bulkRecordsFor } from '#test/factories/imports.ts';
import { type ImportsWithoutJobs, startImportsWithoutJobs } from '#test/support/imports-without-jobs.ts';
import { countStatements } from '#test/support/statements.ts';
import { processUpload } from './imports.ts';

let imports: ImportsWithoutJobs;
let { server, admin, client } = {} as ImportsWithoutJobs;
let cohort: Awaited<ReturnType<typeof buildCohort>>;

beforeAll(async () => {
  imports = await startImportsWithoutJobs();
  ({ server, admin, client } = imports);
});
afterAll(() => server.close());
beforeEach(async () => {
  cohort = await buildCohort(server.db);
});

function send(records: BulkRecordInput[], closing: AbortSignal) {
  return processUpload(server.db, imports.actor, imports.uploadOf(records), closing);
}

const stays = () => new AbortController().signal;
const readLast = async () => (await client.call(listImports, { query: {} })).rows[0];

async function finishLast(): Promise<void> {
  await imports.finish((await readLast())?.id ?? '');
}

const isOpen = { webhook_sent: false, error: null };

test('BULK-07 a file of nobody or of too many people has failed with all its records, and nothing of it is kept', async () => {
  const refused = {
    success: false,
    import_id: null,
    status: 'failed',
    successful_records: 0,
    errors: [],
    webhook_sent: false,
  };
  const of = (records: BulkRecordInput[]) =>
    client.call(processBulkInvitations, { body: { records, filename: 'people.csv' } });
  expect(await of([])).toEqual({ ...refused, total_records: 0, failed_records: 0, error: 'File is empty' });
  expect(await of(bulkRecordsFor(cohort, 1001))).toEqual({
    ...refused,
    total_records: 1001,
    failed_records: 1001,
    error: 'Maximum 1000 records allowed per upload',
  });
  expect(await readLast()).toBeUndefined();
  expect((await send(bulkRecordsFor(cohort, 1000), AbortSignal.abort())).status).toBe('processing');
  await finishLast();
});

test('a server that is stopped says at once how far an upload is, with what was refused so far', async () => {
  const answer = await send([bulkRecordFor(cohort), bulkRecordFor(cohort, { email: 'wrong' })], AbortSignal.abort());
  expect(answer).toMatchObject({
    ...isOpen,
    success: true,
    import_id: (await readLast())?.id,
    status: 'processing',
    total_records: 2,
    successful_records: 0,
    failed_records: 1,
    errors: [{ row: 2, email: 'wrong', error: 'Invalid email format' }],
  });
  const running = await client.call(readImport, { params: { id: answer.import_id ?? '' } });
  expect(running).toMatchObject({
    can: { undo: false, resendOverdue: false },
    undo: { refusal: 'This import is still running. It can be undone when it has ended.' },
    completedAt: null,
    rowsByState: [
      { state: 'waiting', rows: 1 },
      { state: 'failed', rows: 1 },
    ],
  });
  await finishLast();
});

test('a server that begins to stop while it waits for an upload answers with its next look', async () => {
  const closing = new AbortController();
  const answering = send([bulkRecordFor(cohort)], closing.signal);
  await expect.poll(readLast).toMatchObject({ status: 'processing' });
  closing.abort();
  expect(await countStatements(server.app.pool, () => answering)).toBeLessThanOrEqual(2);
  expect(await answering).toMatchObject({ ...isOpen, success: true, status: 'processing', successful_records: 0 });
  await finishLast();
});

test('an upload that takes longer than one look is answered with its end, as soon as a look sees it', async () => {
  const { pool } = server.app;
  let connections = 0;
  let hasAnswered = false;
  const count = () => {
    connections += 1;
  };
  pool.on('acquire', count);
  const answering = send([bulkRecordFor(cohort), bulkRecordFor(cohort, { role: 'owner' })], stays()).finally(() => {
    hasAnswered = true;
  });
  // The rows take the first connection, and each look one more.
  await expect.poll(() => connections > 2 || hasAnswered, { interval: 20 }).toBe(true);
  pool.off('acquire', count);
  await finishLast();
  expect(await countStatements(pool, () => answering)).toBeLessThanOrEqual(2);
  expect(await answering).toMatchObject({
    ...isOpen,
    success: true,
    status: 'completed',
    total_records: 2,
    successful_records: 1,
    failed_records: 1,
    errors: [{ row: 2, error: 'Role must be participant, coach, or admin' }],
  });
});

test('an upload of which nobody came in is answered as failed, in words', async () => {
  const answering = send([bulkRecordFor(cohort, { email: 'wrong' })], stays());
  await expect.poll(readLast).toMatchObject({ status: 'processing' });
  await finishLast();
  expect(await answering).toMatchObject({
    success: false,
    status: 'failed',
    successful_records: 0,
    failed_records: 1,
    error: 'No account was created: every record failed.',
  });
});

test('earlier uploads come in pages of 20, newest first, each once', async () => {
  const ids = Array.from({ length: 45 }, newId).sort();
  const uploads = ids.map((id, index) => ({
    id,
    filename: `page-${index}.csv`,
    totalRecords: 1,
    createdBy: admin.id,
    status: 'completed',
    completedAt: '2026-02-02T17:00:00Z',
    ...(index < 44 ? { undoneAt: '2026-02-03T17:00:00Z', undoneBy: admin.id } : {}),
  }));
  await server.db.insertInto('bulkImports').values(uploads).execute();
  const names: string[] = [];
  const sizes: number[] = [];
  const undone: (string | null)[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.call(listImports, { query: { cursor } });
    sizes.push(page.rows.length);
    names.push(...page.rows.map(({ filename }) => filename));
    undone.push(...page.rows.map(({ undoneAt }) => undoneAt));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(sizes.slice(0, 2)).toEqual([20, 20]);
  expect(names.slice(0, 45)).toEqual(uploads.map(({ filename }) => filename).toReversed());
  expect(undone.slice(0, 2)).toEqual([null, '2026-02-03T17:00:00.000Z']);
  expect(await readLast()).toMatchObject({ undoneAt: null, completedAt: '2026-02-02T17:00:00.000Z' });
});
