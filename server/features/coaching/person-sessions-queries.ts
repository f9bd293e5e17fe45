import { type Expression, type RawBuilder, sql } from 'kysely';
import { hiddenInstant } from '#server/db/hidden-values.ts';
import { presentInstant } from '#server/platform/clock.ts';

/** True for a row of coaching_sessions that is scheduled from now on, with this person on either side. */
export function isToComeFor(personId: string | Expression<string>): RawBuilder<boolean> {
  return sql<boolean>`(${personId} in (coach_id, participant_id) and coaching_sessions.status = 'scheduled'
    and scheduled_at > ${hiddenInstant(presentInstant)})`;
}

/** Counts them. It is a column for any query. */
export function sessionsToComeOf(personId: Expression<string>): RawBuilder<number> {
  return sql<number>`(select count(*)::int from coaching_sessions where ${isToComeFor(personId)})`;
}
