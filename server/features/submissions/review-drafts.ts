import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { saveReviewDraft as saveReviewDraftEndpoint } from '#contract/reviews.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { notFound } from '#server/platform/errors.ts';
import { visibleSubmissions } from './submission-access.ts';

type Draft = ParsedInputOf<typeof saveReviewDraftEndpoint>['body'];

/**
 * Keeps what a reviewer has begun to write, also about a round that somebody else has reviewed meanwhile: nothing typed
 * is lost. A draft without words and points is thrown away.
 */
export async function saveReviewDraft(db: Db, actor: Actor, submissionId: string, draft: Draft) {
  if (draft.feedback.trim() === '' && draft.pointsEarned === null) {
    await discardDraft(db, actor, submissionId);
    return { updatedAt: null };
  }
  const { status: reviewStatus, ...words } = draft;
  const content = { ...words, reviewStatus, updatedAt: now() };
  const saved = await db
    .insertInto('reviewDrafts')
    .columns(['submissionId', 'reviewerId', 'roundNumber', 'feedback', 'pointsEarned', 'reviewStatus', 'updatedAt'])
    .expression(
      visibleSubmissions(db, actor)
        .select(({ val, cast }) => [
          'contentSubmissions.id',
          cast<string>(val(actor.id), 'uuid').as('reviewerId'),
          cast<number>(val(content.roundNumber), 'integer').as('roundNumber'),
          val(content.feedback).as('feedback'),
          cast<number | null>(val(content.pointsEarned), 'numeric').as('pointsEarned'),
          val(content.reviewStatus).as('reviewStatus'),
          cast<Date>(val(content.updatedAt), 'timestamptz').as('updatedAt'),
        ])
        .where('contentSubmissions.id', '=', submissionId),
    )
    .onConflict((conflict) => conflict.columns(['submissionId', 'reviewerId']).doUpdateSet(content))
    .returning('updatedAt')
    .executeTakeFirst();
  if (!saved) throw notFound('Submission not found');
  return { updatedAt: saved.updatedAt.toISOString() };
}

async function discardDraft(db: Db, actor: Actor, submissionId: string): Promise<void> {
  await db
    .deleteFrom('reviewDrafts')
    .where('submissionId', '=', submissionId)
    .where('reviewerId', '=', actor.id)
    .execute();
}
