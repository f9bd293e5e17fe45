import { afterEach, expect, test, vi } from 'vitest';

const minuteInMs = 60_000;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('what begins goes by the clock of the server where that of the device is off, and else by that of the device', async () => {
  // This test needs its own session. An answer for another test's session may still arrive.
  vi.resetModules();
  const { refetchSession, serverNow } = await import('./session.ts');
  const timeWithClockAheadBy = async (ms: number) => {
    const answer = async () => Response.json({ user: null, serverTime: new Date(Date.now() + ms).toISOString() });
    vi.stubGlobal('fetch', answer);
    await refetchSession();
    return new Date(serverNow()).toISOString();
  };
  vi.useFakeTimers({ now: new Date('2026-03-02T15:00:00Z'), toFake: ['Date'] });
  expect(await timeWithClockAheadBy(-20 * minuteInMs)).toBe('2026-03-02T14:40:00.000Z');
  expect(await timeWithClockAheadBy(10 * minuteInMs)).toBe('2026-03-02T15:10:00.000Z');
  expect(await timeWithClockAheadBy(minuteInMs)).toBe('2026-03-02T15:00:00.000Z');
});
