import type { ParsedInputOf } from '#contract/endpoint.ts';
import type {
  reviewSubmission as reviewSubmissionEndpoint,
  SubmissionStatus,
  submitAssignment as submitAssignmentEndpoint,
} from '#contract/submissions.ts';
import type { Db } from '#server/db/database.ts';
import { claimUpload } from '#server/features/files/file-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { loadAssignment, reviewRefusal, submitRefusal, visibleSubmissions } from './submission-access.ts';
import { tellOfReview, tellOfWork } from './submission-notices.ts';
import { isOwnParticipant } from './submission-queries.ts';

type Work = ParsedInputOf<typeof submitAssignmentEndpoint>['body'];
type Review = ParsedInputOf<typeof reviewSubmissionEndpoint>['body'];

/**
 * Hands in a first round, or the next one after a revision was asked for; every round stays as it was handed in.
 * Throws `stale` when the submission has moved on from the round that the person saw.
 */
export async function submitAssignment(db: Db, actor: Actor, assignmentId: string, work: Work) {
  const text = work.text?.trim() ? work.text : null;
  if (!text && !work.fileId) {
    throw new AppError('invalid_input', 'Please provide either text submission or upload a file');
  }
  const assignment = await loadAssignment(db, actor, assignmentId);
  const existing = await lockOwnSubmission(db, actor.id, assignmentId);
  const refusal = submitRefusal(assignment, existing);
  if (refusal) throw refusal;
  if ((existing?.roundNumber ?? null) !== work.basedOnRound) {
    throw new AppError('stale', 'This submission has changed since you opened it. Please look at it again.');
  }
  const file = work.fileId ? await claimFile(db, actor, work.fileId, existing) : null;
  const facts = { submissionText: text, filePath: file?.path ?? null, submittedAt: now() };
  const stored = existing
    ? await startNextRound(db, existing, facts)
    : await insertFirst(db, actor.id, assignmentId, facts);
  await db
    .insertInto('submissionRounds')
    .values({ submissionId: stored.id, roundNumber: stored.roundNumber, ...facts })
    .execute();
  await enqueue(db, 'recompute-progress', { participantIds: [actor.id], cohortId: assignment.cohortId });
  await tellOfWork(db, actor, { ...stored, assignmentTitle: assignment.title });
  return { id: stored.id, status: 'submitted' as const, roundNumber: stored.roundNumber };
}

/** Sets the outcome of the round that the reviewer read; a newer round is refused as `stale` (SUBM-11). */
export async function reviewSubmission(db: Db, actor: Actor, submissionId: string, review: Review) {
  const submission = await lockForReview(db, actor, submissionId);
  if (submission.roundNumber !== review.roundNumber) {
    throw new AppError('stale', 'The participant has handed in a newer version. Please read it before you decide.');
  }
  const refusal = reviewRefusal(actor, submission);
  if (refusal) throw refusal;
  const outcome = { feedback: review.feedback, reviewedBy: actor.id, reviewedAt: now() };
  await db
    .updateTable('contentSubmissions')
    .set({ ...outcome, status: review.status })
    .where('id', '=', submissionId)
    .execute();
  await db
    .updateTable('submissionRounds')
    .set({ ...outcome, reviewStatus: review.status })
    .where('submissionId', '=', submissionId)
    .where('roundNumber', '=', review.roundNumber)
    .execute();
  await recordReview(db, actor, submission, review);
  await tellOfReview(db, actor, submission, review.status);
  return { id: submissionId, status: review.status };
}

interface Facts {
  submissionText: string | null;
  filePath: string | null;
  submittedAt: Date;
}

async function lockForReview(db: Db, actor: Actor, submissionId: string) {
  const found = await visibleSubmissions(db, actor)
    .innerJoin('contentAssignments', 'contentAssignments.id', 'contentSubmissions.assignmentId')
    .innerJoin('contentItems', 'contentItems.id', 'contentAssignments.contentItemId')
    .innerJoin('trainingActivities', 'trainingActivities.id', 'contentItems.trainingActivityId')
    .select([
      'contentSubmissions.id',
      'contentSubmissions.userId',
      'contentSubmissions.assignmentId',
      'contentSubmissions.status',
      'contentSubmissions.roundNumber',
      'contentAssignments.title as assignmentTitle',
      'trainingActivities.cohortId',
    ])
    .select(isOwnParticipant(actor.id).as('isOwnParticipant'))
    .where('contentSubmissions.id', '=', submissionId)
    .forUpdate('contentSubmissions')
    .executeTakeFirst();
  if (!found) throw notFound('Submission not found');
  return { ...found, status: found.status as SubmissionStatus };
}

/** Null before a first submission: there is nothing to lock, and `insertFirst` lets one of two requests through. */
async function lockOwnSubmission(db: Db, userId: string, assignmentId: string) {
  const found = await db
    .selectFrom('contentSubmissions')
    .select(['id', 'status', 'roundNumber'])
    .where('userId', '=', userId)
    .where('assignmentId', '=', assignmentId)
    .forUpdate()
    .executeTakeFirst();
  return found ? { ...found, status: found.status as SubmissionStatus } : null;
}

/** The file of an earlier round may stay; one that another submission holds may not be handed in again. */
async function claimFile(db: Db, actor: Actor, fileId: string, existing: { id: string } | null) {
  const file = await claimUpload(db, actor, fileId, 'submissions');
  const holders = await db
    .selectFrom('contentSubmissions')
    .innerJoin('submissionRounds', 'submissionRounds.submissionId', 'contentSubmissions.id')
    .select('contentSubmissions.id')
    .where('contentSubmissions.userId', '=', actor.id)
    .where('submissionRounds.filePath', '=', file.path)
    .execute();
  if (holders.every(({ id }) => id === existing?.id)) return file;
  throw new AppError('invalid_input', 'This file is part of another submission. Please upload it again.');
}

async function insertFirst(db: Db, userId: string, assignmentId: string, facts: Facts) {
  const inserted = await db
    .insertInto('contentSubmissions')
    .values({ id: newId(), userId, assignmentId, ...facts })
    .onConflict((conflict) => conflict.columns(['assignmentId', 'userId']).doNothing())
    .returning(['id', 'roundNumber'])
    .executeTakeFirst();
  if (!inserted) throw new AppError('conflict', 'You have handed this in already. Your coach will review it.');
  return inserted;
}

/** The review's words stay until the next review (ASSIGN-25). */
function startNextRound(db: Db, existing: { id: string; roundNumber: number }, facts: Facts) {
  return db
    .updateTable('contentSubmissions')
    .set({ ...facts, status: 'submitted', roundNumber: existing.roundNumber + 1 })
    .where('id', '=', existing.id)
    .returning(['id', 'roundNumber'])
    .executeTakeFirstOrThrow();
}

type Reviewed = Awaited<ReturnType<typeof lockForReview>>;

async function recordReview(db: Db, actor: Actor, submission: Reviewed, review: Review): Promise<void> {
  const { id, userId, cohortId, status, roundNumber, isOwnParticipant: isOwn } = submission;
  await audit(db, actor.id, {
    action: 'submission.review',
    subjectType: 'content_submission',
    subjectId: id,
    before: { status, roundNumber },
    after: { status: review.status, roundNumber, isOwnParticipant: isOwn },
  });
  await enqueue(db, 'recompute-progress', { participantIds: [userId], cohortId });
}
