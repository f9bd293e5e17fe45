import { type Expression, type RawBuilder, sql } from 'kysely';
import { hiddenInstant } from '#server/db/hidden-values.ts';
import { presentInstant } from '#server/platform/clock.ts';

const isToCome = sql<boolean>`coaching_sessions.status = 'scheduled' and scheduled_at > ${hiddenInstant(presentInstant)}`;

/** True for a row of coaching_sessions that is scheduled from now on, with this person on either side. */
export function isToComeFor(personId: string | Expression<string>): RawBuilder<boolean> {
  return sql<boolean>`(${personId} in (coach_id, participant_id) and ${isToCome})`;
}

/** Counts them. It is a column for any query. Each side has its index, and nobody meets themself. */
export function sessionsToComeOf(personId: Expression<string>): RawBuilder<number> {
  const countOf = (side: 'coach_id' | 'participant_id') =>
    sql`(select count(*)::int from coaching_sessions where ${sql.ref(side)} = ${personId} and ${isToCome})`;
  return sql<number>`(${countOf('coach_id')} + ${countOf('participant_id')})`;
}

/** The same of several people, as rows of `person_id` and `to_come`, without those who have none. `people` follows "=". */
export function sessionsToComeOfEach(people: Expression<string>): RawBuilder<unknown> {
  const ofSide = (side: 'coach_id' | 'participant_id') =>
    sql`select ${sql.ref(side)} as person_id from coaching_sessions where ${sql.ref(side)} = ${people} and ${isToCome}`;
  return sql`select person_id, count(*)::int as to_come
    from (${ofSide('coach_id')} union all ${ofSide('participant_id')}) as sides group by person_id`;
}
