import { sql } from 'kysely';
import { houseZone } from '#contract/house-zone.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { attendanceOnRecord } from './attendance-on-record.ts';
import { assignCoaches, enrolAll } from './people.ts';
import { type DemoCohort, makeCohort } from './programme.ts';
import { approveAll, payWeek } from './stipends.ts';

const paidWeeks = [13, 14, 15, 16];

/**
 * Makes the cohort of 8 September 2025, lived to its end. Its sixteen weeks are written as sets, with the log entries
 * that the acts leave. Calling the acts for each person and session would hold up the first start.
 */
export async function liveFinishedCohort(db: Db, admin: Actor, coaches: Actor[], fellows: Actor[]): Promise<void> {
  const cohort = await makeCohort(db, admin, {
    name: 'Pilot Fellowship Fall 2025',
    startDate: '2025-09-08',
    status: 'active',
    capacity: 15,
    description: 'The first cohort of the programme.',
  });
  const [, second, third] = coaches;
  if (!second || !third) throw new Error('The demo needs three coaches.');
  await enrolAll(db, admin, fellows, cohort);
  await assignCoaches(
    db,
    admin,
    fellows.map((fellow, index) => ({ ...fellow, coach: index % 2 === 0 ? second : third })),
    cohort.startDate,
  );
  await attendEverything(db, cohort);
  await handInEverything(db, cohort);
  await rateWeeks(db, cohort);
  await chooseTracks(db, cohort);
  for (const week of paidWeeks) {
    await approveAll(db, admin, cohort, week);
    await payWeek(db, admin, cohort, week);
  }
  await endCohort(db, admin, cohort);
}

async function attendEverything(db: Db, cohort: DemoCohort): Promise<void> {
  await sql`
    with made as (
      insert into attendance_records (fellow_id, cohort_id, content_id, week_number, duration_minutes, accessed_at)
      select member.participant_id, activity.cohort_id, activity.id, activity.week_number, activity.duration_minutes,
        (activity.session_date + time '16:00') at time zone ${houseZone}
      from cohort_participants member
      join training_activities activity on activity.cohort_id = member.cohort_id
      where member.cohort_id = ${cohort.id}
      returning *
    ) ${attendanceOnRecord}`.execute(db);
}

async function handInEverything(db: Db, cohort: DemoCohort): Promise<void> {
  await sql`
    with made as (
      insert into content_submissions
        (assignment_id, user_id, submission_text, status, feedback, reviewed_by, reviewed_at, submitted_at)
      select assignment.id, member.participant_id, 'The report, with the measurements of the lab.', 'accepted',
        'Complete. Well done.', course.coach_id,
        (assignment.due_date + time '09:30') at time zone ${houseZone},
        (assignment.due_date - 1 + time '19:00') at time zone ${houseZone}
      from cohort_participants member
      join user_courses course on course.user_id = member.participant_id
      join training_activities activity on activity.cohort_id = member.cohort_id
      join content_items item on item.training_activity_id = activity.id
      join content_assignments assignment on assignment.content_item_id = item.id
      where member.cohort_id = ${cohort.id}
      returning *
    ), noted as (
      insert into audit_log (at, actor_id, action, subject_type, subject_id, before, after)
      select reviewed_at, reviewed_by, 'submission.review', 'content_submission', id,
        jsonb_build_object('status', 'submitted', 'roundNumber', round_number),
        jsonb_build_object('status', status, 'roundNumber', round_number, 'pointsEarned', null, 'isOwnParticipant', true)
      from made
    )
    insert into submission_rounds
      (submission_id, round_number, submission_text, submitted_at, review_status, feedback, reviewed_by, reviewed_at)
    select id, round_number, submission_text, submitted_at, status, feedback, reviewed_by, reviewed_at from made`.execute(
    db,
  );
}

async function rateWeeks(db: Db, cohort: DemoCohort): Promise<void> {
  await sql`
    with made as (
      insert into performance_feedback (fellow_id, cohort_id, week_number, overall_rating, rated_by)
      select member.participant_id, member.cohort_id, week, 4.5, course.coach_id
      from cohort_participants member
      join user_courses course on course.user_id = member.participant_id
      cross join unnest(${paidWeeks}::integer[]) as week
      where member.cohort_id = ${cohort.id}
      returning *
    )
    insert into audit_log (at, actor_id, action, subject_type, subject_id, before, after)
    select (${cohort.startDate}::date + 7 * week_number - 3 + time '17:00') at time zone ${houseZone}, rated_by,
      'performance.rate', 'performance_feedback', id, jsonb_build_object('rating', null),
      jsonb_build_object('rating', overall_rating, 'participantId', fellow_id, 'weekNumber', week_number)
    from made`.execute(db);
}

/** People choose in the ninth week, one after the other in turn. Nobody changes their mind. */
async function chooseTracks(db: Db, cohort: DemoCohort): Promise<void> {
  await sql`
    with made as (
      insert into track_selections
        (participant_id, cohort_id, specialization_track_id, selected_at, is_locked, locked_at)
      select member.participant_id, member.cohort_id,
        offered.ids[1 + row_number() over (order by member.participant_id) % cardinality(offered.ids)],
        chosen.at, true, chosen.at + interval '7 days'
      from cohort_participants member
      cross join (select array_agg(id order by name) as ids from specialization_tracks) offered
      cross join (select (${cohort.startDate}::date + 58 + time '18:10') at time zone ${houseZone} as at) chosen
      where member.cohort_id = ${cohort.id}
      returning *
    )
    insert into audit_log (at, actor_id, action, subject_type, subject_id, before, after)
    select selected_at, participant_id, 'track.select', 'track_selection', id, null::jsonb,
      jsonb_build_object('trackId', specialization_track_id)
    from made
    union all
    select locked_at, participant_id, 'track.lock', 'track_selection', id,
      jsonb_build_object('trackId', specialization_track_id, 'isLocked', false),
      jsonb_build_object('trackId', specialization_track_id, 'isLocked', true, 'lockedAt', locked_at)
    from made`.execute(db);
}

/** Also ends the memberships and courses of its people, which no act ends. */
async function endCohort(db: Db, admin: Actor, cohort: DemoCohort): Promise<void> {
  await sql`
    with members as (
      update cohort_participants set status = 'completed', ended_at = cohorts.end_date
      from cohorts where cohorts.id = cohort_participants.cohort_id and cohorts.id = ${cohort.id}
      returning participant_id
    )
    update user_courses set status = 'completed' where user_id in (select participant_id from members)`.execute(db);
  await db.updateTable('cohorts').set({ status: 'completed' }).where('id', '=', cohort.id).execute();
  await audit(db, admin.id, {
    action: 'cohort.update',
    subjectType: 'cohort',
    subjectId: cohort.id,
    before: { status: 'active' },
    after: { status: 'completed' },
  });
}
