import { expect, test } from 'vitest';
import { scheduleOf } from './progress-words.ts';

test.each([
  { days: null, words: 'Nothing counted yet' },
  { days: 0, words: 'On schedule' },
  { days: -6, words: 'On schedule' },
  { days: -7, words: '1 week behind schedule' },
  { days: -20, words: '2 weeks behind schedule' },
  { days: 6, words: 'On schedule' },
  { days: 14, words: '2 weeks ahead of schedule' },
])('$days days read "$words"', ({ days, words }) => {
  expect(scheduleOf(days).words).toBe(words);
});
