import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { submitAssignment as submitAssignmentEndpoint } from '#contract/submissions.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { discardAssignmentDraft } from './assignment-drafts.ts';
import { fileRefusal, loadForWork, submitRefusal } from './submission-access.ts';
import { tellOfWork } from './submission-notices.ts';

type Given = ParsedInputOf<typeof submitAssignmentEndpoint>['body'];

/**
 * Hands in a first round, or the next one after a review sent the work back. Every round stays as it was handed in.
 * Throws `stale` if the submission has moved on from the round that the person saw.
 */
export async function submitAssignment(db: Db, actor: Actor, assignmentId: string, given: Given) {
  const text = given.text?.trim() ? given.text : null;
  if (!text && !given.fileId) {
    throw new AppError('invalid_input', 'Please provide either text submission or upload a file');
  }
  const { assignment, own, file } = await loadForWork(db, actor, assignmentId, given.fileId);
  const refusal = submitRefusal(assignment, own);
  if (refusal) throw refusal;
  if ((own?.roundNumber ?? null) !== given.basedOnRound) {
    throw new AppError('stale', 'This submission has changed since you opened it. Please look at it again.');
  }
  const uploadRefusal = fileRefusal(given.fileId, file);
  if (uploadRefusal) throw uploadRefusal;
  const facts = { submissionText: text, filePath: file?.path ?? null, submittedAt: now() };
  const work = { userId: actor.id, assignmentId, ...facts };
  const stored = await storeRound(db, work, own !== null);
  await discardAssignmentDraft(db, actor, assignmentId);
  await tellOfWork(db, actor, { ...stored, assignmentTitle: assignment.title, coachIds: assignment.coachIds });
  return { ...stored, status: 'submitted' as const };
}

interface Work {
  userId: string;
  assignmentId: string;
  submissionText: string | null;
  filePath: string | null;
  submittedAt: Date;
}

/** Stores the submission and its new round at once. The review's words stay until the next review (ASSIGN-25). */
async function storeRound(db: Db, work: Work, isResubmission: boolean) {
  const { submissionText, filePath, submittedAt } = work;
  const stored = await db
    .with('stored', (query) =>
      query
        .insertInto('contentSubmissions')
        .values({ id: newId(), ...work })
        .onConflict((conflict) =>
          conflict
            .columns(['assignmentId', 'userId'])
            .doUpdateSet((row) => ({
              submissionText,
              filePath,
              submittedAt,
              status: 'submitted',
              roundNumber: row('contentSubmissions.roundNumber', '+', 1),
            }))
            .where((row) => row.lit(isResubmission)),
        )
        .returning(['id', 'roundNumber']),
    )
    .insertInto('submissionRounds')
    .columns(['submissionId', 'roundNumber', 'submissionText', 'filePath', 'submittedAt'])
    .expression((query) =>
      query
        .selectFrom('stored')
        .select((row) => [
          'stored.id',
          'stored.roundNumber',
          row.val(submissionText).as('submissionText'),
          row.val(filePath).as('filePath'),
          row.val(submittedAt).as('submittedAt'),
        ]),
    )
    .returning(['submissionId as id', 'roundNumber'])
    .executeTakeFirst();
  if (!stored) throw new AppError('conflict', 'You have handed this in already. Your coach will review it.');
  return stored;
}
