import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { oneReadAtATime } from './live.ts';

beforeEach(() => vi.useFakeTimers());
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
  await vi.advanceTimersByTimeAsync(2_000);
  expect(names()).toEqual(['messages', 'sessions', 'messages']);
  reads[2]?.end();
  heard('sessions');
  reads[1]?.end();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(names()).toEqual(['messages', 'sessions', 'messages', 'sessions']);
});

test('what changes again and again is read once in two seconds, and the last change is read too', async () => {
  let reads = 0;
  const heard = oneReadAtATime(async () => {
    reads += 1;
  });
  for (let at = 0; at < 10_000; at += 100) {
    heard('stipends');
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(reads).toBe(6);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toBe(6);
  heard('stipends');
  expect(reads).toBe(7);
  heard('stipends');
  await vi.advanceTimersByTimeAsync(1_999);
  expect(reads).toBe(7);
  await vi.advanceTimersByTimeAsync(1);
  expect(reads).toBe(8);
});

test('a read that never ends holds the next one up for ten seconds', async () => {
  const { names, heard } = reader();
  heard('messages');
  heard('messages');
  await vi.advanceTimersByTimeAsync(9_000);
  expect(names()).toEqual(['messages']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(names()).toEqual(['messages', 'messages']);
});
