import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import { type listReconciliation, type ReconciliationKind, reconciliationKinds } from '#contract/payments.ts';
import type { Db } from '#server/db/database.ts';
import { paymentRefusal } from '#server/features/stipends/stipend-access.ts';
import { batchStanding, isPaidOtherwise } from '#server/features/stipends/stipend-standing-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { byId, byInstant, descending, pagesBy } from '#server/platform/pages.ts';
import { isBatchBusy, recallRefusal } from './handover-access.ts';

type Filters = ParsedInputOf<typeof listReconciliation>['query'];
type Reply = ReplyOf<typeof listReconciliation>;

interface FoundRow extends Omit<Reply['rows'][number], 'since' | 'handover' | 'can'> {
  since: Date;
  fellowId: string;
  paymentStatus: string;
  amountAwaitsApproval: boolean;
  stipendAmountCents: number;
  handover: { id: string; status: string; isBeingSent: boolean; lastError: string | null } | null;
}

const pages = pagesBy(50, [
  descending(byInstant(sql`date_trunc('milliseconds', stipends.approved_at)`)),
  descending(byId(sql`stipends.id`)),
]);

const stipendsWithBalance = sql`stipend_eligibility stipends
  cross join lateral (
    select coalesce(sum(line.owed_cents), 0)::integer as owed_cents,
      coalesce(sum(line.handed_cents), 0)::integer as handed_cents,
      coalesce(sum(line.paid_cents), 0)::integer as paid_cents
    from stipend_ledger line where line.stipend_id = stipends.id) balance`;

const isSent = sql<SqlBool>`exists (select from stipend_handover_rows handed
  join stipend_handovers batch on batch.id = handed.handover_id
  where handed.stipend_id = stipends.id and ${batchStanding} = 'sent')`;

/** The condition for a stipend of each kind. `balance` has its sums. */
const conditions: Record<ReconciliationKind, RawBuilder<SqlBool>> = {
  approved_not_sent: sql`stipends.payment_status = 'approved' and not ${isSent}`,
  sent_not_paid: sql`stipends.payment_status = 'approved' and ${isSent}`,
  paid_not_owed: isPaidOtherwise,
  paid_twice: sql`stipends.id in (
    select stipend_id from stipend_confirmation_rows where outcome in ('paid_twice', 'conflict'))`,
  adjusted: sql`stipends.payment_status <> 'paid'
    and stipends.id in (select stipend_id from stipend_ledger
      where kind in ('adjustment', 'amount') and owed_cents <> 0)
    and is_handed_over(stipends.id) and balance.owed_cents <> balance.handed_cents`,
};

/** Takes two statements: one for the page, one for the number of rows of each kind. */
export async function findReconciliation(
  db: Db,
  actor: Pick<Actor, 'id'>,
  { kind, cohort: picked, cursor }: Filters,
): Promise<Reply> {
  const cohort = picked ?? null;
  const found = await sql<FoundRow>`
    select stipends.id as stipend_id, stipends.fellow_id, fellow.full_name as participant_name,
      fellow.email::text as participant_email, cohorts.name as cohort_name, stipends.week_number, stipends.version,
      stipends.payment_status, stipends.stipend_amount_cents, balance.owed_cents, balance.handed_cents, balance.paid_cents,
      stipends.approved_at as since, amount_awaits_approval(stipends) as amount_awaits_approval,
      (select jsonb_build_object('id', batch.id, 'status', ${batchStanding}, 'isBeingSent', ${isBatchBusy}, 'lastError', (
          select tries.error from stipend_handover_tries tries where tries.handover_id = batch.id
          order by tries.tried_at desc limit 1))
        from stipend_handover_rows handed join stipend_handovers batch on batch.id = handed.handover_id
        where handed.stipend_id = stipends.id and ${batchStanding} <> 'recalled'
        order by (${batchStanding} = 'sent'), batch.created_at desc limit 1) as handover
    from ${stipendsWithBalance}
    join profiles fellow on fellow.id = stipends.fellow_id
    join cohorts on cohorts.id = stipends.cohort_id
    where ${isOfCohort(cohort)} and ${conditions[kind]} and ${pages.comesAfter(cursor)}
    order by ${pages.inOrder}
    limit ${pages.most}`.execute(db);
  const page = pages.cut(found.rows, ({ since, stipendId }) => [since.toISOString(), stipendId]);
  return {
    rows: page.rows.map((row) => toRow(row, actor)),
    nextCursor: page.nextCursor,
    counts: await countKinds(db, cohort),
  };
}

async function countKinds(db: Db, cohort: string | null): Promise<Reply['counts']> {
  const found = await sql<{ kind: ReconciliationKind; rows: number; cents: number }>`
    ${sql.join(
      reconciliationKinds.map(
        (kind) => sql`select ${kind} as kind, count(*) as rows, coalesce(sum(balance.owed_cents), 0)::bigint as cents
          from ${stipendsWithBalance} where ${isOfCohort(cohort)} and ${conditions[kind]}`,
      ),
      sql` union all `,
    )}`.execute(db);
  // Stryker disable next-line ObjectLiteral: Each kind has a row of its own, which takes the place of this.
  const none = { rows: 0, cents: 0 };
  // Stryker disable next-line ObjectLiteral: The same holds for all of them.
  const counts = {
    approved_not_sent: none,
    sent_not_paid: none,
    paid_not_owed: none,
    paid_twice: none,
    adjusted: none,
  };
  for (const { kind, rows, cents } of found.rows) counts[kind] = { rows, cents: Number(cents) };
  return counts;
}

function isOfCohort(cohort: string | null) {
  return cohort === null ? sql<SqlBool>`true` : sql<SqlBool>`stipends.cohort_id = ${cohort}`;
}

function toRow(found: FoundRow, actor: Pick<Actor, 'id'>): Reply['rows'][number] {
  const { since, fellowId, paymentStatus, stipendAmountCents, amountAwaitsApproval, ...row } = found;
  const status = row.handover?.status ?? null;
  return {
    ...row,
    since: since.toISOString(),
    can: {
      markPaid: paymentRefusal({ ...found, handover: status }, actor) === null,
      recall: row.handover !== null && recallRefusal(row.handover) === null,
    },
  };
}
