import { sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { correctReview as correctReviewEndpoint } from '#contract/reviews.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { type AuditEntry, auditing } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { correctionRefusal, loadForReview, lockWeeks, pointsRefusal } from './review-access.ts';
import { tellOfCorrection } from './submission-notices.ts';

type Correction = ParsedInputOf<typeof correctReviewEndpoint>['body'];
type Reviewed = Awaited<ReturnType<typeof loadForReview>>;

/**
 * Replaces the outcome of the newest round, with its reason. Both outcomes are kept. Throws `stale` if the outcome is
 * not the one that the person read, and `conflict` once the week's stipend is decided.
 */
export async function correctReview(db: Db, actor: Actor, submissionId: string, correction: Correction) {
  const submission = await loadForReview(db, actor, submissionId);
  if (submission.roundNumber !== correction.roundNumber || submission.status !== correction.formerStatus) {
    throw new AppError('stale', 'This submission has just changed. Please read it again before you correct it.');
  }
  const isWeekDecided = await lockWeeks(db, submission);
  const refusal =
    correctionRefusal(actor, { ...submission, isWeekDecided }) ?? pointsRefusal(submission, correction.pointsEarned);
  if (refusal) throw refusal;
  const id = await storeCorrection(db, actor, submission, correction);
  await tellOfCorrection(db, actor, submission, { ...correction, id });
  return { id: submissionId, status: correction.status };
}

async function storeCorrection(db: Db, actor: Actor, submission: Reviewed, correction: Correction): Promise<string> {
  const { id: submissionId, roundNumber } = submission;
  const { status, feedback, pointsEarned, reason } = correction;
  const [id, correctedAt] = [newId(), now()];
  const evaluation = { feedback, pointsEarned, gradedBy: actor.id, gradedAt: correctedAt };
  await db
    .with('corrected', (query) =>
      query.insertInto('reviewCorrections').values({
        ...{ id, submissionId, roundNumber, reviewStatus: status, feedback, pointsEarned, reason },
        ...{ correctedBy: actor.id, correctedAt },
      }),
    )
    .with('graded', (query) =>
      query
        .insertInto('contentEvaluations')
        .values({ submissionId, ...evaluation })
        .onConflict((conflict) => conflict.column('submissionId').doUpdateSet(evaluation)),
    )
    .with('noted', () => sql<object>`(${auditing(actor.id, [entryOf(submission, correction)])})`)
    .updateTable('contentSubmissions')
    .set({ status, feedback, reviewedBy: actor.id, reviewedAt: correctedAt })
    .where('id', '=', submissionId)
    .execute();
  return id;
}

function entryOf({ id, status, roundNumber, isOwnParticipant }: Reviewed, correction: Correction): AuditEntry {
  return {
    action: 'submission.correct_review',
    subjectType: 'content_submission',
    subjectId: id,
    before: { status, roundNumber },
    after: { status: correction.status, roundNumber, pointsEarned: correction.pointsEarned, isOwnParticipant },
    reason: correction.reason,
  };
}
