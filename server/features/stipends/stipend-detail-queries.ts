import { sql } from 'kysely';
import type { ResponseOf } from '#contract/endpoint.ts';
import { formatCents } from '#contract/money.ts';
import type { readStipend, StipendRow } from '#contract/stipends.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { StipendEvidence } from './stipend-evidence.ts';
import { findStipend } from './stipend-queries.ts';

type Detail = ResponseOf<typeof readStipend>;

/** Finds what the decision rests on (STIP-49 to STIP-58): the evidence that the row keeps. */
export async function findStipendDetail(db: Db, actor: Actor, stipendId: string): Promise<Detail> {
  const row = await findStipend(db, actor, stipendId);
  const evidence = await findEvidence(db, stipendId);
  return {
    ...row,
    assignments: await withFeedback(db, row.fellowId, evidence?.assignments ?? []),
    attendance: evidence?.activities.map(toAttendance) ?? [],
    ratingComment: evidence?.rating?.comment ?? null,
    requirements: row.overallEligible ? null : requirementsOf(row),
    history: await historyOf(db, stipendId),
  };
}

async function findEvidence(db: Db, stipendId: string): Promise<StipendEvidence | null> {
  const { evidence } = await db
    .selectFrom('stipendEligibility')
    .select('evidence')
    .where('id', '=', stipendId)
    .executeTakeFirstOrThrow();
  return evidence === null ? null : StipendEvidence.parse(evidence);
}

/** STIP-53 */
function toAttendance({ id, day, ...activity }: StipendEvidence['activities'][number]) {
  return { ...activity, activityId: id, sessionDate: day };
}

/** STIP-51, STIP-52 */
async function withFeedback(db: Db, fellowId: string, assignments: StipendEvidence['assignments']) {
  const written = await sql<{ assignmentId: string; feedback: string | null }>`
    select assignment_id, feedback from content_submissions
    where user_id = ${fellowId} and assignment_id = any(${assignments.map(({ id }) => id)}::uuid[])`.execute(db);
  const feedbackOf = new Map(written.rows.map(({ assignmentId, feedback }) => [assignmentId, feedback]));
  return assignments.map((assignment) => ({ ...assignment, feedback: feedbackOf.get(assignment.id) ?? null }));
}

/** A person who meets every criterion and is still not eligible left before the week was over. */
function requirementsOf({ criteria }: StipendRow): string[] {
  const needed = criteria.flatMap(({ stillNeeded }) => stillNeeded);
  return needed.length > 0 ? needed : ['be in the cohort until the week is over'];
}

interface LedgerFacts {
  paymentStatus?: string;
  amountCents?: number;
  handedCents?: number;
  paidCents?: number;
  reference?: string;
}

/** The lines of the ledger, the newest first. */
async function historyOf(db: Db, stipendId: string): Promise<Detail['history']> {
  const lines = await latestLines(db, { stipendId });
  return lines.map(({ position, at, kind, actorName, before, after, reason, handedCents, handedInAll }) => ({
    position,
    at: at.toISOString(),
    action: kind,
    actorName,
    detail: `${inWords(before as LedgerFacts, handedInAll - handedCents)} → ${inWords(after as LedgerFacts, handedInAll)}`,
    reason,
  }));
}

const latestLines = builtOnce((db, { stipendId }: { stipendId: string }) =>
  db
    .selectFrom('stipendLedger')
    .leftJoin('profiles', 'profiles.id', 'stipendLedger.actorId')
    .select([
      'stipendLedger.position',
      'stipendLedger.at',
      'stipendLedger.kind',
      'stipendLedger.before',
      'stipendLedger.after',
      'stipendLedger.reason',
      'stipendLedger.handedCents',
      sql<number>`(sum(stipend_ledger.handed_cents) over (order by stipend_ledger.position))::integer`.as(
        'handedInAll',
      ),
      'profiles.fullName as actorName',
    ])
    .where('stipendLedger.stipendId', '=', stipendId)
    .orderBy('stipendLedger.position', 'desc')
    .limit(50),
);

/** A line names only its own part, so the words sum up what was handed over in total. */
function inWords(
  { paymentStatus, amountCents, handedCents, paidCents, reference }: LedgerFacts,
  handedInAll: number,
): string {
  return [
    ...(paymentStatus ? [paymentStatus] : []),
    ...(amountCents === undefined ? [] : [formatCents(amountCents)]),
    ...(handedCents === undefined ? [] : [`${formatCents(handedInAll)} handed over`]),
    ...(paidCents === undefined ? [] : [`${formatCents(paidCents)} paid`]),
    ...(reference ? [`reference ${reference}`] : []),
  ].join(', ');
}
