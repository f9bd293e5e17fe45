import { sql } from 'kysely';
import { periodsOf } from '#contract/pay-periods.ts';
import type { StipendRow } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import { calendarOf } from '#server/features/programmes/calendar-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { approvalRefusal, denialRefusal } from './stipend-access.ts';
import { findDocumentedCohort } from './stipend-cohort-queries.ts';
import { lockStipend, requireVersion } from './stipend-lock-access.ts';
import { recordOutcome } from './stipend-notices.ts';
import { findStipend } from './stipend-queries.ts';
import { deriveUndecided, deriveWeek } from './week-derivation.ts';

/** Computes a week for the documented cohort, or for the named one. It is safe to repeat (STIP-22 to STIP-26). */
export async function processWeek(db: Db, weekNumber: number, namedCohortId: string | null = null) {
  const cohortId = namedCohortId ?? (await findDocumentedCohort(db))?.id ?? null;
  if (!cohortId) return { cohortId: null, changedRows: 0 };
  await requireWeek(db, cohortId, weekNumber);
  return { cohortId, changedRows: await deriveWeek(db, { cohortIds: [cohortId], weekNumber }) };
}

async function requireWeek(db: Db, cohortId: string, weekNumber: number): Promise<void> {
  const cohort = await db
    .selectFrom('cohorts')
    .select(['startDate', calendarOf().as('calendar')])
    .where('id', '=', cohortId)
    .executeTakeFirst();
  if (!cohort) throw notFound('This cohort was not found.');
  const weeks = periodsOf(cohort.startDate, cohort.calendar);
  if (weekNumber <= weeks) return;
  const message = `This cohort's program has ${weeks.toLocaleString('en-US')} stipends for each participant.`;
  throw new AppError('invalid_input', message, { errors: [{ path: 'weekNumber', message }] });
}

/** `version` is that of the row that the admin saw. */
type GivenDecision =
  | { decision: 'approved'; version: number; reason?: undefined }
  | { decision: 'denied'; version: number; reason: string };

/**
 * Decides for an admin's request. It uses its own transactions, so the new facts stay stored even if they lead to a
 * refusal. The screen can then show them.
 */
export async function decideOnFreshFacts(
  db: Db,
  actor: Actor,
  stipendId: string,
  given: GivenDecision,
): Promise<StipendRow> {
  await inTransaction(db, (transaction) => deriveUndecided(transaction, sql`stipends.id = ${stipendId}`));
  return inTransaction(db, (transaction) => decideStipend(transaction, actor, stipendId, given));
}

/**
 * Approves or denies one stipend on the stored facts, which the admin saw, in the caller's transaction (STIP-37 to
 * STIP-39). If the cohort needs two approvals, the first one leaves the row pending.
 */
export async function decideStipend(
  db: Db,
  actor: Actor,
  stipendId: string,
  given: GivenDecision,
): Promise<StipendRow> {
  const { decision, version, reason = null } = given;
  const stipend = await lockStipend(db, actor, stipendId);
  requireVersion(stipend, version);
  const refusal = decision === 'approved' ? approvalRefusal(stipend, actor) : denialRefusal(stipend, actor);
  if (refusal) throw refusal;
  const isFirst = decision === 'approved' && stipend.needsSecondApprover && stipend.firstApprovedBy === null;
  await db
    .updateTable('stipendEligibility')
    .set((row) => ({
      ...(isFirst
        ? { firstApprovedBy: actor.id, firstApprovedAt: now() }
        : { paymentStatus: decision, approvedBy: actor.id, approvedAt: now(), denialReason: reason }),
      updatedAt: now(),
      version: row('version', '+', 1),
    }))
    .where('id', '=', stipendId)
    .execute();
  await recordOutcome(db, actor, [stipend], isFirst ? 'first_approved' : decision, reason);
  return findStipend(db, actor, stipendId);
}
