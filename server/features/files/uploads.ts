import { sql } from 'kysely';
import { extensionOf, refuseUpload, type UploadArea, uploadAreaNames, uploadAreas } from '#contract/files.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { uploads } from '#server/platform/metrics.ts';
import { requireRole } from '#server/platform/serve.ts';
import type { Storage } from '#server/platform/storage-shape.ts';
import { changed } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { isContentAsNamed, mimeTypeOf } from './file-kinds.ts';
import { requireSpace } from './file-space.ts';
import { removeStoredFileQueue } from './stored-file-queue.ts';
import { countUpload } from './upload-limits.ts';

export interface OwnUpload {
  id: string;
  path: string;
  displayName: string;
  size: number;
  isComplete: boolean;
}

export interface UploadWish {
  fileName: string;
  area: string;
  size: number;
}

/** How much a person may keep in My Files, and upload in a day. */
export type UploadLimits = Pick<
  Config,
  'fileSpaceInBytes' | 'uploadsPerDay' | 'uploadedBytesPerDay' | 'rateLimitFactor'
>;

/** The place where an upload is written down and stored. */
export interface UploadPlace {
  id: string;
  path: string;
}

const longestName = 200;
const longestSafeName = 80;

/** Refuses by role, name, size, space and the day's uploads. Then writes the upload down. Its bytes follow. */
export async function beginUpload(
  db: Db,
  actor: Actor,
  place: UploadPlace,
  wish: UploadWish,
  limits: UploadLimits,
): Promise<void> {
  const area = readArea(wish.area);
  requireRole(actor, uploadAreas[area].permission);
  const displayName = readFileName(wish.fileName);
  const refusal = refuseUpload(area, displayName, wish.size);
  if (refusal) throw new AppError(refusal.code, refusal.message);
  if (area === 'my_files') await requireSpace(db, actor, wish.size, limits.fileSpaceInBytes);
  await countUpload(db, actor, wish.size, limits);
  await db
    .insertInto('storedFiles')
    .values({
      ...place,
      ownerId: actor.id,
      area,
      displayName,
      size: wish.size,
      mimeType: mimeTypeOf(displayName),
    })
    .execute();
  uploads.inc({ step: 'begun' });
}

/** Follows the documented layout: a person's own folder, `messages/` with such folders, and `content/` (MSG-24). */
export function storedPathOf(area: UploadArea, ownerId: string, id: string, fileName: string): string {
  if (area === 'content') return `content/${id}`;
  if (area !== 'messages') return `${ownerId}/${id}`;
  return `messages/${ownerId}/message-${now().getTime()}-${id.slice(-12)}-${safeNameOf(fileName)}`;
}

/** Keeps letters, digits, dots and dashes, short enough for every storage. The shown name is stored beside it. */
function safeNameOf(fileName: string): string {
  return fileName.replace(/[^A-Za-z0-9.-]+/g, '_').slice(-longestSafeName);
}

export function readArea(given: string): UploadArea {
  const area = uploadAreaNames.find((name) => name === given);
  if (!area) throw new AppError('invalid_input', `An upload needs an area: ${uploadAreaNames.join(', ')}.`);
  return area;
}

/** A person may touch only their own uploads. */
export async function loadOwnUpload(db: Db, actor: Pick<Actor, 'id'>, id: string): Promise<OwnUpload> {
  const found = await db
    .selectFrom('storedFiles')
    .select(['id', 'path', 'displayName', 'size'])
    .select((row) => row('completedAt', 'is not', null).$castTo<boolean>().as('isComplete'))
    .where('id', '=', id)
    .where('ownerId', '=', actor.id)
    .executeTakeFirst();
  if (!found) throw uploadIsGone();
  return found;
}

function uploadIsGone(): AppError {
  return notFound('We cannot find this upload. Please choose the file again.');
}

