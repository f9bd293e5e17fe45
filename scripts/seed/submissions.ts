import { sql } from 'kysely';
import { houseZone } from '#contract/house-zone.ts';
import { submissionStatusLabels } from '#contract/submissions.ts';
import type { Db } from '#server/db/database.ts';
import { drawn, drawnBelow, easternAt, picked } from './draws.ts';
import { seedNotices } from './notices.ts';
import type { CohortPlan } from './plan.ts';

const openings = [
  'I worked on this with two others from my group; the numbers below are my own.',
  'Here is my work for this week. I started with the drawing, because the text made more sense afterwards.',
  'This took me longer than expected. The part that I am least sure of is at the end.',
  'I looked at the equipment behind our apartment building and compared it with the reading.',
  'My notes from the lab, in order. I took every reading twice.',
  'I used the template and added one section that I thought was missing.',
  'As discussed in the session, I chose the second option and say why below.',
  'I asked a neighbor who works for the utility, and checked the answer against the reading.',
];
const middles = [
  'The feeder was de-energized and tested before we touched anything. We measured phase to phase and phase to ground.',
  'What surprised me: the losses in the last mile are larger than those of the whole transmission line.',
  'First I listed every step, then the hazard of each, then what controls it. Two steps had no control at all.',
  'The cheapest option is not the one that the customers would choose. I compared cost, time and risk in a table.',
  'I would change two things: the label on the disconnect is not readable, and the working space is used for storage.',
  'The calculation agrees with the nameplate within three percent, which is better than I expected.',
];
const closings = [
  'Open question: who signs off when the crew changes in the middle of the job?',
  'Next time I would measure at another hour, because the load was low.',
  'Sources: the reading of this week, the manufacturer’s sheet, and the interview.',
  'I am happy to redo the drawing if it is hard to read.',
];
const praise = [
  'Well done: complete, and the numbers are right.',
  'Clear and to the point. The table helps a lot.',
  'Good work. Please keep the units in the same line as the values next time.',
  'Complete. Your second observation is one that experienced crews miss.',
  'Accepted. Thank you for handing it in early.',
];
const wishes = [
  'Good start. Please add the protection zones, and say what you would change about the second observation.',
  'The idea is right, the calculation is missing. Please add it and hand it in again.',
  'Please name your sources, and give the units of every value.',
  'Two of the eight steps have no control. What would you do there?',
];
const refusals = ['This is the work of another week. Please hand in the right one.'];

/** Days after the lab on which each round is handed in and reviewed. The week is decided after the last of them. */
const handedInAfter = [0, 1, 4];
const reviewedAfter = [1, 4, 5];

/** `seeded_rounds` holds, until the transaction ends, every round that is handed in so far and what was said of it. */
export async function planRounds(db: Db, { seed, until }: CohortPlan, cohortId: string): Promise<void> {
  const key = ['member.participant_id', 'assignment.title'];
  const roundKey = ['participant_id', 'title', 'round_number'];
  const handedIn = easternAt(
    sql`lab_day + case when is_late then 2 else (${handedInAfter}::integer[])[round_number] end`,
    sql`time '17:00' + make_interval(mins => ${drawnBelow(300, seed, 'hands in', ...roundKey)})`,
  );
  const reviewed = easternAt(
    sql`lab_day + case when is_late then 4 else (${reviewedAfter}::integer[])[round_number] end`,
    sql`time '09:00' + make_interval(mins => ${drawnBelow(420, seed, 'reviews', ...roundKey)})`,
  );
  await sql`
    create temporary table seeded_rounds on commit drop as
    with planned as (
      select member.participant_id, member.coach_id, member.name, member.coach_name, member.place, member.left_on,
        assignment.id as assignment_id, assignment.title, assignment.assignment_type, activity.week_number,
        activity.session_date as lab_day, ${drawn(seed, 'late', ...key)} < 50 as is_late,
        ${drawn(seed, 'returned', ...key)} as returned, ${drawn(seed, 'ends', ...key)} as ends
      from seeded_members member
      join training_activities activity on activity.cohort_id = ${cohortId}
      join content_items item on item.training_activity_id = activity.id
      join content_assignments assignment on assignment.content_item_id = item.id
      where activity.session_date >= member.joined_on
        and ${drawn(seed, 'hands it in', ...key)} < member.hands_in
    ), numbered as (
      select planned.*, round_number,
        case when is_late then 1 when returned < 25 then 3 when returned < 150 then 2 else 1 end as rounds
      from planned cross join generate_series(1, 3) as round_number
    ), timed as (
      select numbered.*, ${handedIn} as submitted_at, ${reviewed} as review_at,
        case when round_number < rounds then 'needs_revision' when ends < 8 then 'rejected'
          when ends < 25 then 'needs_revision' else 'accepted' end as would_be
      from numbered where round_number <= rounds
    ), judged as (
      select timed.*, case when review_at < ${until}::timestamptz then would_be end as review_status,
        case when review_at < ${until}::timestamptz then review_at end as reviewed_at
      from timed
      where submitted_at < ${until}::timestamptz
        and (left_on is null or (submitted_at at time zone ${houseZone})::date < left_on)
    )
    select judged.*,
      case when review_status = 'accepted' then 76 + ${drawnBelow(25, seed, 'points', ...roundKey)}
        when review_status = 'needs_revision' then 45 + ${drawnBelow(26, seed, 'points', ...roundKey)} end as points,
      case review_status when 'accepted' then ${picked(praise, seed, 'says', ...roundKey)}
        when 'needs_revision' then ${picked(wishes, seed, 'says', ...roundKey)}
        when 'rejected' then ${picked(refusals, seed, 'says', ...roundKey)} end as feedback,
      case when round_number > 1 then 'Version ' || round_number || ', with the changes that you asked for.' || E'\n\n' else '' end
        || ${picked(openings, seed, 'opens', 'participant_id', 'title')} || E'\n\n'
        || ${picked(middles, seed, 'goes on', 'participant_id', 'title')} || E'\n\nVoltage: '
        || (1190 + ${drawnBelow(120, seed, 'volts', ...roundKey)}) / 100.0 || E' kV\nCurrent: '
        || 150 + ${drawnBelow(120, seed, 'amps', ...roundKey)} || E' A\n\n'
        || ${picked(closings, seed, 'closes', 'participant_id', 'title')} as submission_text
    from judged`.execute(db);
  await sql`analyze seeded_rounds`.execute(db);
}

