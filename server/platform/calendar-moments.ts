import { type RawBuilder, sql } from 'kysely';

/**
 * Writes an instant as a calendar file holds it: wall-clock time `YYYY-MM-DDTHH:MM:SS` of the zone. In the hour when the
 * clocks go back it is UTC with a `Z`, because programs disagree which of two equal times is meant. Null stays null.
 */
export function calendarMoment(instant: RawBuilder<unknown>, zone: RawBuilder<unknown>): RawBuilder<string | null> {
  const wallClock = sql`((${instant}) at time zone ${zone})`;
  const earlier = sql`instant_in(${wallClock}, ${zone})`;
  const later = sql`(${wallClock} at time zone ${zone})`;
  return sql<string | null>`case when ${earlier} = ${later}
    then to_char(${wallClock}, 'YYYY-MM-DD"T"HH24:MI:SS')
    else to_char((${instant}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end`;
}
