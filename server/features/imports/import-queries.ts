import { sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { listImports, readImport } from '#contract/imports.ts';
import type { Db } from '#server/db/database.ts';
import { notFound } from '#server/platform/errors.ts';
import { isUnconfirmedRegistration } from '#server/platform/unconfirmed-registrations.ts';
import type { KnownToImport } from './import-checks.ts';

type ImportPage = ReplyOf<typeof listImports>;
export type ImportState = ReplyOf<typeof readImport> & { webhookSent: boolean };

const pageSize = 20;

/** Newest first; ids are time-ordered, so the id is the key of the page. */
export async function findImports(db: Db, cursor: string | undefined): Promise<ImportPage> {
  const rows = await db
    .selectFrom('bulkImports')
    .select(columns)
    .$if(cursor !== undefined, (query) => query.where('id', '<', cursor ?? ''))
    .orderBy('id', 'desc')
    .limit(pageSize + 1)
    .execute();
  const page = rows.slice(0, pageSize);
  return { rows: page.map(toItem), nextCursor: rows.length > pageSize ? (page.at(-1)?.id ?? null) : null };
}

/** While it runs the failures come from the rows; at the end they are kept in the error report. */
export async function findImport(db: Db, importId: string): Promise<ImportState> {
  const found = await db
    .selectFrom('bulkImports')
    .select(columns)
    .select('webhookSent')
    .select(
      sql<ImportState['errorReport']>`case when status = 'processing' then ${failuresOf(importId)}
        else error_report end`.as('errorReport'),
    )
    .where('id', '=', importId)
    .executeTakeFirst();
  if (!found) throw notFound('This upload was not found.');
  return { ...toItem(found), webhookSent: found.webhookSent, errorReport: found.errorReport };
}

/** The failed rows of an upload as its error report, in file order. */
export function failuresOf(importId: string) {
  return sql<string>`(
    select coalesce(jsonb_agg(jsonb_build_object('row', row_number, 'email', record ->> 'email', 'error', error)
      order by row_number), '[]')
    from bulk_import_rows where import_id = ${importId} and status = 'failed')`;
}

/**
 * Who of these e-mails has an account already, and in which role. A registration that nobody confirmed is no account:
 * an upload takes its place.
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

const columns = [
  'id',
  'filename',
  'status',
  'totalRecords',
  'successfulRecords',
  'failedRecords',
  'createdAt',
  'completedAt',
] as const;

type Item = ImportPage['rows'][number];

function toItem(row: Omit<Item, 'status' | 'createdAt' | 'completedAt'> & ImportDates & { status: string }): Item {
  return {
    id: row.id,
    filename: row.filename,
    status: row.status as Item['status'],
    totalRecords: row.totalRecords,
    successfulRecords: row.successfulRecords,
    failedRecords: row.failedRecords,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
  };
}

interface ImportDates {
  createdAt: Date;
  completedAt: Date | null;
}
