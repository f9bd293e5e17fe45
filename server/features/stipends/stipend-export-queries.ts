import { type RawBuilder, sql } from 'kysely';
import { houseZone } from '#contract/house-zone.ts';
import type { Criteria } from '#contract/stipend-rules.ts';
import type { StipendRow } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import { todayIn } from '#server/features/programmes/calendar-queries.ts';
import { lastHandoverOf, standingPaymentOf } from './stipend-standing-queries.ts';
import { lastApprovalOf } from './stipend-week-queries.ts';
import { periodFirstDay, periodLastDay } from './week-facts-queries.ts';

export interface ExportedStipend {
  id: string;
  fellowId: string;
  participantName: string;
  email: string;
  payeeName: string | null;
  payeeEmail: string | null;
  cohortName: string;
  weekNumber: number;
  firstDay: string;
  lastDay: string;
  /** The programme's day on which this was read. */
  today: string;
  activitiesAccessed: number;
  activitiesTotal: number;
  assignmentsSubmitted: number;
  assignmentsTotal: number;
  performanceRating: number | null;
  criteria: Criteria;
  overallEligible: boolean;
  stipendAmountCents: number;
  amountAwaitsApproval: boolean;
  paymentStatus: StipendRow['paymentStatus'];
  approvedAt: Date | null;
  deciderName: string | null;
  handover: string | null;
  handedCents: number;
  paidCents: number | null;
  paidAt: Date | null;
  paymentReference: string | null;
}

export interface YearTotals extends Totals {
  fellowId: string;
  participantName: string;
  email: string;
  weeksApproved: number;
  handedCents: number;
}

/** The totals of a calendar year in the program's time zone. */
interface Totals {
  approvedCents: number;
  /** Changes to approved amounts, up or down, that wait for another admin. They are not part of what is approved. */
  awaitingCents: number;
  paidCents: number;
  /** Approved and not paid at the end of the year, or by now. It includes what earlier years left open. */
  unpaidCents: number;
}

export interface OwnYearTotals extends Totals {
  year: number;
}

interface Which {
  week?: number | undefined;
  cohort?: string | undefined;
  person?: string | undefined;
}

const batchSize = 5000;

/** The order is by week, then by computation. Neither ever changes, so the batches fit together. */
export function findExportedStipends(db: Db, which: Which): AsyncGenerator<ExportedStipend[]> {
  return inBatches((last) => exportedStipends(db, which, last));
}

/** Sums up the ledger's lines for everybody who has any in the year or is still to be paid. */
export function findYearTotals(db: Db, year: number): AsyncGenerator<YearTotals[]> {
  return inBatches((last) => yearTotals(db, year, last));
}

async function* inBatches<Row>(findAfter: (last: Row | undefined) => Promise<{ rows: Row[] }>) {
  let last: Row | undefined;
  do {
    const { rows } = await findAfter(last);
    yield rows;
    last = rows.length === batchSize ? rows.at(-1) : undefined;
  } while (last);
}

/** The same sums for one person, for every year with any lines, newest first. */
export async function findYearTotalsOf(db: Db, participantId: string): Promise<OwnYearTotals[]> {
  const { rows } = await sql<OwnYearTotals>`
    with lines as (
      select extract(year from line.at at time zone ${houseZone})::integer as year, owed_cents, paid_cents,
             ${awaits(sql`stipends.fellow_id = ${participantId}`)} as awaits
      from stipend_ledger line
      where fellow_id = ${participantId} and (owed_cents, paid_cents) <> (0, 0)
    ), years as (
      select year, coalesce(sum(owed_cents) filter (where not awaits), 0) as approved_cents,
             coalesce(sum(owed_cents) filter (where awaits), 0) as awaiting_cents, sum(paid_cents) as paid_cents
      from lines group by year
    )
    select *, sum(approved_cents - paid_cents) over (order by year) as unpaid_cents from years order by year desc`.execute(
    db,
  );
  return rows;
}

/**
 * True for a `line` of the ledger that changed the amount of one of the `stipends` that waits for approval with it, or
 * that is an approval by the one who changed it.
 */
