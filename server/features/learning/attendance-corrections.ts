import { sql } from 'kysely';
import type { answerAttendanceCorrection, askForAttendanceCorrection } from '#contract/attendance-corrections.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { easternDay } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { coachIdsOf, isOwnParticipant } from '#server/features/coaching/coaching-access.ts';
import { findActiveCohort } from '#server/features/cohorts/cohort-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { tellOfAnswer, tellOfRequest, tellOfWithdrawal } from './attendance-correction-notices.ts';
import { decidedRefusal, futureRefusal, loadActivity } from './learning-access.ts';
import { recomputeProgress } from './progress-derivation.ts';

type Question = ParsedInputOf<typeof askForAttendanceCorrection>['body'];
type Answer = ParsedInputOf<typeof answerAttendanceCorrection>['body'];

/** A participant says that a record is wrong; one open request an activity. The record stays until somebody answers. */
export async function askForCorrection(db: Db, actor: Actor, activityId: string, { attended, reason }: Question) {
  const activity = await loadActivity(db, actor, activityId);
  const cohort = await findActiveCohort(db, actor.id);
  if (!cohort) throw new AppError('conflict', 'You have no active cohort, so there is nothing to correct.');
  if (activity.isCompleted === attended) throw recordedLikeThis(attended);
  const { paymentStatus, answererIds } = await loadConcerned(db, actor, cohort.id, activity.weekNumber);
  const refusal = decidedRefusal(activity.weekNumber, paymentStatus) ?? futureRefusal(activity, easternDay(now()));
  if (refusal) throw refusal;
  const asked = await db
    .insertInto('attendanceCorrections')
    .values({
      participantId: actor.id,
      activityId,
      cohortId: cohort.id,
      weekNumber: activity.weekNumber,
      attended,
      reason,
      askedAt: now(),
    })
    .onConflict((conflict) =>
      conflict.columns(['participantId', 'activityId']).where('status', '=', 'open').doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!asked) throw new AppError('conflict', 'You have asked about this activity already. Your coach will answer.');
  await tellOfRequest(db, actor, { id: asked.id, title: activity.title, answererIds });
  return { id: asked.id };
}

/** Answered ones stay as they are. */
export async function withdrawCorrection(db: Db, actor: Actor, correctionId: string) {
  const withdrawn = await db
    .updateTable('attendanceCorrections as correction')
    .set({ status: 'withdrawn' })
    .where('id', '=', correctionId)
    .where('participantId', '=', actor.id)
    .where('status', '=', 'open')
    .returning((eb) => coachIdsOf(db, eb.ref('correction.participantId')).as('coachIds'))
    .executeTakeFirst();
  if (!withdrawn) throw notFound('There is no open request of yours to take back.');
  await tellOfWithdrawal(db, actor.id, withdrawn.coachIds);
  return { done: true as const };
}

/**
 * Accepting makes the record as the participant said; the week's undecided stipend and the progress follow in the same
 * transaction. Throws `stale` when it was answered or withdrawn meanwhile, `conflict` when the stipend was decided.
 */
export async function answerCorrection(db: Db, actor: Actor, correctionId: string, { accepts, answer }: Answer) {
  const request = await loadRequest(db, actor, correctionId);
  if (request.status !== 'open') {
    throw new AppError('stale', 'This request was answered or taken back meanwhile. Please look at it again.');
  }
  const refusal = accepts ? decidedRefusal(request.weekNumber, request.paymentStatus) : null;
  if (refusal) throw refusal;
  const recordId = await settle(db, actor, request, { accepts, answer });
  if (recordId) {
    await recomputeProgress(db, [request.participantId], request.cohortId);
    await audit(db, actor.id, {
      action: request.attended ? 'attendance.record' : 'attendance.remove',
      subjectType: 'attendance',
      subjectId: recordId,
      [request.attended ? 'after' : 'before']: {
        fellowId: request.participantId,
        cohortId: request.cohortId,
        contentId: request.activityId,
        weekNumber: request.weekNumber,
      },
      reason: reasonOf(request.reason, answer),
    });
  } else if (!accepts) {
    await audit(db, actor.id, {
      action: 'attendance.correction_declined',
      subjectType: 'attendance_correction',
      subjectId: correctionId,
      reason: answer,
    });
  }
  await tellOfAnswer(db, { ...request, id: correctionId, accepts, answer, hasChanged: recordId !== null });
  return { done: true as const };
}

