import { sql } from 'kysely';
import type { AvailabilityRange } from '#contract/booking-setup.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { notFound } from '#server/platform/errors.ts';
import { changed } from '#server/platform/telling.ts';

interface BookingSetup {
  schedulingEnabled: boolean;
  schedulingLink: string | null;
  instructions: string | null;
}

/** COACH-25, COACH-26 */
export async function saveBookingSetup(db: Db, coach: Pick<Actor, 'id'>, setup: BookingSetup): Promise<void> {
  const { schedulingEnabled, schedulingLink, instructions } = setup;
  await db
    .updateTable('profiles')
    .set({
      schedulingEnabled,
      schedulingLink: schedulingEnabled ? schedulingLink : null,
      externalBookingInstructions: instructions || null,
    })
    .where('id', '=', coach.id)
    .execute();
  await changed(db, 'availability', [coach.id]);
}

/** COACH-51, COACH-52: replaces the week's times in the caller's transaction. */
export async function saveAvailability(
  db: Db,
  coach: Pick<Actor, 'id'>,
  weekStartDate: string,
  ranges: AvailabilityRange[],
): Promise<void> {
  // If one week is saved twice at once, the second save replaces the first.
  await db.selectFrom('profiles').select('id').where('id', '=', coach.id).forNoKeyUpdate().execute();
  await db
    .deleteFrom('coachAvailability')
    .where('coachId', '=', coach.id)
    .where('weekStartDate', '=', weekStartDate)
    .execute();
  await sql`
    insert into coach_availability (coach_id, week_start_date, day_of_week, start_time, end_time)
    select ${coach.id}::uuid, ${weekStartDate}::date, range.*
    from unnest(${ranges.map(({ dayOfWeek }) => dayOfWeek)}::integer[],
      ${ranges.map(({ startTime }) => startTime)}::time[],
      ${ranges.map(({ endTime }) => endTime)}::time[]) range`.execute(db);
  await changed(db, 'availability', [coach.id]);
}

interface Leave {
  startsOn: string;
  endsOn: string;
  note: string | null;
}

export async function addLeave(db: Db, coach: Pick<Actor, 'id'>, { startsOn, endsOn, note }: Leave) {
  const added = await db
    .insertInto('coachLeave')
    .values({ coachId: coach.id, startsOn, endsOn, note: note || null })
    .returning(['id', 'startsOn', 'endsOn', 'note'])
    .executeTakeFirstOrThrow();
  await changed(db, 'availability', [coach.id]);
  return added;
}

export async function removeLeave(db: Db, coach: Pick<Actor, 'id'>, leaveId: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('coachLeave')
    .where('id', '=', leaveId)
    .where('coachId', '=', coach.id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw notFound('We cannot find this leave among yours.');
  await changed(db, 'availability', [coach.id]);
}
