import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '#test/support/draw.tsx';
import { DueBanner } from './DueBanner.tsx';
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

test.each([
  ['2026-11-20', true, 'Overdue by 1 day: Fri 20 Nov 2026'],
  ['2026-11-22', true, 'Due tomorrow: Sun 22 Nov 2026'],
  ['2026-11-20', false, 'Due date: Fri 20 Nov 2026'],
  [null, true, 'Due date: Not scheduled'],
  [null, false, 'Due date: Not scheduled'],
  ['2026-99-99', false, 'Due date: Invalid date'],
])(
  'ASSIGN-02 TIME-03 TIME-04 the banner of work that is due on %s, to be handed in: %s, reads %s',
  (dueDate, isOpen, words) => {
    draw(<DueBanner dueDate={dueDate} today="2026-11-21" isOpen={isOpen} />);
    expect(screen.getByRole('note').textContent).toBe(words);
  },
);
