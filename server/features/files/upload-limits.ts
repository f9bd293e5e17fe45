import { sql } from 'kysely';
import { houseZone } from '#contract/house-zone.ts';
import { rolesWith } from '#contract/roles.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';

const mebibyte = 1024 * 1024;
/** The people who fill programs with content upload more than anybody else. */
const widerForContent = 10;
/** This is long enough, because nobody asks for an earlier day. */
const daysKept = 3;

const today = () => sql<string>`(${now()}::timestamptz at time zone ${houseZone})::date`;

type Limits = Pick<Config, 'uploadsPerDay' | 'uploadedBytesPerDay' | 'rateLimitFactor'>;

/**
 * Counts an upload that begins. It is one statement in the caller's transaction. So if two begin at once, the second
 * waits and counts the first, and a refused one counts for nothing. Throws too_many_requests.
 */
export async function countUpload(db: Db, owner: Pick<Actor, 'id' | 'role'>, size: number, limits: Limits) {
  const factor = limits.rateLimitFactor * (rolesWith('content.manage').includes(owner.role) ? widerForContent : 1);
  const files = Math.ceil(limits.uploadsPerDay * factor);
  const bytes = Math.ceil(limits.uploadedBytesPerDay * factor);
  const counted = await sql`
    insert into uploads_by_day as kept (owner_id, day, files, bytes)
    select ${owner.id}::uuid, ${today()}, 1, ${size}::bigint where ${size}::bigint <= ${bytes}::bigint
    on conflict (owner_id, day) do update set files = kept.files + 1, bytes = kept.bytes + excluded.bytes
      where kept.files < ${files}::bigint and kept.bytes + excluded.bytes <= ${bytes}::bigint
    returning files`.execute(db);
  if (counted.rows.length === 0) throw await refusalOf(db, owner, { files, bytes });
}

async function refusalOf(db: Db, owner: Pick<Actor, 'id'>, most: { files: number; bytes: number }): Promise<AppError> {
  const counted = await db
    .selectFrom('uploadsByDay')
    .select(['files', 'bytes'])
    .where('ownerId', '=', owner.id)
    .where('day', '=', today())
    .executeTakeFirst();
  const left = Math.max(0, most.bytes - (counted?.bytes ?? 0));
  const limit =
    (counted?.files ?? 0) >= most.files
      ? `You can upload ${most.files} files a day.`
      : `You can upload ${Math.floor(most.bytes / mebibyte)} MB a day, and ${Math.floor(left / mebibyte)} MB are left today.`;
  return new AppError('too_many_requests', `${limit} Please try again tomorrow.`);
}

export async function forgetCountedUploads(db: Db): Promise<void> {
  await db.deleteFrom('uploadsByDay').where('day', '<', sql<string>`${today()} - ${daysKept}::integer`).execute();
}
