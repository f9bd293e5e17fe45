import { sql } from 'kysely';
import { programmeZone } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { recomputeProgress } from '#server/features/learning/progress-derivation.ts';
import type { Actor } from '#server/platform/actor.ts';
import { assignCoaches, enrolAll } from './people.ts';
import { type DemoCohort, makeCohort } from './programme.ts';
import { approveAll, payWeeks } from './stipends.ts';

const paidWeeks = [13, 14, 15, 16];

/**
 * The cohort of 8 September 2025, lived to its end. What its people did in sixteen weeks is written as sets: the acts,
 * once a person and session, would hold up the first start.
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
    fellows.map((fellow, index) => ({ ...fellow, coach: index % 2 === 0 ? second : third })),
  );
  await attendEverything(db, cohort);
  await handInEverything(db, cohort);
  await rateWeeks(db, cohort);
  await chooseTracks(db, cohort);
  for (const week of paidWeeks) await approveAll(db, admin, cohort, week);
  await payWeeks(db, admin, cohort, paidWeeks);
  await endCohort(db, cohort);
  await recomputeProgress(
    db,
    fellows.map(({ id }) => id),
    cohort.id,
  );
}

async function attendEverything(db: Db, cohort: DemoCohort): Promise<void> {
  await sql`
    insert into attendance_records (fellow_id, cohort_id, content_id, week_number, duration_minutes, accessed_at)
    select member.participant_id, activity.cohort_id, activity.id, activity.week_number, activity.duration_minutes,
      (activity.session_date + time '16:00') at time zone ${programmeZone}
    from cohort_participants member
    join training_activities activity on activity.cohort_id = member.cohort_id
    where member.cohort_id = ${cohort.id}`.execute(db);
}

async function handInEverything(db: Db, cohort: DemoCohort): Promise<void> {
  await sql`
    with made as (
      insert into content_submissions
        (assignment_id, user_id, submission_text, status, feedback, reviewed_by, reviewed_at, submitted_at)
      select assignment.id, member.participant_id, 'The report, with the measurements of the lab.', 'accepted',
        'Complete. Well done.', course.coach_id,
        (assignment.due_date + time '09:30') at time zone ${programmeZone},
        (assignment.due_date - 1 + time '19:00') at time zone ${programmeZone}
      from cohort_participants member
      join user_courses course on course.user_id = member.participant_id
      join training_activities activity on activity.cohort_id = member.cohort_id
      join content_items item on item.training_activity_id = activity.id
      join content_assignments assignment on assignment.content_item_id = item.id
      where member.cohort_id = ${cohort.id}
      returning *
    )
    insert into submission_rounds
      (submission_id, round_number, submission_text, submitted_at, review_status, feedback, reviewed_by, reviewed_at)
    select id, round_number, submission_text, submitted_at, status, feedback, reviewed_by, reviewed_at from made`.execute(
    db,
  );
}

async function rateWeeks(db: Db, cohort: DemoCohort): Promise<void> {
  await sql`
    insert into performance_feedback (fellow_id, cohort_id, week_number, overall_rating, rated_by)
    select member.participant_id, member.cohort_id, week, 4.5, course.coach_id
    from cohort_participants member
    join user_courses course on course.user_id = member.participant_id
    cross join unnest(${paidWeeks}::integer[]) as week
    where member.cohort_id = ${cohort.id}`.execute(db);
}

/** In the ninth week, one after the other in turn; nobody changed their mind. */
async function chooseTracks(db: Db, cohort: DemoCohort): Promise<void> {
  await sql`
    insert into track_selections
      (participant_id, cohort_id, specialization_track_id, selected_at, is_locked, locked_at)
    select member.participant_id, member.cohort_id,
      offered.ids[1 + row_number() over (order by member.participant_id) % cardinality(offered.ids)],
      chosen.at, true, chosen.at + interval '7 days'
    from cohort_participants member
    cross join (select array_agg(id order by name) as ids from specialization_tracks) offered
    cross join (select (${cohort.startDate}::date + 58 + time '18:10') at time zone ${programmeZone} as at) chosen
    where member.cohort_id = ${cohort.id}`.execute(db);
}

/** No act ends a cohort. */
async function endCohort(db: Db, cohort: DemoCohort): Promise<void> {
  await sql`
    with members as (
      update cohort_participants set status = 'completed', ended_at = cohorts.end_date
      from cohorts where cohorts.id = cohort_participants.cohort_id and cohorts.id = ${cohort.id}
      returning participant_id
    )
    update user_courses set status = 'completed' where user_id in (select participant_id from members)`.execute(db);
  await db.updateTable('cohorts').set({ status: 'completed' }).where('id', '=', cohort.id).execute();
}
