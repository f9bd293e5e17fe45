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