/** Also requires that the upload is not abandoned, as long as bytes may follow. */
export async function continueOwnUpload(db: Db, actor: Pick<Actor, 'id'>, id: string): Promise<OwnUpload> {
  await db
    .updateTable('storedFiles')
    .set({ continuedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('ownerId', '=', actor.id)
    .where('completedAt', 'is', null)
    .execute();
  return loadOwnUpload(db, actor, id);
}

/** Runs after the last byte is stored. Checks the content against the name, and makes the file count. */
export async function finishUpload(db: Db, storage: Storage, upload: OwnUpload): Promise<void> {
  if (upload.isComplete) return;
  if (!(await isContentAsNamed(storage, upload.path, upload.displayName))) {
    await removeUpload(db, storage, upload);
    const message = `The content of this file is not what its name says (.${extensionOf(upload.displayName)}).`;
    throw new AppError('unsupported_type', message);
  }
  await storage.settle(upload.path);
  await inTransaction(db, (transaction) => completeUpload(transaction, upload.id));
}

/** Makes the file count. At the same moment, one of My Files is in its owner's list (FILES-09). */
async function completeUpload(db: Db, id: string): Promise<void> {
  const file = await db
    .updateTable('storedFiles')
    .set({ completedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('completedAt', 'is', null)
    .returning(['ownerId', 'area', 'path', 'displayName', 'size', 'mimeType'])
    .executeTakeFirst();
  if (!file) return requireUpload(db, id);
  uploads.inc({ step: 'completed' });
  if (file.area !== 'my_files') return;
  const { ownerId, path, displayName, size, mimeType } = file;
  await db.insertInto('userFiles').values({ userId: ownerId, filePath: path, displayName, size, mimeType }).execute();
  await changed(db, 'files', [ownerId]);
}

/** Accepts that another request has finished the upload meanwhile. Throws if it was removed. */
async function requireUpload(db: Db, id: string): Promise<void> {
  const found = await db.selectFrom('storedFiles').select('id').where('id', '=', id).executeTakeFirst();
  if (!found) throw uploadIsGone();
}

export async function giveUpUpload(db: Db, storage: Storage, actor: Actor, id: string): Promise<void> {
  const upload = await loadOwnUpload(db, actor, id);
  if (upload.isComplete) throw new AppError('conflict', 'This upload is finished already.');
  await removeUpload(db, storage, upload);
}

/**
 * Removes uploads that nobody went on with for a day, at most `most` at a time. An act that finishes one or goes on
 * with it at this moment has locked it, so this passes over it. A later act finds nothing to go on with.
 */
export async function removeAbandonedUploads(db: Db, most: number): Promise<void> {
  const removed = await db
    .deleteFrom('storedFiles')
    .where('id', 'in', (query) =>
      query
        .selectFrom('storedFiles as abandoned')
        .select('abandoned.id')
        .where('abandoned.completedAt', 'is', null)
        .where('abandoned.continuedAt', '<', sql<Date>`now() - interval '1 day'`)
        .orderBy('abandoned.continuedAt')
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .returning('path')
    .execute();
  await enqueue(db, removeStoredFileQueue, removed);
}

/** The bytes go first. A row without bytes is found and removed later, but bytes without a row are not. */
async function removeUpload(db: Db, storage: Storage, upload: Pick<OwnUpload, 'id' | 'path'>): Promise<void> {
  await storage.remove(upload.path);
  await deleteUnfinished(db, upload.id);
}

/** Ends an upload whose storage failed at its begin. What it has taken all the same is removed by a job. */
export async function forgetUpload(db: Db, id: string): Promise<void> {
  await enqueue(db, removeStoredFileQueue, await deleteUnfinished(db, id));
}

function deleteUnfinished(db: Db, id: string): Promise<{ path: string }[]> {
  return db.deleteFrom('storedFiles').where('id', '=', id).where('completedAt', 'is', null).returning('path').execute();
}

/** Takes the last part of the path that some browsers send, without characters that no name needs. */
function readFileName(given: string): string {
  const name = (given.split(/[\\/]/).at(-1) ?? '').replace(/\p{Cc}|\p{Cf}/gu, '').trim();
  if (name === '') throw new AppError('invalid_input', 'An upload needs the name of its file.');
  const extension = extensionOf(name);
  return name.length <= longestName ? name : `${name.slice(0, longestName - extension.length - 1)}.${extension}`;
}
