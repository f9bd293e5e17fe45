import type { Insertable } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { CoachAvailabilityTable, CoachingSessionsTable } from '#server/db/schema.gen.ts';

export function buildCoachingSession(
  db: Db,
  facts: Partial<Insertable<CoachingSessionsTable>> & { coachId: string; participantId: string; scheduledAt: string },
) {
  return db.insertInto('coachingSessions').values(facts).returningAll().executeTakeFirstOrThrow();
}

/** US Eastern times of one day in the week that starts on a Sunday. Day 0 is that Sunday. */
export function buildAvailability(
  db: Db,
  facts: { coachId: string; weekStartDate: string; dayOfWeek: number; startTime: string; endTime: string } & Partial<
    Insertable<CoachAvailabilityTable>
  >,
) {
  return db.insertInto('coachAvailability').values(facts).returningAll().executeTakeFirstOrThrow();
}
