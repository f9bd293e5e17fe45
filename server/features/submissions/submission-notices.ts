import { type reviewStatuses, takeBackInMs } from '#contract/reviews.ts';
import { canResubmit, submissionStatusLabels } from '#contract/submissions.ts';
import { returnedLabel } from '#contract/work-standing.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { showNotice } from '#server/platform/live.ts';
import { type Notice, notify, notifyLater } from '#server/platform/notices.ts';
import { changed } from '#server/platform/telling.ts';

interface Reviewed {
  id: string;
  userId: string;
  assignmentId: string;
  assignmentTitle: string;
  roundNumber: number;
  /** The participant's coaches. */
  coachIds: string[];
}

const longestTitle = 120;

interface Work extends Pick<Reviewed, 'id' | 'roundNumber' | 'assignmentTitle' | 'coachIds'> {}

/** Tells the person's coaches of work that waits for them. */
export async function tellOfWork(
  db: Db,
  participant: Actor,
  { id, roundNumber, assignmentTitle, coachIds }: Work,
): Promise<void> {
  const name = `${participant.firstName} ${participant.lastName}`;
  await notify(
    db,
    coachIds.map((userId) => ({
      userId,
      kind: 'submission',
      title: roundNumber > 1 ? 'Work was handed in again' : 'Work is waiting for your review',
      message: `${name} handed in ${assignmentTitle.slice(0, longestTitle)}.`,
      link: `/submissions?tab=pending&review=${id}`,
      preference: 'assignmentReminders',
      eventKey: `submission:${id}:${roundNumber}:${userId}`,
    })),
  );
}

/** Reviewers see in their lists who has it open. A person who opened it sees it in their other browsers too. */
export function tellOfClaim(db: Db, actor: Pick<Actor, 'id'>, reviewerIds: string[]): Promise<void> {
  return changed(db, 'submissions', [actor.id, ...reviewerIds]);
}

/** A transaction that takes a review back may end a little later than its minute. */
const patienceInMs = 5000;

/**
 * Screens show a review at once. The participant is told of it when it can no longer be taken back: in open browsers,
 * in the list of notices, and by mail unless they refused.
 */
export async function tellOfReview(
  db: Db,
  actor: Actor,
  submission: Reviewed & { reviewerIds: string[] },
  { status, reviewedAt }: { status: (typeof reviewStatuses)[number]; reviewedAt: Date },
): Promise<void> {
  const { id, assignmentId, assignmentTitle, roundNumber, userId } = submission;
  const notice: Notice = {
    userId,
    kind: 'review',
    title: 'Your work was reviewed',
    message: `${assignmentTitle.slice(0, longestTitle)}: ${submissionStatusLabels[status]}${canResubmit(status) ? `. ${returnedLabel}` : ''}`,
    link: `/assignment/${assignmentId}`,
    preference: 'performanceFeedback',
    eventKey: `review:${id}:${roundNumber}:${reviewedAt.getTime()}`,
    subjectId: id,
    reviewedAt: reviewedAt.toISOString(),
    isToast: true,
  };
  await notifyLater(db, notice, new Date(reviewedAt.getTime() + takeBackInMs + patienceInMs));
  await tellReviewers(db, actor, submission);
}

/** The screens of the participant and of the reviewers follow a review, and one that was taken back. */
export function tellReviewers(
  db: Db,
  actor: Pick<Actor, 'id'>,
  { userId, reviewerIds }: { userId: string; reviewerIds: string[] },
): Promise<void> {
  return changed(db, 'submissions', [actor.id, userId, ...reviewerIds]);
}

interface Corrected {
  /** The correction's id. */
  id: string;
  status: (typeof reviewStatuses)[number];
  reason: string;
}

/** Tells the participant and the former reviewer of the outcome that counts now, and of the reason. */
export async function tellOfCorrection(
  db: Db,
  actor: Actor,
  submission: Reviewed & { reviewedBy: string | null; reviewerIds: string[] },
  { id, status, reason }: Corrected,
): Promise<void> {
  const title = 'A review was corrected';
  const message = `${submission.assignmentTitle.slice(0, longestTitle)}: ${submissionStatusLabels[status]}. Reason: ${reason}`;
  const told = (userId: string, link: string): Notice => ({
    userId,
    kind: 'review',
    title,
    message,
    link,
    preference: 'performanceFeedback',
    eventKey: `review:${submission.id}:${submission.roundNumber}:${id}:${userId}`,
  });
  const isOthers = submission.reviewedBy !== null && submission.reviewedBy !== actor.id;
  await notify(db, [
    told(submission.userId, `/assignment/${submission.assignmentId}`),
    ...(isOthers && submission.reviewedBy ? [told(submission.reviewedBy, `/submissions?review=${submission.id}`)] : []),
  ]);
  await showNotice(db, [submission.userId], { type: 'info', title, message: message.slice(0, 500) });
  await tellReviewers(db, actor, submission);
}
