import { expect, test } from 'vitest';
import type { SubmissionRow } from '#contract/submissions.ts';
import { neighboursOf } from './ReviewNeighbours.tsx';

function rowsOf(marks: string): SubmissionRow[] {
  return [...marks].map(
    (mark, n) => ({ id: `${mark}${n}`, can: { review: mark === 'w', resubmit: false } }) as SubmissionRow,
  );
}

test('the next to review is the next one that can be reviewed, from the beginning again after the end', () => {
  const rows = rowsOf('wdwdw');
  expect(neighboursOf(rows, 'w0')).toEqual({ place: 1, count: 5, previous: null, following: 'd1', next: 'w2' });
  expect(neighboursOf(rows, 'd3')).toEqual({ place: 4, count: 5, previous: 'w2', following: 'w4', next: 'w4' });
  expect(neighboursOf(rows, 'w4')).toEqual({ place: 5, count: 5, previous: 'd3', following: null, next: 'w0' });
});

test('where nothing else waits there is no next; from outside the list the first one is', () => {
  expect(neighboursOf(rowsOf('dwd'), 'w1').next).toBeNull();
  expect(neighboursOf([], undefined).next).toBeNull();
  expect(neighboursOf(rowsOf('dw'), 'x')).toEqual({
    place: null,
    count: 2,
    previous: null,
    following: null,
    next: 'w1',
  });
});
