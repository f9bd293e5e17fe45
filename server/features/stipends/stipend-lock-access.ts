import { type Expression, type SqlBool, sql } from 'kysely';
import type { PayPeriod } from '#contract/pay-periods.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { secondOf } from './second-approver-queries.ts';
import {
  isPayeeOutdated,
  isPayeeSettled,
  lastHandoverOf,
  lastPaymentOf,
  nextPartOf,
  paidCentsOf,
} from './stipend-standing-queries.ts';
import { periodFirstDay } from './week-facts-queries.ts';

/** Until the caller's transaction ends, nobody else decides on the row, and its facts do not change. */
export async function lockStipend(db: Db, actor: Pick<Actor, 'id'>, stipendId: string) {
  const [stipend] = await lockStipendsInFull(db, actor, sql`stipends.id = ${stipendId}`);
  if (!stipend) throw notFound('This stipend was not found.');
  return stipend;
}

/** The same for many rows, in two statements. */
export async function lockStipendsInFull(db: Db, actor: Pick<Actor, 'id'>, condition: Expression<SqlBool>) {
  // The lock comes first, then the look. One statement would read what belongs to a row as it was before the wait.
  const ids = await lockStipends(db, condition);
  const stipends = await db
    .selectFrom('stipendEligibility as stipends')
    .innerJoin('cohorts', 'cohorts.id', 'stipends.cohortId')
    .innerJoin('cohortCalendars as calendar', 'calendar.id', 'stipends.cohortId')
    .innerJoin('profiles as fellow', 'fellow.id', 'stipends.fellowId')
    .selectAll('stipends')
    .select((eb) => [
      'fellow.fullName as participantName',
      'cohorts.needsSecondApprover',
      sql<PayPeriod>`calendar.pay_period`.as('payPeriod'),
      periodFirstDay(sql`stipends.week_number`).as('firstDay'),
      sql<boolean>`amount_awaits_approval(stipends)`.as('amountAwaitsApproval'),
      isPayeeOutdated.as('isPayeeOutdated'),
      isPayeeSettled.as('isPayeeSettled'),
      ...secondOf(actor),
      lastHandoverOf(eb.ref('stipends.id')).as('handover'),
      paidCentsOf(eb.ref('stipends.id')).as('paidCents'),
      nextPartOf(eb.ref('stipends.id')).as('nextPart'),
      lastPaymentOf(eb.ref('stipends.id')).as('lastPayment'),
    ])
    .where(sql<SqlBool>`stipends.id = any(${ids}::uuid[])`)
    .orderBy('fellow.lastName')
    .orderBy('fellow.firstName')
    .orderBy('stipends.id')
    .execute();
  return stipends.map((stipend) => ({ ...stipend, overallEligible: Boolean(stipend.overallEligible) }));
}

/**
 * Locks many rows of `stipends`, in the order that all callers who lock several keep to. It locks their cohorts first,
 * so nobody switches the second approver on or off meanwhile. Returns their ids. A row that comes to match later is not
 * locked.
 */
export async function lockStipends(db: Db, condition: Expression<SqlBool>): Promise<string[]> {
  const locked = await sql<{ id: string }>`
    with held as materialized (${cohortsHeld(condition)})
    select stipends.id from stipend_eligibility stipends where ${condition} and (select count(*) from held) >= 0
    order by stipends.cohort_id, stipends.fellow_id, stipends.week_number for no key update`.execute(db);
  return locked.rows.map(({ id }) => id);
}

/** The cohorts of rows of `stipends`, locked against changes. */
export function cohortsHeld(condition: Expression<SqlBool>) {
  return sql`select id from cohorts
    where id in (select stipends.cohort_id from stipend_eligibility stipends where ${condition}) order by id for share`;
}

export function requireVersion(stipend: { version: number }, seen: number): void {
  const refusal = versionRefusal(stipend, seen);
  if (refusal) throw refusal;
}

/** The reason why a decision on what somebody saw does not hold, or null. */
export function versionRefusal(stipend: { version: number }, seen: number | undefined): AppError | null {
  if (stipend.version === seen) return null;
  return new AppError(
    'stale',
    'This row has changed since you opened the page. It now shows the new facts; please decide again.',
  );
}
