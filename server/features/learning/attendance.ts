import { sql } from 'kysely';
import type { recordAttendance as recordAttendanceEndpoint } from '#contract/documented-functions.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { findActiveCohort } from '#server/features/cohorts/cohort-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { tellOfAnswer } from './attendance-correction-notices.ts';
import { setAttendance } from './attendance-records.ts';
import { completionRefusal, loadActivity, loadCoachedParticipant, loadOwnActivity } from './learning-access.ts';
import { lockMemberships } from './progress-derivation.ts';

type Payload = ParsedInputOf<typeof recordAttendanceEndpoint>['body'];
type Activity = Awaited<ReturnType<typeof loadActivity>>;

/** The participant completes an activity. A second time changes nothing (ACT-21). */
export async function recordAttendance(db: Db, actor: Actor, payload: Payload): Promise<void> {
  if (payload.fellow_id !== actor.id) throw new AppError('forbidden', 'You can only record your own attendance.');
  // If a coach takes the attendance back meanwhile, this reads its removal too.
  await lockMemberships(db, [actor.id]);
  const activity = await loadActivity(db, actor, payload.content_id);
  const cohort = await findActiveCohort(db, actor.id);
  const refusal = completionRefusal(activity, cohort, dayAt(now(), activity.zone));
  if (refusal) throw refusal;
  if (cohort?.id !== payload.cohort_id) {
    throw new AppError('forbidden', 'You are not an active member of this cohort.');
  }
  if (activity.weekNumber !== payload.week_number) {
    throw new AppError('invalid_input', `This activity belongs to week ${activity.weekNumber}.`);
  }
  await attend(db, actor, activity, payload);
}

interface Correction {
  activityId: string;
  participantId: string;
  attended: boolean;
  reason: string;
}

/**
 * A coach or admin records a participant's attendance, or takes it back. A participant who asked for this gets an
 * answer.
 */
export async function correctAttendance(db: Db, actor: Actor, correction: Correction): Promise<{ attended: boolean }> {
  const { activityId, participantId, attended, reason } = correction;
  const participant = await loadCoachedParticipant(db, actor, participantId);
  const activity = await loadOwnActivity(db, participant, activityId);
  const { hasChanged, answeredId } = await setAttendance(db, actor, participant, {
    activity,
    attended,
    reason,
    answer: reason,
    takenBackBecause: reason,
  });
  const { coachIds, name: participantName } = participant;
  if (answeredId) {
    const { title } = activity;
    const answered = { id: answeredId, participantId, participantName, activityId, title, coachIds };
    await tellOfAnswer(db, actor, { ...answered, accepts: true, answer: reason, hasChanged });
  }
  return { attended };
}

/** Returns false if it was recorded before. An open request that asks for just this is needless now. */
async function attend(db: Db, actor: Actor, activity: Activity, { cohort_id, ...payload }: Payload): Promise<boolean> {
  const recorded = await db
    .with('request', (all) =>
      all
        .updateTable('attendanceCorrections')
        .set({ status: 'withdrawn' })
        .where('participantId', '=', actor.id)
        .where('activityId', '=', activity.id)
        .where('status', '=', sql.lit('open'))
        .where('attended', '=', true),
    )
    .insertInto('attendanceRecords')
    .values({
      fellowId: actor.id,
      cohortId: cohort_id,
      contentId: activity.id,
      weekNumber: activity.weekNumber,
      contentType: payload.content_type,
      durationMinutes: payload.duration_minutes,
      accessedAt: now(),
    })
    .onConflict((conflict) => conflict.columns(['fellowId', 'contentId']).doNothing())
    .returning(['id', 'fellowId', 'cohortId', 'contentId', 'weekNumber', 'accessedAt'])
    .executeTakeFirst();
  if (!recorded) return false;
  const { id, ...after } = recorded;
  await audit(db, actor.id, { action: 'attendance.record', subjectType: 'attendance', subjectId: id, after });
  return true;
}
