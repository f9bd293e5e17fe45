import { sql } from 'kysely';
import { readParticipantDashboard } from '#contract/home.ts';
import { formatCents } from '#contract/money.ts';
import type { StipendRow } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { tellBrowsers } from '#server/platform/live.ts';
import { notify } from '#server/platform/notices.ts';
import { decisionRefusal } from './stipend-access.ts';
import { findDocumentedCohort, findStipend } from './stipend-queries.ts';

type Decision = 'approved' | 'denied';

/** Computes a week for the documented cohort, or for the one named; safe to repeat (STIP-22 to STIP-26). */
export async function processWeek(db: Db, weekNumber: number, namedCohortId: string | null = null) {
  const cohortId = namedCohortId ?? (await findDocumentedCohort(db))?.id ?? null;
  if (!cohortId) return { cohortId: null, changedRows: 0 };
  const processed = await sql<{ changed: number }>`
    select process_weekly_stipends(${cohortId}, ${weekNumber}) as changed`.execute(db);
  return { cohortId, changedRows: processed.rows[0]?.changed ?? 0 };
}

interface GivenDecision {
  decision: Decision;
  /** Of the row that the admin saw. */
  version: number;
}

/**
 * As an admin's request decides: in transactions of its own, so that the new facts stay written down, and the screen
 * can show them, when the decision is refused over them.
 */
export async function decideOnFreshFacts(
  db: Db,
  actor: Actor,
  stipendId: string,
  given: GivenDecision,
): Promise<StipendRow> {
  await db.transaction().execute((transaction) => refreshFacts(transaction, stipendId));
  return db.transaction().execute((transaction) => decideStipend(transaction, actor, stipendId, given));
}

/**
 * Approves or denies one stipend on the facts that are written down, which the admin saw, in the caller's transaction
 * (STIP-37 to STIP-39).
 */
export async function decideStipend(
  db: Db,
  actor: Actor,
  stipendId: string,
  { decision, version }: GivenDecision,
): Promise<StipendRow> {
  const stipend = await lockStipend(db, stipendId);
  const refusal = decisionRefusal({ ...stipend, overallEligible: Boolean(stipend.overallEligible) });
  requireVersion(stipend, version);
  if (refusal) throw refusal;
  await db
    .updateTable('stipendEligibility')
    .set((row) => ({
      paymentStatus: decision,
      approvedBy: actor.id,
      approvedAt: now(),
      updatedAt: now(),
      version: row('version', '+', 1),
    }))
    .where('id', '=', stipendId)
    .execute();
  await recordDecisions(db, actor, [stipend], decision);
  return findStipend(db, stipendId);
}

/** Approves every eligible, pending stipend of the week in one statement (STIP-42). */
export async function approveWeek(db: Db, actor: Actor, weekNumber: number): Promise<{ approved: number }> {
  await refreshWeek(db, weekNumber);
  const approved = await db
    .updateTable('stipendEligibility')
    .set((row) => ({
      paymentStatus: 'approved',
      approvedBy: actor.id,
      approvedAt: now(),
      updatedAt: now(),
      version: row('version', '+', 1),
    }))
    .where('weekNumber', '=', weekNumber)
    .where('paymentStatus', '=', 'pending')
    .where('overallEligible', '=', sql<never>`true`)
    .returning(['id', 'fellowId', 'weekNumber', 'stipendAmountCents'])
    .execute();
  await recordDecisions(
    db,
    actor,
    approved.map((row) => ({ ...row, paymentStatus: 'pending' })),
    'approved',
  );
  return { approved: approved.length };
}

/**
 * Works on any row, whatever its status (STIP-45); the amount then counts as set by hand (STIP-26). While a batch with
 * the row is on its way its amount stands: a later try sends what the first one sent.
 */
