import { sql } from 'kysely';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { recordPayment } from '#server/features/payments/payment-notices.ts';
import { writePayments } from '#server/features/payments/payments.ts';
import { changeAmount } from '#server/features/stipends/stipend-amounts.ts';
import { decideStipend, processWeek } from '#server/features/stipends/stipends.ts';
import { approveWeek } from '#server/features/stipends/week-approval.ts';
import { findWeekFigures } from '#server/features/stipends/week-figure-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { standingAt } from '#server/platform/clock.ts';
import { easternTimeSoFar } from './past.ts';
import type { DemoCohort } from './programme.ts';

/**
 * On the Saturday of a week, two eligible stipends are denied, one amount changes, and the other eligible ones are
 * approved.
 */
export async function decideWeek(db: Db, admin: Actor, cohort: DemoCohort, week: number): Promise<void> {
  await standingAt(easternTimeSoFar(addDays(cohort.startDate, 7 * week - 2), '10:15'), async () => {
    await processWeek(db, week, cohort.id);
    const [first, second, third] = await eligibleStipends(db, cohort.id, week);
    for (const stipend of [first, second]) {
      if (stipend)
        await decideStipend(db, admin, stipend.id, {
          decision: 'denied',
          version: stipend.version,
          reason: 'The site visit was attended by somebody else.',
        });
    }
    if (third) await changeAmount(db, admin, third.id, { amountCents: 37_500, version: third.version });
    await approveEligible(db, admin, cohort, week);
  });
}

export async function approveAll(db: Db, admin: Actor, cohort: DemoCohort, week: number): Promise<void> {
  await standingAt(easternTimeSoFar(addDays(cohort.startDate, 7 * week - 2), '10:15'), async () => {
    await processWeek(db, week, cohort.id);
    await approveEligible(db, admin, cohort, week);
  });
}

export async function approveEligible(
  db: Db,
  admin: Actor,
  { id: cohortId }: Pick<DemoCohort, 'id'>,
  week: number,
): Promise<void> {
  const { summary } = await findWeekFigures(db, admin, { week, cohort: cohortId });
  await approveWeek(db, admin, { weekNumber: week, cohortId, seen: summary.pending });
}

/** Pays a week's approved stipends at once, on the Monday after it. */
export async function payWeek(db: Db, admin: Actor, cohort: DemoCohort, week: number): Promise<void> {
  await payApproved(db, admin, cohort, week, easternTimeSoFar(addDays(cohort.startDate, 7 * week), '09:00'));
}

/** It does so as `markPaid` does, by the function that the confirmations of a batch use. */
export async function payApproved(
  db: Db,
  admin: Actor,
  cohort: Pick<DemoCohort, 'id'>,
  week: number,
  at: Date,
): Promise<void> {
  const approved = await db
    .selectFrom('stipendEligibility')
    .select(['id', 'fellowId', 'weekNumber', 'stipendAmountCents', 'paymentStatus', 'version'])
    .where('cohortId', '=', cohort.id)
    .where('weekNumber', '=', week)
    .where('paymentStatus', '=', sql.lit('approved'))
    .orderBy('fellowId')
    .execute();
  const paid = approved.map((stipend) => ({ ...stipend, part: 1, paidCents: stipend.stipendAmountCents }));
  await standingAt(at, async () => {
    const reference = `Bank transfer of ${dayAt(at, houseZone)}`;
    await writePayments(db, paid, { at, source: 'admin', recordedBy: admin.id, reference });
    await recordPayment(db, admin, paid);
  });
}

/** Leaves out the demo's participant, whose stipends should show as approved and paid. */
function eligibleStipends(db: Db, cohortId: string, week: number) {
  return db
    .selectFrom('stipendEligibility')
    .innerJoin('profiles', 'profiles.id', 'stipendEligibility.fellowId')
    .select(['stipendEligibility.id', 'stipendEligibility.version'])
    .where('cohortId', '=', cohortId)
    .where('weekNumber', '=', week)
    .where('overallEligible', '=', sql<never>`true`)
    .where('profiles.email', '<>', 'participant@demo.example')
    .orderBy('profiles.lastName')
    .orderBy('profiles.id')
    .limit(3)
    .execute();
}
