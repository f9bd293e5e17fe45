import { sql } from 'kysely';
import type { answerAttendanceCorrection, askForAttendanceCorrection } from '#contract/attendance-corrections.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { coachIdsOf, isOwnParticipant } from '#server/features/coaching/coaching-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { ownRefusal } from '#server/platform/own-rows.ts';
import { changed } from '#server/platform/telling.ts';
import { type Answerers, tellOfAnswer, tellOfRequest } from './attendance-correction-notices.ts';
import { findDecidedStipend } from './attendance-correction-queries.ts';
import { setAttendance } from './attendance-records.ts';
import {
  allAdminIds,
  decidedRefusal,
  findOwnActivity,
  findStandingCohortId,
  futureRefusal,
  loadOwnActivity,
  noCohort,
  notTaughtAnyMore,
} from './learning-access.ts';

type Question = ParsedInputOf<typeof askForAttendanceCorrection>['body'];
type Answer = ParsedInputOf<typeof answerAttendanceCorrection>['body'];

/**
 * A participant says that a record is wrong. An activity has one open request. The record stays until somebody answers.
 */
export async function askForCorrection(db: Db, actor: Actor, activityId: string, { attended, reason }: Question) {
  const activity = await loadOwnActivity(db, actor, activityId);
  const cohortId = await findStandingCohortId(db, actor.id, activity);
  if (!cohortId) throw new AppError('conflict', noCohort);
  if (activity.isCompleted === attended) throw recordedLikeThis(attended);
  const decided = await findDecidedStipend(db, actor.id, cohortId, activity);
  const refusal = decidedRefusal(decided) ?? futureRefusal(activity, dayAt(now(), activity.zone));
  if (refusal) throw refusal;
  const answerers = await findAnswerers(db, actor.id);
  const asked = await db
    .insertInto('attendanceCorrections')
    .values({
      participantId: actor.id,
      activityId,
      cohortId,
      weekNumber: activity.weekNumber,
      attended,
      reason,
      askedAt: now(),
    })
    .onConflict((conflict) =>
      conflict.columns(['participantId', 'activityId']).where('status', '=', sql.lit('open')).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!asked) throw new AppError('conflict', 'You have asked about this activity already. Your coach will answer.');
  await tellOfRequest(db, actor, { id: asked.id, title: activity.title, ...answerers });
  return { id: asked.id };
}

/** Answered requests stay as they are. */
export async function withdrawCorrection(db: Db, actor: Actor, correctionId: string) {
  const withdrawn = await db
    .updateTable('attendanceCorrections')
    .set({ status: 'withdrawn' })
    .where('id', '=', correctionId)
    .where('participantId', '=', actor.id)
    .where('status', '=', sql.lit('open'))
    .returning('id')
    .executeTakeFirst();
  if (!withdrawn) throw notFound('You have no open request to take back.');
  await changed(db, 'corrections', [actor.id]);
  return { done: true as const };
}

/**
 * Accepting makes the record as the participant said. The week's undecided stipend and the progress follow in the same
 * transaction. Throws `stale` if the request was answered or withdrawn meanwhile. Throws `conflict` if the stipend was
 * decided, or the activity is no longer for the participant.
 */
export async function answerCorrection(db: Db, actor: Actor, correctionId: string, { accepts, answer }: Answer) {
  const request = await loadRequest(db, actor, correctionId);
  const refusal = ownRefusal(actor, request.participantId);
  if (refusal) throw refusal;
  if (request.status !== 'open') {
    throw new AppError('stale', 'This request was already answered or taken back. Please look at it again.');
  }
  const hasChanged = accepts ? await accept(db, actor, request, answer) : false;
  if (!accepts) await decline(db, actor, correctionId, answer);
  if (!hasChanged) {
    await audit(db, actor.id, {
      action: accepts ? 'attendance.correction_accepted' : 'attendance.correction_declined',
      subjectType: 'attendance_correction',
      subjectId: correctionId,
      reason: answer || null,
    });
  }
  await tellOfAnswer(db, actor, { ...request, id: correctionId, accepts, answer, hasChanged });
  return { done: true as const };
}

function recordedLikeThis(attended: boolean): AppError {
  const words = attended
    ? 'Your attendance at this activity is already recorded.'
    : 'You have no attendance recorded for this activity.';
  return new AppError('conflict', words);
}

async function findAnswerers(db: Db, participantId: string): Promise<Answerers> {
  return db
    .selectFrom('profiles')
    .select((eb) => [coachIdsOf(db, eb.ref('profiles.id')).as('coachIds'), allAdminIds.as('adminIds')])
    .where('profiles.id', '=', participantId)
    .executeTakeFirstOrThrow();
}

/** Locks the request. Until the transaction ends, nobody else answers it and its participant does not take it back. */
async function loadRequest(db: Db, actor: Actor, correctionId: string) {
  const request = await db
    .selectFrom('attendanceCorrections as request')
    .innerJoin('trainingActivities as activity', 'activity.id', 'request.activityId')
    .innerJoin('profiles', 'profiles.id', 'request.participantId')
    .select((eb) => [
      'request.participantId',
      'request.activityId',
      'request.attended',
      'request.reason',
      'request.status',
      'activity.title',
      'profiles.trackType',
      'profiles.fullName as participantName',
      coachIdsOf(db, eb.ref('request.participantId')).as('coachIds'),
    ])
    .where('request.id', '=', correctionId)
    .where('profiles.deletedAt', 'is', null)
    .$if(actor.role !== 'admin', (all) =>
      all.where((eb) => isOwnParticipant(db, actor, eb.ref('request.participantId'))),
    )
    .forUpdate('request')
    .executeTakeFirst();
  if (!request) throw notFound('Request not found');
  return request;
}

type OpenRequest = Awaited<ReturnType<typeof loadRequest>>;

/** Judges by what the activity is and who the participant is today. Returns whether the record changed. */
async function accept(db: Db, actor: Actor, request: OpenRequest, answer: string): Promise<boolean> {
  const { participantId: id, activityId, trackType, attended, reason } = request;
  const participant = { id, role: 'participant' as const, trackType: trackType as Actor['trackType'] };
  const activity = await findOwnActivity(db, participant, activityId);
  if (!activity) throw new AppError('conflict', notTaughtAnyMore);
  const { hasChanged } = await setAttendance(db, actor, participant, {
    activity,
    attended,
    reason: reasonOf(reason, answer),
    answer: answer || null,
    takenBackBecause: 'You asked for it.',
  });
  return hasChanged;
}

async function decline(db: Db, actor: Actor, correctionId: string, answer: string): Promise<void> {
  await db
    .updateTable('attendanceCorrections')
    .set({ status: 'declined', answer, answeredBy: actor.id, answeredAt: now() })
    .where('id', '=', correctionId)
    .execute();
}

function reasonOf(asked: string, answer: string): string {
  return answer ? `Asked by the participant: ${asked} Answer: ${answer}` : `Asked by the participant: ${asked}`;
}
