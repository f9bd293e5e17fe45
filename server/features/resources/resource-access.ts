import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';

/** A participant sees those of their track type, and none without one (RES-39). Coaches and admins see all (RES-40). */
export function visibleResources(db: Db, actor: Pick<Actor, 'role' | 'trackType'>) {
  return db
    .selectFrom('resources')
    .$if(actor.role === 'participant', (query) =>
      query.where('resources.program', '=', sql<string>`${actor.trackType}::text`),
    );
}
