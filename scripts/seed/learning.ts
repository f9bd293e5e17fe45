import { sql } from 'kysely';
import { houseZone } from '#contract/house-zone.ts';
import type { Db } from '#server/db/database.ts';
import { attendanceOnRecord } from '#server/db/demo/attendance-on-record.ts';
import { drawn, drawnBelow, easternAt } from './draws.ts';
import type { CohortPlan } from './plan.ts';

/** People attend what they are members for, each as reliably as they are. */
export async function seedAttendance(db: Db, { seed, until }: CohortPlan, cohortId: string): Promise<void> {
  const day = sql`activity.session_date + case when activity.session_time is null
    then ${drawnBelow(4, seed, 'on', 'member.participant_id', 'activity.title')} else 0 end`;
  const time = sql`coalesce(activity.session_time + make_interval(mins => activity.duration_minutes), time '18:30')
    + make_interval(mins => ${drawnBelow(90, seed, 'minute', 'member.participant_id', 'activity.title')})`;
  await sql`
    with made as (
      insert into attendance_records (fellow_id, cohort_id, content_id, week_number, duration_minutes, accessed_at)
      select member.participant_id, activity.cohort_id, activity.id, activity.week_number, activity.duration_minutes, moment.at
      from seeded_members member
      join training_activities activity on activity.cohort_id = ${cohortId}
      cross join lateral (select ${easternAt(day, time)} as at) moment
      where moment.at < ${until}::timestamptz and activity.session_date >= member.joined_on
        and (member.left_on is null or (moment.at at time zone ${houseZone})::date < member.left_on)
        and ${drawn(seed, 'attends', 'member.participant_id', 'activity.title')} < member.attends
      returning *
    ) ${attendanceOnRecord}`.execute(db);
}

/** Two of three contents of what somebody attended are ticked. */
export async function seedTicks(db: Db, { seed, until }: CohortPlan, cohortId: string): Promise<void> {
  await sql`
    insert into content_ticks (user_id, content_item_id, ticked_at)
    select attendance.fellow_id, item.id, ticked.at
    from seeded_members member
    join attendance_records attendance on attendance.fellow_id = member.participant_id
    join content_items item on item.training_activity_id = attendance.content_id and item.content_type <> 'assignment'
    cross join lateral (select attendance.accessed_at
      + make_interval(mins => ${drawnBelow(600, seed, 'tick', 'attendance.fellow_id', 'item.title')}) as at) ticked
    where attendance.cohort_id = ${cohortId} and ticked.at < ${until}::timestamptz
      and ${drawn(seed, 'ticks', 'attendance.fellow_id', 'item.title', 'attendance.week_number')} < 650`.execute(db);
}

/** A person with all core modules chooses a track within three days. Most people lock it a week later. */
export async function seedTracks(db: Db, { seed, until }: CohortPlan, cohortId: string): Promise<void> {
  await sql`
    with ready as (
      select done.participant_id, max(done.completed_at) + make_interval(mins =>
        60 + 4 * ${drawn(seed, 'chooses', 'done.participant_id')}) as at
      from participant_module_completions done
      join course_modules module on module.id = done.module_id and module.module_type = 'core' and module.archived_at is null
      join cohorts on cohorts.id = done.cohort_id and cohorts.curriculum_version = module.curriculum_version
      where done.cohort_id = ${cohortId}
      group by done.participant_id, cohorts.curriculum_version
      having count(*) = (select count(*) from course_modules core where core.module_type = 'core'
        and core.archived_at is null and core.curriculum_version = cohorts.curriculum_version)
    ), made as (
      insert into track_selections
        (participant_id, cohort_id, specialization_track_id, notes, selected_at, is_locked, locked_at)
      select participant_id, ${cohortId},
        offered.ids[1 + ${drawn(seed, 'track', 'participant_id')} % cardinality(offered.ids)],
        case when ${drawn(seed, 'note', 'participant_id')} < 300 then 'I would like to work outdoors, close to home.' end,
        at, lock.is_locked, case when lock.is_locked then at + interval '7 days' end
      from ready
      cross join (select array_agg(id order by name) as ids from specialization_tracks where is_active) offered
      cross join lateral (select ${drawn(seed, 'locks', 'participant_id')} < 800
        and at + interval '7 days' < ${until}::timestamptz as is_locked) lock
      where at < ${until}::timestamptz and cardinality(offered.ids) > 0
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
    from made where is_locked`.execute(db);
}
