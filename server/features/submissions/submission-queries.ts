import { type SqlBool, sql } from 'kysely';
import type { SubmissionStatus } from '#contract/submissions.ts';
import { dayAt } from '#contract/weeks.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { loadAssignment, mayReview, submitRefusal } from './submission-access.ts';
import { fileAt, roundsOf } from './submission-columns.ts';

/**
 * Takes three statements: the assignment through what the person may see, their own submission with its rounds, their
 * draft.
 */
export async function findAssignment(db: Db, actor: Actor, assignmentId: string) {
  const assignment = await loadAssignment(db, actor, assignmentId);
  const submission = actor.role === 'participant' ? await ownSubmission(db, actor.id, assignmentId) : null;
  const draft = actor.role === 'participant' ? await ownDraft(db, actor.id, assignmentId, submission) : null;
  const refusal = actor.role === 'participant' ? submitRefusal(assignment, submission) : null;
  const isOpen = actor.role === 'participant' && refusal === null;
  return {
    id: assignment.id,
    title: assignment.title,
    instructions: assignment.instructions,
    assignmentType: assignment.assignmentType,
    dueDate: assignment.dueDate,
    isRequired: assignment.isRequired,
    maxPoints: assignment.maxPoints,
    activity: { id: assignment.activityId, title: assignment.activityTitle, weekNumber: assignment.weekNumber },
    submission,
    draft,
    can: { submit: isOpen && !submission, resubmit: isOpen && Boolean(submission), grade: mayReview(actor) },
    refusal: refusal?.message ?? null,
    today: dayAt(now(), assignment.zone),
  };
}

/** The latest submission by assignment and person (ASSIGN-28, SUBM-24). */
async function ownSubmission(db: Db, userId: string, assignmentId: string) {
  const [found] = await submissionOf(db, { userId, assignmentId });
  if (!found) return null;
  return {
    ...found,
    status: found.status as SubmissionStatus,
    submittedAt: found.submittedAt.toISOString(),
    reviewedAt: found.reviewedAt?.toISOString() ?? null,
  };
}

const submissionOf = builtOnce((db, { userId, assignmentId }: { userId: string; assignmentId: string }) =>
  db
    .selectFrom('contentSubmissions')
    .leftJoin('profiles as reviewer', 'reviewer.id', 'contentSubmissions.reviewedBy')
    .leftJoin('contentEvaluations', 'contentEvaluations.submissionId', 'contentSubmissions.id')
    .select((eb) => [
      'contentSubmissions.id',
      'contentSubmissions.status',
      'contentSubmissions.roundNumber',
      'contentSubmissions.submissionText as text',
      'contentSubmissions.submittedAt',
      'contentSubmissions.feedback',
      'contentSubmissions.reviewedAt',
      'contentEvaluations.pointsEarned',
      fileAt(eb.ref('contentSubmissions.filePath')).as('file'),
      roundsOf(eb.ref('contentSubmissions.id')).as('rounds'),
      'reviewer.fullName as reviewerName',
    ])
    .where('contentSubmissions.assignmentId', '=', assignmentId)
    .where('contentSubmissions.userId', '=', userId),
);

/** The draft of the next round. A draft of an earlier round is of no use any more. */
async function ownDraft(db: Db, userId: string, assignmentId: string, submission: { roundNumber: number } | null) {
  const [found] = await draftOf(db, { userId, assignmentId, round: submission?.roundNumber ?? null });
  return found ? { ...found, updatedAt: found.updatedAt.toISOString() } : null;
}

interface RoundOf {
  userId: string;
  assignmentId: string;
  round: number | null;
}

const draftOf = builtOnce((db, { userId, assignmentId, round }: RoundOf) =>
  db
    .selectFrom('assignmentDrafts')
    .select((eb) => [
      'assignmentDrafts.draftText as text',
      'assignmentDrafts.updatedAt',
      fileAt(eb.ref('assignmentDrafts.filePath')).as('file'),
    ])
    .where('assignmentId', '=', assignmentId)
    .where('userId', '=', userId)
    .where(sql<SqlBool>`based_on_round is not distinct from ${round}::integer`),
);
