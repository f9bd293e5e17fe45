import { Text } from '@mantine/core';
import type { SubmissionRow } from '#contract/submissions.ts';

/** Names the round of a verdict that stands beside a newer round. A review stays until the next one. */
export function VerdictRound({ status, roundNumber }: Pick<SubmissionRow, 'status' | 'roundNumber'>) {
  if (status !== 'submitted' || roundNumber < 2) return null;
  return (
    <Text size="sm" c="dimmed">
      On round {roundNumber - 1}:
    </Text>
  );
}
