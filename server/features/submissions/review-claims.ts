import { sql } from 'kysely';
import { claimLengthAfterClosingInMs, claimLengthInMs } from '#contract/reviews.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { notFound } from '#server/platform/errors.ts';
import { loadForReview, reviewRefusal } from './review-access.ts';
import { claimOf } from './submission-columns.ts';
import { tellOfClaim } from './submission-notices.ts';

/**
 * Opens a submission for review, or prolongs that. The first reviewer keeps it until the claim ends, and the answer
 * names them. Throws `stale` if the submission no longer waits for a review.
 */
export async function claimReview(db: Db, actor: Actor, submissionId: string) {
  const submission = await loadForReview(db, actor, submissionId);
  const refusal = reviewRefusal(actor, { ...submission, claim: null });
  if (refusal) throw refusal;
  const at = now();
  const claimed = await takeClaim(db, actor, submissionId, at);
  if (claimed && !submission.claim?.isOwn) await tellOfClaim(db, actor, submission.reviewerIds);
  const claim = await readClaim(db, actor, submissionId, at);
  return { claim };
}

/**
 * Gives up the reviewer's own claim. The claim of a closing tab ends a little later, because a reload closes the tab
 * too.
 */
export async function releaseReview(db: Db, actor: Actor, submissionId: string, left: 'now' | 'tab') {
  const submission = await loadForReview(db, actor, submissionId);
  const isReleased = left === 'now' ? await dropClaim(db, actor, submissionId) : await endSoon(db, actor, submissionId);
  if (isReleased) await tellOfClaim(db, actor, submission.reviewerIds);
  return { isReleased };
}

async function dropClaim(db: Db, { id: reviewerId }: Actor, submissionId: string): Promise<boolean> {
  const dropped = await db
    .deleteFrom('reviewClaims')
    .where('submissionId', '=', submissionId)
    .where('reviewerId', '=', reviewerId)
    .executeTakeFirst();
  return dropped.numDeletedRows > 0n;
}

async function endSoon(db: Db, { id: reviewerId }: Actor, submissionId: string): Promise<boolean> {
  const expiresAt = new Date(now().getTime() + claimLengthAfterClosingInMs);
  const ended = await db
    .updateTable('reviewClaims')
    .set({ expiresAt })
    .where('submissionId', '=', submissionId)
    .where('reviewerId', '=', reviewerId)
    .where('expiresAt', '>', expiresAt)
    .executeTakeFirst();
  return ended.numUpdatedRows > 0n;
}

/** One statement decides between two reviewers at once. It returns nothing to the one who does not get the claim. */
function takeClaim(db: Db, actor: Actor, submissionId: string, claimedAt: Date) {
  const expiresAt = new Date(claimedAt.getTime() + claimLengthInMs);
  return db
    .insertInto('reviewClaims')
    .values({ submissionId, reviewerId: actor.id, claimedAt, expiresAt })
    .onConflict((conflict) =>
      conflict
        .column('submissionId')
        .doUpdateSet({ reviewerId: actor.id, claimedAt, expiresAt })
        .where(({ eb, ref }) =>
          eb.or([
            eb('reviewClaims.reviewerId', '=', actor.id),
            eb('reviewClaims.expiresAt', '<=', sql<Date>`${ref('excluded.claimedAt')}`),
          ]),
        ),
    )
    .returning('reviewerId')
    .executeTakeFirst();
}

async function readClaim(db: Db, actor: Actor, submissionId: string, at: Date) {
  const { claim } = await db
    .selectFrom('contentSubmissions')
    .select(claimOf(db, actor, at).as('claim'))
    .where('contentSubmissions.id', '=', submissionId)
    .executeTakeFirstOrThrow();
  if (!claim) throw notFound('Submission not found');
  return claim;
}
