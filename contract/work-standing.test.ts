import { expect, test } from 'vitest';
import { submissionStatuses } from './submissions.ts';
import { workStanding } from './work-standing.ts';

const today = '2026-11-18';

test.each([
  { status: null, dueDate: null, state: 'to_hand_in', label: 'To hand in', sentence: 'It has no due date.' },
  { status: null, dueDate: '2026-11-22', state: 'to_hand_in', label: 'To hand in', sentence: 'Due in 4 days.' },
  { status: null, dueDate: '2026-11-21', state: 'due_soon', label: 'Due soon', sentence: 'Due in 3 days.' },
  { status: null, dueDate: '2026-11-18', state: 'due_soon', label: 'Due soon', sentence: 'Due today.' },
  { status: null, dueDate: '2026-11-16', state: 'overdue', label: 'Overdue', sentence: 'Overdue by 2 days.' },
  { status: 'submitted', dueDate: '2026-11-16', state: 'in_review', label: 'Waiting for review' },
  { status: 'accepted', dueDate: '2026-11-16', state: 'accepted', label: 'Accepted' },
] as const)('work with status $status, due $dueDate, is $state', ({ status, dueDate, ...expected }) => {
  expect(workStanding({ status, dueDate, today })).toMatchObject(expected);
});

test('returned work is never to hand in, nor overdue', () => {
  for (const status of ['needs_revision', 'rejected'] as const) {
    for (const dueDate of [null, '2026-11-16', '2026-11-18', '2026-12-18']) {
      expect(workStanding({ status, dueDate, today })).toMatchObject({
        state: 'returned',
        label: 'Returned: revise and hand in again',
      });
    }
  }
});

test('every status of a submission has a standing', () => {
  for (const status of submissionStatuses) expect(workStanding({ status, dueDate: null, today }).label).toBeTruthy();
});
