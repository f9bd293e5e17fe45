import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { saveReviewDraft as saveReviewDraftEndpoint } from '#contract/reviews.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { ownRefusal } from '#server/platform/own-rows.ts';
import { loadForReview } from './review-access.ts';

type Draft = ParsedInputOf<typeof saveReviewDraftEndpoint>['body'];
type Reviewed = Pick<Awaited<ReturnType<typeof loadForReview>>, 'status' | 'roundNumber' | 'reviewedBy'>;

/**
 * Keeps what a reviewer has begun to write, so nothing typed is lost. This also holds for a round that somebody else
 * has reviewed meanwhile. A draft without words and points is dropped, and so is one that arrives after the reviewer's
 * own review.
 */
export async function saveReviewDraft(db: Db, actor: Actor, submissionId: string, draft: Draft) {
  const submission = await loadForReview(db, actor, submissionId);
  const refusal = ownRefusal(actor, submission.userId);
  if (refusal) throw refusal;
  const place = { submissionId, reviewerId: actor.id };
  const isEmpty = draft.feedback.trim() === '' && draft.pointsEarned === null;
  if (isEmpty || isSent(actor, submission, draft)) {
    await discardDraft(db, place);
    return { updatedAt: null };
  }
  const { status: reviewStatus, ...words } = draft;
  const content = { ...words, reviewStatus, updatedAt: now() };
  await db
    .insertInto('reviewDrafts')
    .values({ ...place, ...content })
    .onConflict((conflict) => conflict.columns(['submissionId', 'reviewerId']).doUpdateSet(content))
    .execute();
  return { updatedAt: content.updatedAt.toISOString() };
}

function isSent(actor: Actor, { status, roundNumber, reviewedBy }: Reviewed, draft: Draft): boolean {
  return status !== 'submitted' && reviewedBy === actor.id && draft.roundNumber <= roundNumber;
}

async function discardDraft(db: Db, { submissionId, reviewerId }: { submissionId: string; reviewerId: string }) {
  await db
    .deleteFrom('reviewDrafts')
    .where('submissionId', '=', submissionId)
    .where('reviewerId', '=', reviewerId)
    .execute();
}
