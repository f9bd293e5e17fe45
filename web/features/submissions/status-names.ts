import type { SubmissionStatus } from '#contract/submissions.ts';

/** How reviewers call a status; several of them read the same to the participant. */
export const statusNames: Record<SubmissionStatus, string> = {
  submitted: 'Submitted',
  reviewed: 'Reviewed',
  accepted: 'Accepted',
  approved: 'Approved',
  needs_revision: 'Needs Revision',
  rejected: 'Rejected',
  graded: 'Graded',
};
