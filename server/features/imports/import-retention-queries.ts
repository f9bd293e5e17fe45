import { sql } from 'kysely';
import type { RetentionRule } from '#server/platform/retention.ts';

/** How an import ended stays, row by row. What its file said of people goes. */
export const retainedImports: RetentionRule = {
  kind: 'imports',
  what: 'What the files of finished imports said of people',
  setting: 'RETAIN_IMPORTS_DAYS',
  rows: (before) => sql`
    select row.import_id || ' ' || row.row_number as key, made.completed_at as at
    from bulk_import_rows row join bulk_imports made on made.id = row.import_id
    where made.completed_at < ${before} and row.record <> '{}' and row.status <> 'waiting'`,
  remove: (part) => sql`
    update bulk_import_rows row
    set record = '{}', error = regexp_replace(row.error, '"[^"]*"', 'that was removed', 'g')
    from (${part}) as overdue
    where row.import_id = split_part(overdue.key, ' ', 1)::uuid and row.row_number = split_part(overdue.key, ' ', 2)::integer`,
};
