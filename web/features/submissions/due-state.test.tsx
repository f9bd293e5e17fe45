import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { dueInWords, workStanding } from '#contract/work-standing.ts';
import { draw } from '#test/support/draw.tsx';
import { DueBanner } from './DueBanner.tsx';

test.each([
  ['2026-11-20', 'overdue', 'Overdue by 1 day'],
  ['2026-11-01', 'overdue', 'Overdue by 20 days'],
  ['2026-11-21', 'due_soon', 'Due today'],
  ['2026-11-22', 'due_soon', 'Due tomorrow'],
  ['2026-11-24', 'due_soon', 'Due in 3 days'],
  ['2026-11-25', 'to_hand_in', 'Due in 4 days'],
] as const)('on 21 November, what is due on %s is %s: %s', (dueDate, state, words) => {
  expect(workStanding({ status: null, dueDate, today: '2026-11-21' }).state).toBe(state);
  expect(dueInWords(dueDate, '2026-11-21')).toBe(words);
});

test.each([
  ['2026-11-20', true, 'Overdue by 1 day: Fri 20 Nov 2026'],
  ['2026-11-22', true, 'Due tomorrow: Sun 22 Nov 2026'],
  ['2026-11-20', false, 'Due date: Fri 20 Nov 2026, yesterday'],
  ['2026-11-14', false, 'Due date: Sat 14 Nov 2026, 7 days ago'],
  [null, true, 'Due date: Not scheduled'],
  [null, false, 'Due date: Not scheduled'],
  ['2026-99-99', false, 'Due date: Invalid date'],
])(
  'ASSIGN-02 TIME-03 TIME-04 the banner of work that is due on %s, to be handed in: %s, reads %s',
  (dueDate, isOpen, words) => {
    draw(<DueBanner dueDate={dueDate} today="2026-11-21" status={null} isOpen={isOpen} />);
    expect(screen.getByRole('note').textContent).toBe(words);
  },
);

test('work that was returned is not overdue, and the banner says what to do', () => {
  draw(<DueBanner dueDate="2026-11-20" today="2026-11-21" status="needs_revision" isOpen />);
  expect(screen.getByRole('note').textContent).toBe(
    'Returned: revise and hand in again. Due date: Fri 20 Nov 2026, yesterday',
  );
});
