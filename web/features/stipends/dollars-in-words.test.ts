import { expect, test } from 'vitest';
import { dollarsInWords } from './dollars-in-words.ts';

test('an amount is said in words, to the cent', () => {
  for (const [cents, words] of [
    [100, 'one dollar'],
    [100_001, 'one thousand dollars and one cent'],
    [150_000, 'one thousand five hundred dollars'],
    [123_456, 'one thousand two hundred thirty-four dollars and fifty-six cents'],
    [1_200_000, 'twelve thousand dollars'],
    [10_000_000, 'one hundred thousand dollars'],
    [100_000_000, 'one million dollars'],
  ] as const) {
    expect(dollarsInWords(cents)).toBe(words);
  }
});
