import { afterEach, expect, test, vi } from 'vitest';
import { startClock, stopClock, stopClockAt } from '#test/support/clock.ts';
import { machineTime, now, standingAt, steadyTime } from './clock.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a clock that is set back an hour is no reason to wait an hour', () => {
  const before = { machine: machineTime().getTime(), steady: steadyTime() };
  vi.useFakeTimers({ toFake: ['Date'], now: before.machine - 3_600_000 });
  expect(machineTime().getTime()).toBeLessThan(before.machine);
  expect(steadyTime()).toBeGreaterThanOrEqual(before.steady);
});

test('a clock that a test stopped goes on in whatever order its ways back are called, and after its file at the latest', () => {
  const instant = '2025-10-09T12:00:00.000Z';
  const early = stopClockAt(instant);
  const late = stopClock();
  early();
  expect(now().getTime()).toBeGreaterThan(Date.parse(instant));
  late.restore();
  expect(startClock()).toBe(false);

  stopClockAt(instant);
  stopClock();
  expect(startClock()).toBe(true);
  expect(now().getTime()).toBeGreaterThan(Date.parse(instant));
  expect(startClock()).toBe(false);
});

test('acts that stand in the past do so alone, also if they run at once', async () => {
  const monday = new Date('2025-10-06T12:00:00.000Z');
  const friday = new Date('2025-10-10T12:00:00.000Z');
  const seen = Promise.withResolvers<void>();
  const first = standingAt(monday, async () => {
    await seen.promise;
    return now();
  });
  const second = await standingAt(friday, async () => now());
  expect(now().getTime()).toBeGreaterThan(friday.getTime());
  seen.resolve();
  expect([await first, second]).toEqual([monday, friday]);
});
