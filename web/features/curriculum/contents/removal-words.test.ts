import { expect, test } from 'vitest';
import { assignmentRemovalWords, contentRemovalWords } from './removal-words.ts';

const assignment = (submissions: number, drafts: number) => ({
  id: '',
  contentItemId: '',
  title: '',
  instructions: '',
  assignmentType: 'written_response' as const,
  dueDate: null,
  isRequired: true,
  version: 1,
  submissions,
  drafts,
});

test('CONT-25 what goes with a content item is said with numbers', () => {
  expect(contentRemovalWords({ assignments: [], ticks: 0 })).toEqual(['It has no assignments.']);
  expect(contentRemovalWords({ assignments: [], ticks: 3 })[1]).toContain('3 people have marked it as done');
  expect(contentRemovalWords({ assignments: [assignment(0, 0)], ticks: 0 })).toEqual([
    'Its assignments will be removed too: 1 assignment.',
    'Nobody has worked on them.',
  ]);
  const [goes, work, stays] = contentRemovalWords({ assignments: [assignment(1200, 0), assignment(3, 2)], ticks: 0 });
  expect(goes).toBe('Its assignments will be removed too: 2 assignments.');
  expect(work).toContain('1,203 submissions handed in and 2 drafts started');
  expect(work).toContain('No work is lost');
  expect(stays).toContain('archived');
});

test('what hangs on an assignment is said before it is deleted', () => {
  expect(assignmentRemovalWords({ submissions: 0, drafts: 0 })).toEqual(['Nobody has worked on it.']);
  expect(assignmentRemovalWords({ submissions: 0, drafts: 1 })[0]).toContain('There is 1 draft started.');
});
