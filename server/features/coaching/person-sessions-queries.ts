import { type Expression, type RawBuilder, sql } from 'kysely';
import { now } from '#server/platform/clock.ts';

/** Of a row of coaching_sessions: scheduled from now on, with this person on either side. */
export function isToComeFor(personId: string | Expression<string>): RawBuilder<boolean> {
  return sql<boolean>`(${personId} in (coach_id, participant_id) and coaching_sessions.status = 'scheduled'
    and scheduled_at > ${now()}::timestamptz)`;
}

/** How many; a column of any query. */
export function sessionsToComeOf(personId: Expression<string>): RawBuilder<number> {
  return sql<number>`(select count(*)::int from coaching_sessions where ${isToComeFor(personId)})`;
}
