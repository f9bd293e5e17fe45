import { sql } from 'kysely';
import type { saveAssignmentDraft as saveAssignmentDraftEndpoint } from '#contract/assignment-drafts.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { fileRefusal, loadForWork, submitRefusal } from './submission-access.ts';

type Draft = ParsedInputOf<typeof saveAssignmentDraftEndpoint>['body'];

/**
 * Keeps the text for the next round, with its upload. The same content again changes nothing. Throws `stale` if another
 * device has saved something that this one has not seen, or if the submission has moved on.
 */
export async function saveAssignmentDraft(db: Db, actor: Actor, assignmentId: string, draft: Draft) {
  const { assignment, own, file } = await loadForWork(db, actor, assignmentId, draft.fileId);
  const refusal = submitRefusal(assignment, own);
  if (refusal) throw refusal;
  if ((own?.roundNumber ?? null) !== draft.basedOnRound) {
    throw new AppError('stale', 'This submission has changed since you opened it. Please look at it again.');
  }
  const uploadRefusal = fileRefusal(draft.fileId, file);
  if (uploadRefusal) throw uploadRefusal;
  const content = { draftText: draft.text, filePath: file?.path ?? null, basedOnRound: draft.basedOnRound };
  const saved = await storeDraft(db, { assignmentId, userId: actor.id, ...content }, draft.basedOn);
  if (!saved) throw new AppError('stale', 'You saved something else for this assignment on another device.');
  return { updatedAt: saved.updatedAt.toISOString() };
}

export async function discardAssignmentDraft(db: Db, actor: Actor, assignmentId: string) {
  const discarded = await db
    .deleteFrom('assignmentDrafts')
    .where('assignmentId', '=', assignmentId)
    .where('userId', '=', actor.id)
    .returning('userId')
    .executeTakeFirst();
  return { discarded: discarded !== undefined };
}

interface StoredDraft {
  assignmentId: string;
  userId: string;
  draftText: string;
  filePath: string | null;
  basedOnRound: number | null;
}

/** A draft of an earlier round is no longer anybody's present work, so this one replaces it. */
function storeDraft(db: Db, draft: StoredDraft, basedOn: string | null) {
  const { draftText, filePath, basedOnRound } = draft;
  const at = now();
  const isSame = sql<boolean>`(assignment_drafts.draft_text = excluded.draft_text
    and assignment_drafts.file_path is not distinct from excluded.file_path
    and assignment_drafts.based_on_round is not distinct from excluded.based_on_round)`;
  return db
    .insertInto('assignmentDrafts')
    .values({ ...draft, updatedAt: at })
    .onConflict((conflict) =>
      conflict
        .columns(['assignmentId', 'userId'])
        .doUpdateSet({
          draftText,
          filePath,
          basedOnRound,
          // Two devices know a draft by this instant. So it always changes with the content.
          updatedAt: sql<Date>`case when ${isSame} then assignment_drafts.updated_at
            else greatest(excluded.updated_at, assignment_drafts.updated_at + interval '1 millisecond') end`,
        })
        .where(
          sql<boolean>`(${isSame} or assignment_drafts.updated_at = ${basedOn}::timestamptz
            or assignment_drafts.based_on_round is distinct from excluded.based_on_round)`,
        ),
    )
    .returning('updatedAt')
    .executeTakeFirst();
}
