import { Text } from '@mantine/core';
import type { SubmissionRow } from '#contract/submissions.ts';

/** Names the round of a verdict that stands beside a newer round. A review stays until the next one. */
export function VerdictRound({ status, roundNumber }: Pick<SubmissionRow, 'status' | 'roundNumber'>) {
  const round = verdictRound({ status, roundNumber });
  if (!round) return null;
  return (
    <Text size="sm" c="dimmed">
      {round}:
    </Text>
  );
}

export function verdictRound({ status, roundNumber }: Pick<SubmissionRow, 'status' | 'roundNumber'>): string | null {
  return status === 'submitted' && roundNumber > 1 ? `On round ${roundNumber - 1}` : null;
}
