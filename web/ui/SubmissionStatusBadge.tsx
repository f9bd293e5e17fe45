import type { ReactNode } from 'react';
import { type SubmissionStatus, submissionStatusLabels } from '#contract/submissions.ts';
import { StatusBadge, type Tone } from './StatusBadge.tsx';

interface SubmissionStatusBadgeProps {
  status: SubmissionStatus | 'none';
  /** Replaces the words that the participant reads. */
  children?: ReactNode;
}

export function SubmissionStatusBadge({ status, children }: SubmissionStatusBadgeProps) {
  return <StatusBadge tone={tones[status]}>{children ?? submissionStatusLabels[status]}</StatusBadge>;
}

const tones: Record<SubmissionStatus | 'none', Tone> = {
  none: 'neutral',
  submitted: 'info',
  reviewed: 'success',
  accepted: 'success',
  approved: 'success',
  graded: 'success',
  needs_revision: 'warning',
  rejected: 'danger',
};
