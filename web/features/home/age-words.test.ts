import { expect, test } from 'vitest';
import { ageInWords } from './age-words.ts';

test('an age is said in hours on the first day, then in days', () => {
  const now = new Date('2026-03-10T12:00:00Z');
  const ages = ['2026-03-10T11:20:00Z', '2026-03-10T11:00:00Z', '2026-03-09T12:30:00Z', '2026-03-09T12:00:00Z'];
  expect(ages.map((since) => ageInWords(since, now))).toEqual(['Under an hour', '1 hour', '23 hours', '1 day']);
  expect(ageInWords('2025-03-10T12:00:00Z', now)).toBe('365 days');
  expect(ageInWords('2026-03-10T12:00:05Z', now)).toBe('Under an hour');
});
