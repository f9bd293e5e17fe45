import { cleanup } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '#test/support/draw.tsx';
import { StipendAssignments } from './StipendAssignments.tsx';

const assignment = {
  id: 'one',
  title: 'Relay report',
  dueDate: null,
  isRequired: true,
  counts: true,
  submittedAt: null,
  feedback: null,
};

test('STIP-36 an assignment reads accepted, submitted, needs revision, rejected or none', () => {
  for (const [status, words] of [
    ['accepted', 'Accepted'],
    ['submitted', 'Submitted'],
    ['needs_revision', 'Needs revision'],
    ['rejected', 'Rejected'],
    [null, 'None'],
  ] as const) {
    cleanup();
    const { container } = draw(<StipendAssignments payPeriod="week" assignments={[{ ...assignment, status }]} />);
    const cell = container.querySelector('td[data-label=Status]');
    expect(cell?.textContent).toBe(words);
  }
});

test.each([
  [null, 'Not scheduled'],
  ['2025-09-08', 'Sep 8'],
  ['2025-99-99', 'Invalid date'],
])('TIME-03 TIME-04 the due date %s reads %s', (dueDate, words) => {
  const { container } = draw(
    <StipendAssignments payPeriod="week" assignments={[{ ...assignment, status: null, dueDate }]} />,
  );
  const cell = container.querySelector('td[data-label="Due Date"]');
  expect(cell?.textContent).toBe(words);
});
