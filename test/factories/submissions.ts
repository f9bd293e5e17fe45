import type { SubmissionStatus } from '#contract/submissions.ts';
import type { Db } from '#server/db/database.ts';
import { newId } from '#server/platform/ids.ts';

interface SubmissionFacts {
  assignmentId: string;
  userId: string;
  status?: SubmissionStatus;
  text?: string | null;
  filePath?: string | null;
  submittedAt?: Date;
  /** The reviewer. Every status except `submitted` needs one. */
  reviewedBy?: string;
  feedback?: string;
}

/** The first round of a submission. It waits for its review unless a status says otherwise. */
export async function buildSubmission(db: Db, facts: SubmissionFacts) {
  const { assignmentId, userId, status = 'submitted', feedback = 'Please add the readings.' } = facts;
  const work = {
    submissionText: facts.text === undefined ? 'What I saw at the substation.' : facts.text,
    filePath: facts.filePath ?? null,
    submittedAt: facts.submittedAt ?? new Date(),
  };
  const review =
    status === 'submitted' ? {} : { feedback, reviewedBy: facts.reviewedBy ?? null, reviewedAt: work.submittedAt };
  const stored = await db
    .insertInto('contentSubmissions')
    .values({ id: newId(), assignmentId, userId, status, ...work, ...review })
    .returningAll()
    .executeTakeFirstOrThrow();
  const reviewStatus = status === 'submitted' ? null : status;
  await db
    .insertInto('submissionRounds')
    .values({ submissionId: stored.id, roundNumber: 1, ...work, ...review, reviewStatus })
    .execute();
  return stored;
}
