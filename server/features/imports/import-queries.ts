import { sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { readImport } from '#contract/import-results.ts';
import type { listImports } from '#contract/imports.ts';
import type { Db } from '#server/db/database.ts';
import { notFound } from '#server/platform/errors.ts';
import { cutPage } from '#server/platform/pages.ts';
import { isUnconfirmedRegistration } from '#server/sign-in/unconfirmed-registrations.ts';
import type { KnownToImport } from './import-checks.ts';

type ImportPage = ReplyOf<typeof listImports>;
type Item = ImportPage['rows'][number];
type Failures = ReplyOf<typeof readImport>['errorReport'];
export type UploadState = Item & { webhookSent: boolean; errorReport: Failures };
/** The report as it is stored. It leaves out the file's row if that is one below the position. */
type KeptReport = (Omit<Failures[number], 'fileRow'> & { fileRow?: number | null })[];

const pageSize = 20;

/** The newest upload comes first. Ids are time-ordered, so the id is the key of the page. */
export async function findImports(db: Db, cursor: string | undefined): Promise<ImportPage> {
  const newest = importsWithSender(db)
    .orderBy('bulkImports.id', 'desc')
    .limit(pageSize + 1);
  const rows = await (cursor === undefined ? newest : newest.where('bulkImports.id', '<', cursor)).execute();
  const page = cutPage(pageSize, rows, ({ id }) => id);
  return { ...page, rows: page.rows.map(toItem) };
}

/** While the upload runs, the failures come from the rows. In the end the error report keeps them. */
export async function findUpload(db: Db, importId: string): Promise<UploadState> {
  const found = await importsWithSender(db)
    .select('webhookSent')
    .select(
      sql<KeptReport>`case when bulk_imports.status = 'processing' then ${failuresOf(importId)}
        else error_report end`.as('errorReport'),
    )
    .where('bulkImports.id', '=', importId)
    .executeTakeFirst();
  if (!found) throw notFound('This upload was not found.');
  const errorReport = found.errorReport.map((entry) => ({ ...entry, fileRow: entry.fileRow ?? entry.row + 1 }));
  return { ...toItem(found), webhookSent: found.webhookSent, errorReport };
}

/** The failed rows of an upload as its error report, in file order. */
export function failuresOf(importId: string) {
  return sql<string>`(
    select coalesce(jsonb_agg(jsonb_build_object('row', row_number, 'fileRow', file_row,
      'email', record ->> 'email', 'error', error) order by row_number), '[]')
    from bulk_import_rows where import_id = ${importId} and status = 'failed')`;
}

/**
 * Finds which of these emails already have an account, and its role. A registration that nobody confirmed is no
 * account, because an upload takes its place.
 */
export async function findRoles(db: Db, emails: string[]): Promise<KnownToImport['roles']> {
  const found = await sql<{ email: string; role: string | null }>`
    select lower(given.email) as email, max(profile.role) as role
    from unnest(${emails}::text[]) as given (email)
    left join profiles profile on profile.email = given.email::citext
    left join auth."user" sign_in on sign_in.email = given.email
    where (profile.id is not null or sign_in.id is not null) and ${isUnconfirmedRegistration} is not true
    group by 1`.execute(db);
  return new Map(found.rows.map(({ email, role }) => [email, role]));
}

function importsWithSender(db: Db) {
  return db
    .selectFrom('bulkImports')
    .innerJoin('profiles', 'profiles.id', 'bulkImports.createdBy')
    .select([
      'bulkImports.id',
      'filename',
      'status',
      'totalRecords',
      'successfulRecords',
      'failedRecords',
      'bulkImports.createdAt',
      'completedAt',
      'undoneAt',
      'firstName',
      'lastName',
    ]);
}

type Found = Awaited<ReturnType<ReturnType<typeof importsWithSender>['executeTakeFirstOrThrow']>>;

function toItem(row: Found): Item {
  return {
    id: row.id,
    filename: row.filename,
    status: row.status as Item['status'],
    totalRecords: row.totalRecords,
    successfulRecords: row.successfulRecords,
    failedRecords: row.failedRecords,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
    createdBy: { firstName: row.firstName, lastName: row.lastName },
    undoneAt: row.undoneAt?.toISOString() ?? null,
  };
}
