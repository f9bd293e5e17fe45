import { sql } from 'kysely';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { buildCohort } from '../factories/cohorts.ts';
import { judgedWeek } from '../factories/stipends.ts';

const membersOfCohort = 20;

/**
 * Each has its members, two activities with work in each week, attendance, submissions, and stipends of five weeks.
 * Returns the id of the first one.
 */
export async function addCohorts(db: Db, count: number): Promise<string> {
  const startDate = addDays(dayAt(new Date(), houseZone), -5 * 7);
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push((await buildCohort(db, { startDate, status: 'active' })).id);
  const added = sql`unnest(${ids}::uuid[]) as added(id)`;
  await sql`
    with made as (
      insert into auth."user" (name, email, email_verified, first_name, last_name)
      select 'Member', 'member-' || n || '-' || added.id || '@people.example', true, 'Member', added.id || ' ' || n
      from ${added}, generate_series(1, ${membersOfCohort}::integer) n
      returning id, email, first_name, last_name
    ), people as (
      insert into profiles (id, email, first_name, last_name, role, track_type)
      select id, email, first_name, last_name, 'participant', 'fellowship' from made returning id, last_name
    )
    insert into cohort_participants (cohort_id, participant_id, enrolled_at)
    select split_part(last_name, ' ', 1)::uuid, id, ${startDate}::date from people`.execute(db);
  await sql`
    with activity as (
      insert into training_activities (cohort_id, title, week_number, session_date, applicable_fellowship)
      select added.id, 'Session ' || n, week, ${startDate}::date + (week - 1) * 7 + n, true
      from ${added}, generate_series(1, 16) week, generate_series(1, 2) n
      returning id, session_date
    ), item as (
      insert into content_items (training_activity_id, title, content_type, due_date)
      select id, 'Work', 'assignment', session_date + 2 from activity returning id
    )
    insert into content_assignments (content_item_id, title, instructions) select id, 'Task', 'Do it.' from item`.execute(
    db,
  );
  await sql`
    insert into attendance_records (fellow_id, cohort_id, content_id, week_number)
    select participant_id, cohort_id, activity.id, activity.week_number
    from cohort_participants join training_activities activity using (cohort_id)
    where cohort_id = any(${ids}::uuid[]) and activity.week_number < 6`.execute(db);
  await sql`
    insert into content_submissions (assignment_id, user_id, submission_text)
    select assignment.id, participant_id, 'Done'
    from cohort_participants
    join training_activities activity using (cohort_id)
    join content_items item on item.training_activity_id = activity.id
    join content_assignments assignment on assignment.content_item_id = item.id
    where cohort_id = any(${ids}::uuid[]) and activity.week_number < 6`.execute(db);
  const judged = judgedWeek();
  await sql`
    insert into stipend_eligibility (fellow_id, cohort_id, week_number, criteria, rules_version, attendance_percentage,
      performance_rating, activities_total, activities_accessed, assignments_total, assignments_submitted)
    select participant_id, cohort_id, week, ${judged.criteria}::jsonb, 1, 100, 4, 2, 2, 2, 2
    from cohort_participants, generate_series(1, 5) week where cohort_id = any(${ids}::uuid[])`.execute(db);
  return ids[0] ?? '';
}
