import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';

/** A participant's are those of their track type, none without one (RES-39); coaches and admins have all (RES-40). */
export function visibleResources(db: Db, actor: Pick<Actor, 'role' | 'trackType'>) {
  return db
    .selectFrom('resources')
    .$if(actor.role === 'participant', (query) =>
      query.where('resources.program', '=', sql<string>`${actor.trackType}::text`),
    );
}
