import { type Expression, sql } from 'kysely';
import { canResubmit, type ReviewClaim, type SubmissionStatus, submissionStatusLabels } from '#contract/submissions.ts';
import type { Db } from '#server/db/database.ts';
import { coachIdsOf, isOwnParticipant } from '#server/features/coaching/coaching-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { ownRefusal } from '#server/platform/own-rows.ts';
import { mayReview, visibleSubmissions } from './submission-access.ts';
import { claimOf } from './submission-columns.ts';

type Viewer = Pick<Actor, 'id' | 'role' | 'trackType'>;

interface Reviewable {
  /** Whose work it is. */
  userId: string;
  status: SubmissionStatus;
  /** Who has it open for review now. */
  claim: ReviewClaim | null;
}

/** A submission, locked, as a review, a claim and the draft of a review start from it. */
export async function loadForReview(db: Db, actor: Viewer, submissionId: string) {
  const found = await visibleSubmissions(db, actor)
    .innerJoin('contentAssignments', 'contentAssignments.id', 'contentSubmissions.assignmentId')
    .innerJoin('contentItems', 'contentItems.id', 'contentAssignments.contentItemId')
    .innerJoin('trainingActivities', 'trainingActivities.id', 'contentItems.trainingActivityId')
    .select((eb) => [
      'contentSubmissions.id',
      'contentSubmissions.userId',
      'contentSubmissions.assignmentId',
      'contentSubmissions.status',
      'contentSubmissions.roundNumber',
      'contentSubmissions.reviewedBy',
      'contentAssignments.title as assignmentTitle',
      'contentAssignments.maxPoints',
      'trainingActivities.cohortId',
      isOwnParticipant(db, actor, eb.ref('contentSubmissions.userId')).as('isOwnParticipant'),
      coachIdsOf(db, eb.ref('contentSubmissions.userId')).as('coachIds'),
      reviewerIdsOf(db, eb.ref('contentSubmissions.userId')).as('reviewerIds'),
      claimOf(db, actor).as('claim'),
    ])
    .where('contentSubmissions.id', '=', submissionId)
    .forUpdate('contentSubmissions')
    .executeTakeFirst();
  if (!found) throw notFound('Submission not found');
  return { ...found, status: found.status as SubmissionStatus };
}

/** Whose lists show a participant's work first: the coaches of the participant, and admins. */
function reviewerIdsOf(db: Db, participantId: Expression<string>) {
  const admins = db.selectFrom('profiles').select('id').where('role', '=', 'admin').where('deletedAt', 'is', null);
  return sql<string[]>`array(select unnest(${coachIdsOf(db, participantId)}) union ${admins})`;
}

/** Why this person can't review the submission now, or null: only what waits is reviewed (SUBM-11, SUBM-15). */
export function reviewRefusal(viewer: Pick<Actor, 'id' | 'role'>, submission: Reviewable): AppError | null {
  const { status, claim } = submission;
  if (!mayReview(viewer)) return new AppError('forbidden', 'Only coaches and admins review submissions.');
  const refusal = ownRefusal(viewer, submission.userId);
  if (refusal) return refusal;
  if (status !== 'submitted') {
    return new AppError('stale', `This submission was reviewed meanwhile: ${submissionStatusLabels[status]}.`);
  }
  if (!claim || claim.isOwn) return null;
  return new AppError('conflict', `${claim.reviewerName} has this submission open for review.`);
}

/** What a person may do with a submission that they see; the acts refuse by the same rules. */
export function submissionCan(viewer: Viewer, submission: Reviewable & { isAssignmentOpen: boolean }) {
  return {
    review: reviewRefusal(viewer, submission) === null,
    resubmit: submission.userId === viewer.id && canResubmit(submission.status) && submission.isAssignmentOpen,
  };
}
