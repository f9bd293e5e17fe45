import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { drawn } from './draws.ts';
import type { CohortPlan } from './plan.ts';

/**
 * Writes what people were told: the event as it was decided, the notice behind the bell and the mail that was sent. So
 * no job sends anything. `events` selects `user_id`, `kind`, `category`, `subject_id`, `title`, `message`, `link`,
 * `event_key` and `at`.
 * Most notices are read within a day. Some wait for a week, and a few are never opened.
 */
export async function seedNotices(db: Db, { seed, until }: CohortPlan, events: RawBuilder<unknown>): Promise<void> {
  const reading = drawn(seed, 'reads', 'event.user_id', 'event.title', 'event.at', 'event.message');
  const bouncing = drawn(seed, 'bounces', 'event.user_id', 'event.title', 'event.at', 'event.message');
  await sql`
    with told as materialized (
      select time_ordered_id() as id, event.*, person.email, coalesce(preferences.email_enabled, true) as is_mailed,
        event.at + case when drawn.reading < 800 then interval '1 minute' * (3 + drawn.reading)
          when drawn.reading < 970 then interval '1 hour' * (drawn.reading - 780) end as would_read_at,
        drawn.bounces
      from (${events}) event
      cross join lateral (select ${reading} as reading, ${bouncing} < 1
        and event.at > ${until}::timestamptz - interval '30 days' as bounces) drawn
      join profiles person on person.id = event.user_id
      left join notification_preferences preferences on preferences.user_id = event.user_id
      where event.at < ${until}::timestamptz
    ), decided as (
      insert into notice_events
        (id, kind, category, user_id, subject_id, facts, event_key, due_at, decided_at, outcome, created_at)
      select id, kind, category, user_id, subject_id,
        jsonb_build_object('title', title, 'message', message, 'link', link), event_key, at, at,
        case when is_mailed then 'sent' else 'no_channel' end, at
      from told
    ), listed as (
      insert into notices (user_id, event_id, kind, title, message, link, created_at, read_at)
      select user_id, id, kind, title, message, link, at,
        case when would_read_at < ${until}::timestamptz then would_read_at end
      from told
    )
    insert into deliveries (event_id, kind, recipient_id, address, subject, text_body, status, attempts, last_error,
      event_key, created_at, sent_at, given_up_at)
    select id, kind, user_id, email, title, '', case when bounces then 'given_up' else 'sent' end,
      case when bounces then 5 else 1 end, case when bounces then '452 4.2.2 The mailbox is full' end, event_key, at,
      case when not bounces then at + interval '20 seconds' end,
      case when bounces then at + interval '6 hours' end
    from told where is_mailed`.execute(db);
}