function awaits(isMeant: RawBuilder<unknown>) {
  return sql<boolean>`(line.position in (
    select change.position from stipend_eligibility stipends
    join stipend_ledger change on change.stipend_id = stipends.id
    where ${isMeant} and amount_awaits_approval(stipends)
      and change.kind in ('amount', 'adjustment', 'approval')
      and change.position > coalesce(${lastApprovalOf('stipends')}, 0)))`;
}

function exportedStipends(db: Db, which: Which, last: ExportedStipend | undefined) {
  return sql<ExportedStipend>`
    select stipends.id, stipends.fellow_id, fellow.full_name as participant_name,
           fellow.email, stipends.payee_name, stipends.payee_email, calendar.name as cohort_name,
           stipends.week_number, ${periodFirstDay(sql`stipends.week_number`)} as first_day,
           ${periodLastDay(sql`stipends.week_number`)} as last_day, ${todayIn(sql`calendar.zone`)} as today,
           stipends.activities_accessed,
           stipends.activities_total, stipends.assignments_submitted, stipends.assignments_total,
           stipends.performance_rating, stipends.criteria, stipends.overall_eligible, stipends.stipend_amount_cents,
           amount_awaits_approval(stipends) as amount_awaits_approval, stipends.payment_status, stipends.approved_at,
           decider.full_name as decider_name,
           ${lastHandoverOf(sql.ref('stipends.id'))} as handover,
           (select coalesce(sum(line.handed_cents), 0) from stipend_ledger line where line.stipend_id = stipends.id)
             as handed_cents,
           payment.paid_cents, payment.paid_at, payment.reference as payment_reference
    from stipend_eligibility stipends
    join profiles fellow on fellow.id = stipends.fellow_id
    join cohort_calendars calendar on calendar.id = stipends.cohort_id
    left join profiles decider on decider.id = stipends.approved_by
    left join lateral ${standingPaymentOf(sql.ref('stipends.id'))} payment on true
    where ${isMeant(which)}
      and ${last ? sql`(stipends.week_number, stipends.id) > (${last.weekNumber}, ${last.id})` : sql`true`}
    order by stipends.week_number, stipends.id
    limit ${batchSize}`.execute(db);
}

function isMeant({ week, cohort, person }: Which): RawBuilder<unknown> {
  const conditions = [
    ...(week === undefined ? [] : [sql`stipends.week_number = ${week}`]),
    ...(cohort === undefined ? [] : [sql`stipends.cohort_id = ${cohort}`]),
    ...(person === undefined ? [] : [sql`stipends.fellow_id = ${person}`]),
  ];
  return sql.join(conditions, sql` and `);
}

function yearTotals(db: Db, year: number, last: YearTotals | undefined) {
  return sql<YearTotals>`
    with lines as (
      select fellow_id, kind, owed_cents, handed_cents, paid_cents, ${awaits(sql`true`)} as awaits,
             at >= make_timestamptz(${year}, 1, 1, 0, 0, 0, ${houseZone}) as is_of_year
      from stipend_ledger line
      where at < make_timestamptz(${year}::integer + 1, 1, 1, 0, 0, 0, ${houseZone})
        and (owed_cents, handed_cents, paid_cents) <> (0, 0, 0)
        and ${last ? sql`fellow_id > ${last.fellowId}` : sql`true`}
    ), totals as (
      select fellow_id, count(*) filter (where is_of_year and kind = 'approval') as weeks_approved,
             coalesce(sum(owed_cents) filter (where is_of_year and not awaits), 0) as approved_cents,
             coalesce(sum(owed_cents) filter (where is_of_year and awaits), 0) as awaiting_cents,
             coalesce(sum(handed_cents) filter (where is_of_year), 0) as handed_cents,
             coalesce(sum(paid_cents) filter (where is_of_year), 0) as paid_cents,
             sum(case when awaits then 0 else owed_cents end - paid_cents) as unpaid_cents
      from lines group by fellow_id
      having bool_or(is_of_year) or sum(case when awaits then 0 else owed_cents end - paid_cents) <> 0
      order by fellow_id limit ${batchSize}
    )
    select totals.*, fellow.full_name as participant_name, fellow.email
    from totals join profiles fellow on fellow.id = totals.fellow_id
    order by totals.fellow_id`.execute(db);
}
