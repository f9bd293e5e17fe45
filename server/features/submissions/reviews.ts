import { sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { reviewSubmission as reviewSubmissionEndpoint } from '#contract/reviews.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { type AuditEntry, auditing } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { loadForReview, pointsRefusal, reviewRefusal, takeBackUntil } from './review-access.ts';
import { tellOfReview } from './submission-notices.ts';

type Review = ParsedInputOf<typeof reviewSubmissionEndpoint>['body'];
type Reviewed = Awaited<ReturnType<typeof loadForReview>>;

/**
 * Sets the outcome of the round that the reviewer read (SUBM-11). Throws `stale` when a newer round or another review
 * is there, and `conflict` while another reviewer has the submission open.
 */
export async function reviewSubmission(db: Db, actor: Actor, submissionId: string, review: Review) {
  const submission = await loadForReview(db, actor, submissionId);
  if (submission.roundNumber !== review.roundNumber) {
    throw new AppError('stale', 'The participant has handed in a newer version. Please read it before you decide.');
  }
  const refusal = reviewRefusal(actor, submission) ?? pointsRefusal(submission, review.pointsEarned);
  if (refusal) throw refusal;
  const reviewedAt = now();
  await storeReview(db, actor, submission, { ...review, reviewedAt });
  await tellOfReview(db, actor, submission, { status: review.status, reviewedAt });
  const { status } = review;
  const outcome = { ...submission, status, reviewedBy: actor.id, reviewedAt };
  return {
    ...{ id: submissionId, status, reviewedAt: reviewedAt.toISOString() },
    takeBackUntil: takeBackUntil(actor, outcome),
  };
}

/**
 * Writes the outcome on the submission and on its round, the points (ASSIGN-36) and the record. Ends claim and own draft.
 */
async function storeReview(
  db: Db,
  actor: Actor,
  submission: Reviewed,
  review: Review & { reviewedAt: Date },
): Promise<void> {
  const { id } = submission;
  const { feedback, pointsEarned, reviewedAt } = review;
  const outcome = { feedback, reviewedBy: actor.id, reviewedAt };
  const evaluation = { feedback, pointsEarned, gradedBy: actor.id, gradedAt: reviewedAt };
  await db
    .with('noted', () => sql<object>`(${auditing(actor.id, [entryOf(submission, review)])})`)
    .with('reviewed', (query) =>
      query
        .updateTable('contentSubmissions')
        .set({ ...outcome, status: review.status })
        .where('id', '=', id),
    )
    .with('graded', (query) =>
      query
        .insertInto('contentEvaluations')
        .values({ submissionId: id, ...evaluation })
        .onConflict((conflict) => conflict.column('submissionId').doUpdateSet(evaluation)),
    )
    .with('released', (query) => query.deleteFrom('reviewClaims').where('submissionId', '=', id))
    .with('sent', (query) =>
      query.deleteFrom('reviewDrafts').where('submissionId', '=', id).where('reviewerId', '=', actor.id),
    )
    .updateTable('submissionRounds')
    .set({ ...outcome, pointsEarned, reviewStatus: review.status })
    .where('submissionId', '=', id)
    .where('roundNumber', '=', review.roundNumber)
    .execute();
}

function entryOf(submission: Reviewed, review: Review): AuditEntry {
  const { id, status, roundNumber, isOwnParticipant } = submission;
  const { pointsEarned } = review;
  return {
    action: 'submission.review',
    subjectType: 'content_submission',
    subjectId: id,
    before: { status, roundNumber },
    after: { status: review.status, roundNumber, pointsEarned, isOwnParticipant },
  };
}
