import { expect, test } from 'vitest';
import { ratingFrom, ratingText } from './rating-words.ts';

test('digits, with a point, a comma or nothing between, are ratings from 1.0 to 5.0 in halves', () => {
  for (const [text, rating] of [
    ['1', 1],
    ['5', 5],
    [' 3.5 ', 3.5],
    ['3,5', 3.5],
    ['45', 4.5],
    ['40', 4],
    ['5.0', 5],
  ] as const) {
    expect(ratingFrom(text), text).toBe(rating);
  }
  for (const text of ['', '0', '6', '55', '5.5', '3.2', '3.', '10.0', 'four', '-3', '1e0', '3.50']) {
    expect(ratingFrom(text), text).toBeNull();
  }
});

test('a rating is written with one decimal, and nothing where there is none', () => {
  expect([ratingText(4), ratingText(2.5), ratingText(null)]).toEqual(['4.0', '2.5', '']);
});
