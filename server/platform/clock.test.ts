import { afterEach, expect, test, vi } from 'vitest';
import { machineTime, steadyTime } from './clock.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a clock that is set back an hour is no reason to wait an hour', () => {
  const before = { machine: machineTime().getTime(), steady: steadyTime() };
  vi.useFakeTimers({ toFake: ['Date'], now: before.machine - 3_600_000 });
  expect(machineTime().getTime()).toBeLessThan(before.machine);
  expect(steadyTime()).toBeGreaterThanOrEqual(before.steady);
});
