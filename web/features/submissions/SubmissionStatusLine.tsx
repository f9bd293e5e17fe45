import { Group, Text } from '@mantine/core';
import type { Ref } from 'react';
import { DateTime } from '../../ui/DateTime.tsx';
import { SubmissionStatusBadge } from '../../ui/SubmissionStatusBadge.tsx';
import type { OwnSubmission } from './assignment-state.ts';

interface SubmissionStatusLineProps {
  submission: OwnSubmission | null;
  ref: Ref<HTMLDivElement>;
}

/** ASSIGN-29 to ASSIGN-33 */
export function SubmissionStatusLine({ submission, ref }: SubmissionStatusLineProps) {
  const status = submission?.status ?? 'none';
  return (
    <Group
      component="section"
      gap="sm"
      aria-label="Status"
      ref={ref}
      tabIndex={-1}
      style={{ outline: 'none', scrollMarginTop: 80 }}
    >
      <SubmissionStatusBadge status={status} />
      {submission ? (
        <Text size="sm" c="dimmed">
          {submission.reviewedAt && status !== 'submitted' ? 'Reviewed ' : 'Submitted '}
          <DateTime value={status === 'submitted' ? submission.submittedAt : submission.reviewedAt} />
        </Text>
      ) : null}
    </Group>
  );
}
