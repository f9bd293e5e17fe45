import { readSession } from '#contract/accounts.ts';
import { readParticipantDashboard } from '#contract/home.ts';
import {
  listSubmissions,
  readAssignment,
  readSubmission,
  type reviewStatuses,
  submissionStatusLabels,
} from '#contract/submissions.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { tellBrowsers } from '#server/platform/live.ts';
import { notify } from '#server/platform/notices.ts';

interface Reviewed {
  id: string;
  userId: string;
  assignmentId: string;
  roundNumber: number;
}

const longestTitle = 120;

/** The participant learns of a review at once: in open browsers, in the list of notices, and by mail unless refused. */
export async function tellOfReview(
  db: Db,
  actor: Actor,
  submission: Reviewed,
  status: (typeof reviewStatuses)[number],
): Promise<void> {
  const assignment = await db
    .selectFrom('contentAssignments')
    .select('title')
    .where('id', '=', submission.assignmentId)
    .executeTakeFirstOrThrow();
  const title = 'Your work was reviewed';
  const message = `${assignment.title.slice(0, longestTitle)}: ${submissionStatusLabels[status]}`;
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
  await tellBrowsers(db, [submission.userId], {
    endpoints: [readAssignment, readSubmission, listSubmissions, readSession, readParticipantDashboard],
    notice: { type: 'info', title, message },
  });
  await tellBrowsers(db, [actor.id], { endpoints: [listSubmissions, readSubmission] });
}
