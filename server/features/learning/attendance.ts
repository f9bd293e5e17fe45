import { sql } from 'kysely';
import { readAttendance } from '#contract/activities.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { recordAttendance as recordAttendanceEndpoint } from '#contract/functions.ts';
import { readCoachDashboard } from '#contract/home.ts';
import { easternDay } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { coachesOf } from '#server/features/coaching/coaching-access.ts';
import { findActiveCohort } from '#server/features/cohorts/cohort-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { tellAudiences } from '#server/platform/live.ts';
import {
  completionRefusal,
  decidedRefusal,
  futureRefusal,
  loadActivity,
  loadCoachedParticipant,
} from './learning-access.ts';
import { participantScreens } from './participant-screens.ts';
import { recomputeProgress } from './progress-derivation.ts';

type Payload = ParsedInputOf<typeof recordAttendanceEndpoint>['body'];
type Activity = Awaited<ReturnType<typeof loadActivity>>;

/** The participant completes an activity. A second time changes nothing (ACT-21). */
export async function recordAttendance(db: Db, actor: Actor, payload: Payload): Promise<void> {
  if (payload.fellow_id !== actor.id) throw new AppError('forbidden', 'You can only record your own attendance.');
  if (actor.role !== 'participant') throw new AppError('forbidden', 'Only participants complete activities.');
  const activity = await loadActivity(db, actor, payload.content_id);
  const cohort = await findActiveCohort(db, actor.id);
  const refusal = completionRefusal(activity, cohort, easternDay(now()));
  if (refusal) throw refusal;
  if (cohort?.id !== payload.cohort_id) {
    throw new AppError('forbidden', 'You are not an active member of this cohort.');
  }
  if (activity.weekNumber !== payload.week_number) {
    throw new AppError('invalid_input', `This activity belongs to week ${activity.weekNumber}.`);
  }
  const isNew = await attend(db, actor, activity, {
    fellowId: actor.id,
    cohortId: payload.cohort_id,
    contentType: payload.content_type,
    durationMinutes: payload.duration_minutes,
  });
  if (!isNew) return;
  const coaches = await coachesOf(db, sql.val(actor.id)).select('coach.id').execute();
  await followUp(db, { participantId: actor.id, cohortId: cohort.id, coachIds: coaches.map(({ id }) => id) });
}

interface Correction {
  activityId: string;
  participantId: string;
  attended: boolean;
  reason: string;
}

/** A coach or admin records a participant's attendance, or takes a recorded one back. */
export async function correctAttendance(db: Db, actor: Actor, correction: Correction): Promise<{ attended: boolean }> {
  const { activityId, participantId, attended, reason } = correction;
  const participant = await loadCoachedParticipant(db, actor, participantId);
  const activity = await loadActivity(db, participant, activityId);
  const cohort = await findActiveCohort(db, participantId);
  if (!cohort) throw new AppError('conflict', 'This participant has no active cohort, so nothing can be recorded.');
  const decided = decidedRefusal(activity.weekNumber, await lockPaymentStatus(db, participantId, cohort.id, activity));
  if (decided) throw decided;
  const refusal = attended ? futureRefusal(activity, easternDay(now())) : null;
  if (refusal) throw refusal;
  const hasChanged = attended
    ? await attend(db, actor, activity, {
        fellowId: participantId,
        cohortId: cohort.id,
        contentType: 'live_session',
        durationMinutes: activity.durationMinutes ?? 60,
        recordedBy: actor.id,
        reason,
      })
    : await takeBack(db, actor, { activityId, participantId, reason });
  if (hasChanged) await followUp(db, { participantId, cohortId: cohort.id, coachIds: participant.coachIds });
  return { attended };
}

/** Locked, so that the stipend is not decided between this look and the correction. */
async function lockPaymentStatus(db: Db, fellowId: string, cohortId: string, { weekNumber }: Activity) {
  const stipend = await db
    .selectFrom('stipendEligibility')
    .select('paymentStatus')
    .where('fellowId', '=', fellowId)
    .where('cohortId', '=', cohortId)
    .where('weekNumber', '=', weekNumber)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return stipend?.paymentStatus;
}

interface Attendance {
  fellowId: string;
  cohortId: string;
  contentType: string;
  durationMinutes: number;
  recordedBy?: string;
  reason?: string;
}

/** False where it was recorded before. */
async function attend(db: Db, actor: Actor, activity: Activity, attendance: Attendance): Promise<boolean> {
  const recorded = await db
    .insertInto('attendanceRecords')
    .values({ ...attendance, contentId: activity.id, weekNumber: activity.weekNumber, accessedAt: now() })
    .onConflict((conflict) => conflict.columns(['fellowId', 'contentId']).doNothing())
    .returning(['id', 'fellowId', 'cohortId', 'contentId', 'weekNumber', 'accessedAt'])
    .executeTakeFirst();
  if (!recorded) return false;
  const { id, ...after } = recorded;
  const reason = attendance.reason;
  await audit(db, actor.id, { action: 'attendance.record', subjectType: 'attendance', subjectId: id, after, reason });
  return true;
}

/** False where there was nothing to take back. */
async function takeBack(db: Db, actor: Actor, correction: Omit<Correction, 'attended'>): Promise<boolean> {
  const removed = await db
    .deleteFrom('attendanceRecords')
    .where('fellowId', '=', correction.participantId)
    .where('contentId', '=', correction.activityId)
    .returning(['id', 'fellowId', 'cohortId', 'contentId', 'weekNumber', 'accessedAt'])
    .executeTakeFirst();
  if (!removed) return false;
  const { id, ...before } = removed;
  const reason = correction.reason;
  await audit(db, actor.id, { action: 'attendance.remove', subjectType: 'attendance', subjectId: id, before, reason });
  return true;
}

interface Changed {
  participantId: string;
  cohortId: string;
  /** Of the participant. */
  coachIds: string[];
}

async function followUp(db: Db, { participantId, cohortId, coachIds }: Changed): Promise<void> {
  await recomputeProgress(db, [participantId], cohortId);
  await tellAudiences(db, [
    { userIds: [participantId], endpoints: participantScreens },
    { userIds: coachIds, endpoints: [readCoachDashboard, readAttendance] },
  ]);
}
