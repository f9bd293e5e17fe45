import { sql } from 'kysely';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { conversations } from './conversations.ts';
import { drawn, drawnBelow, easternAt, sqlIdOf } from './draws.ts';
import { seedNotices } from './notices.ts';
import type { CohortPlan } from './plan.ts';

/** How many of a thousand participants have a first, a second and a third conversation with their coach. */
const talkative = [1000, 650, 350];
const longestNotice = 120;

/**
 * `seeded_messages` holds what participants and coaches wrote to each other. A person who answers has read what came
 * before.
 */
export async function planMessages(db: Db, plan: CohortPlan): Promise<void> {
  const { seed, startDate, passedWeeks, until } = plan;
  const days = 7 * passedWeeks + 1;
  const lines = conversations.flatMap((conversation, script) =>
    conversation.map(([from, day, time, text], place) => ({
      script,
      place,
      from_coach: from === 'coach',
      day,
      time,
      text,
    })),
  );
  const today = dayAt(until, houseZone);
  const lastBegin = addDays(startDate, days) < today ? addDays(startDate, days) : addDays(today, -1);
  await sql`
    create temporary table seeded_messages on commit drop as
    with begun as (
      select member.*, nth,
        case nth when 1 then 0 else 1 + ${drawnBelow(conversations.length - 1, seed, 'script', 'participant_id', 'nth')} end as script,
        case nth when 1 then ${startDate}::date
          else least(${startDate}::date + ${drawnBelow(days, seed, 'begins', 'participant_id', 'nth')}, ${lastBegin}::date) end as first_day
      from seeded_members member cross join unnest(${talkative}::integer[]) with ordinality as talks (permille, nth)
      where coach_id is not null and ${drawn(seed, 'talks', 'participant_id', 'nth')} < permille
    ), said as (
      select begun.*, line.place as line_place, from_coach, moment.at,
        replace(line.text, '{name}', split_part(begun.name, ' ', 1)) as text,
        case when from_coach then coach_id else participant_id end as sender_id,
        case when from_coach then participant_id else coach_id end as recipient_id
      from begun
      join jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as line
        (script integer, place integer, from_coach boolean, day integer, time time, text text) using (script)
      cross join lateral (select ${easternAt(sql`first_day + line.day`, sql`line.time`)}
        + make_interval(secs => 20 * (nth - 1) + ${drawnBelow(15, seed, 'second', 'participant_id', 'nth')}) as at) moment
      where moment.at < ${until}::timestamptz and first_day >= joined_on
        and (left_on is null or first_day + line.day < left_on)
    ), answered as (
      select said.*, min(at) filter (where from_coach) over later as next_of_coach,
        min(at) filter (where not from_coach) over later as next_of_fellow,
        lag(at) over (partition by participant_id, from_coach order by at) as before_it,
        ${until}::timestamptz - make_interval(mins => 4 * ${drawn(seed, 'reads up to', 'participant_id')}) as read_until
      from said
      window later as (partition by participant_id order by at rows between 1 following and unbounded following)
    )
    select ${sqlIdOf(`message ${seed}`, sql`participant_id`, sql`nth`, sql`line_place`)} as id, sender_id, recipient_id, from_coach, text,
      case when from_coach then coach_name else name end as sender_name, place, nth, line_place, at,
      before_it > at - interval '10 minutes' as is_of_burst,
      case when at < read_until or case when from_coach then next_of_fellow else next_of_coach end is not null
        then least(at + make_interval(mins => 5 + ${drawn(seed, 'reads', 'participant_id', 'at')} / 4),
          case when from_coach then next_of_fellow else next_of_coach end, greatest(read_until, at + interval '1 minute')) end as read_at
    from answered`.execute(db);
}

/** Writes them with the files that some hold, and the notices of those that begin a burst. */
export async function seedMessages(db: Db, plan: CohortPlan): Promise<void> {
  await sql`
    insert into coach_messages (id, sender_id, recipient_id, recipient_type, subject, message, is_read, read_at, sent_at, file_path)
    select id, sender_id, recipient_id, case when from_coach then 'fellow' else 'coach' end,
      'Message from your ' || case when from_coach then 'coach' else 'participant' end, text, read_at is not null, read_at, at, path
    from seeded_messages left join seeded_message_files using (id) order by at, id`.execute(db);
  await seedNotices(
    db,
    plan,
    sql`
      select recipient_id as user_id, 'message' as kind, 'coach_messages' as category, id as subject_id,
        'New Message' as title, sender_name || ': ' || case when length(text) > ${longestNotice}::integer
          then left(text, ${longestNotice}::integer) || '…' else text end as message,
        '/cohorts?with=' || sender_id as link, 'message:' || id as event_key, at
      from seeded_messages where is_of_burst is not true`,
  );
  await sql`
    update notices set read_at = message.read_at
    from notice_events event join seeded_messages message on message.id = event.subject_id
    where event.kind = 'message' and notices.event_id = event.id and notices.read_at is distinct from message.read_at`.execute(
    db,
  );
}
