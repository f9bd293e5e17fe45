import { expect, test } from 'vitest';
import { startsLikeFormula } from './csv.ts';

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\r\n=1', '＝1+1', '＋1', '－1', '＠SUM(A1)'])(
  '%j is what a spreadsheet program would run',
  (cell) => {
    expect(startsLikeFormula.test(cell)).toBe(true);
  },
);

test.each(['', '1-1', 'a=b', 'Ada\n=1', "'=1", 'Robin', '–'])('%j is text', (cell) => {
  expect(startsLikeFormula.test(cell)).toBe(false);
});
