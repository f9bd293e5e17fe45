import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { claimReview, type readSubmission, releaseReview } from '#contract/reviews.ts';
import type { ReviewClaim } from '#contract/submissions.ts';
import { queryFor } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';

/** A claim lasts ten minutes. */
const renewalInMs = 4 * 60 * 1000;

type Submission = Pick<ResponseOf<typeof readSubmission>, 'id' | 'status' | 'claim'>;

/**
 * Claims the submission for this reviewer while it is shown, and releases it on leaving. Returns another reviewer's
 * claim, and takes over when they have left or their time is up.
 */
export function useReviewClaim({ id, status, claim }: Submission): ReviewClaim | null {
  const known = claim?.isOwn === false ? claim : null;
  const { data, isPlaceholderData } = useQuery({
    ...queryFor(claimReview, { params: { id } }),
    // Asks again when a claim appears, ends sooner or is gone. Another tab may have released the person's own claim
    // too.
    queryKey: [claimReview.name, id, claim?.reviewerId ?? null, claim?.expiresAt ?? null],
    // Who leaves before the answer to that still has the claim, and gives it up.
    placeholderData: (asked, query) => (query?.queryKey[1] === id ? asked : undefined),
    enabled: status === 'submitted',
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchIntervalInBackground: true,
    refetchInterval: ({ state }) => (state.data?.claim.isOwn === false ? untilEndOf(state.data.claim) : renewalInMs),
  });
  const isOwn = data?.claim.isOwn === true && status === 'submitted';
  useRelease(id, isOwn);
  if (!data || isPlaceholderData) return known;
  return data.claim.isOwn ? null : data.claim;
}

function untilEndOf({ expiresAt }: ReviewClaim): number {
  return Math.max(1000, new Date(expiresAt).getTime() - Date.now() + 1000);
}

function useRelease(id: string, isOwn: boolean) {
  const { run } = useAction(releaseReview);
  const release = useRef((_left: 'now' | 'tab') => {});
  useEffect(() => {
    release.current = (left) => {
      if (isOwn) run({ params: { id }, query: { left } });
    };
  });
  useEffect(() => {
    const closeTab = () => release.current('tab');
    window.addEventListener('pagehide', closeTab);
    return () => {
      window.removeEventListener('pagehide', closeTab);
      release.current('now');
    };
  }, []);
}
