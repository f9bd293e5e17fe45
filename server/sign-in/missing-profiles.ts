import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { changed } from '#server/platform/telling.ts';

/**
 * AUTH-45: makes the profile of each given sign-in that has none, from what the person said when they registered. 'all'
 * looks at every sign-in. The role is participant. A requested role stays a request (AUTH-17, SEC-22).
 */
export async function createMissingProfiles(db: Db, userIds: string[] | 'all'): Promise<string[]> {
  const given = userIds === 'all' ? sql`true` : sql`sign_in.id = any(${userIds}::uuid[])`;
  const made = await sql<{ id: string }>`
    insert into profiles (id, email, first_name, last_name, role, requested_role, track_type)
    select sign_in.id, sign_in.email, sign_in.first_name, sign_in.last_name, 'participant', sign_in.requested_role,
      sign_in.track_type
    from auth."user" sign_in
    where ${given} and not exists (select from profiles where profiles.id = sign_in.id)
    on conflict do nothing
    returning id`.execute(db);
  const ids = made.rows.map((row) => row.id);
  if (ids.length > 0) await changed(db, 'people', ids);
  return ids;
}
