import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { type AuditEntry, auditing } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { loadForReview, lockWeeks, takeBackRefusal } from './review-access.ts';
import { tellReviewers } from './submission-notices.ts';

type Reviewed = Awaited<ReturnType<typeof loadForReview>>;

/**
 * Takes back the review of the newest round, for a minute after it was sent. The submission is as before, with the
 * review as its reviewer's draft. Throws `stale` if another review, a correction or a newer round is there.
 */
export async function takeReviewBack(db: Db, actor: Actor, submissionId: string, reviewedAt: string) {
  const submission = await loadForReview(db, actor, submissionId);
  const isWeekDecided = await lockWeeks(db, submission);
  const refusal = takeBackRefusal(actor, { ...submission, isWeekDecided });
  if (refusal) throw refusal;
  if (submission.reviewedAt?.getTime() !== new Date(reviewedAt).getTime()) {
    throw new AppError('stale', 'Somebody has just reviewed this submission again.');
  }
  await storeRetraction(db, actor, submission);
  await openRoundAgain(db, submission);
  await tellReviewers(db, actor, submission);
  return { id: submissionId, status: 'submitted' as const };
}

/** The round lets go of its review only if this row is there. */
async function storeRetraction(db: Db, actor: Actor, submission: Reviewed): Promise<void> {
  const { id, roundNumber } = submission;
  await db
    .with('noted', () => sql<object>`(${auditing(actor.id, [entryOf(submission)])})`)
    .with('kept', (query) =>
      query
        .insertInto('reviewDrafts')
        .columns(['submissionId', 'reviewerId', 'roundNumber', 'reviewStatus', 'feedback', 'pointsEarned', 'updatedAt'])
        .expression((row) =>
          row
            .selectFrom('submissionRounds')
            .select((round) => [
              'submissionId',
              'reviewedBy',
              'roundNumber',
              'reviewStatus',
              'feedback',
              'pointsEarned',
              round.val(now()).as('updatedAt'),
            ])
            .where('submissionId', '=', id)
            .where('roundNumber', '=', roundNumber),
        )
        .onConflict((conflict) => conflict.columns(['submissionId', 'reviewerId']).doNothing()),
    )
    .insertInto('reviewRetractions')
    .columns(['submissionId', 'roundNumber', 'reviewedBy', 'reviewStatus', 'reviewedAt', 'retractedAt'])
    .expression((row) =>
      row
        .selectFrom('submissionRounds')
        .select((round) => [
          'submissionId',
          'roundNumber',
          'reviewedBy',
          'reviewStatus',
          'reviewedAt',
          round.val(now()).as('retractedAt'),
        ])
        .where('submissionId', '=', id)
        .where('roundNumber', '=', roundNumber),
    )
    .execute();
}

/** What was said of the round before stands again on the submission (ASSIGN-25), with its points. */
async function openRoundAgain(db: Db, { id, roundNumber }: Reviewed): Promise<void> {
  await sql`
    with former as (
      select coalesce(correction.feedback, round.feedback) as feedback,
        case when correction.id is null then round.points_earned else correction.points_earned end as points_earned,
        coalesce(correction.corrected_by, round.reviewed_by) as reviewed_by,
        coalesce(correction.corrected_at, round.reviewed_at) as reviewed_at
      from submission_rounds round
      left join lateral (
        select * from review_corrections
        where review_corrections.submission_id = round.submission_id
          and review_corrections.round_number = round.round_number
        order by corrected_at desc, id desc limit 1) correction on true
      where round.submission_id = ${id} and round.round_number = ${roundNumber} - 1 and round.reviewed_at is not null
    ), opened as (
      update submission_rounds
      set review_status = null, feedback = null, points_earned = null, reviewed_by = null, reviewed_at = null
      where submission_id = ${id} and round_number = ${roundNumber}
    ), ungraded as (
      delete from content_evaluations where submission_id = ${id} and not exists (select from former)
    ), graded as (
      update content_evaluations set feedback = former.feedback, points_earned = former.points_earned,
        graded_by = former.reviewed_by, graded_at = former.reviewed_at
      from former where submission_id = ${id}
    )
    update content_submissions set status = 'submitted', feedback = (select feedback from former),
      reviewed_by = (select reviewed_by from former), reviewed_at = (select reviewed_at from former)
    where id = ${id}`.execute(db);
}

function entryOf({ id, status, roundNumber, isOwnParticipant }: Reviewed): AuditEntry {
  return {
    action: 'review.take_back',
    subjectType: 'content_submission',
    subjectId: id,
    before: { status, roundNumber },
    after: { status: 'submitted', roundNumber, isOwnParticipant },
  };
}
