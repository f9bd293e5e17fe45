import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';

/**
 * A participant sees those of their track type, and none without one (RES-39). Of these, a resource that is for one
 * program is for the active members of its cohorts alone. Coaches and admins see all (RES-40).
 */
export function visibleResources(db: Db, actor: Pick<Actor, 'id' | 'role' | 'trackType'>) {
  return db.selectFrom('resources').$if(actor.role === 'participant', (query) =>
    query.where('resources.program', '=', sql<string>`${actor.trackType}::text`).where(
      sql<boolean>`(resources.programme_id is null or resources.programme_id in (
          select cohorts.programme_id from cohort_participants membership
          join cohorts on cohorts.id = membership.cohort_id
          where membership.participant_id = ${actor.id} and membership.status = 'active'))`,
    ),
  );
}
