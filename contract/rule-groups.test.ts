import { expect, test } from 'vitest';
import { specifiedRules } from './default-programme.ts';
import { notCounted, type WeekFacts } from './stipend-facts.ts';
import {
  Conditions,
  failedCriteria,
  judge,
  limitOfFact,
  outOfReachOfAll,
  RuleSet,
  requirementsOf,
  ruleSentence,
} from './stipend-rules.ts';

const hours = { name: 'Hours', fact: 'hoursAttended', limit: 4 } as const;
const work = { name: 'Work', fact: 'workHandedIn', limit: 100 } as const;
const rating = { name: 'Rating', fact: 'rating', limit: 4 } as const;
const days = { name: 'Days', fact: 'daysEnrolled', limit: 5 } as const;
const both = { name: 'Hours and work', allOf: [hours, work] };
const bothOrRated: Conditions = { criteria: [{ name: 'Effort', anyOf: [both, rating] }] };

const week: WeekFacts = {
  ...notCounted,
  activitiesTotal: 0,
  activitiesAccessed: 0,
  assignmentsTotal: 4,
  assignmentsSubmitted: 4,
  assignmentsUntouched: 0,
  rating: 2,
  minutesAttended: 240,
};
const effort = (facts: Partial<WeekFacts>) => judge({ ...week, ...facts }, bothOrRated)[0];
const notAllWork = { assignmentsSubmitted: 3, assignmentsUntouched: 1 };

test('rules say in their sentence where several things are needed together', () => {
  expect(ruleSentence(bothOrRated)).toBe(
    "Paid when at least 4 hours are attended and all work is handed in or the coach's rating is 4.0 or more.",
  );
  expect(
    ruleSentence({ criteria: [{ name: 'Two', anyOf: [{ name: 'All', allOf: [hours, work, days] }, rating] }] }),
  ).toBe(
    "Paid when at least 4 hours are attended, all work is handed in and the person is enrolled for at least 5 days or the coach's rating is 4.0 or more.",
  );
});

test('of several things that are needed together, all met is met, and each explains it', () => {
  expect(effort({})).toEqual({
    name: 'Effort',
    isMet: true,
    reason: '4 hours attended; 4 of 4 handed in',
    standing: '4 of 4',
    percentage: 100,
    stillNeeded: [],
    about: 'activities',
  });
});

test('of several things that are needed together, one that is open explains it alone', () => {
  expect(effort({ minutesAttended: 180 })).toMatchObject({
    isMet: false,
    reason: '3 hours attended, 4 needed; or Rated 2.0 of 5, 4.0 needed',
    standing: '3 of 4',
    percentage: 75,
    stillNeeded: ['1 more hour, or a rating of 4.0 or more'],
    about: 'activities',
  });
  expect(effort(notAllWork)).toMatchObject({
    reason: '3 of 4 handed in; or Rated 2.0 of 5, 4.0 needed',
    standing: '3 of 4',
    stillNeeded: ['1 more assignment, or a rating of 4.0 or more'],
    about: 'assignments',
  });
});

test('of several things that are open together, the one that is farthest stands for them, and all are named', () => {
  expect(effort({ ...notAllWork, minutesAttended: 120 })).toMatchObject({
    reason: '2 hours attended, 4 needed; 3 of 4 handed in; or Rated 2.0 of 5, 4.0 needed',
    standing: '2 of 4',
    percentage: 50,
    stillNeeded: ['2 more hours and 1 more assignment, or a rating of 4.0 or more'],
  });
  expect(effort({ assignmentsSubmitted: 2, assignmentsUntouched: 2, minutesAttended: 200 })).toMatchObject({
    standing: '2 of 4',
    about: 'assignments',
  });
});

test('where two are equally far or near, the first of the rules stands for both', () => {
  expect(effort({ ...notAllWork, minutesAttended: 180 })).toMatchObject({ percentage: 75, about: 'activities' });
  expect(effort({ minutesAttended: 96 })).toMatchObject({ percentage: 40, about: 'activities', standing: '1.6 of 4' });
});

test('a way that is met is nearer than one that is full in part', () => {
  const mostly = {
    criteria: [
      {
        name: 'Either',
        anyOf: [
          { ...work, limit: 100 },
          { ...days, limit: 1 },
        ],
      },
    ],
  };
  expect(judge({ ...week, daysEnrolled: 1, ...notAllWork }, mostly)[0]).toMatchObject({
    isMet: true,
    about: 'membership',
  });
  expect(judge({ ...week, daysEnrolled: 1 }, mostly)[0]).toMatchObject({ isMet: true, about: 'assignments' });
  // At half of what was asked, a share of work is met and still only 50 percent.
  const half = {
    criteria: [
      {
        name: 'Either',
        anyOf: [
          { ...rating, limit: 5 },
          { ...work, limit: 50 },
        ],
      },
    ],
  };
  const facts = { ...week, rating: 4.5, assignmentsSubmitted: 2, assignmentsUntouched: 2 };
  expect(judge(facts, half)[0]).toMatchObject({ isMet: true, about: 'assignments', percentage: 50 });
});

