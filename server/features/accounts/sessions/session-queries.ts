import { sql } from 'kysely';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { listSessions, SessionPlace } from '#contract/sessions.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { cutPage } from '#server/platform/pages.ts';
import { describeDevice, describePlace } from '#server/sign-in/device-words.ts';

const pageSize = 50;

interface SessionRow extends Pick<SessionPlace, 'id' | 'isThisOne' | 'isDeviceRemembered' | 'awaitsSecondFactor'> {
  userAgent: string | null;
  ipAddress: string | null;
  createdAt: Date;
  updatedAt: Date;
  assuranceLevel: SessionPlace['assuranceLevel'];
}

/** Ids are ordered by time, so the newest session comes first. The asking session comes before all. */
export async function listOwnSessions(
  db: Db,
  actor: Actor,
  cursor: string | undefined,
): Promise<ResponseOf<typeof listSessions>> {
  const after = cursor === undefined ? sql`true` : sql`session.id < ${cursor} and session.id <> ${actor.sessionId}`;
  const found = await sql<SessionRow>`
    select session.id, session.user_agent, session.ip_address, session.created_at, session.updated_at,
      session.assurance_level, session.is_device_remembered, session.id = ${actor.sessionId} as is_this_one,
      factor.user_id is not null and session.assurance_level = 'aal1' and not session.is_device_remembered
        as awaits_second_factor
    from auth.session
    left join auth.second_factor factor on factor.user_id = session.user_id and factor.confirmed_at is not null
    where session.user_id = ${actor.id} and session.expires_at > now() and ${after}
    order by session.id = ${actor.sessionId} desc, session.id desc
    limit ${pageSize + 1}`.execute(db);
  const page = cutPage(pageSize, found.rows, ({ id }) => id);
  return { ...page, rows: page.rows.map(toPlace) };
}

function toPlace({ userAgent, ipAddress, createdAt, updatedAt, ...row }: SessionRow): SessionPlace {
  const { name, kind } = describeDevice(userAgent);
  return {
    ...row,
    device: name,
    deviceKind: kind,
    place: describePlace(ipAddress),
    beganAt: createdAt.toISOString(),
    lastUsedAt: updatedAt.toISOString(),
  };
}
