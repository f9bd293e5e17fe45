import { type RawBuilder, sql } from 'kysely';
import { dueReminders, membersIf } from './reminders.ts';

/**
 * Expects a row `event`. A person hears nothing of a message that they have read, unless a later one relied on its
 * notice. Nobody hears of a review that was taken back or corrected, or after which they have handed in again. Nobody is
 * reminded of something that is done, canceled, moved or over.
 */
export function isNeeded(at: Date): RawBuilder<boolean> {
  return sql<boolean>`case
    when event.kind = 'message' and event.subject_id is not null then exists (
      select from coach_messages subject
      join coach_messages waiting on waiting.sender_id = subject.sender_id
        and waiting.recipient_id = subject.recipient_id and not waiting.is_read
        and (waiting.sent_at, waiting.id) >= (subject.sent_at, subject.id)
      where subject.id = event.subject_id and (waiting.id = subject.id or not exists (
        select from notice_events told where told.kind = 'message' and told.subject_id = waiting.id)))
    when event.kind = 'review' and event.facts ->> 'reviewedAt' is not null then exists (
      select from content_submissions reviewed
      where reviewed.id = event.subject_id and reviewed.status <> 'submitted'
        and reviewed.reviewed_at = (event.facts ->> 'reviewedAt')::timestamptz)
    when event.kind like '%\\_reminder' then exists (
      select from (${dueReminders(at, sql`(${membersIf(sql`person.id = event.user_id`)})`)}) as reminder
      where reminder.user_id = event.user_id and reminder.subject_id = event.subject_id
        and reminder.event_key = event.event_key)
    else true end`;
}

/** Expects rows `event` and `preferences`. The row `preferences` may be missing. */
export const isWanted: RawBuilder<boolean> = sql<boolean>`coalesce((to_jsonb(preferences) ->> event.category)::boolean, true)`;

/**
 * Expects a row `event`. True if a mail brought its session into the person's calendar, or still may. We keep right
 * what we put there, even for a person who has switched such mails off since.
 */
export const isInCalendar: RawBuilder<boolean> = sql<boolean>`(event.kind = 'coaching_session' and exists (
  select from notice_events earlier
  join deliveries invitation on invitation.event_id = earlier.id
  where earlier.kind = 'coaching_session' and earlier.subject_id = event.subject_id and earlier.user_id = event.user_id
    and earlier.id < event.id
    and invitation.calendar_method = 'REQUEST'
    and (invitation.status in ('queued', 'failed', 'sent') or invitation.awaiting_answer_since is not null)))`;

/** Expects a row `event`. True if its session has changed again since. A later mail tells the person of that change. */
export const isOvertaken: RawBuilder<boolean> = sql<boolean>`(event.kind = 'coaching_session' and exists (
  select from notice_events later
  where later.kind = 'coaching_session' and later.subject_id = event.subject_id and later.user_id = event.user_id
    and later.id > event.id))`;
