import type { SubmissionStatus } from '#contract/submissions.ts';

/** A reviewer's names for the statuses. To a participant, several of them read the same. */
export const statusNames: Record<SubmissionStatus, string> = {
  submitted: 'Submitted',
  reviewed: 'Reviewed',
  accepted: 'Accepted',
  approved: 'Approved',
  needs_revision: 'Needs Revision',
  rejected: 'Rejected',
  graded: 'Graded',
};
