import { Button } from '@mantine/core';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readSubmission } from '#contract/reviews.ts';
import { useNow } from '../coaching/use-now.ts';
import type { TakingBack } from './use-taking-back.ts';

type Submission = Pick<ResponseOf<typeof readSubmission>, 'id' | 'rounds' | 'takeBackUntil'>;

/** Stands beside a review that its reviewer can still take back. */
export function TakeBack({ submission, takingBack }: { submission: Submission; takingBack: TakingBack }) {
  const { id, rounds, takeBackUntil } = submission;
  const now = useNow();
  const reviewedAt = rounds[0]?.reviewedAt;
  if (!takeBackUntil || !reviewedAt || new Date(takeBackUntil) <= now) return null;
  return (
    <Button
      variant="default"
      size="sm"
      loading={takingBack.isRunning}
      onClick={() => takingBack.takeBack(id, reviewedAt)}
    >
      Take back
    </Button>
  );
}
