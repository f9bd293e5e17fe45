import { type RawBuilder, sql } from 'kysely';

/**
 * Writes an instant as a calendar file holds it: US Eastern wall-clock time `YYYY-MM-DDTHH:MM:SS`. In the hour when the
 * clocks go back it is UTC with a `Z`, because programs disagree which of two equal times is meant. Null stays null.
 */
export function calendarMoment(instant: RawBuilder<unknown>): RawBuilder<string | null> {
  const wallClock = sql`((${instant}) at time zone 'America/New_York')`;
  const earlier = sql`eastern_instant(${wallClock})`;
  const later = sql`(${wallClock} at time zone 'America/New_York')`;
  return sql<string | null>`case when ${earlier} = ${later}
    then to_char(${wallClock}, 'YYYY-MM-DD"T"HH24:MI:SS')
    else to_char((${instant}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end`;
}