export async function changeAmount(
  db: Db,
  actor: Actor,
  stipendId: string,
  { amountCents, version }: { amountCents: number; version: number },
): Promise<StipendRow> {
  const stipend = await lockStipend(db, stipendId);
  requireVersion(stipend, version);
  await requireNotOnItsWay(db, stipend);
  await db
    .updateTable('stipendEligibility')
    .set((row) => ({
      stipendAmountCents: amountCents,
      isAmountSetByHand: true,
      updatedAt: now(),
      version: row('version', '+', 1),
    }))
    .where('id', '=', stipendId)
    .execute();
  await audit(db, actor.id, {
    action: 'stipend.change_amount',
    subjectType: 'stipend',
    subjectId: stipendId,
    before: { amountCents: stipend.stipendAmountCents },
    after: { amountCents },
  });
  await tellBrowsers(db, [stipend.fellowId], { endpoints: [readParticipantDashboard] });
  return findStipend(db, stipendId);
}

/** A decision rests on the facts of this moment: what changed since the page was opened is worked out first. */
async function refreshFacts(db: Db, stipendId: string): Promise<void> {
  await sql`
    select process_weekly_stipends(cohort_id, week_number) from stipend_eligibility
    where id = ${stipendId} and payment_status = 'pending'`.execute(db);
}

async function refreshWeek(db: Db, weekNumber: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('stipend week'), ${weekNumber})`.execute(db);
  await sql`
    select process_weekly_stipends(cohort_id, ${weekNumber})
    from (select distinct cohort_id from stipend_eligibility where week_number = ${weekNumber} and payment_status = 'pending') open
    order by cohort_id`.execute(db);
}

async function requireNotOnItsWay(db: Db, stipend: { id: string; stipendAmountCents: number }): Promise<void> {
  const open = await sql`
    select from stipend_handover_rows handed
    join stipend_handovers handover on handover.id = handed.handover_id
    where handed.stipend_id = ${stipend.id} and handover.status <> 'sent'
    limit 1`.execute(db);
  if (open.rows.length === 0) return;
  const amount = formatCents(stipend.stipendAmountCents);
  throw new AppError(
    'conflict',
    `This stipend is on its way to the payment system with ${amount}. Its amount can be changed once it was sent.`,
  );
}

async function lockStipend(db: Db, stipendId: string) {
  const stipend = await db
    .selectFrom('stipendEligibility')
    .selectAll()
    .where('id', '=', stipendId)
    .forUpdate()
    .executeTakeFirst();
  if (!stipend) throw notFound('This stipend was not found.');
  return stipend;
}

function requireVersion(stipend: { version: number }, seen: number): void {
  if (stipend.version === seen) return;
  throw new AppError(
    'stale',
    'This row has changed since you opened the page. It now shows the new facts; please decide again.',
  );
}

interface Decided {
  id: string;
  fellowId: string;
  weekNumber: number;
  stipendAmountCents: number;
  paymentStatus: string;
}

async function recordDecisions(db: Db, actor: Actor, stipends: Decided[], decision: Decision): Promise<void> {
  await audit(
    db,
    actor.id,
    stipends.map(({ id, paymentStatus, stipendAmountCents: amountCents }) => ({
      action: decision === 'approved' ? 'stipend.approve' : 'stipend.deny',
      subjectType: 'stipend',
      subjectId: id,
      before: { paymentStatus, amountCents },
      after: { paymentStatus: decision, amountCents },
    })),
  );
  await notify(
    db,
    stipends.map(({ id, fellowId, weekNumber, stipendAmountCents }) => ({
      userId: fellowId,
      kind: 'stipend',
      title: `Stipend of week ${weekNumber} ${decision}`,
      message:
        decision === 'approved'
          ? `Your stipend of ${formatCents(stipendAmountCents)} for week ${weekNumber} was approved.`
          : `Your stipend for week ${weekNumber} was denied. Your coach can tell you more.`,
      link: '/fellowship-dashboard',
      preference: 'stipendUpdates',
      eventKey: `stipend:${id}:${decision}`,
    })),
  );
  await tellBrowsers(
    db,
    stipends.map(({ fellowId }) => fellowId),
    { endpoints: [readParticipantDashboard] },
  );
}
