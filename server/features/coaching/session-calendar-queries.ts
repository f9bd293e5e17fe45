import { type Expression, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { calendarMoment } from '#server/platform/calendar-moments.ts';
import type { CalendarItem } from '#server/platform/calendar-text.ts';

/** A session is in the time of its participant's program, for both sides. */
export const zoneOfSession = sql<string>`zone_of_person(coaching_sessions.participant_id)`;

/**
 * Returns the sessions of either side as they appear in the viewer's calendar. Notes about them stay in the product.
 */
export function sessionItems(db: Db, viewerId: Expression<string>) {
  return db
    .selectFrom('coachingSessions')
    .innerJoin('profiles as other', (join) =>
      join.on(
        'other.id',
        '=',
        sql<string>`case when coaching_sessions.coach_id = ${viewerId} then coaching_sessions.participant_id else coaching_sessions.coach_id end`,
      ),
    )
    .select([
      sql<CalendarItem['kind']>`'session'`.as('kind'),
      'coachingSessions.id',
      sql<string>`'Coaching session with ' || other.full_name`.as('title'),
      sql<string | null>`null`.as('description'),
      sql<string | null>`null`.as('place'),
      sql<string[]>`array[]::text[]`.as('facts'),
      sql<string>`(coaching_sessions.scheduled_at at time zone ${zoneOfSession})::date`.as('day'),
      zoneOfSession.as('zone'),
      calendarMoment(sql`coaching_sessions.scheduled_at`, zoneOfSession).as('startsAt'),
      calendarMoment(
        sql`coaching_sessions.scheduled_at + make_interval(mins => coaching_sessions.duration_minutes)`,
        zoneOfSession,
      ).as('endsAt'),
      sql<boolean>`coaching_sessions.status = 'cancelled'`.as('isCancelled'),
      'coachingSessions.calendarSequence as sequence',
      'coachingSessions.updatedAt as changedAt',
    ])
    .where((eb) =>
      eb.or([eb('coachingSessions.coachId', '=', viewerId), eb('coachingSessions.participantId', '=', viewerId)]),
    );
}
