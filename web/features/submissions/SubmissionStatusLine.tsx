import { Group, Text } from '@mantine/core';
import { submissionStatusLabels } from '#contract/submissions.ts';
import { DateTime } from '../../ui/DateTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import type { OwnSubmission } from './assignment-state.ts';
import { statusTones } from './status-names.ts';

/** ASSIGN-29 to ASSIGN-33 */
export function SubmissionStatusLine({ submission }: { submission: OwnSubmission | null }) {
  const status = submission?.status ?? 'none';
  return (
    <Group component="section" gap="sm" aria-label="Status">
      <StatusBadge tone={statusTones[status]}>{submissionStatusLabels[status]}</StatusBadge>
      {submission ? (
        <Text size="sm" c="dimmed">
          {submission.reviewedAt && status !== 'submitted' ? 'Reviewed ' : 'Submitted '}
          <DateTime value={status === 'submitted' ? submission.submittedAt : submission.reviewedAt} />
        </Text>
      ) : null}
    </Group>
  );
}
