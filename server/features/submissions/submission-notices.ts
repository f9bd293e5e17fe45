import { readSession } from '#contract/accounts.ts';
import { readActivityContent } from '#contract/activities.ts';
import { listCohortProgress, readMemberProgress } from '#contract/cohort-progress.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { readFellowship } from '#contract/fellowship.ts';
import { readCoachDashboard, readParticipantDashboard } from '#contract/home.ts';
import { readSubmission, type reviewStatuses } from '#contract/reviews.ts';
import { listSubmissions, readAssignment, submissionStatusLabels } from '#contract/submissions.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { tellAudiences, tellBrowsers } from '#server/platform/live.ts';
import { type Notice, notify } from '#server/platform/notices.ts';

interface Reviewed {
  id: string;
  userId: string;
  assignmentId: string;
  assignmentTitle: string;
  roundNumber: number;
  /** Of the participant. */
  coachIds: string[];
}

const longestTitle = 120;

/** What shows a submission, and the progress that follows from it, to the participant and to whoever reviews it. */
const participantScreens: Endpoint[] = [
  readAssignment,
  readSubmission,
  listSubmissions,
  readActivityContent,
  readParticipantDashboard,
  readFellowship,
];
const reviewerScreens: Endpoint[] = [
  readCoachDashboard,
  listSubmissions,
  readSubmission,
  listCohortProgress,
  readMemberProgress,
];

interface Work extends Pick<Reviewed, 'id' | 'roundNumber' | 'assignmentTitle' | 'coachIds'> {}

/** The person's coaches learn of work that waits for them; open browsers of both refetch. */
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
      title: roundNumber > 1 ? 'Work was handed in again' : 'Work waits for your review',
      message: `${name} handed in ${assignmentTitle.slice(0, longestTitle)}.`,
      link: `/submissions?tab=pending&review=${id}`,
      preference: 'assignmentReminders',
      eventKey: `submission:${id}:${roundNumber}:${userId}`,
    })),
  );
  await tellAudiences(db, [
    { userIds: coachIds, endpoints: [...reviewerScreens, readSession] },
    { userIds: [participant.id], endpoints: participantScreens },
  ]);
}

/** Reviewers see in their lists who has it open; whoever opened it, in their other browsers too. */
export function tellOfClaim(db: Db, actor: Pick<Actor, 'id'>, reviewerIds: string[]): Promise<void> {
  return tellBrowsers(db, [...new Set([actor.id, ...reviewerIds])], { endpoints: [listSubmissions, readSubmission] });
}

/** The participant learns of a review at once: in open browsers, in the list of notices, and by mail unless refused. */
export async function tellOfReview(
  db: Db,
  actor: Actor,
  submission: Reviewed & { reviewerIds: string[] },
  status: (typeof reviewStatuses)[number],
): Promise<void> {
  const title = 'Your work was reviewed';
  const message = `${submission.assignmentTitle.slice(0, longestTitle)}: ${submissionStatusLabels[status]}`;
  await notify(db, [
    {
      userId: submission.userId,
      kind: 'review',
      title,
      message,
      link: `/assignment/${submission.assignmentId}`,
      preference: 'performanceFeedback',
      eventKey: `review:${submission.id}:${submission.roundNumber}`,
    },
  ]);
  await tellAudiences(db, [
    {
      userIds: [submission.userId],
      endpoints: [...participantScreens, readSession],
      notice: { type: 'info', title, message },
    },
    { userIds: [actor.id, ...submission.reviewerIds], endpoints: reviewerScreens },
  ]);
}

interface Corrected {
  /** Of the correction. */
  id: string;
  status: (typeof reviewStatuses)[number];
  reason: string;
}

/** The participant learns of the outcome that counts now and of the reason; so does whose review it was. */
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
  await tellAudiences(db, [
    {
      userIds: [submission.userId],
      endpoints: [...participantScreens, readSession],
      notice: { type: 'info', title, message: message.slice(0, 500) },
    },
    { userIds: [actor.id, ...submission.reviewerIds], endpoints: reviewerScreens },
  ]);
}
