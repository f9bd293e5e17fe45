import { expect, test } from 'vitest';
import { stipendCases } from '#test/support/stipend-cases.ts';
import { activitiesStillNeeded, isEligible, type StipendFacts, stipendCriteria } from './stipend-rules.ts';

const metAll: StipendFacts = {
  activitiesTotal: 5,
  activitiesAccessed: 4,
  assignmentsTotal: 2,
  assignmentsSubmitted: 2,
  rating: 3,
};

test('STIP0-02 STIP-31 STIP-33 STIP-35 only all three criteria together make a week eligible', () => {
  for (const { name, facts, isMet } of stipendCases) {
    const { attendance, assignments, performance } = stipendCriteria(facts);
    const found = { attendance: attendance.isMet, assignments: assignments.isMet, performance: performance.isMet };
    expect(found, name).toEqual(isMet);
    expect(isEligible(facts), name).toBe(isMet.attendance && isMet.assignments && isMet.performance);
  }
  expect(isEligible({ ...metAll, rating: 2.9 })).toBe(false);
});

test('STIP-15 STIP-16 each criterion says in words what it rests on and what is needed', () => {
  const reasons = (facts: Partial<StipendFacts>) =>
    Object.values(stipendCriteria({ ...metAll, ...facts })).map(({ isMet, reason }) => `${isMet} ${reason}`);
  expect(reasons({})).toEqual([
    'true 4 of 5 activities attended (80%)',
    'true 2 of 2 handed in',
    'true Rated 3.0 of 5',
  ]);
  expect(reasons({ activitiesTotal: 1000, activitiesAccessed: 799, assignmentsSubmitted: 1, rating: 2.5 })).toEqual([
    'false 799 of 1000 activities attended (79%), 80% needed',
    'false 1 of 2 handed in',
    'false Rated 2.5 of 5, 3.0 needed',
  ]);
  expect(
    reasons({ activitiesTotal: 0, activitiesAccessed: 0, assignmentsTotal: 0, assignmentsSubmitted: 0, rating: null }),
  ).toEqual(['true No activities this week', 'true No assignments this week', 'false Not rated yet, 3.0 needed']);
});

test('STIP-56 activities still needed are ceil(0.8 x total) minus accessed, never below 0', () => {
  const needed = (activitiesTotal: number, activitiesAccessed: number) =>
    activitiesStillNeeded({ ...metAll, activitiesTotal, activitiesAccessed });
  expect(needed(7, 4)).toBe(2);
  expect(needed(5, 4)).toBe(0);
  expect(needed(5, 5)).toBe(0);
  expect(needed(5, 0)).toBe(4);
  expect(needed(10, 7)).toBe(1);
  expect(needed(1, 0)).toBe(1);
  expect(needed(0, 0)).toBe(0);
  // Rounded to the nearest they would be one less.
  expect(needed(3, 0)).toBe(3);
  expect(needed(4, 0)).toBe(4);
  expect(needed(4, 3)).toBe(1);
  expect(needed(9, 7)).toBe(1);
});
