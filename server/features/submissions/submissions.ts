import type { ParsedInputOf } from '#contract/endpoint.ts';
import { readCoachDashboard, readParticipantDashboard } from '#contract/home.ts';
import {
  listSubmissions,
  readAssignment,
  readSubmission,
  type reviewSubmission as reviewSubmissionEndpoint,
  type SubmissionStatus,
  submissionStatusLabels,
  type submitAssignment as submitAssignmentEndpoint,
} from '#contract/submissions.ts';
import type { Db } from '#server/db/database.ts';
import { claimUpload } from '#server/features/files/file-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { tellBrowsers } from '#server/platform/live.ts';
import { loadAssignment, submitRefusal, visibleSubmissions } from './submission-access.ts';
import { tellOfReview } from './submission-notices.ts';

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
  const file = work.fileId ? await claimUpload(db, actor, work.fileId, 'submissions') : null;
  const facts = { submissionText: text, filePath: file?.path ?? null, submittedAt: now() };
  const stored = existing
    ? await startNextRound(db, existing, facts)
    : await insertFirst(db, actor.id, assignmentId, facts);
  await db
    .insertInto('submissionRounds')
    .values({ submissionId: stored.id, roundNumber: stored.roundNumber, ...facts })
    .execute();
  await tellOfWork(db, actor.id, assignment.cohortId);
  return { id: stored.id, status: 'submitted' as const, roundNumber: stored.roundNumber };
}

/** Sets the outcome of the round that the reviewer read; a newer round is refused as `stale` (SUBM-11). */
export async function reviewSubmission(db: Db, actor: Actor, submissionId: string, review: Review) {
  const submission = await visibleSubmissions(db, actor)
    .selectAll('contentSubmissions')
    .where('contentSubmissions.id', '=', submissionId)
    .forUpdate()
    .executeTakeFirst();
  if (!submission) throw notFound('Submission not found');
  if (submission.roundNumber !== review.roundNumber) {
    throw new AppError('stale', 'The participant has handed in a newer version. Please read it before you decide.');
  }
  if (submission.status !== 'submitted') {
    const label = submissionStatusLabels[submission.status as SubmissionStatus];
    throw new AppError('stale', `This submission was reviewed meanwhile: ${label}.`);
  }
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

/** Also takes a lock for a submission that is still to come, so that two requests at once make one. */
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

async function tellOfWork(db: Db, participantId: string, cohortId: string | null): Promise<void> {
  const coaches = await db
    .selectFrom('userCourses')
    .select('coachId')
    .distinct()
    .where('userId', '=', participantId)
    .where('status', '=', 'enrolled')
    .where('coachId', 'is not', null)
    .execute();
  await enqueue(db, 'recompute-progress', { participantIds: [participantId], cohortId });
  const coachIds = coaches.flatMap(({ coachId }) => coachId ?? []);
  await tellBrowsers(db, coachIds, { endpoints: [readCoachDashboard, listSubmissions, readSubmission] });
  await tellBrowsers(db, [participantId], { endpoints: [readParticipantDashboard, listSubmissions, readAssignment] });
}

interface Reviewed {
  id: string;
  userId: string;
  assignmentId: string;
  roundNumber: number;
  status: string;
}

async function recordReview(db: Db, actor: Actor, submission: Reviewed, review: Review): Promise<void> {
  const own = await db
    .selectFrom('userCourses')
    .select('userId')
    .where('userId', '=', submission.userId)
    .where('coachId', '=', actor.id)
    .where('status', '=', 'enrolled')
    .executeTakeFirst();
  await audit(db, actor.id, {
    action: 'submission.review',
    subjectType: 'content_submission',
    subjectId: submission.id,
    before: { status: submission.status, roundNumber: submission.roundNumber },
    after: { status: review.status, roundNumber: submission.roundNumber, isOwnParticipant: own !== undefined },
  });
  const { cohortId } = await db
    .selectFrom('contentAssignments')
    .innerJoin('contentItems', 'contentItems.id', 'contentAssignments.contentItemId')
    .innerJoin('trainingActivities', 'trainingActivities.id', 'contentItems.trainingActivityId')
    .select('trainingActivities.cohortId')
    .where('contentAssignments.id', '=', submission.assignmentId)
    .executeTakeFirstOrThrow();
  await enqueue(db, 'recompute-progress', { participantIds: [submission.userId], cohortId });
}