/** Writes the rounds with the files that some of them hold, and the log entries and notices of each. */
export async function seedSubmissions(db: Db, plan: CohortPlan): Promise<void> {
  await sql`
    with last_rounds as (
      select distinct on (assignment_id, participant_id) * from seeded_rounds
      order by assignment_id, participant_id, round_number desc
    ), made as (
      insert into content_submissions (assignment_id, user_id, round_number, submission_text, file_path, submitted_at,
        status, feedback, reviewed_by, reviewed_at)
      select assignment_id, participant_id, round_number, submission_text, path, submitted_at,
        coalesce(review_status, 'submitted'), feedback, case when reviewed_at is not null then coach_id end, reviewed_at
      from last_rounds left join seeded_files using (assignment_id, participant_id)
      order by submitted_at, participant_id
      returning id, assignment_id, user_id as participant_id
    ), kept as (
      insert into submission_rounds (submission_id, round_number, submission_text, file_path, submitted_at, review_status,
        feedback, points_earned, reviewed_by, reviewed_at)
      select made.id, round_number, submission_text, path, submitted_at, review_status, feedback, points,
        case when reviewed_at is not null then coach_id end, reviewed_at
      from made join seeded_rounds using (assignment_id, participant_id)
      left join seeded_files using (assignment_id, participant_id)
    ), graded as (
      insert into content_evaluations (submission_id, points_earned, feedback, graded_by, graded_at)
      select distinct on (made.id) made.id, points, feedback, coach_id, reviewed_at
      from made join seeded_rounds using (assignment_id, participant_id) where reviewed_at is not null
      order by made.id, round_number desc
    )
    insert into audit_log (at, actor_id, action, subject_type, subject_id, before, after)
    select reviewed_at, coach_id, 'submission.review', 'content_submission', made.id,
      jsonb_build_object('status', 'submitted', 'roundNumber', round_number),
      jsonb_build_object('status', review_status, 'roundNumber', round_number, 'pointsEarned', points, 'isOwnParticipant', true)
    from made join seeded_rounds using (assignment_id, participant_id) where reviewed_at is not null
    order by reviewed_at`.execute(db);
  await tellOfWork(db, plan);
}

async function tellOfWork(db: Db, plan: CohortPlan): Promise<void> {
  const { accepted, needs_revision, rejected } = submissionStatusLabels;
  await seedNotices(
    db,
    plan,
    sql`
      select coach_id as user_id, 'submission' as kind, 'assignment_reminders' as category, null::uuid as subject_id,
        case when rounds.round_number > 1 then 'Work was handed in again' else 'Work is waiting for your review' end as title,
        name || ' handed in ' || title || '.' as message, '/submissions?tab=pending&review=' || submission.id as link,
        'submission:' || submission.id || ':' || rounds.round_number || ':' || coach_id as event_key,
        rounds.submitted_at as at
      from seeded_rounds rounds
      join content_submissions submission on submission.assignment_id = rounds.assignment_id
        and submission.user_id = participant_id
      union all
      select participant_id, 'review', 'performance_feedback', null, 'Your work was reviewed',
        title || ': ' || case review_status when 'accepted' then ${accepted} when 'rejected' then ${rejected}
          else ${needs_revision} end,
        '/assignment/' || rounds.assignment_id, 'review:' || submission.id || ':' || rounds.round_number, rounds.reviewed_at
      from seeded_rounds rounds
      join content_submissions submission on submission.assignment_id = rounds.assignment_id
        and submission.user_id = participant_id
      where rounds.reviewed_at is not null`,
  );
}
