import { expect, test } from 'vitest';
import { queueInWords, stateInWords, waitInWords } from './status-words.ts';

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

test('a queue and its state are said in words, and a count that stopped says so', () => {
  expect(queueInWords('remove-files-of-person')).toBe('Remove files of person');
  expect(stateInWords({ waiting: 3, running: 1 })).toBe('3 waiting, 1 running');
  expect(stateInWords({ waiting: 0, running: 2 })).toBe('2 running');
  expect(stateInWords({ waiting: 1000, running: 0 })).toBe('1,000 or more waiting');
});
