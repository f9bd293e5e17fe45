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
  /** Where the storage keeps it, and how other tables refer to it. */
  path: string;
  displayName: string;
  size: number;
  mimeType: string;
}

const fileColumns = ['id', 'ownerId', 'area', 'path', 'displayName', 'size', 'mimeType'] as const;

/** A finished file by id or path, if this person may see it; otherwise it is not found. */
export async function loadFileFor(db: Db, actor: Actor, file: { id: string } | { path: string }): Promise<StoredFile> {
  const found = await db
    .selectFrom('storedFiles')
    .select(fileColumns)
    .where((row) => ('id' in file ? row('id', '=', file.id) : row('path', '=', file.path)))
    .where('completedAt', 'is not', null)
    .where((row) => maySee(db, row, actor))
    .executeTakeFirst();
  if (!found) throw notFound('This file is not there, or not for you to see.');
  return found;
}

/**
 * The own, finished upload that a form refers to, for the act that attaches it. Throws invalid_input when it is
 * somebody else's, not finished, or was uploaded for something else (SEC-18).
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

/** What a person has uploaded for one purpose and may attach; for acts that load it with the rest. */
export function ownUploads(db: Db, owner: Pick<Actor, 'id'>, area: UploadArea) {
  return db
    .selectFrom('storedFiles')
    .where('storedFiles.ownerId', '=', owner.id)
    .where('storedFiles.area', '=', area)
    .where('storedFiles.completedAt', 'is not', null);
}

/** What a person keeps in My Files (FILES-20). */
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
 * Owner, owner's coach and admins; every coach for submissions (SUBM-18), once they are handed in; everybody for
 * content. What was sent in a message is for the two people, and for an admin only while the conversation is open, which is on record.
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
