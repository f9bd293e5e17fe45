import { QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { ErrorCode } from '#contract/errors.ts';
import { changedFactsHeader } from '#contract/facts.ts';
import { deleteUserFile, listUserFiles } from '#contract/user-files.ts';
import { problemFor } from '#server/platform/errors.ts';
import { queryClient, queryFor } from './query-for.ts';
import { useAction } from './use-action.ts';

const id = '00000000-0000-7000-8000-000000000001';
let reads = 0;
let reply: () => Response;
let endRead: (() => void) | null = null;

afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function openList() {
  reads = 0;
  vi.stubGlobal('fetch', async (_address: string, { method = 'GET' }: RequestInit) => {
    if (method !== 'GET') return reply();
    reads += 1;
    if (reads > 1 && endRead) await new Promise<void>((end) => (endRead = end));
    return Response.json({ rows: [], nextCursor: null });
  });
  const close = new QueryObserver(queryClient, queryFor(listUserFiles, { query: {} })).subscribe(() => undefined);
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
  const { result } = renderHook(() => useAction(deleteUserFile), {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  });
  return { action: result, close };
}

const refused = (code: ErrorCode) => () => {
  const problem = problemFor(code, 'No.', 'request', null);
  return Response.json(problem, { status: problem.status });
};

test('an act that is refused because the screen is behind reads what is shown again; another refusal does not', async () => {
  const { action, close } = await openList();
  for (const [code, more] of [
    ['stale', 1],
    ['not_found', 1],
    ['forbidden', 1],
    ['invalid_input', 0],
    ['proof_required', 0],
  ] as const) {
    const before = reads;
    reply = refused(code);
    await act(async () => action.current.run({ params: { id } }));
    await vi.waitFor(() => expect(action.current.isRunning).toBe(false));
    await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
    expect([code, reads - before]).toEqual([code, more]);
  }
  close();
});

test('an act runs until what it changed was read again', async () => {
  const { action, close } = await openList();
  reply = () => Response.json({}, { headers: { [changedFactsHeader]: 'files' } });
  endRead = () => undefined;
  await act(async () => action.current.run({ params: { id } }));
  await vi.waitFor(() => expect([reads, action.current.isRunning]).toEqual([2, true]));
  await act(async () => endRead?.());
  await vi.waitFor(() => expect(action.current.isRunning).toBe(false));
  close();
});

function actAnsweredLater() {
  vi.useFakeTimers();
  const waiting: ((response: Response) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise<Response>((answer) => waiting.push(answer)));
  const onSuccess = vi.fn();
  const hook = renderHook(() => useAction(deleteUserFile, { onSuccess }), {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  });
  const run = () =>
    act(async () => {
      hook.result.current.run({ params: { id } });
      await vi.advanceTimersByTimeAsync(8_100);
    });
  const answer = (index: number) =>
    act(async () => {
      waiting[index]?.(Response.json({ done: true }));
      await vi.advanceTimersByTimeAsync(100);
    });
  return { hook, onSuccess, run, answer };
}

test('an act without an answer can be tried again, and succeeds after all if the answer comes late', async () => {
  const { hook, onSuccess, run, answer } = actAnsweredLater();
  await run();
  expect(hook.result.current.isRunning).toBe(false);
  expect(hook.result.current.error?.message).toMatch(/^No answer has come yet, so we cannot say/);
  await answer(0);
  expect(onSuccess).toHaveBeenCalledTimes(1);
  expect(hook.result.current.error).toBeNull();
});

test('a late answer does nothing on a screen where the act was tried again, or that the person left', async () => {
  const again = actAnsweredLater();
  await again.run();
  await again.run();
  await again.answer(0);
  expect(again.onSuccess).not.toHaveBeenCalled();
  await again.answer(1);
  expect(again.onSuccess).toHaveBeenCalledTimes(1);
  vi.useRealTimers();

  const left = actAnsweredLater();
  await left.run();
  left.hook.unmount();
  await left.answer(0);
  expect(left.onSuccess).not.toHaveBeenCalled();
});
