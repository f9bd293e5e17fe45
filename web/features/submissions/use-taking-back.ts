import { useEffect, useRef, useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { type reviewSubmission, takeBackInMs, takeReviewBack } from '#contract/reviews.ts';
import { isBehind } from '../../api/api-error.ts';
import { useAction } from '../../api/use-action.ts';
import { hideToast, showToast } from '../../ui/toast.tsx';

const shortOfferInMs = 10_000;

/** What a reviewer has just sent. */
export type SentReview = Pick<ResponseOf<typeof reviewSubmission>, 'id' | 'reviewedAt' | 'takeBackUntil'> & {
  participantName: string;
};

/**
 * Offers for a minute to take back the last review that was sent: in its toast, and for the keyboard in the dialog too.
 * The server says whether it still may be. `onTakenBack` gets the submission, which waits again.
 */
export function useTakingBack(onTakenBack: (submissionId: string) => void) {
  const [last, setLast] = useState<SentReview | null>(null);
  const toast = useRef<string | null>(null);
  const forget = () => {
    if (toast.current !== null) hideToast(toast.current);
    toast.current = null;
    setLast(null);
  };
  const { run, isRunning } = useAction(takeReviewBack, {
    success: { title: 'Review Taken Back', message: 'It is your draft again.' },
    failureTitle: 'Take Back Failed',
    onSuccess: ({ id }) => {
      forget();
      onTakenBack(id);
    },
    onError: (error) => {
      if (isBehind(error)) forget();
    },
  });
  const takeBack = (id: string, reviewedAt: string) => run({ params: { id }, body: { reviewedAt } });
  /** On a phone the toast would lie over the buttons of the next review. The dialog itself offers it then. */
  const offer = (sent: SentReview, { isInTheWay }: { isInTheWay: boolean }) => {
    const { id, reviewedAt, takeBackUntil, participantName } = sent;
    const isOffered = takeBackUntil !== null;
    const duration = isInTheWay ? shortOfferInMs : takeBackInMs;
    const offered = { duration, action: { label: 'Take back', run: () => takeBack(id, reviewedAt) } };
    const title = 'Review Saved';
    toast.current = showToast({ type: 'success', title, message: participantName, ...(isOffered ? offered : {}) });
    setLast(isOffered ? sent : null);
  };
  useEffect(() => {
    if (!last) return;
    const timer = setTimeout(() => setLast(null), takeBackInMs);
    return () => clearTimeout(timer);
  }, [last]);
  return { last, offer, takeBack, isRunning };
}

export type TakingBack = ReturnType<typeof useTakingBack>;
