import type { ExpressionBuilder } from 'kysely';
import type { UploadArea } from '#contract/files.ts';
import { openingLastsMs } from '#contract/messages.ts';
import type { Db } from '#server/db/database.ts';
import type { DB } from '#server/db/schema.gen.ts';
import { isOwnParticipant } from '#server/features/coaching/coaching-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';

export interface StoredFile {
  id: string;
  ownerId: string;
  area: string;
  /** The storage keeps it under this path, and other tables refer to it by this path. */
  path: string;
  displayName: string;
  size: number;
  mimeType: string;
}

const fileColumns = ['id', 'ownerId', 'area', 'path', 'displayName', 'size', 'mimeType'] as const;

/** Returns a finished file by id or path, if this person may see it. Otherwise the file is not found. */
export async function loadFileFor(db: Db, actor: Actor, file: { id: string } | { path: string }): Promise<StoredFile> {
  const found = await db
    .selectFrom('storedFiles')
    .select(fileColumns)
    .where((row) => ('id' in file ? row('id', '=', file.id) : row('path', '=', file.path)))
    .where('completedAt', 'is not', null)
    .where((row) => maySee(db, row, actor))
    .executeTakeFirst();
  if (!found) throw notFound('We cannot find this file, or you may not see it.');
  return found;
}

/**
 * Returns the person's own finished upload that a form refers to, for the act that attaches it. Throws invalid_input if
 * it is somebody else's, is not finished, or was uploaded for something else (SEC-18).
 */
export async function claimUpload(
  db: Db,
  actor: Pick<Actor, 'id'>,
  fileId: string,
  area: UploadArea,
): Promise<StoredFile> {
  const found = await ownUploads(db, actor, area)
    .select(fileColumns)
    .where('id', '=', fileId)
    .forShare()
    .executeTakeFirst();
  if (!found) throw unfinishedUpload();
  return found;
}

/** Returns what a person has uploaded for one purpose and may attach. Acts load it together with the rest. */
export function ownUploads(db: Db, owner: Pick<Actor, 'id'>, area: UploadArea) {
  return db
    .selectFrom('storedFiles')
    .where('storedFiles.ownerId', '=', owner.id)
    .where('storedFiles.area', '=', area)
    .where('storedFiles.completedAt', 'is not', null);
}

/** Returns what a person keeps in My Files (FILES-20). */
export function ownUserFiles(db: Db, owner: Pick<Actor, 'id'>) {
  return db
    .selectFrom('userFiles')
    .innerJoin('storedFiles', 'storedFiles.path', 'userFiles.filePath')
    .where('userFiles.userId', '=', owner.id);
}

export function unfinishedUpload(): AppError {
  return new AppError('invalid_input', 'The upload of this file did not finish. Please choose the file again.');
}

/**
 * The owner, the owner's coach and admins may see a file. Every coach may see submissions once they are handed in
 * (SUBM-18). Everybody may see content. Only the two people may see a file of a message, and an admin while the
 * conversation is open, which is on record.
 */
function maySee(db: Db, row: ExpressionBuilder<DB, 'storedFiles'>, actor: Actor) {
  const rules = [row('ownerId', '=', actor.id), row('area', '=', 'content'), wasReceivedBy(row, actor)];
  if (actor.role === 'coach') rules.push(wasHandedIn(row), isOfCoachee(db, row, actor));
  if (actor.role === 'admin') rules.push(row('area', '<>', 'messages'), isInOpenedConversation(row, actor));
  return row.or(rules);
}

function wasReceivedBy(row: ExpressionBuilder<DB, 'storedFiles'>, actor: Actor) {
  return row.exists(
    row
      .selectFrom('coachMessages')
      .select('coachMessages.id')
      .whereRef('coachMessages.filePath', '=', 'storedFiles.path')
      .where('coachMessages.recipientId', '=', actor.id),
  );
}

function wasHandedIn(row: ExpressionBuilder<DB, 'storedFiles'>) {
  return row.exists(
    row
      .selectFrom('submissionRounds')
      .select('submissionRounds.submissionId')
      .whereRef('submissionRounds.filePath', '=', 'storedFiles.path'),
  );
}

function isOfCoachee(db: Db, row: ExpressionBuilder<DB, 'storedFiles'>, coach: Actor) {
  return row.and([
    row('area', 'not in', ['messages', 'submissions']),
    isOwnParticipant(db, coach, row.ref('storedFiles.ownerId')),
  ]);
}

function isInOpenedConversation(row: ExpressionBuilder<DB, 'storedFiles'>, actor: Actor) {
  return row.exists(
    row
      .selectFrom('coachMessages')
      .innerJoin('conversationOpenings', (join) =>
        join.on((on) =>
          on.or([
            on.and([
              on('conversationOpenings.coachId', '=', on.ref('coachMessages.senderId')),
              on('conversationOpenings.participantId', '=', on.ref('coachMessages.recipientId')),
            ]),
            on.and([
              on('conversationOpenings.participantId', '=', on.ref('coachMessages.senderId')),
              on('conversationOpenings.coachId', '=', on.ref('coachMessages.recipientId')),
            ]),
          ]),
        ),
      )
      .select('coachMessages.id')
      .whereRef('coachMessages.filePath', '=', 'storedFiles.path')
      .where('conversationOpenings.adminId', '=', actor.id)
      .where('conversationOpenings.openedAt', '>', new Date(now().getTime() - openingLastsMs)),
  );
}