test('everything that rules ask for is listed in their order, with the limit of each fact', () => {
  const rules: Conditions = { criteria: [days, { name: 'Effort', anyOf: [both, rating] }] };
  expect(requirementsOf(rules)).toEqual([days, hours, work, rating]);
  expect([limitOfFact(rules, 'hoursAttended'), limitOfFact(rules, 'rating'), limitOfFact(rules, 'absences')]).toEqual([
    4,
    4,
    null,
  ]);
  expect(failedCriteria(judge({ ...week, daysEnrolled: 4 }, rules))).toEqual(['Days']);
});

test('what nobody can reach in the days of one stipend is named at its place in the rules', () => {
  const sixDays = { ...days, limit: 6 };
  const long = { name: 'Hours', fact: 'hoursAttended', limit: 121 } as const;
  const longer = { name: 'Minutes', fact: 'minutesAttended', limit: 7_201 } as const;
  const message = 'Nobody can meet this: a stipend pays for 5 days at most.';
  expect(
    outOfReachOfAll(
      { criteria: [work, sixDays, { name: 'A', anyOf: [rating, long, { name: 'B', allOf: [work, longer] }] }] },
      5,
    ),
  ).toEqual([
    { path: ['criteria', 1, 'limit'], message },
    { path: ['criteria', 2, 'anyOf', 1, 'limit'], message },
    { path: ['criteria', 2, 'anyOf', 2, 'allOf', 1, 'limit'], message },
  ]);
  expect(
    outOfReachOfAll(
      { criteria: [days, { ...long, limit: 120 }, { ...longer, limit: 7_200 }, { ...work, limit: 100 }] },
      5,
    ),
  ).toEqual([]);
});

const problemsOf = (criteria: unknown) =>
  RuleSet.safeParse({ ...specifiedRules, criteria }).error?.issues.map(({ message }) => message);
const alone = 'A way that asks for several things stands only where one way of several is enough.';

test('a way of several things stands only where one of several ways is enough', () => {
  expect(problemsOf([{ name: 'Effort', anyOf: [both, rating] }])).toBeUndefined();
  expect(problemsOf([{ name: 'Effort', anyOf: [both, rating] }, days])).toEqual([alone]);
  expect(problemsOf([days, { name: 'Effort', anyOf: [both, rating] }])).toEqual([alone]);
  expect(problemsOf([{ name: 'Effort', anyOf: [hours, rating] }, days])).toBeUndefined();
});

test('rules have from 1 to 20 criteria, and groups of 2 to 20', () => {
  const times = (count: number) => Array.from({ length: count }, () => hours);
  expect([problemsOf(times(20)), problemsOf(times(21))]).toEqual([undefined, [expect.any(String)]]);
  for (const [count, isFine] of [
    [1, false],
    [2, true],
    [20, true],
    [21, false],
  ] as const) {
    expect(problemsOf([{ name: 'A', anyOf: times(count) }]) === undefined, `${count} ways`).toBe(isFine);
    const together = [{ name: 'A', anyOf: [rating, { name: 'B', allOf: times(count) }] }];
    expect(problemsOf(together) === undefined, `${count} together`).toBe(isFine);
  }
});

test('a rule set and its requirements have a name of 1 to 100 characters, and a version', () => {
  const named = (name: string) => RuleSet.safeParse({ ...specifiedRules, name });
  expect([named(` ${'a'.repeat(100)} `).data?.name, named('a'.repeat(101)).success]).toEqual(['a'.repeat(100), false]);
  expect(named('  ').error?.issues.map(({ message }) => message)).toEqual(['Enter a name.']);
  expect(['', 'a', 'a'.repeat(100), 'a'.repeat(101)].map((name) => !problemsOf([{ ...hours, name }]))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect([0, 1, 1.5].map((version) => RuleSet.safeParse({ ...specifiedRules, version }).success)).toEqual([
    false,
    true,
    false,
  ]);
});

test('conditions are the criteria of rules, without what they pay', () => {
  expect(Conditions.parse(specifiedRules)).toEqual({ criteria: specifiedRules.criteria });
  expect(Conditions.safeParse({}).success).toBe(false);
});
