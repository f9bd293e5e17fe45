import { sql } from 'kysely';
import type { ResponseOf } from '#contract/endpoint.ts';
import { formatCents } from '#contract/money.ts';
import { activitiesStillNeeded, ratingNeeded } from '#contract/stipend-rules.ts';
import type { readStipend, StipendRow } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { StipendEvidence } from './stipend-evidence.ts';
import { findStipend } from './stipend-queries.ts';

type Detail = ResponseOf<typeof readStipend>;

/**
 * What the decision rests on (STIP-49 to STIP-58): the evidence that the row keeps. Rows from before there was any are
 * shown with what is found now.
 */
export async function findStipendDetail(db: Db, actor: Actor, stipendId: string): Promise<Detail> {
  const row = await findStipend(db, actor, stipendId);
  const evidence = await findEvidence(db, stipendId);
  const assignments = evidence
    ? await withFeedback(db, row.fellowId, evidence.assignments)
    : await weekAssignments(db, stipendId);
  const attendance = evidence ? evidence.activities.map(toAttendance) : await weekAttendance(db, stipendId);
  return {
    ...row,
    assignments,
    attendance,
    ratingComment: evidence ? (evidence.rating?.comment ?? null) : await ratingComment(db, stipendId),
    requirements: row.overallEligible ? null : requirementsOf(row, assignments, attendance),
    history: await historyOf(db, stipendId),
  };
}

async function findEvidence(db: Db, stipendId: string): Promise<StipendEvidence | null> {
  const { evidence } = await db
    .selectFrom('stipendEligibility')
    .select('evidence')
    .where('id', '=', stipendId)
    .executeTakeFirstOrThrow();
  return StipendEvidence.nullable().parse(evidence);
}

function toAttendance({ id, day, ...activity }: StipendEvidence['activities'][number]) {
  return { ...activity, activityId: id, sessionDate: day };
}

async function withFeedback(db: Db, fellowId: string, assignments: StipendEvidence['assignments']) {
  const written = await sql<{ assignmentId: string; feedback: string | null }>`
    select assignment_id, feedback from content_submissions
    where user_id = ${fellowId} and assignment_id = any(${assignments.map(({ id }) => id)}::uuid[])`.execute(db);
  const feedbackOf = new Map(written.rows.map(({ assignmentId, feedback }) => [assignmentId, feedback]));
  return assignments.map((assignment) => ({ ...assignment, feedback: feedbackOf.get(assignment.id) ?? null }));
}

/** STIP-55 to STIP-57: assignments with any status are no longer 'remaining'. */
function requirementsOf(row: StipendRow, assignments: Detail['assignments'], attendance: Detail['attendance']) {
  const counted = attendance.filter(({ counts }) => counts);
  const activitiesNeeded = activitiesStillNeeded({
    activitiesTotal: counted.length,
    activitiesAccessed: counted.filter(({ accessedAt }) => accessedAt !== null).length,
  });
  return {
    activitiesNeeded,
    assignmentsRemaining: assignments.filter(({ status, counts }) => status === null && counts).length,
    needsRating: row.performanceRating === null || row.performanceRating < ratingNeeded,
  };
}

/** STIP-51, STIP-52 */
async function weekAssignments(db: Db, stipendId: string): Promise<Detail['assignments']> {
  const rows = await db
    .selectFrom('stipendEligibility as stipends')
    .innerJoin('trainingActivities', (join) =>
      join
        .onRef('trainingActivities.cohortId', '=', 'stipends.cohortId')
        .onRef('trainingActivities.weekNumber', '=', 'stipends.weekNumber'),
    )
    .innerJoin('contentItems', 'contentItems.trainingActivityId', 'trainingActivities.id')
    .innerJoin('contentAssignments', 'contentAssignments.contentItemId', 'contentItems.id')
    .leftJoin('contentSubmissions', (join) =>
      join
        .onRef('contentSubmissions.assignmentId', '=', 'contentAssignments.id')
        .onRef('contentSubmissions.userId', '=', 'stipends.fellowId'),
    )
    .select([
      'contentAssignments.id',
      'contentAssignments.title',
      'contentAssignments.isRequired',
      'contentAssignments.dueDate',
      'contentSubmissions.status',
      'contentSubmissions.submittedAt',
      'contentSubmissions.feedback',
    ])
    .where('stipends.id', '=', stipendId)
    .where('contentAssignments.archivedAt', 'is', null)
    .orderBy('trainingActivities.sessionDate')
    .orderBy('contentItems.orderIndex')
    .orderBy('contentAssignments.id')
    .execute();
  return rows.map((row) => ({ ...row, submittedAt: row.submittedAt?.toISOString() ?? null, counts: true }));
}

/** STIP-53 */
async function weekAttendance(db: Db, stipendId: string): Promise<Detail['attendance']> {
  const rows = await db
    .selectFrom('stipendEligibility as stipends')
    .innerJoin('trainingActivities', (join) =>
      join
        .onRef('trainingActivities.cohortId', '=', 'stipends.cohortId')
        .onRef('trainingActivities.weekNumber', '=', 'stipends.weekNumber'),
    )
    .leftJoin('attendanceRecords', (join) =>
      join
        .onRef('attendanceRecords.contentId', '=', 'trainingActivities.id')
        .onRef('attendanceRecords.fellowId', '=', 'stipends.fellowId'),
    )
    .select([
      'trainingActivities.id as activityId',
      'trainingActivities.title',
      'trainingActivities.sessionDate',
      'attendanceRecords.accessedAt',
    ])
    .where('stipends.id', '=', stipendId)
    .orderBy('trainingActivities.sessionDate')
    .orderBy('trainingActivities.id')
    .execute();
  return rows.map((row) => ({ ...row, accessedAt: row.accessedAt?.toISOString() ?? null, counts: true }));
}

async function ratingComment(db: Db, stipendId: string): Promise<string | null> {
  const found = await db
    .selectFrom('stipendEligibility as stipends')
    .innerJoin('performanceFeedback', (join) =>
      join
        .onRef('performanceFeedback.fellowId', '=', 'stipends.fellowId')
        .onRef('performanceFeedback.cohortId', '=', 'stipends.cohortId')
        .onRef('performanceFeedback.weekNumber', '=', 'stipends.weekNumber'),
    )
    .select('performanceFeedback.comment')
    .where('stipends.id', '=', stipendId)
    .executeTakeFirst();
  return found?.comment ?? null;
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
  const lines = await db
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
      sql<string | null>`profiles.first_name || ' ' || profiles.last_name`.as('actorName'),
    ])
    .where('stipendLedger.stipendId', '=', stipendId)
    .orderBy('stipendLedger.position', 'desc')
    .limit(50)
    .execute();
  return lines.map(({ position, at, kind, actorName, before, after, reason, handedCents, handedInAll }) => ({
    position,
    at: at.toISOString(),
    action: kind,
    actorName,
    detail: `${inWords(before as LedgerFacts, handedInAll - handedCents)} → ${inWords(after as LedgerFacts, handedInAll)}`,
    reason,
  }));
}

/** A line about one part names that part alone: what was handed over in all is summed up. */
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
