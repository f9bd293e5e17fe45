import { sql } from 'kysely';
import { type Role, roles } from '#contract/roles.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { acceptedHashes, hashCode, type Secrets } from '#server/platform/secret-box.ts';

export type FeedReader = Pick<Actor, 'id' | 'role' | 'trackType'> & { zone: string };

/** The stored form of a feed's secret. It includes the role, so a change of role stops the address. */
export function hashFeedToken(secrets: Secrets, role: Role, token: string): string {
  return hashCode(secrets, purposeOf(role), token);
}

/** Every form that the secret may be stored as. */
export function acceptedFeedHashes(secrets: Secrets, role: Role, token: string): string[] {
  return acceptedHashes(secrets, purposeOf(role), token);
}

function purposeOf(role: Role): string {
  return `calendar-feed:${role}`;
}

/**
 * Finds whose calendar the secret opens, and notes the reading, in one statement. Undefined if it opens none, or none
 * any more.
 */
export async function findFeedReader(db: Db, secrets: Secrets, token: string): Promise<FeedReader | undefined> {
  const hashes = roles.flatMap((role) => acceptedFeedHashes(secrets, role, token).map((hash) => ({ role, hash })));
  const found = await sql<FeedReader>`
    with reader as (
      select profiles.id, profiles.role, profiles.track_type
      from calendar_feeds feed
      join profiles on profiles.id = feed.user_id and profiles.deleted_at is null
      join auth."user" sign_in on sign_in.id = feed.user_id
      join unnest(${hashes.map(({ hash }) => hash)}::text[], ${hashes.map(({ role }) => role)}::text[])
        as accepted (hash, role) on accepted.hash = feed.token_hash and accepted.role = profiles.role
    ), noted as (
      update calendar_feeds feed set last_read_at = ${now()}
      from reader
      where feed.user_id = reader.id
        and (feed.last_read_at is null or feed.last_read_at < ${now()}::timestamptz - interval '5 minutes')
    )
    select id, role, track_type, zone_of_person(id) as zone from reader`.execute(db);
  return found.rows[0];
}
