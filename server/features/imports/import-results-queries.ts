import { type RawBuilder, sql } from 'kysely';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import {
  type ImportRowState,
  importRowStates,
  type listImportRows,
  overdueStates,
  type readImport,
} from '#contract/import-results.ts';
import type { Db } from '#server/db/database.ts';
import { cutPage } from '#server/platform/pages.ts';
import { isFoundByWords } from '#server/platform/search-pattern.ts';
import { findUpload } from './import-queries.ts';
import { findPresence, refusalOfUndo } from './import-undo-queries.ts';

type Filters = ParsedInputOf<typeof listImportRows>['query'];
type Page = ReplyOf<typeof listImportRows>;
type Row = Page['rows'][number];

const pageSize = 50;

/** One upload as its page shows it. The rules here also decide what can be done with it. */
export async function findImport(db: Db, importId: string): Promise<ReplyOf<typeof readImport>> {
  const upload = await findUpload(db, importId);
  const rowsByState = await countRows(db, importId);
  const { names, ...presence } = await findPresence(db, importId);
  const refusal = refusalOfUndo({ ...upload, hasEnded: upload.status !== 'processing' }, { ...presence, names });
  return {
    ...upload,
    rowsByState,
    undo: { ...presence, refusal },
    can: {
      undo: refusal === null,
      resendOverdue: rowsByState.some(({ state }) => overdueStates.some((overdue) => overdue === state)),
    },
  };
}

/** The rows come in file order. The row's number is the key of the page. */
export async function findImportRows(db: Db, importId: string, { state, search, cursor }: Filters): Promise<Page> {
  await findUpload(db, importId);
  const found = await sql<FoundRow>`
    select * from (${rowsOf(importId)}) row
    where row_number > ${cursor ?? 0}
      and ${state === undefined ? sql`true` : sql`state = ${state}`}
      and ${isFoundByWords(search ?? '', sql`search_text`)}
    order by row_number limit ${pageSize + 1}`.execute(db);
  const page = cutPage(pageSize, found.rows, ({ rowNumber }) => rowNumber.toString());
  return { ...page, rows: page.rows.map(toRow) };
}

async function countRows(db: Db, importId: string): Promise<{ state: ImportRowState; rows: number }[]> {
  const counted = await sql<{ state: ImportRowState; rows: number }>`
    select state, count(*)::int as rows from (${rowsOf(importId)}) row group by state`.execute(db);
  return counted.rows.toSorted(
    (left, right) => importRowStates.indexOf(left.state) - importRowStates.indexOf(right.state),
  );
}

interface FoundRow {
  rowNumber: number;
  fileRow: number;
  state: ImportRowState;
  email: string;
  firstName: string;
  lastName: string;
  searchText: string;
  role: Row['role'];
  userId: string | null;
  error: string | null;
  sentAt: Date | null;
  expiresAt: Date | null;
  acceptedAt: Date | null;
}

/** The rows of an upload with their states. A state follows from the person's latest invitation and its mail. */
export function rowsOf(importId: string): RawBuilder<FoundRow> {
  return sql<FoundRow>`
    select row.row_number, coalesce(row.file_row, row.row_number + 1) as file_row,
      coalesce(person.email::text, row.record ->> 'email', '') as email,
      coalesce(person.first_name, row.record ->> 'firstName', '') as first_name,
      coalesce(person.last_name, row.record ->> 'lastName', '') as last_name,
      coalesce(person.role, row.record ->> 'role') as role, row.user_id, row.error,
      coalesce(person.search_text, folded_words(concat_ws(' ', row.record ->> 'firstName', row.record ->> 'lastName',
        row.record ->> 'email'))) as search_text,
      invitation.sent_at, invitation.expires_at, invitation.accepted_at,
      case
        when row.status <> 'succeeded' then row.status
        when person.deleted_at is not null then 'deleted'
        when invitation.accepted_at is not null then 'accepted'
        when mail.status in ('given_up', 'dropped') then 'not_delivered'
        when invitation.expires_at <= now() then 'expired'
        else 'sent'
      end as state
    from bulk_import_rows row
    left join profiles person on person.id = row.user_id
    left join lateral (
      select sent_at, expires_at, accepted_at from invitations
      where user_id = row.user_id order by sent_at desc, id desc limit 1
    ) invitation on true
    left join lateral (
      select status from deliveries
      where recipient_id = row.user_id and kind = 'invitation' order by id desc limit 1
    ) mail on true
    where row.import_id = ${importId}`;
}

function toRow({ rowNumber, sentAt, expiresAt, acceptedAt, searchText: _, ...row }: FoundRow): Row {
  const invitation =
    // Stryker disable next-line LogicalOperator: An invitation has both instants, and a row without one has neither.
    sentAt && expiresAt && row.state !== 'deleted'
      ? {
          sentAt: sentAt.toISOString(),
          expiresAt: expiresAt.toISOString(),
          acceptedAt: acceptedAt?.toISOString() ?? null,
        }
      : null;
  return { ...row, row: rowNumber, invitation };
}
