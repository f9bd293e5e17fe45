import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from './query-for.ts';
import { refetchSession, serverNow } from './session.ts';

const minuteInMs = 60_000;

afterEach(async () => {
  await readSessionWithClockAheadBy(0);
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function readSessionWithClockAheadBy(ms: number) {
  vi.stubGlobal('fetch', async () =>
    Response.json({ user: null, serverTime: new Date(Date.now() + ms).toISOString() }),
  );
  await refetchSession();
}

test('what begins goes by the clock of the server where that of the device is off, and else by that of the device', async () => {
  vi.useFakeTimers({ now: new Date('2026-03-02T15:00:00Z'), toFake: ['Date'] });
  await readSessionWithClockAheadBy(-20 * minuteInMs);
  expect(new Date(serverNow()).toISOString()).toBe('2026-03-02T14:40:00.000Z');
  await readSessionWithClockAheadBy(10 * minuteInMs);
  expect(new Date(serverNow()).toISOString()).toBe('2026-03-02T15:10:00.000Z');
  await readSessionWithClockAheadBy(minuteInMs);
  expect(new Date(serverNow()).toISOString()).toBe('2026-03-02T15:00:00.000Z');
});
