import { expect, test } from 'vitest';
import { waitInWords } from './status-words.ts';

test('a wait is said in the largest whole unit', () => {
  const seconds = [0, 1, 59, 60, 3599, 3600, 86_400 * 2 - 1, 86_400 * 2];
  expect(seconds.map(waitInWords)).toEqual([
    '0 seconds',
    '1 second',
    '59 seconds',
    '1 minute',
    '59 minutes',
    '1 hour',
    '47 hours',
    '2 days',
  ]);
});
