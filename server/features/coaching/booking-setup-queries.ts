import { sql } from 'kysely';
import type { listLeave, readAvailability, readBookingSetup } from '#contract/booking-setup.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';

const mostLeave = 100;

/** COACH-47: it reads a coach's row, and is null while scheduling is switched off. */
export const externalLink = sql<string | null>`case when scheduling_enabled
  then coalesce(scheduling_link, calendly_link, microsoft_booking_link) end`;

export function findBookingSetup(db: Db, coach: Pick<Actor, 'id'>): Promise<ResponseOf<typeof readBookingSetup>> {
  return db
    .selectFrom('profiles')
    .select(['schedulingEnabled', 'schedulingLink', 'externalBookingInstructions as instructions'])
    .where('id', '=', coach.id)
    .executeTakeFirstOrThrow();
}

export async function findAvailability(
  db: Db,
  coach: Pick<Actor, 'id'>,
  weekStartDate: string,
): Promise<ResponseOf<typeof readAvailability>> {
  const ranges = await db
    .selectFrom('coachAvailability')
    .select([
      'dayOfWeek',
      sql<string>`to_char(start_time, 'HH24:MI')`.as('startTime'),
      sql<string>`to_char(end_time, 'HH24:MI')`.as('endTime'),
    ])
    .where('coachId', '=', coach.id)
    .where('weekStartDate', '=', weekStartDate)
    .where('isAvailable', '=', true)
    .orderBy('dayOfWeek')
    .orderBy('startTime')
    .execute();
  return { weekStartDate, ranges };
}

export async function findLeave(
  db: Db,
  coach: Pick<Actor, 'id'>,
  today: string,
): Promise<ResponseOf<typeof listLeave>> {
  const leave = await db
    .selectFrom('coachLeave')
    .select(['id', 'startsOn', 'endsOn', 'note'])
    .where('coachId', '=', coach.id)
    .where('endsOn', '>=', today)
    .orderBy('startsOn')
    .orderBy('id')
    .limit(mostLeave)
    .execute();
  return { leave };
}
