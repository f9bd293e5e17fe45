import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { audit } from '#server/platform/audit.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { changed } from '#server/platform/telling.ts';
import type { InvitingApp } from '#server/sign-in/invitations.ts';
import { tellCoachesOfImport } from './import-notices.ts';
import { makePeople, type RowResult } from './import-people.ts';
import type { WaitingRow } from './import-places.ts';
import { failuresOf } from './import-queries.ts';
import { runImportQueue } from './import-queue.ts';

const chunkSize = 100;

/**
 * Makes the next people of an upload, in the caller's transaction. Each row is either in, with its mail queued, or
 * still waits. Returns false if the upload has ended, so that calling it again changes nothing.
 */
export async function importNextChunk(db: Db, importId: string, app: InvitingApp): Promise<boolean> {
  const running = await lockRunning(db, importId);
  if (!running) return false;
  const rows = await nextRows(db, importId);
  if (rows.length > 0) {
    const upload = { importId, actorId: running.createdBy, app };
    await noteResults(db, importId, await makePeople(db, upload, rows));
  } else await endImport(db, importId, running.createdBy);
  await changed(db, ['imports', 'coaches'], []);
  return rows.length > 0;
}

/**
 * Ends an upload that cannot be processed. What still waits counts as failed, and the file can be sent again (BULK-40).
 */
export async function giveUpImport(db: Db, importId: string): Promise<void> {
  const running = await lockRunning(db, importId);
  if (!running) return;
  const waiting = await db
    .selectFrom('bulkImportRows')
    .select('rowNumber')
    .where('importId', '=', importId)
    .where('status', '=', 'waiting')
    .execute();
  const error = 'Processing broke off before this record; upload it again';
  await noteResults(
    db,
    importId,
    waiting.map(({ rowNumber }) => ({ rowNumber, userId: null, error })),
  );
  await endImport(db, importId, running.createdBy);
  await changed(db, 'imports', []);
}

/** Sends the job of every upload that has not ended, whatever became of an earlier job. */
export async function resumeRunningImports(db: Db): Promise<void> {
  const running = await db
    .selectFrom('bulkImports')
    .select('id as importId')
    .where('status', '=', 'processing')
    .execute();
  await enqueue(db, runImportQueue, running);
}

/** One process works on an upload at a time. A second one waits here, and then finds less to do or nothing. */
function lockRunning(db: Db, importId: string) {
  return db
    .selectFrom('bulkImports')
    .select('createdBy')
    .where('id', '=', importId)
    .where('status', '=', 'processing')
    .forUpdate()
    .executeTakeFirst();
}

/** Participants come last and never beside others. So a coach whom they name in the same file exists already. */
async function nextRows(db: Db, importId: string): Promise<WaitingRow[]> {
  const found = await sql<WaitingRow>`
    select row_number, record from bulk_import_rows
    where import_id = ${importId} and status = 'waiting'
    order by record ->> 'role' = 'participant', row_number
    limit ${chunkSize}`.execute(db);
  const areParticipants = found.rows[0]?.record.role === 'participant';
  return found.rows.filter(({ record }) => (record.role === 'participant') === areParticipants);
}

/** After a row is in, it no longer keeps what the file said of the person. Their profile has it. */
async function noteResults(db: Db, importId: string, results: RowResult[]): Promise<void> {
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as given
        ("rowNumber" integer, "userId" uuid, error text)
    ), noted as (
      update bulk_import_rows row
      set status = case when given.error is null then 'succeeded' else 'failed' end,
        user_id = given."userId", error = given.error,
        record = case when given.error is null then '{}' else jsonb_build_object('email', row.record ->> 'email') end
      from given
      where row.import_id = ${importId} and row.row_number = given."rowNumber" and row.status = 'waiting'
      returning row.status
    )
    update bulk_imports
    set successful_records = successful_records + (select count(*) from noted where status = 'succeeded'),
      failed_records = failed_records + (select count(*) from noted where status = 'failed')
    where id = ${importId}`.execute(db);
}

async function endImport(db: Db, importId: string, actorId: string): Promise<void> {
  const ended = await db
    .updateTable('bulkImports')
    .set({
      status: sql<string>`case when successful_records = 0 then 'failed' else 'completed' end`,
      completedAt: sql<Date>`now()`,
      errorReport: failuresOf(importId),
    })
    .where('id', '=', importId)
    .returning(['status', 'totalRecords', 'successfulRecords', 'failedRecords'])
    .executeTakeFirstOrThrow();
  await audit(db, actorId, { action: 'import.end', subjectType: 'bulk_import', subjectId: importId, after: ended });
  await tellCoachesOfImport(db, importId);
}
