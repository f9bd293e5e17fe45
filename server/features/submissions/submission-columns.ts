import { type Expression, sql } from 'kysely';
import type { z } from 'zod';
import type { ReviewClaim, SubmissionRound } from '#contract/submissions.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { presentInstant } from '#server/platform/clock.ts';

type Round = z.input<typeof SubmissionRound>;

/** The stored file at a path, or null without one. */
export function fileAt(path: Expression<string | null>) {
  return sql<
    Round['file']
  >`(select jsonb_build_object('id', id, 'name', display_name, 'size', size, 'mimeType', mime_type)
    from stored_files where stored_files.path = ${path})`;
}

/** Every round of a submission, newest first. */
export function roundsOf(submissionId: Expression<string>) {
  return sql<Round[]>`(select coalesce(jsonb_agg(jsonb_build_object(
      'roundNumber', rounds.round_number,
      'text', rounds.submission_text,
      'file', ${fileAt(sql.ref('rounds.file_path'))},
      'submittedAt', ${instant('rounds.submitted_at')},
      'reviewStatus', coalesce(correction.review_status, rounds.review_status),
      'feedback', coalesce(correction.feedback, rounds.feedback),
      'pointsEarned', case when correction.id is null then rounds.points_earned else correction.points_earned end,
      'reviewerName', reviewer.full_name,
      'reviewedAt', ${instant('rounds.reviewed_at')},
      'correction', case when correction.id is not null then jsonb_build_object(
        'formerStatus', coalesce(correction.former_status, rounds.review_status),
        'reason', correction.reason,
        'correctorName', corrector.full_name,
        'correctedAt', ${instant('correction.corrected_at')}) end
    ) order by rounds.round_number desc), '[]')
    from submission_rounds rounds
    left join lateral (
      select *, lead(review_status) over (order by corrected_at desc, id desc) as former_status
      from review_corrections
      where review_corrections.submission_id = rounds.submission_id
        and review_corrections.round_number = rounds.round_number
      order by corrected_at desc, id desc limit 1) correction on true
    left join profiles corrector on corrector.id = correction.corrected_by
    left join profiles reviewer on reviewer.id = rounds.reviewed_by
    where rounds.submission_id = ${submissionId})`;
}

/** An instant as the API sends it. It goes to the microsecond if pages are cut by it. */
export function instant(column: string, fraction: 'MS' | 'US' = 'MS') {
  const format = `YYYY-MM-DD"T"HH24:MI:SS.${fraction}"Z"`;
  return sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', ${sql.lit(format)})`;
}

/** Expects the row of `content_submissions`. Tells who has it open for review now, or null. */
export function claimOf(db: Db, viewer: Pick<Actor, 'id'>, at: Date | typeof presentInstant = presentInstant) {
  return db
    .selectFrom('reviewClaims')
    .innerJoin('profiles as claimer', 'claimer.id', 'reviewClaims.reviewerId')
    .select((eb) =>
      sql<ReviewClaim>`jsonb_build_object(
        'reviewerId', claimer.id,
        'reviewerName', claimer.full_name,
        'isOwn', ${eb('claimer.id', '=', viewer.id)},
        'expiresAt', ${instant('review_claims.expires_at')})`.as('claim'),
    )
    .where('reviewClaims.submissionId', '=', sql.ref<string>('content_submissions.id'))
    .where('reviewClaims.expiresAt', '>', sql<Date>`${at}::timestamptz`);
}
