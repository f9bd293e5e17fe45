import type { SubmissionStatus } from '#contract/submissions.ts';
import type { Tone } from '../../ui/StatusBadge.tsx';

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

export const statusTones: Record<SubmissionStatus | 'none', Tone> = {
  none: 'neutral',
  submitted: 'info',
  reviewed: 'success',
  accepted: 'success',
  approved: 'success',
  graded: 'success',
  needs_revision: 'warning',
  rejected: 'danger',
};
