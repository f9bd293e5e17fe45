import { expect, test } from 'vitest';
import { areSame, cellAt, cellsOf, rangesOf } from './availability-cells.ts';

test('times become half hours and the fewest times again, to midnight and no further', () => {
  const ranges = [
    { dayOfWeek: 0, startTime: '00:00', endTime: '01:30' },
    { dayOfWeek: 2, startTime: '22:30', endTime: '24:00' },
    { dayOfWeek: 3, startTime: '00:00', endTime: '00:30' },
    { dayOfWeek: 6, startTime: '09:00', endTime: '10:00' },
    { dayOfWeek: 6, startTime: '10:30', endTime: '11:00' },
  ];
  const cells = cellsOf(ranges);
  expect(cells.size).toBe(3 + 3 + 1 + 2 + 1);
  expect(rangesOf(cells)).toEqual(ranges);
  cells.add(cellAt(6, 20));
  expect(rangesOf(cells).at(-1)).toEqual({ dayOfWeek: 6, startTime: '09:00', endTime: '11:00' });
  expect(rangesOf(new Set())).toEqual([]);
});

test('two weeks are the same when they hold the same half hours, in whatever order', () => {
  expect(areSame(new Set([1, 2]), new Set([2, 1]))).toBe(true);
  expect(areSame(new Set([1]), new Set([2]))).toBe(false);
  expect(areSame(new Set([1]), new Set([1, 2]))).toBe(false);
});
