import { sql } from 'kysely';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { listSignIns, SignInRecord } from '#contract/sign-in-records.ts';
import type { Db } from '#server/db/database.ts';
import { cutPage } from '#server/platform/pages.ts';
import { describeDevice, describePlace } from '#server/sign-in/device-words.ts';

const pageSize = 20;

interface StoredRecord extends Pick<SignInRecord, 'id' | 'kind' | 'way'> {
  at: Date;
  userAgent: string | null;
  ipAddress: string | null;
}

/** Ids are ordered by time, so the newest comes first. */
export async function findSignIns(
  db: Db,
  userId: string,
  cursor: string | undefined,
): Promise<ResponseOf<typeof listSignIns>> {
  const found = await sql<StoredRecord>`
    select id, at, kind, way, user_agent, ip_address from auth.sign_in_record
    where user_id = ${userId} and ${cursor === undefined ? sql`true` : sql`id < ${cursor}`}
      and at > now() - interval '90 days'
    order by id desc limit ${pageSize + 1}`.execute(db);
  const page = cutPage(pageSize, found.rows, ({ id }) => id);
  return {
    ...page,
    rows: page.rows.map(({ userAgent, ipAddress, at, ...row }) => ({
      ...row,
      at: at.toISOString(),
      device: describeDevice(userAgent).name,
      place: describePlace(ipAddress),
      address: ipAddress,
    })),
  };
}
