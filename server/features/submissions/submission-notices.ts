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
import { mailTemplate } from '#server/platform/mail-template.ts';
import { queueMail } from '#server/platform/mailer.ts';

interface Reviewed {
  id: string;
  userId: string;
  assignmentId: string;
  roundNumber: number;
}

/** The participant learns of a review at once: in open browsers, in the list of notices, and by mail unless refused. */
export async function tellOfReview(
  db: Db,
  actor: Actor,
  submission: Reviewed,
  status: (typeof reviewStatuses)[number],
): Promise<void> {
  const { title, email, firstName, wantsMail } = await readAudience(db, submission);
  const outcome = submissionStatusLabels[status];
  const message = `${title}: ${outcome}`;
  const link = `/assignment/${submission.assignmentId}`;
  await db
    .insertInto('notices')
    .values({ userId: submission.userId, kind: 'review', title: 'Your work was reviewed', message, link })
    .execute();
  await tellBrowsers(db, [submission.userId], {
    endpoints: [readAssignment, readSubmission, listSubmissions, readSession, readParticipantDashboard],
    notice: { type: 'info', title: 'Your work was reviewed', message: message.slice(0, 300) },
  });
  await tellBrowsers(db, [actor.id], { endpoints: [listSubmissions, readSubmission] });
  if (!wantsMail) return;
  await queueMail(db, {
    kind: 'review',
    recipientId: submission.userId,
    address: email,
    subject: `Reviewed: ${title}`,
    eventKey: `review:${submission.id}:${submission.roundNumber}`,
    ...mailTemplate({
      greeting: `Hello ${firstName},`,
      paragraphs: [
        `${actor.firstName} ${actor.lastName} reviewed your work on "${title}": ${outcome}.`,
        'Sign in to Switchyard to read the feedback.',
      ],
    }),
  });
}

function readAudience(db: Db, submission: Reviewed) {
  return db
    .selectFrom('profiles')
    .leftJoin('notificationPreferences as preferences', 'preferences.userId', 'profiles.id')
    .innerJoin('contentAssignments', (join) => join.on('contentAssignments.id', '=', submission.assignmentId))
    .select((eb) => [
      'contentAssignments.title',
      'profiles.email',
      'profiles.firstName',
      eb
        .and([
          eb(eb.fn.coalesce('preferences.emailEnabled', eb.lit(true)), '=', true),
          eb(eb.fn.coalesce('preferences.performanceFeedback', eb.lit(true)), '=', true),
        ])
        .as('wantsMail'),
    ])
    .where('profiles.id', '=', submission.userId)
    .executeTakeFirstOrThrow();
}
