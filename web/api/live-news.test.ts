import { QueryObserver } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Fact } from '#contract/facts.ts';
import { listResources } from '#contract/resources.ts';
import { deleteUserFile, listUserFiles } from '#contract/user-files.ts';
import { call } from './call.ts';
import { useLiveNews } from './live.ts';
import { queryClient, queryFor } from './query-for.ts';

const paceInMs = 2_000;
const id = '00000000-0000-7000-8000-000000000001';
const asked: string[] = [];
const acts: string[] = [];
let stream: EventTarget;
let leave: (() => void)[];

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      constructor() {
        super();
        stream = this;
      }
      close() {}
    },
  );
  vi.stubGlobal('fetch', async (address: string, { headers }: RequestInit) => {
    const act = new Headers(headers).get('x-act');
    if (act) acts.push(act);
    else asked.push(address);
    return Response.json({});
  });
  leave = [
    new QueryObserver(queryClient, queryFor(listUserFiles, { query: {} })).subscribe(() => undefined),
    new QueryObserver(queryClient, queryFor(listResources, { query: {} })).subscribe(() => undefined),
    renderHook(() => useLiveNews(id)).unmount,
  ];
  await vi.advanceTimersByTimeAsync(paceInMs);
  asked.length = 0;
  acts.length = 0;
});
afterEach(() => {
  for (const part of leave) part();
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function tell(facts: Fact[], act: string | null) {
  stream.dispatchEvent(new MessageEvent('changed', { data: JSON.stringify({ facts, act }) }));
  await vi.advanceTimersByTimeAsync(paceInMs);
}

test('live news of a fact is followed by a read of what shows it, and of nothing else', async () => {
  await tell(['files', 'messages'], null);
  expect(asked).toEqual([listUserFiles.path]);
  await tell(['resources', 'files'], crypto.randomUUID());
  expect(asked.slice(1).toSorted()).toEqual([listUserFiles.path, listResources.path].toSorted());
});

test("live news of the page's own act is followed by no read, because the reply already said it", async () => {
  await call(deleteUserFile, { params: { id } });
  await tell(['files'], acts[0] ?? '');
  expect(asked).toEqual([]);
  await tell(['files'], crypto.randomUUID());
  expect(asked).toEqual([listUserFiles.path]);
});
