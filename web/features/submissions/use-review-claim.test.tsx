import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ReviewClaim, SubmissionStatus } from '#contract/submissions.ts';
import { queryClient } from '../../api/query-for.ts';
import { useReviewClaim } from './use-review-claim.ts';

const minute = 60_000;
const id = '01890000-0000-7000-8000-000000000001';

let sent: { method: string; at: number; address: string }[];
let holder: 'own' | 'other';
/** Ends when the server answers. */
let answering: Promise<void>;

/** The server gives the claim to this reviewer, or says that the other one has it, for ten minutes from now. */
beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  holder = 'own';
  answering = Promise.resolve();
  vi.stubGlobal('fetch', async (address: string, { method }: RequestInit) => {
    sent.push({ method: method ?? 'GET', at: Date.now(), address });
    await answering;
    const body = method === 'PUT' ? { claim: claimOf(holder) } : { isReleased: true };
    return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function claimOf(whose: 'own' | 'other'): ReviewClaim {
  const expiresAt = new Date(Date.now() + 10 * minute).toISOString();
  return { reviewerId: id, reviewerName: 'Casey Cole', isOwn: whose === 'own', expiresAt };
}

function Reviewer({ status, claim }: { status: SubmissionStatus; claim: ReviewClaim | null }) {
  const other = useReviewClaim({ id, status, claim });
  return <p>{other ? `${other.reviewerName} has it` : 'open'}</p>;
}

const reviewer = (status: SubmissionStatus, claim: ReviewClaim | null) => (
  <QueryClientProvider client={queryClient}>
    <Reviewer status={status} claim={claim} />
  </QueryClientProvider>
);

async function show(status: SubmissionStatus = 'submitted') {
  const { rerender } = await act(async () => render(reviewer(status, null)));
  await pass(0);
  return { readAgain: (claim: ReviewClaim) => act(async () => rerender(reviewer(status, claim))) };
}

async function pass(milliseconds: number) {
  await act(() => vi.advanceTimersByTimeAsync(milliseconds));
}

const claims = () => sent.filter(({ method }) => method === 'PUT');
const releases = () => sent.filter(({ method }) => method === 'DELETE');

test('an open submission stays claimed, with two minutes or more between one call and the next', async () => {
  await show();
  await pass(30 * minute);
  const times = claims().map(({ at }) => at);
  const gaps = times.slice(1).map((at, place) => at - (times[place] ?? 0));
  expect(gaps.length).toBeGreaterThan(2);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2 * minute);
  expect(Math.max(...gaps)).toBeLessThan(10 * minute);
  expect(releases()).toHaveLength(0);
});

test('it is given up on leaving, and when the tab is closed', async () => {
  await show();
  await act(async () => window.dispatchEvent(new Event('pagehide')));
  await pass(0);
  expect(releases().map(({ address }) => address.split('?')[1])).toEqual(['left=tab']);
  cleanup();
  await pass(0);
  expect(releases().map(({ address }) => address.split('?')[1])).toEqual(['left=tab', 'left=now']);
});

test('it is given up by who leaves while it is asked for again', async () => {
  const { readAgain } = await show();
  answering = new Promise(() => {});
  await readAgain(claimOf('own'));
  expect(claims()).toHaveLength(2);
  await act(async () => window.dispatchEvent(new Event('pagehide')));
  expect(releases().map(({ address }) => address.split('?')[1])).toEqual(['left=tab']);
});

test("another reviewer's claim is named, left alone, and taken over when it has ended", async () => {
  holder = 'other';
  await show();
  expect(document.body.textContent).toBe('Casey Cole has it');
  await pass(9 * minute);
  expect(claims()).toHaveLength(1);
  holder = 'own';
  await pass(2 * minute);
  expect(claims()).toHaveLength(2);
  expect(document.body.textContent).toBe('open');
});

test('what does not wait for a review is not claimed', async () => {
  await show('accepted');
  await pass(10 * minute);
  cleanup();
  expect(sent).toEqual([]);
});
