import { sql } from 'kysely';
import { cancelledByCoach, cancelledByParticipant } from '#contract/coach-sessions.ts';
import { specifiedCalendar } from '#contract/default-programme.ts';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { drawn, drawnBelow, easternAt, picked, sqlIdOf } from './draws.ts';
import { seedNotices } from './notices.ts';
import { type CohortPlan, participantsOfCoach } from './plan.ts';

const comments = [
  'Steady work, and good questions in the lab.',
  'Clear progress; the reports could be shorter.',
  'Helped two others with the test set. Thank you!',
  'Please come to office hours before the next assignment.',
  'Prepared for every session this week.',
  'Missed the safety briefing; we talked about it.',
  'The best drawing of the group.',
  'Needs more confidence when presenting. The content is there.',
];
const agendas = [
  'Check-in',
  'Feedback on the lab report',
  'Career plan and next certificate',
  'Preparing for the interview',
  'Catching up after a missed week',
  'Choosing a specialization track',
  'Résumé and references',
];
const notes = [
  'On track. Agreed to draft the lab report before Thursday.',
  'Talked through childcare on lab days; the partner center has places.',
  'Wants to become a relay technician. Next step: shadow a field crew.',
  'Second draft of the résumé looks good. Practice questions for the panel interview sent.',
  'Bus line was cut. Will join the first hour online until the new schedule.',
  'Two applications out. We go through the offers next time.',
];
const offered = [
  { starts: '10:00', ends: '12:00' },
  { starts: '13:30', ends: '17:00' },
];
const offeredWeeksToCome = 4;
const bookedWeeksToCome = 2;
/** A person has a session every so many weeks. */
const turns = 4;

/** Coaches rate every week of their participants on its Friday. Now and then a coach forgets somebody. */
export async function seedRatings(
  db: Db,
  { seed, startDate, passedWeeks, until }: CohortPlan,
  cohortId: string,
): Promise<void> {
  const key = ['member.participant_id', 'week'];
  const friday = sql`${startDate}::date + 7 * week - 3`;
  await sql`
    with made as (
      insert into performance_feedback
        (fellow_id, cohort_id, week_number, overall_rating, comment, rated_by, created_at, updated_at)
      select member.participant_id, ${cohortId}, week,
        least(5, rating + 0.5 * ${drawnBelow(4, seed, 'rating', ...key)}),
        case when ${drawn(seed, 'comments', ...key)} < 550 then ${picked(comments, seed, 'comment', ...key)} end,
        member.coach_id, rated.at, rated.at
      from seeded_members member
      cross join generate_series(1, ${passedWeeks}::integer) as week
      cross join lateral (select ${easternAt(friday, sql`time '15:00' + make_interval(mins => ${drawnBelow(150, seed, 'rates', ...key)})`)} as at) rated
      where rated.at < ${until}::timestamptz and member.coach_id is not null
        and member.joined_on <= ${friday} and (member.left_on is null or member.left_on > ${friday})
        and ${drawn(seed, 'rated', ...key)} < 985
      returning *
    )
    insert into audit_log (at, actor_id, action, subject_type, subject_id, before, after)
    select updated_at, rated_by, 'performance.rate', 'performance_feedback', id, '{"rating": null}',
      jsonb_build_object('rating', overall_rating, 'participantId', fellow_id, 'weekNumber', week_number)
    from made`.execute(db);
}

/** Mornings and afternoons of working days, and today, whichever day it is. One coach in ten is away in a month. */
export async function seedAvailability(db: Db, { seed, state, startDate, until }: CohortPlan): Promise<void> {
  if (state === 'completed') return;
  const today = dayAt(until, houseZone);
  const firstDay = startDate < today ? startDate : today;
  await sql`
    with coaches as (select distinct coach_id from seeded_members where coach_id is not null), leave as (
      insert into coach_leave (coach_id, starts_on, ends_on, note)
      select coach_id, ${addDays(today, 7 * offeredWeeksToCome + 7)}, ${addDays(today, 7 * offeredWeeksToCome + 11)}, 'Vacation'
      from coaches where ${drawn(seed, 'leave', 'coach_id')} < 100
    )
    insert into coach_availability (coach_id, week_start_date, day_of_week, start_time, end_time)
    select coach_id, sunday, day, starts, ends
    from coaches
    cross join (select generate_series(${sundayOf(firstDay)}::date, ${addDays(today, 7 * offeredWeeksToCome)}::date, '7 days')::date
      as sunday) weeks
    cross join generate_series(0, 6) as day
    cross join unnest(${offered.map(({ starts }) => starts)}::time[], ${offered.map(({ ends }) => ends)}::time[]) as hours (starts, ends)
    where day between 1 and 5 or sunday + day = ${today}::date`.execute(db);
}

/**
 * Each participant meets the coach every four weeks. A coach of forty has ten half hours a week, which never overlap:
 * the place among the coach's participants gives the week, the day and the time.
 */