function recordedLikeThis(attended: boolean): AppError {
  const words = attended
    ? 'Your attendance of this activity is recorded already.'
    : 'No attendance of yours is recorded for this activity.';
  return new AppError('conflict', words);
}

/** Without a coach the admins answer. */
async function loadConcerned(db: Db, actor: Actor, cohortId: string, weekNumber: number) {
  const { paymentStatus, coachIds, adminIds } = await db
    .selectFrom('profiles')
    .leftJoin('stipendEligibility as stipend', (join) =>
      join
        .onRef('stipend.fellowId', '=', 'profiles.id')
        .on('stipend.cohortId', '=', cohortId)
        .on('stipend.weekNumber', '=', weekNumber),
    )
    .select((eb) => [
      'stipend.paymentStatus',
      coachIdsOf(db, eb.ref('profiles.id')).as('coachIds'),
      sql<string[]>`array(select id from profiles where role = 'admin' and deleted_at is null)`.as('adminIds'),
    ])
    .where('profiles.id', '=', actor.id)
    .executeTakeFirstOrThrow();
  return { paymentStatus, answererIds: coachIds.length > 0 ? coachIds : adminIds };
}

/** Locked with the week's stipend, so that neither is decided between this look and the answer. */
async function loadRequest(db: Db, actor: Actor, correctionId: string) {
  const request = await db
    .with('request', () =>
      db
        .selectFrom('attendanceCorrections as correction')
        .selectAll('correction')
        .where('correction.id', '=', correctionId)
        .$if(actor.role !== 'admin', (all) =>
          all.where((eb) => isOwnParticipant(db, actor, eb.ref('correction.participantId'))),
        )
        .forUpdate(),
    )
    .with('stipend', () =>
      db
        .selectFrom('stipendEligibility')
        .select('paymentStatus')
        .where(
          sql<boolean>`(fellow_id, cohort_id, week_number)
            = (select participant_id, cohort_id, week_number from request)`,
        )
        .forNoKeyUpdate(),
    )
    .selectFrom('request')
    .innerJoin('trainingActivities as activity', 'activity.id', 'request.activityId')
    .innerJoin('profiles', 'profiles.id', 'request.participantId')
    .leftJoin('stipend', (join) => join.onTrue())
    .select((eb) => [
      'request.participantId',
      'request.activityId',
      'request.cohortId',
      'request.weekNumber',
      'request.attended',
      'request.reason',
      'request.status',
      'activity.title',
      'activity.durationMinutes',
      'stipend.paymentStatus',
      coachIdsOf(db, eb.ref('request.participantId')).as('coachIds'),
    ])
    .where('profiles.deletedAt', 'is', null)
    .executeTakeFirst();
  if (!request) throw notFound('Request not found');
  return request;
}

type OpenRequest = Awaited<ReturnType<typeof loadRequest>>;

/** The answer, and with an accepted one the record, in one statement: the record's id where it changed. */
async function settle(db: Db, actor: Actor, request: OpenRequest, { accepts, answer }: Answer): Promise<string | null> {
  const { participantId, activityId, cohortId, weekNumber, attended } = request;
  const settled = db.with('answered', (all) =>
    all
      .updateTable('attendanceCorrections')
      .set({
        status: accepts ? 'accepted' : 'declined',
        answer: answer || null,
        answeredBy: actor.id,
        answeredAt: now(),
      })
      .where('participantId', '=', participantId)
      .where('activityId', '=', activityId)
      .where('status', '=', 'open'),
  );
  const written =
    accepts && attended
      ? await settled
          .insertInto('attendanceRecords')
          .values({
            fellowId: participantId,
            cohortId,
            contentId: activityId,
            weekNumber,
            contentType: 'live_session',
            durationMinutes: request.durationMinutes ?? 60,
            accessedAt: now(),
            recordedBy: actor.id,
            reason: reasonOf(request.reason, answer),
          })
          .onConflict((conflict) => conflict.columns(['fellowId', 'contentId']).doNothing())
          .returning('id')
          .executeTakeFirst()
      : await settled
          .deleteFrom('attendanceRecords')
          .where('fellowId', '=', participantId)
          .where('contentId', '=', activityId)
          .where(sql.lit(accepts))
          .returning('id')
          .executeTakeFirst();
  return written?.id ?? null;
}

function reasonOf(asked: string, answer: string): string {
  return answer ? `Asked by the participant: ${asked} Answer: ${answer}` : `Asked by the participant: ${asked}`;
}
