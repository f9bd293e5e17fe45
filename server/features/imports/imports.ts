import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { processBulkInvitations } from '#contract/documented-functions.ts';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import { bulkLimits, bulkMessages } from '#contract/imports.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { changed } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { type CheckedRow, cleanText } from './import-checks.ts';
import { checkAgainstDatabase } from './import-plan.ts';
import { findUpload, type UploadState } from './import-queries.ts';
import { runImportQueue } from './import-queue.ts';

type Upload = ParsedInputOf<typeof processBulkInvitations>['body'];
type Answer = ReplyOf<typeof processBulkInvitations>;

/** Pauses between looks at a running upload. They add up to 8 seconds, with few statements. */
const pausesInMs = [80, 150, 300, 600, 1200, 2400, 3300];

/**
 * Takes an upload. Keeps its rows, and a job makes the accounts. Waits some seconds for the end, outside of any
 * transaction, so that a short file is answered with its result. A server that is `closing` answers at once how far the
 * upload is, and another one carries on.
 */
export async function processUpload(db: Db, actor: Actor, upload: Upload, closing: AbortSignal): Promise<Answer> {
  const { length } = upload.records;
  if (length === 0) return refusal(length, bulkMessages.empty);
  if (length > bulkLimits.records) return refusal(length, bulkMessages.tooMany);
  const importId = await inTransaction(db, (transaction) => keepUpload(transaction, actor, upload));
  return toAnswer(await waitForEnd(db, importId, closing));
}

/** Keeps the rows as they were checked, and queues the job that makes the people. */
export async function keepUpload(db: Db, actor: Actor, upload: Upload): Promise<string> {
  const { rows } = await checkAgainstDatabase(db, upload.records);
  const importId = await insertUpload(db, actor.id, cleanText(upload.filename), rows);
  await audit(db, actor.id, {
    action: 'import.start',
    subjectType: 'bulk_import',
    subjectId: importId,
    after: { records: rows.length, refused: countFailed(rows) },
  });
  await enqueue(db, runImportQueue, { importId });
  await changed(db, 'imports', []);
  return importId;
}

async function insertUpload(db: Db, actorId: string, filename: string, rows: CheckedRow[]): Promise<string> {
  const { id } = await db
    .insertInto('bulkImports')
    .values({ filename, totalRecords: rows.length, failedRecords: countFailed(rows), createdBy: actorId })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    insert into bulk_import_rows (import_id, row_number, file_row, record, status, error)
    select ${id}, "rowNumber", "fileRow", record, status, error
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given
      ("rowNumber" integer, "fileRow" integer, record jsonb, status text, error text)`.execute(db);
  return id;
}

function countFailed(rows: CheckedRow[]): number {
  return rows.filter(({ status }) => status === 'failed').length;
}

async function waitForEnd(db: Db, importId: string, closing: AbortSignal): Promise<UploadState> {
  for (const milliseconds of pausesInMs) {
    await pauseUnless(closing, milliseconds);
    const state = await findUpload(db, importId);
    if (state.status !== 'processing' || closing.aborted) return state;
  }
  return findUpload(db, importId);
}

async function pauseUnless(closing: AbortSignal, milliseconds: number): Promise<void> {
  // Stryker disable next-line BlockStatement: A pause fails only if it is broken off.
  await pause(milliseconds, undefined, { signal: closing }).catch((error: unknown) => {
    // Stryker disable next-line ConditionalExpression: A pause fails only if it is broken off.
    if (!closing.aborted) throw error;
  });
}

function toAnswer(state: UploadState): Answer {
  const hasFailed = state.status === 'failed';
  return {
    success: !hasFailed,
    import_id: state.id,
    status: state.status,
    successful_records: state.successfulRecords,
    failed_records: state.failedRecords,
    total_records: state.totalRecords,
    errors: state.errorReport,
    webhook_sent: state.webhookSent,
    error: hasFailed ? 'No account was created: every record failed.' : null,
  };
}

function refusal(records: number, error: string): Answer {
  return {
    success: false,
    import_id: null,
    status: 'failed',
    successful_records: 0,
    failed_records: records,
    total_records: records,
    errors: [],
    webhook_sent: false,
    error,
  };
}
