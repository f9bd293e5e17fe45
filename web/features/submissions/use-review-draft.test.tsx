import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../api/query-for.ts';
import { type ReviewDraft, type ReviewWords, useReviewDraft } from './use-review-draft.ts';

const id = '01890000-0000-7000-8000-000000000001';

let saved: ReviewWords[];
let isReachable: boolean;
let shown: ReviewDraft;

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  saved = [];
  isReachable = true;
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    if (!isReachable) throw new TypeError('away');
    saved.push(JSON.parse(String(body)));
    const reply = { updatedAt: new Date().toISOString() };
    return new Response(JSON.stringify(reply), { headers: { 'content-type': 'application/json' } });
  });
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function Writer({ draft }: { draft: ReviewWords | null }) {
  const kept = draft && { ...draft, updatedAt: '2026-03-03T15:00:00.000Z' };
  shown = useReviewDraft({ id, roundNumber: 2, draft: kept }, 'coach');
  return null;
}

async function open(draft: ReviewWords | null = null) {
  await act(async () => {
    render(
      <QueryClientProvider client={queryClient}>
        <Writer draft={draft} />
      </QueryClientProvider>,
    );
  });
}

async function leave() {
  cleanup();
  await pass(0);
}

async function type(feedback: string) {
  await act(async () => shown.change({ feedback }));
}

async function pass(milliseconds: number) {
  await act(() => vi.advanceTimersByTimeAsync(milliseconds));
}

test('what is typed is saved once after a pause, and leaves nothing on the device then', async () => {
  await open();
  for (const text of ['N', 'Na', 'Name']) await type(text);
  expect(shown.isSaved).toBe(false);
  expect(localStorage).toHaveLength(1);
  await pass(2000);
  expect(saved).toEqual([{ roundNumber: 2, status: 'needs_revision', feedback: 'Name', pointsEarned: null }]);
  expect(shown.isSaved).toBe(true);
  expect(localStorage).toHaveLength(0);
});

test('what is typed right before leaving is saved on leaving', async () => {
  await open();
  await type('Name them');
  await leave();
  expect(saved.map(({ feedback }) => feedback)).toEqual(['Name them']);
});

test('while the server is away the device keeps it, shows it again instead of the older draft, and sends it later', async () => {
  const older: ReviewWords = { roundNumber: 2, status: 'accepted', feedback: 'Fine', pointsEarned: 5 };
  await open(older);
  expect(shown.words).toMatchObject(older);
  isReachable = false;
  await type('Fine, but name them');
  await pass(2000);
  await leave();
  expect(saved).toEqual([]);
  await open(older);
  expect(shown.words).toMatchObject({ ...older, feedback: 'Fine, but name them' });
  isReachable = true;
  await pass(20_000);
  expect(saved).toEqual([{ ...older, feedback: 'Fine, but name them' }]);
});

test('after sending nothing is saved any more', async () => {
  await open();
  await type('Name them');
  await act(async () => shown.forget());
  await leave();
  expect(saved).toEqual([]);
  expect(localStorage).toHaveLength(0);
});

test('words about an earlier round keep it until the reviewer goes on with the new one', async () => {
  await open({ roundNumber: 1, status: 'rejected', feedback: 'Not yours', pointsEarned: null });
  await type('Not your own');
  expect(shown.words.roundNumber).toBe(1);
  await act(async () => shown.change({ roundNumber: 2 }));
  await pass(2000);
  expect(saved.at(-1)).toMatchObject({ roundNumber: 2, feedback: 'Not your own' });
});

test('two tabs with one review show the same words: the second goes on with what the first has, and loses none of it', async () => {
  await open();
  const key = `switchyard.draft.review.coach.${id}`;
  const words: ReviewWords = { roundNumber: 2, status: 'accepted', feedback: 'From the first tab', pointsEarned: null };
  const newValue = JSON.stringify(words);
  localStorage.setItem(key, newValue);
  await act(async () => window.dispatchEvent(new StorageEvent('storage', { key, newValue })));
  expect(shown.words).toEqual(words);
  await pass(60_000);
  expect(saved).toEqual([]);
  await type(`${shown.words.feedback}, and the second`);
  await pass(1000);
  expect(saved.map(({ feedback, status }) => [feedback, status])).toEqual([
    ['From the first tab, and the second', 'accepted'],
  ]);
  localStorage.removeItem(key);
  await act(async () => window.dispatchEvent(new StorageEvent('storage', { key, newValue: null })));
  expect(shown.words.feedback).toBe('From the first tab, and the second');
});
