import { type Expression, sql } from 'kysely';
import { takeBackInMs } from '#contract/reviews.ts';
import { canResubmit, type ReviewClaim, type SubmissionStatus, submissionStatusLabels } from '#contract/submissions.ts';
import type { Db } from '#server/db/database.ts';
import { coachIdsOf, isOwnParticipant } from '#server/features/coaching/coaching-access.ts';
import { paysForWeek } from '#server/features/programmes/calendar-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { ownRefusal } from '#server/platform/own-rows.ts';
import { mayReview, visibleSubmissions } from './submission-access.ts';
import { claimOf } from './submission-columns.ts';

type Viewer = Pick<Actor, 'id' | 'role' | 'trackType'>;

interface Reviewable {
  /** The participant whose work it is. */
  userId: string;
  status: SubmissionStatus;
  /** The person who has it open for review now. */
  claim: ReviewClaim | null;
}

/**
 * Locks and loads a submission. A review, a claim and the draft of a review start from it. The lock comes first, then
 * the look: one statement would read the claim, the correction and the week as they were before the wait.
 */
export async function loadForReview(db: Db, actor: Viewer, submissionId: string) {
  const visible = visibleSubmissions(db, actor).where('contentSubmissions.id', '=', submissionId);
  await visible.select('contentSubmissions.id').forUpdate().execute();
  const found = await visible
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
      'contentSubmissions.reviewedAt',
      isWeekDecided.as('isWeekDecided'),
      isReviewCorrected.as('isCorrected'),
      'contentAssignments.title as assignmentTitle',
      'contentAssignments.maxPoints',
      'trainingActivities.cohortId',
      'trainingActivities.weekNumber',
      isOwnParticipant(db, actor, eb.ref('contentSubmissions.userId')).as('isOwnParticipant'),
      coachIdsOf(db, eb.ref('contentSubmissions.userId')).as('coachIds'),
      reviewerIdsOf(db, eb.ref('contentSubmissions.userId')).as('reviewerIds'),
      claimOf(db, actor).as('claim'),
    ])
    .executeTakeFirst();
  if (!found) throw notFound('Submission not found');
  return { ...found, status: found.status as SubmissionStatus };
}

/** The people whose lists show a participant's work first: the participant's coaches, and admins. */
function reviewerIdsOf(db: Db, participantId: Expression<string>) {
  const admins = db.selectFrom('profiles').select('id').where('role', '=', 'admin').where('deletedAt', 'is', null);
  return sql<string[]>`array(select unnest(${coachIdsOf(db, participantId)}) union ${admins})`;
}

/**
 * The lock lets no week that this work counts in be decided between a check and an act on the review. Returns true if one
 * is decided.
 */
export async function lockWeeks(
  db: Db,
  { userId, cohortId, weekNumber }: { userId: string; cohortId: string | null; weekNumber: number },
): Promise<boolean> {
  const weeks = await db
    .selectFrom('stipendEligibility')
    .select('paymentStatus')
    .where('fellowId', '=', userId)
    .where(paysForWeek('stipend_eligibility', sql`${weekNumber}`))
    .$if(cohortId !== null, (query) => query.where('cohortId', '=', cohortId))
    .orderBy('id')
    .forUpdate()
    .execute();
  return weeks.some(({ paymentStatus }) => paymentStatus !== 'pending');
}

/**
 * The reason why this person cannot review the submission now, or null. Only a waiting submission is reviewed (SUBM-11,
 * SUBM-15).
 */
export function reviewRefusal(viewer: Pick<Actor, 'id' | 'role'>, submission: Reviewable): AppError | null {
  const { status, claim } = submission;
  if (!mayReview(viewer)) return new AppError('forbidden', 'Only coaches and admins review submissions.');
  const refusal = ownRefusal(viewer, submission.userId);
  if (refusal) return refusal;
  if (status !== 'submitted') {
    return new AppError('stale', `Somebody has just reviewed this submission: ${submissionStatusLabels[status]}.`);
  }
  if (!claim || claim.isOwn) return null;
  return new AppError('conflict', `${claim.reviewerName} has this submission open for review.`);
}

