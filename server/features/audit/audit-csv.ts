import type { Readable } from 'node:stream';
import Papa from 'papaparse';
import type { AuditEntry } from '#contract/audit.ts';
import { startsLikeFormula } from '#contract/csv.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { begunStream } from '#server/platform/begun-stream.ts';
import { type AuditFilters, exportedPages, findAuditLog } from './audit-queries.ts';

const columns = [
  'at',
  'actor_name',
  'actor_email',
  'action',
  'kind',
  'subject_id',
  'subject_name',
  'before',
  'after',
  'reason',
];

/**
 * The log keeps who exported it. The export reads on only as fast as its reader takes it, and holds no connection
 * meanwhile. No entry is removed or moves, and later entries come before the first batch, so the batches fit together.
 */
export async function exportAuditLog(db: Db, actor: Pick<Actor, 'id'>, filters: AuditFilters): Promise<Readable> {
  const { search, ...rest } = filters;
  // The log leaves out the searched words, because they may be somebody's name or address.
  const after = { ...rest, hasSearch: Boolean(search) };
  await audit(db, actor.id, { action: 'audit.export', subjectType: 'user', subjectId: actor.id, after });
  return begunStream(linesOf(db, filters));
}

async function* linesOf(db: Db, filters: AuditFilters): AsyncGenerator<string> {
  // Without a byte order mark, spreadsheet programs read other letters than were written.
  let head = `\ufeff${columns.join(',')}\r\n`;
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await findAuditLog(db, { ...filters, cursor }, exportedPages);
    // A cell that a spreadsheet program would run as a formula is written as text.
    const lines =
      rows.length > 0 ? `${Papa.unparse(rows.map(cellsOf), { escapeFormulae: startsLikeFormula })}\r\n` : '';
    yield `${head}${lines}`;
    head = '';
    cursor = nextCursor ?? undefined;
  } while (cursor);
}

function cellsOf({ at, actor, action, kind, subjectId, subjectName, before, after, reason }: AuditEntry) {
  const facts = [before, after].map((given) => (given === null ? '' : JSON.stringify(given)));
  return [
    at,
    actor?.name ?? '',
    actor?.email ?? '',
    action,
    kind,
    subjectId,
    subjectName ?? '',
    ...facts,
    reason ?? '',
  ];
}
