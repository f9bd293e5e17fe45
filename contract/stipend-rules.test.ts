import { expect, test } from 'vitest';
import { stipendCases } from '#test/support/stipend-cases.ts';
import { specifiedRules } from './default-programme.ts';
import { notCounted, type WeekFacts } from './stipend-facts.ts';
import { areAllMet, isAtRisk, judge } from './stipend-rules.ts';

const metAll: WeekFacts = {
  ...notCounted,
  activitiesTotal: 5,
  activitiesAccessed: 4,
  assignmentsTotal: 2,
  assignmentsSubmitted: 2,
  assignmentsUntouched: 0,
  rating: 3,
};

const judged = (facts: WeekFacts) => judge(facts, specifiedRules);
const isEligible = (facts: WeekFacts) => areAllMet(judged(facts));

test('STIP0-02 STIP-31 STIP-33 STIP-35 only all three criteria together make a week eligible', () => {
  for (const { name, facts, isMet } of stipendCases) {
    const found = judged(facts).map((criterion) => [criterion.name.toLowerCase(), criterion.isMet]);
    expect(Object.fromEntries(found), name).toEqual(isMet);
    expect(isEligible(facts), name).toBe(isMet.attendance && isMet.assignments && isMet.performance);
  }
  expect(isEligible({ ...metAll, rating: 2.9 })).toBe(false);
});

test('STIP-15 STIP-16 each criterion says in words what it rests on and what is needed', () => {
  const reasons = (facts: Partial<WeekFacts>) =>
    judged({ ...metAll, ...facts }).map(({ isMet, reason }) => `${isMet} ${reason}`);
  expect(reasons({})).toEqual([
    'true 4 of 5 activities attended (80%)',
    'true 2 of 2 handed in',
    'true Rated 3.0 of 5',
  ]);
  expect(reasons({ activitiesTotal: 1000, activitiesAccessed: 799, assignmentsSubmitted: 1, rating: 2.5 })).toEqual([
    'false 799 of 1000 activities attended (79%), 80% needed',
    'false 1 of 2 handed in, 1 returned: revise and hand in again',
    'false Rated 2.5 of 5, 3.0 needed',
  ]);
  expect(
    reasons({ activitiesTotal: 0, activitiesAccessed: 0, assignmentsTotal: 0, assignmentsSubmitted: 0, rating: null }),
  ).toEqual(['true No activities to attend', 'true No assignments to hand in', 'false Not rated yet, 3.0 needed']);
});

test('STIP-56 activities still needed are ceil(0.8 x total) minus accessed, never below 0', () => {
  const needed = (activitiesTotal: number, activitiesAccessed: number) => {
    const [attendance] = judged({ ...metAll, activitiesTotal, activitiesAccessed });
    return Number(attendance?.stillNeeded[0]?.split(' ')[0] ?? 0);
  };
  expect(needed(7, 4)).toBe(2);
  expect(needed(5, 4)).toBe(0);
  expect(needed(5, 5)).toBe(0);
  expect(needed(5, 0)).toBe(4);
  expect(needed(10, 7)).toBe(1);
  expect(needed(1, 0)).toBe(1);
  expect(needed(0, 0)).toBe(0);
  // Rounded to the nearest, they would be one less.
  expect(needed(3, 0)).toBe(3);
  expect(needed(4, 0)).toBe(4);
  expect(needed(4, 3)).toBe(1);
  expect(needed(9, 7)).toBe(1);
});

test('STIP-55 STIP-57 what is still needed names work never handed in and work returned, a rating, and nothing that is met', () => {
  const needed = (facts: Partial<WeekFacts>) => judged({ ...metAll, ...facts }).map(({ stillNeeded }) => stillNeeded);
  expect(needed({})).toEqual([[], [], []]);
  expect(
    needed({ activitiesAccessed: 3, assignmentsTotal: 4, assignmentsSubmitted: 1, assignmentsUntouched: 2 }),
  ).toEqual([['1 more activity'], ['2 more assignments', '1 returned assignment handed in again'], []]);
  expect(needed({ rating: null, assignmentsSubmitted: 1, assignmentsUntouched: 1 })).toEqual([
    [],
    ['1 more assignment'],
    ['a rating of 3.0 or more'],
  ]);
});

test('a running week is at risk only by what is lost, or late, or rated too low', () => {
  const running = { ...metAll, activitiesAccessed: 0, assignmentsSubmitted: 0, assignmentsUntouched: 2, rating: null };
  const risk = (lost: { activities?: number; assignments?: number }, facts: Partial<WeekFacts> = {}) =>
    isAtRisk(
      { ...running, ...facts },
      { activities: 0, assignments: 0, sessions: 0, minutes: 0, unexcused: 0, ...lost },
      specifiedRules,
    );
  expect([risk({}), risk({ activities: 1 }), risk({ activities: 2 }), risk({ assignments: 1 })]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect([risk({}, { rating: 3 }), risk({}, { rating: 2.9 })]).toEqual([false, true]);
});
