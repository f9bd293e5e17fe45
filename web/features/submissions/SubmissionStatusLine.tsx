import { Group, Text } from '@mantine/core';
import { DateTime } from '../../ui/DateTime.tsx';
import { SubmissionStatusBadge } from '../../ui/SubmissionStatusBadge.tsx';
import type { OwnSubmission } from './assignment-state.ts';

/** ASSIGN-29 to ASSIGN-33 */
export function SubmissionStatusLine({ submission }: { submission: OwnSubmission | null }) {
  const status = submission?.status ?? 'none';
  return (
    <Group component="section" gap="sm" aria-label="Status">
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
