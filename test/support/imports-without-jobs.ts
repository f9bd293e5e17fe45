import { bulkRecord } from '#contract/documented-functions.ts';
import { importNextChunk } from '#server/features/imports/import-chunks.ts';
import { keepUpload } from '#server/features/imports/imports.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { buildCourse } from '#test/factories/cohorts.ts';
import type { BulkRecordInput } from '#test/factories/imports.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { startTestApp } from './app.ts';

export type ImportsWithoutJobs = Awaited<ReturnType<typeof startImportsWithoutJobs>>;

/** No job runs here. So each test decides when the next chunk of an upload comes in, and when the upload ends. */
export async function startImportsWithoutJobs() {
  const server = await startTestApp();
  const admin = await buildAdmin(server.db);
  const client = await server.as(admin);
  await buildCourse(server.db);
  const actor = { ...admin, role: 'admin', trackType: null, sessionId: admin.id } as const;
  const next = (importId: string) => inTransaction(server.db, (db) => importNextChunk(db, importId, server.app));
  return {
    server,
    admin,
    client,
    actor,
    uploadOf,
    keep: (records: BulkRecordInput[]) => inTransaction(server.db, (db) => keepUpload(db, actor, uploadOf(records))),
    next,
    finish: async (importId: string) => {
      while (await next(importId));
    },
  };
}

function uploadOf(records: BulkRecordInput[]) {
  return { records: records.map((record) => bulkRecord.parse(record)), filename: 'people.csv' };
}
