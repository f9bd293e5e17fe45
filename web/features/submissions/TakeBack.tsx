import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readSubmission } from '#contract/reviews.ts';
import { serverNow } from '../../api/session.ts';
import type { TakingBack } from './use-taking-back.ts';

type Submission = Pick<ResponseOf<typeof readSubmission>, 'id' | 'rounds' | 'takeBackUntil'>;

/** Stands beside a review that its reviewer can still take back. */
export function TakeBack({ submission, takingBack }: { submission: Submission; takingBack: TakingBack }) {
  const { id, rounds, takeBackUntil } = submission;
  const isOver = useIsOver(takeBackUntil);
  const reviewedAt = rounds[0]?.reviewedAt;
  if (isOver || !reviewedAt) return null;
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

function useIsOver(until: string | null): boolean {
  const left = until === null ? 0 : Date.parse(until) - serverNow();
  const [overFor, setOverFor] = useState<string | null>(null);
  useEffect(() => {
    if (until === null) return;
    const timer = setTimeout(() => setOverFor(until), Math.max(0, Date.parse(until) - serverNow()));
    return () => clearTimeout(timer);
  }, [until]);
  return left <= 0 || overFor === until;
}
