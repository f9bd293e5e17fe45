import type { Insertable } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { CoachingSessionsTable } from '#server/db/schema.gen.ts';

/** A scheduled session of 30 minutes. */
export function buildCoachingSession(
  db: Db,
  facts: Partial<Insertable<CoachingSessionsTable>> & { coachId: string; participantId: string; scheduledAt: string },
) {
  return db.insertInto('coachingSessions').values(facts).returningAll().executeTakeFirstOrThrow();
}