export async function seedSessions(db: Db, plan: CohortPlan): Promise<void> {
  const { seed, startDate, weeksSinceStart, until } = plan;
  const today = dayAt(until, houseZone);
  const lastWeek = Math.min(specifiedCalendar.weeks, weeksSinceStart + 1 + bookedWeeksToCome);
  const key = ['participant_id', 'week'];
  await sql`
    create temporary table seeded_sessions on commit drop as
    with placed as (
      select member.*, week, place % ${participantsOfCoach}::integer / ${turns}::integer as slot
      from seeded_members member cross join generate_series(1, ${lastWeek}::integer) as week
      where coach_id is not null and week % ${turns}::integer = place % ${turns}::integer
    ), dated as (
      select placed.*, day, case when slot < 5 then time '10:30' else time '14:00' end as clock
      from placed
      cross join lateral (select ${startDate}::date + 7 * (week - 1) + slot % 5 as planned_day) planned
      cross join lateral (select case when slot % 5 = 0 and extract(isodow from ${today}::date) > 5
        and planned_day = ${addDays(startDate, 7 * weeksSinceStart)}::date then ${today}::date else planned_day end as day) chosen
      where day >= joined_on and (left_on is null or day < left_on)
    ), timed as (
      select dated.*, ${easternAt(sql`day`, sql`clock`)} as starts_at, ${drawn(seed, 'session', ...key)} as how from dated
    )
    select ${sqlIdOf(`session ${seed}`, sql`participant_id`, sql`week`)} as id, coach_id, participant_id, name, coach_name, starts_at,
      least(starts_at - interval '1 day' - make_interval(mins => ${drawnBelow(4000, seed, 'books', ...key)}),
        ${until}::timestamptz - make_interval(mins => ${drawnBelow(2000, seed, 'books', ...key)})) as booked_at,
      case when how < 60 then 'cancelled' when day >= ${today}::date then 'scheduled' when how < 100 then 'no_show'
        when how < 985 then 'completed' else 'scheduled' end as status,
      case when how < 25 then ${cancelledByParticipant} when how < 45 then ${`${cancelledByCoach}: Family emergency`}
        when how < 60 then ${cancelledByCoach}::text end as cancel_reason,
      ${picked(agendas, seed, 'agenda', ...key)} as agenda, ${picked(notes, seed, 'notes', ...key)} as notes
    from timed`.execute(db);
  await writeSessions(db, plan);
  await tellOfSessions(db, plan);
}

async function writeSessions(db: Db, { until }: CohortPlan): Promise<void> {
  await sql`
    with made as (
      insert into coaching_sessions (id, coach_id, participant_id, scheduled_at, duration_minutes, agenda, notes, status,
        cancel_reason, no_show_reason, teams_link, calendar_sequence, created_at, updated_at)
      select id, coach_id, participant_id, starts_at, 30, agenda, case when status = 'completed' then notes end, status,
        cancel_reason, case when status = 'no_show' then 'No answer to two calls.' end,
        'https://meet.example/coaching/' || left(coach_id::text, 8), case when status = 'scheduled' then 0 else 1 end, booked_at,
        case status when 'scheduled' then booked_at when 'cancelled' then greatest(booked_at, least(${until}::timestamptz, starts_at - interval '3 hours', booked_at + interval '9 hours'))
          else starts_at + interval '35 minutes' end
      from seeded_sessions
      returning *
    )
    insert into audit_log (at, actor_id, action, subject_type, subject_id, before, after, reason)
    select updated_at, case when cancel_reason = ${cancelledByParticipant} then participant_id else coach_id end,
      case when status = 'cancelled' then 'session.cancel' else 'session.update' end, 'coaching_session', id,
      '{"status": "scheduled"}', case status when 'cancelled' then '{"status": "cancelled"}'::jsonb
        else jsonb_build_object('status', status, 'written', case when status = 'completed' then '["notes"]'::jsonb else '["noShowReason"]' end) end,
      cancel_reason
    from made where status <> 'scheduled'`.execute(db);
}

/** Tells people in the words of the acts. */
async function tellOfSessions(db: Db, plan: CohortPlan): Promise<void> {
  const local = sql`starts_at at time zone ${houseZone}`;
  const when = sql`to_char(${local}, 'Dy FMDD Mon, FMHH12:MI AM') || ' ET'`;
  await seedNotices(
    db,
    plan,
    sql`
      select participant_id as user_id, 'coaching_session' as kind, 'coach_messages' as category, id as subject_id,
        'Your coaching session is booked' as title, 'You booked a session with ' || coach_name || ' on ' || ${when} || '.' as message,
        '/coaching' as link, 'session:' || id || ':booked:0:' || participant_id as event_key, booked_at as at
      from seeded_sessions
      union all
      select coach_id, 'coaching_session', 'coach_messages', id, 'A coaching session was booked',
        name || ' booked a session on ' || ${when} || '.', '/coach?tab=sessions', 'session:' || id || ':booked:0:' || coach_id, booked_at
      from seeded_sessions
      union all
      select case when by_participant then seeded.coach_id else seeded.participant_id end, 'coaching_session', 'coach_messages', seeded.id,
        'A coaching session was cancelled', case when by_participant then name else coach_name end || ' cancelled the session of '
          || ${when} || '. Reason: ' || seeded.cancel_reason,
        case when by_participant then '/coach?tab=sessions' else '/coaching' end,
        'session:' || seeded.id || ':cancelled:1:' || case when by_participant then seeded.coach_id else seeded.participant_id end, session.updated_at
      from (select *, cancel_reason = ${cancelledByParticipant} as by_participant from seeded_sessions) seeded
      join coaching_sessions session on session.id = seeded.id where seeded.status = 'cancelled'`,
  );
}

function sundayOf(day: string): string {
  return addDays(day, -new Date(`${day}T00:00:00Z`).getUTCDay());
}
