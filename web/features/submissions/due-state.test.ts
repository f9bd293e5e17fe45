import { expect, test } from 'vitest';
import { dueInWords, dueState } from './due-state.ts';

test.each([
  ['2026-11-20', 'overdue', 'Overdue by 1 day'],
  ['2026-11-01', 'overdue', 'Overdue by 20 days'],
  ['2026-11-21', 'soon', 'Due today'],
  ['2026-11-22', 'soon', 'Due tomorrow'],
  ['2026-11-24', 'soon', 'Due in 3 days'],
  ['2026-11-25', 'later', 'Due in 4 days'],
] as const)('on 21 November, what is due on %s is %s: %s', (dueDate, state, words) => {
  expect(dueState(dueDate, '2026-11-21')).toBe(state);
  expect(dueInWords(dueDate, '2026-11-21')).toBe(words);
});
