import { type RawBuilder, sql } from 'kysely';
import { zoneName } from '#contract/moments.ts';
import { returnedLabel } from '#contract/work-standing.ts';
import { zoneInWords } from '#contract/zones.ts';
import type { Db } from '#server/db/database.ts';
import { suitsTrack } from '#server/features/curriculum/curriculum-access.ts';

const longestTitle = 120;

/** What zones are called at an instant, by their name in the tz database. */
type ZoneNames = Record<string, { short: string; long: string }>;

/** Records each due reminder that was not recorded before, in one statement. */
export async function recordReminders(db: Db, at: Date): Promise<void> {
  const zones = await db.selectFrom('programmes').select('zone').distinct().execute();
  const names = zones.map(({ zone }) => [zone, { short: zoneName(zone, at), long: zoneInWords(zone, at) }]);
  await sql`
    with members as materialized (${membersIf(sql`true`)})
    insert into notice_events (kind, category, user_id, subject_id, facts, event_key, due_at)
    select kind, category, user_id, subject_id, facts, event_key, ends_at - interval '24 hours'
    from (${dueReminders(at, sql`members`, Object.fromEntries(names))}) as reminder
    on conflict (event_key) do nothing`.execute(db);
}

/**
 * What people have to be reminded of at an instant: everything that ends within 24 hours and is neither over nor done.
 * A due date ends with its day in the zone of the program. The key holds the end, so a moved end reminds again (PREF-09,
 * PREF-10). It reminds these members, of `membersIf`. Without names of zones, the words are not whole.
 */
export function dueReminders(at: Date, members: RawBuilder<unknown>, zoneNames: ZoneNames = {}): RawBuilder<unknown> {
  const names = sql`${JSON.stringify(zoneNames)}::jsonb`;
  return sql`
    select kind, category, user_id, subject_id, ends_at,
      jsonb_build_object('title', title, 'message', message, 'link', link) as facts,
      kind || ':' || subject_id || ':' || extract(epoch from ends_at)::bigint || ':' || user_id as event_key
    from (${assignments(at, members, names)} union all ${requirements(at, members, names)}
      union all ${sessions(at, names)}) as due
    where ends_at > ${at}::timestamptz and ends_at <= ${at}::timestamptz + interval '24 hours'`;
}

/**
 * Reminds participants of a running cohort who have not handed in, or have to hand in again. Locked weeks remind of
 * nothing.
 */
function assignments(at: Date, members: RawBuilder<unknown>, names: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select 'assignment_reminder' as kind, 'assignment_reminders' as category, person.id as user_id,
      content_assignments.id as subject_id, ${endOf(sql`due.day`)} as ends_at,
      'Due within 24 hours' as title,
      left(content_assignments.title, ${longestTitle}) || ' is due on ' || ${dayInWords(sql`due.day`, names)} || '.'
        || case when submission.id is null then '' else ${` ${returnedLabel}.`} end as message,
      '/assignment/' || content_assignments.id as link
    from content_assignments
    join content_items on content_items.id = content_assignments.content_item_id
    join training_activities on training_activities.id = content_items.training_activity_id
    cross join lateral (select coalesce(content_assignments.due_date, content_items.due_date) as day) as due
    join ${members} person on coalesce(training_activities.cohort_id = person.cohort_id, true)
      and ${suitsTrack(sql.ref('person.trackType'))}
    left join content_submissions submission
      on submission.assignment_id = content_assignments.id and submission.user_id = person.id
    where ${isNear(sql`due.day`, at)}
      and content_assignments.archived_at is null
      and (training_activities.week_number <= person.unlocked_weeks
        or training_activities.session_date <= (${at}::timestamptz at time zone person.zone)::date)
      and (submission.id is null or submission.status in ('needs_revision', 'rejected'))`;
}

function requirements(at: Date, members: RawBuilder<unknown>, names: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select 'requirement_reminder', 'deadline_alerts', person.id, weekly_requirements.id,
      ${endOf(sql`weekly_requirements.due_date`)}, 'Deadline within 24 hours',
      left(weekly_requirements.title, ${longestTitle}) || ' is due on '
        || ${dayInWords(sql`weekly_requirements.due_date`, names)} || '.',
      '/training-calendar'
    from weekly_requirements
    join ${members} person on person.cohort_id = weekly_requirements.cohort_id
    where ${isNear(sql`weekly_requirements.due_date`, at)}`;
}

/**
 * Reminds both sides of a session. A person who heard of the booking, or of the new time, within the same 24 hours is
 * not told again at once. The reminder still goes to a person who had switched that news off.
 */
function sessions(at: Date, names: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select 'session_reminder', 'deadline_alerts', person.id, coaching_sessions.id, scheduled_at,
      'Coaching session within 24 hours',
      'Your session with ' || other.full_name || ' is on '
        || to_char(scheduled_at at time zone own.zone, 'Dy FMDD Mon, FMHH12:MI AM')
        || coalesce(' ' || (${names} -> own.zone ->> 'short'), '') || '.',
      '/dashboard'
    from coaching_sessions
    join profiles person on person.id in (coach_id, participant_id) and person.deleted_at is null
    join profiles other on other.id in (coach_id, participant_id) and other.id <> person.id
    cross join lateral (select zone_of_person(participant_id) as zone) as own
    where status = 'scheduled' and scheduled_at > ${at}::timestamptz
      and scheduled_at <= ${at}::timestamptz + interval '24 hours'
      and not exists (
        select from notice_events told
        where told.kind = 'coaching_session' and told.subject_id = coaching_sessions.id and told.user_id = person.id
          and told.due_at >= scheduled_at - interval '24 hours' and told.outcome is distinct from 'switched_off')`;
}

/**
 * The participants, as rows `person`, who are meant, each with their cohort. Of several active ones it is the one that
 * began last (FELL-08), and only while it runs.
 */
export function membersIf(isMeant: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select person.id, person.track_type, latest.id as cohort_id, latest.unlocked_weeks, latest.zone
    from profiles person
    cross join lateral (
      select cohorts.id, cohorts.unlocked_weeks, cohorts.status, programmes.zone
      from cohort_participants join cohorts on cohorts.id = cohort_participants.cohort_id
      join programmes on programmes.id = cohorts.programme_id
      where cohort_participants.participant_id = person.id and cohort_participants.status = 'active'
      order by cohorts.start_date desc, cohorts.id desc limit 1) as latest
    where person.role = 'participant' and person.deleted_at is null and ${isMeant}
      and latest.status not in ('completed', 'cancelled')`;
}

/** The midnight in the zone of a member `person` at which a day ends, even when the clocks change. */
function endOf(day: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`((${day} + 1)::timestamp at time zone person.zone)`;
}

/** A coarse part of the condition, which needs no time zone arithmetic. */
function isNear(day: RawBuilder<unknown>, at: Date): RawBuilder<unknown> {
  const today = sql`(${at}::timestamptz at time zone 'UTC')::date`;
  return sql`${day} between ${today} - 1 and ${today} + 2`;
}

function dayInWords(day: RawBuilder<unknown>, names: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`to_char(${day}, 'Dy FMDD Mon') || ', by the end of the day'
    || coalesce(' (' || (${names} -> person.zone ->> 'long') || ')', '')`;
}
