import { type RawBuilder, sql } from 'kysely';
import { dueReminders } from './reminders.ts';

/** Of a row `event`: nobody is told of a message that they have read, nor reminded of what is done, cancelled, moved or over. */
export function isNeeded(at: Date): RawBuilder<boolean> {
  return sql<boolean>`case
    when event.kind = 'message' then
      not exists (select from coach_messages where coach_messages.id = event.subject_id and is_read)
    when event.kind like '%\\_reminder' then exists (
      select from (${dueReminders(at)}) as reminder
      where reminder.user_id = event.user_id and reminder.subject_id = event.subject_id
        and reminder.event_key = event.event_key)
    else true end`;
}

/** Of rows `event` and `preferences`, of which the latter may be missing. */
export const isWanted: RawBuilder<boolean> = sql<boolean>`coalesce((to_jsonb(preferences) ->> event.category)::boolean, true)`;