/** The reason why these points cannot be given, or null. */
export function pointsRefusal({ maxPoints }: { maxPoints: number }, pointsEarned: number | null): AppError | null {
  if (pointsEarned === null || pointsEarned <= maxPoints) return null;
  const message = `This assignment is worth up to ${maxPoints} points.`;
  return new AppError('invalid_input', message, { errors: [{ path: 'pointsEarned', message }] });
}

const weekIsDecided = 'The stipend of this week is decided, so its reviews cannot change.';

interface Correctable {
  userId: string;
  status: SubmissionStatus;
  reviewedBy: string | null;
  isWeekDecided: boolean;
}

/**
 * The reason why this person cannot correct the review, or null. Its reviewer or an admin may while the week's pay is
 * undecided.
 */
export function correctionRefusal(viewer: Viewer, submission: Correctable): AppError | null {
  const { userId, status, reviewedBy, isWeekDecided } = submission;
  const own = ownRefusal(viewer, userId);
  if (own) return own;
  if (!mayReview(viewer) || (viewer.role !== 'admin' && reviewedBy !== viewer.id)) {
    return new AppError('forbidden', 'Only its reviewer or an admin can correct a review.');
  }
  if (status === 'submitted') return new AppError('conflict', 'This submission is still waiting for its review.');
  if (!isWeekDecided) return null;
  return new AppError('conflict', weekIsDecided);
}

interface Retractable extends Correctable {
  reviewedAt: Date | null;
  isCorrected: boolean;
}

/**
 * The reason why this person cannot take the review back, or null. Only its reviewer may, for a minute, while it is the
 * last word and the week's pay is undecided.
 */
export function takeBackRefusal(viewer: Pick<Actor, 'id' | 'role'>, submission: Retractable): AppError | null {
  const { userId, status, reviewedBy, reviewedAt, isCorrected, isWeekDecided } = submission;
  const own = ownRefusal(viewer, userId);
  if (own) return own;
  if (!mayReview(viewer)) return new AppError('forbidden', 'Only coaches and admins review submissions.');
  if (status === 'submitted' || reviewedAt === null) {
    return new AppError('stale', 'This submission waits for its review again.');
  }
  if (isCorrected) return new AppError('stale', 'Somebody has just corrected this review.');
  if (reviewedBy !== viewer.id) return new AppError('forbidden', 'Only its reviewer takes a review back.');
  if (now().getTime() - reviewedAt.getTime() >= takeBackInMs) {
    return new AppError('conflict', 'A review can be taken back for one minute. Correct it instead.');
  }
  return isWeekDecided ? new AppError('conflict', weekIsDecided) : null;
}

/** The instant until which this person can take the review back, or null. */
export function takeBackUntil(viewer: Pick<Actor, 'id' | 'role'>, submission: Retractable): string | null {
  const { reviewedAt } = submission;
  if (reviewedAt === null || takeBackRefusal(viewer, submission)) return null;
  return new Date(reviewedAt.getTime() + takeBackInMs).toISOString();
}

/** Expects a row of `content_submissions`. True if the review of its newest round was corrected. */
export const isReviewCorrected = sql<boolean>`exists (
  select from review_corrections correction where correction.submission_id = content_submissions.id
    and correction.round_number = content_submissions.round_number)`;

/**
 * Expects rows of `content_submissions` and `training_activities`. True if a week that the work counts in is decided.
 */
export const isWeekDecided = sql<boolean>`exists (
  select from stipend_eligibility stipend
  where stipend.fellow_id = content_submissions.user_id and stipend.payment_status <> 'pending'
    and (training_activities.cohort_id is null or training_activities.cohort_id = stipend.cohort_id)
    and ${paysForWeek('stipend', sql`training_activities.week_number`)})`;

/** What a person may do with a submission that they see. The acts refuse by the same rules. */
export function submissionCan(viewer: Viewer, submission: Reviewable & Correctable & { isAssignmentOpen: boolean }) {
  return {
    review: reviewRefusal(viewer, submission) === null,
    correct: correctionRefusal(viewer, submission) === null,
    resubmit: submission.userId === viewer.id && canResubmit(submission.status) && submission.isAssignmentOpen,
  };
}
