import { afterAll } from 'vitest';
import { startClock } from './clock.ts';

/** The next file of the worker has the same clock. This hook runs after those of the file. */
afterAll(() => {
  if (startClock()) {
    throw new Error(
      'This file stopped the clock and did not let it go on, so later files would stand in another week. ' +
        'Call what stopClockAt or stopClock returned in afterEach, afterAll or onTestFinished.',
    );
  }
});
