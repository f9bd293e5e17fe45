import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

const bodiesAtOnce = 50;

/** Finds batches whose rows differ from their lines in the ledger, or do not add up to the batch's own totals. */
export async function findChangedBatches(db: Db): Promise<string[]> {
  const found = await sql<{ problem: string }>`
    select 'Batch ' || coalesce(handed.handover_id, line.handover_id) || ' holds '
      || coalesce(handed.amount_cents::text || ' cents', 'nothing') || ' for stipend '
      || coalesce(handed.stipend_id, line.stipend_id) || '; the ledger has '
      || coalesce(line.row_cents::text || ' cents', 'no line') || '.' as problem
    from stipend_handover_rows handed
    full join (
      select handover_id, stipend_id, coalesce(after ->> 'rowCents', after ->> 'handedCents')::integer as row_cents
      from stipend_ledger where kind = 'handover') line using (handover_id, stipend_id)
    where handed.amount_cents is distinct from line.row_cents
    union all
    select 'Batch ' || batch.id || ' says ' || batch.recipients || ' rows of ' || batch.total_cents
      || ' cents; it holds ' || held.recipients || ' of ' || held.total_cents || '.'
    from stipend_handovers batch
    cross join lateral (
      select count(*) as recipients, coalesce(sum(amount_cents), 0) as total_cents
      from stipend_handover_rows where handover_id = batch.id) held
    where (held.recipients, held.total_cents) is distinct from (batch.recipients, batch.total_cents)
    limit 100`.execute(db);
  return found.rows.map(({ problem }) => problem);
}

interface Batch {
  id: string;
  body: string;
  totalCents: string;
  /** Null if no line of the ledger tells of the batch. */
  ledgerHash: string | null;
}

/** Checks that each body has the bytes whose hash is in the ledger, and the batch's total. */
export async function verifyBodies(db: Db): Promise<string[]> {
  const problems: string[] = [];
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const batches = await sql<Batch>`
      select batch.id, batch.body, batch.total_cents::text as total_cents, (
        select line.after ->> 'bodyHash' from stipend_ledger line
        join stipend_handover_rows handed on handed.handover_id = batch.id and handed.stipend_id = line.stipend_id
        where line.handover_id = batch.id and line.kind = 'handover' limit 1) as ledger_hash
      from stipend_handovers batch where batch.id > ${after} order by batch.id limit ${bodiesAtOnce}`.execute(db);
    if (batches.rows.length === 0) return problems;
    for (const batch of batches.rows) {
      if (!isAsWritten(batch)) problems.push(`The body of batch ${batch.id} was changed after it was written.`);
      after = batch.id;
    }
  }
}

function isAsWritten({ body, totalCents, ledgerHash }: Batch): boolean {
  const total = /"total_amount":([0-9.]+)/.exec(body)?.[1];
  if (Math.round(Number(total) * 100) !== Number(totalCents)) return false;
  return createHash('sha256').update(body).digest('hex') === ledgerHash;
}
