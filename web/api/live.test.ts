import { afterEach, expect, test, vi } from 'vitest';
import { oneReadAtATime } from './live.ts';

afterEach(() => vi.useRealTimers());

function reader() {
  const reads: { name: string; end: () => void }[] = [];
  const read = (name: string) => new Promise<void>((end) => reads.push({ name, end }));
  return { reads, names: () => reads.map(({ name }) => name), heard: oneReadAtATime(read) };
}

test('of many changes during a read one more read follows, and no list waits for another', async () => {
  const { reads, names, heard } = reader();
  for (const name of ['messages', 'messages', 'messages', 'sessions']) heard(name);
  expect(names()).toEqual(['messages', 'sessions']);
  reads[0]?.end();
  await expect.poll(names).toEqual(['messages', 'sessions', 'messages']);
  reads[2]?.end();
  heard('sessions');
  reads[1]?.end();
  await expect.poll(names).toEqual(['messages', 'sessions', 'messages', 'sessions']);
});

test('a read that never ends holds the next one up for ten seconds', async () => {
  vi.useFakeTimers();
  const { names, heard } = reader();
  heard('messages');
  heard('messages');
  await vi.advanceTimersByTimeAsync(9_000);
  expect(names()).toEqual(['messages']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(names()).toEqual(['messages', 'messages']);
});
