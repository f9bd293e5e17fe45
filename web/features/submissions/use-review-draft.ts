import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import type { ResponseOf } from '#contract/endpoint.ts';
import { ReviewStatus, type readSubmission, reviewStatuses, saveReviewDraft } from '#contract/reviews.ts';
import { readDeviceCopy, removeDeviceCopy, writeDeviceCopy } from '../../api/device-copy.ts';
import { useAction } from '../../api/use-action.ts';
import { limitOf, surplusInWords } from '../../ui/text-limit.ts';
import { draftKey } from './draft-copies.ts';

const pauseInTypingMs = 800;
const pauseAfterFailureMs = 15_000;

/** A longer text stays on this device. The server would refuse the draft as it would the review. */
const longestFeedback = limitOf(saveReviewDraft.body, 'feedback');

const ReviewWords = z.object({
  /** The round that the reviewer read while writing. */
  roundNumber: z.number(),
  status: ReviewStatus,
  feedback: z.string(),
  pointsEarned: z.number().nullable(),
});
export type ReviewWords = z.output<typeof ReviewWords>;

type Submission = Pick<ResponseOf<typeof readSubmission>, 'id' | 'roundNumber' | 'draft'>;

/**
 * A review that is not sent yet. The server gets it after a pause in typing, and this device keeps it until then. A
 * copy that is still on this device is newer than the server's answer.
 */
export function useReviewDraft(submission: Submission, userId: string) {
  const { id, roundNumber } = submission;
  const key = draftKey({ kind: 'review', userId, subjectId: id });
  const [words, setWords] = useState<ReviewWords>(
    () => readDeviceCopy(key, ReviewWords) ?? submission.draft ?? blankReview(roundNumber),
  );
  const [isSaved, setSaved] = useState(() => readDeviceCopy(key, ReviewWords) === null);
  const [isKept, setKept] = useState(true);
  // The server's answer may come after further key presses.
  const latest = useRef<ReviewWords | null>(isSaved ? null : words);

  const keep = (changed: ReviewWords) => {
    latest.current = changed;
    setWords(changed);
    setSaved(false);
    setKept(writeDeviceCopy(key, changed));
  };
  const forget = () => {
    latest.current = null;
    setSaved(true);
    removeDeviceCopy(key);
  };

  const sent = useRef<ReviewWords | null>(null);
  const { run, isRunning, error } = useAction(saveReviewDraft, {
    onSuccess: () => {
      if (latest.current === sent.current) forget();
      sent.current = null;
    },
    onError: () => {
      sent.current = null;
    },
  });
  const save = () => {
    if (!latest.current || sent.current || surplusInWords(latest.current.feedback, longestFeedback)) return;
    sent.current = latest.current;
    run({ params: { id }, body: latest.current });
  };
  const pause = error ? pauseAfterFailureMs : pauseInTypingMs;
  // biome-ignore lint/correctness/useExhaustiveDependencies: Each change of the words begins the pause anew.
  useEffect(() => {
    if (isSaved || isRunning) return;
    const timer = setTimeout(save, pause);
    return () => clearTimeout(timer);
  }, [words, isSaved, isRunning, pause]);
  useOnLeaving(save);
  useOtherTabs(key, (changed) => {
    latest.current = null;
    setSaved(true);
    setWords(changed);
  });

  const hasWords = words.feedback.trim() !== '' || words.pointsEarned !== null;
  // A review that was taken back comes as a draft, while its submission is on the screen.
  const keptAt = submission.draft?.updatedAt ?? null;
  const [adoptedAt, setAdoptedAt] = useState(keptAt);
  if (keptAt !== adoptedAt) {
    setAdoptedAt(keptAt);
    if (submission.draft && isSaved && !hasWords) setWords(submission.draft);
  }
  return {
    words,
    hasWords,
    isSaved,
    isKept,
    change: (changes: Partial<ReviewWords>) => keep({ ...words, ...(hasWords ? {} : { roundNumber }), ...changes }),
    discard: () => keep(blankReview(roundNumber)),
    /** Call it after sending. */
    forget,
  };
}

export type ReviewDraft = ReturnType<typeof useReviewDraft>;

function blankReview(roundNumber: number): ReviewWords {
  return { roundNumber, status: reviewStatuses[0], feedback: '', pointsEarned: null };
}

/**
 * Two tabs with one review show the same words, so neither overwrites the other's. The tab where the person types saves
 * them.
 */
function useOtherTabs(key: string, follow: (changed: ReviewWords) => void) {
  const present = useRef(follow);
  useEffect(() => {
    present.current = follow;
  });
  useEffect(() => {
    const look = (event: StorageEvent) => {
      const changed = event.key === key && event.newValue !== null ? readDeviceCopy(key, ReviewWords) : null;
      if (changed) present.current(changed);
    };
    window.addEventListener('storage', look);
    return () => window.removeEventListener('storage', look);
  }, [key]);
}

/** Runs when the tab is hidden or closed, and when another submission or screen is opened. */
function useOnLeaving(act: () => void) {
  const present = useRef(act);
  useEffect(() => {
    present.current = act;
  });
  useEffect(() => {
    const actWhenHidden = () => {
      if (document.visibilityState === 'hidden') present.current();
    };
    document.addEventListener('visibilitychange', actWhenHidden);
    return () => {
      document.removeEventListener('visibilitychange', actWhenHidden);
      present.current();
    };
  }, []);
}
