import { sql } from 'kysely';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { buildAdmin, buildCoach } from '../test/factories/people.ts';

const membersOfCohort = 200;
const membersOfCoach = 20;
const weeks = 16;
/** A cohort has 17 assignments, because one of its activities has two parts. */
const activitiesAWeek = 1;
/** It has 100 of them, because four of its activities have two parts. */
const activitiesAHeavyWeek = 6;

/**
 * Cohorts of 200, with a coach for twenty people. Everybody has handed in everything: 170,000 submissions of 10,000
 * people, or 1,000,000 in a heavy one.
 */
export async function buildLargeProgramme(db: Db, people = 10_000, { isHeavy = false } = {}) {
  const cohorts = Math.ceil(people / membersOfCohort);
  const startDate = addDays(dayAt(new Date(), houseZone), -5 * 7);
  const admin = await buildAdmin(db);
  const coaches = [];
  for (let index = 0; index < people / membersOfCoach; index += 1) coaches.push(await buildCoach(db));
  const coachIds = coaches.map(({ id }) => id);
  await sql`update profiles set created_at = ${startDate}::date where role = 'coach'`.execute(db);
  await sql`
    insert into cohorts (name, start_date, end_date, capacity, status, program_type)
    select 'Cohort ' || n, ${startDate}::date, ${startDate}::date + 109, ${membersOfCohort}, 'active', 'fellowship'
    from generate_series(1, ${cohorts}::integer) n`.execute(db);
  await sql`
    with made as (
      insert into auth."user" (name, email, email_verified, first_name, last_name)
      select 'Member ' || n, 'member-' || n || '@people.example', true, 'Member', 'Number ' || n
      from generate_series(1, ${people}::integer) n
      returning id, email, first_name, last_name
    )
    insert into profiles (id, email, first_name, last_name, role, track_type, created_at)
    select id, email, first_name, last_name, 'participant', 'fellowship', ${startDate}::date from made`.execute(db);
  await sql`
    insert into cohort_participants (cohort_id, participant_id, enrolled_at)
    select cohort.id, member.id, ${startDate}::date
    from (select id, row_number() over (order by id) - 1 as n from profiles where role = 'participant') member
    join (select id, row_number() over (order by id) - 1 as n from cohorts) cohort
      on cohort.n = member.n % ${cohorts}::integer`.execute(db);
  await sql`insert into courses (title, track_type) values ('Grid Fundamentals', 'fellowship')`.execute(db);
  await sql`
    insert into user_courses (user_id, course_id, coach_id)
    select member.id, (select id from courses limit 1), (${coachIds}::uuid[])[1 + member.n % ${coachIds.length}::integer]
    from (select id, row_number() over (order by id) - 1 as n from profiles where role = 'participant') member`.execute(
    db,
  );
  await buildCurriculum(db, startDate, isHeavy ? activitiesAHeavyWeek : activitiesAWeek);
  await handEverythingIn(db, coachIds[0] ?? '');
  await sql`analyze`.execute(db);
  const participant = await db
    .selectFrom('profiles')
    .selectAll()
    .where('email', '=', 'member-77@people.example')
    .executeTakeFirstOrThrow();
  const coach = await db
    .selectFrom('userCourses')
    .innerJoin('profiles', 'profiles.id', 'userCourses.coachId')
    .selectAll('profiles')
    .where('userCourses.userId', '=', participant.id)
    .executeTakeFirstOrThrow();
  return { admin, coach, participant };
}

async function buildCurriculum(db: Db, startDate: string, activities: number): Promise<void> {
  await sql`
    insert into training_activities
      (cohort_id, title, week_number, session_date, session_time, applicable_fellowship, module_name)
    select cohorts.id, 'Session ' || week || '.' || n, week, ${startDate}::date + (week - 1) * 7 + n % 5, '14:00', true,
      'Career Readiness'
    from cohorts, generate_series(1, ${weeks}::integer) week, generate_series(1, ${activities}::integer) n`.execute(db);
  await sql`
    insert into content_items (training_activity_id, title, content_type)
    select id, 'Work of ' || title, 'assignment' from training_activities`.execute(db);
  await sql`
    insert into content_assignments (content_item_id, title, instructions, due_date)
    select item.id, 'Report on ' || activity.title || part, 'Describe what you saw.', activity.session_date + 3
    from content_items item
    join training_activities activity on activity.id = item.training_activity_id
    join lateral (select '' as part union all select ' (part 2)' where activity.title in
      ('Session 6.1', 'Session 6.2', 'Session 6.3', 'Session 6.4')) parts on true`.execute(db);
}

/** One in twenty waits for its review. As many came back for another round. */
async function handEverythingIn(db: Db, reviewerId: string): Promise<void> {
  await sql`
    insert into content_submissions
      (assignment_id, user_id, submission_text, status, feedback, reviewed_by, reviewed_at, submitted_at)
    select assignment_id, user_id, 'What I saw at the substation.', status,
      case when status <> 'submitted' then 'Well seen.' end,
      case when status <> 'submitted' then ${reviewerId}::uuid end,
      case when status <> 'submitted' then submitted_at + interval '1 day' end,
      submitted_at
    from (
      select content_assignments.id as assignment_id, member.participant_id as user_id,
        now() - random() * interval '60 days' as submitted_at,
        (array['submitted', 'needs_revision'])[1 + floor(random() * 20)::integer] as drawn
      from cohort_participants member
      join training_activities activity on activity.cohort_id = member.cohort_id
      join content_items item on item.training_activity_id = activity.id
      join content_assignments on content_assignments.content_item_id = item.id
    ) work
    cross join lateral (select coalesce(work.drawn, 'accepted') as status) decided`.execute(db);
  await sql`
    insert into submission_rounds
      (submission_id, round_number, submission_text, submitted_at, review_status, feedback, reviewed_by, reviewed_at)
    select id, 1, submission_text, submitted_at, nullif(status, 'submitted'), feedback, reviewed_by, reviewed_at
    from content_submissions`.execute(db);
  await sql`
    insert into attendance_records (fellow_id, cohort_id, content_id, week_number)
    select member.participant_id, member.cohort_id, activity.id, activity.week_number
    from cohort_participants member
    join training_activities activity on activity.cohort_id = member.cohort_id
    where activity.week_number < 6`.execute(db);
}
