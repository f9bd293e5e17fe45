import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sizeOf } from '#test/support/depth.ts';
import { specifiedRules } from './default-programme.ts';
import { notCounted, type WeekFacts } from './stipend-facts.ts';
import { areAllMet, judge, RuleSet, ruleSentence } from './stipend-rules.ts';

const week: WeekFacts = {
  ...notCounted,
  activitiesTotal: 10,
  activitiesAccessed: 7,
  assignmentsTotal: 4,
  assignmentsSubmitted: 2,
  assignmentsUntouched: 1,
  rating: 3.5,
};

const twoWays: RuleSet = {
  version: 2,
  name: 'Two ways',
  criteria: [
    {
      name: 'Presence',
      anyOf: [
        { name: 'Attendance', fact: 'attendanceShare', limit: 90 },
        { name: 'Absences', fact: 'absences', limit: 2 },
      ],
    },
    { name: 'Work', fact: 'workHandedIn', limit: 75 },
  ],
  amounts: specifiedRules.amounts,
};

test('a rule set says in one sentence what it pays for', () => {
  expect(ruleSentence(specifiedRules)).toBe(
    "Paid when at least 80% of the activities are attended, all work is handed in and the coach's rating is 3.0 or more.",
  );
  expect(ruleSentence(twoWays)).toBe(
    'Paid when at least 90% of the activities are attended or at most 2 of the activities are missed and at least 75% of the work is handed in.',
  );
});

test('of several ways one is enough; until then each is named', () => {
  const presence = (activitiesAccessed: number) => judge({ ...week, activitiesAccessed }, twoWays)[0];
  expect(presence(7)).toMatchObject({
    name: 'Presence',
    isMet: false,
    reason: '7 of 10 activities attended (70%), 90% needed; or 3 absences, at most 2 allowed',
    stillNeeded: ['2 more activities, or no more than 2 absences'],
  });
  expect(presence(8)).toMatchObject({ isMet: true, reason: '2 absences, at most 2 allowed', stillNeeded: [] });
  expect(presence(10)).toMatchObject({ isMet: true, stillNeeded: [] });
});

test('work that is needed in part names first what was returned', () => {
  const work = (facts: Partial<WeekFacts>) => judge({ ...week, ...facts }, twoWays)[1];
  expect(work({})).toMatchObject({
    isMet: false,
    reason: '2 of 4 handed in, 75% needed, 1 returned: revise and hand in again',
    stillNeeded: ['1 returned assignment handed in again'],
  });
  expect(work({ assignmentsSubmitted: 1, assignmentsUntouched: 2 })?.stillNeeded).toEqual([
    '1 more assignment',
    '1 returned assignment handed in again',
  ]);
  expect(work({ assignmentsSubmitted: 3 })).toMatchObject({ isMet: true, stillNeeded: [] });
});

test('a rule set that asks for what no week can reach is refused at its limit', () => {
  const refused = (criterion: unknown) =>
    RuleSet.safeParse({ ...specifiedRules, version: 2, criteria: [criterion] }).error?.issues.map(
      ({ path, message }) => [path.join('.'), message],
    );
  expect(refused({ name: 'Attendance', fact: 'attendanceShare', limit: 101 })).toEqual([
    ['criteria.0.limit', 'Enter a number from 1 to 100.'],
  ]);
  expect(refused({ name: 'Rating', fact: 'rating', limit: 6 })).toEqual([
    ['criteria.0.limit', 'Enter a number from 1 to 5.'],
  ]);
  expect(RuleSet.safeParse({ ...specifiedRules, version: 2, criteria: [] }).success).toBe(false);
  expect(RuleSet.parse(specifiedRules)).toEqual(specifiedRules);
});

const facts = fc
  .record({ fact: fc.constantFrom('attendanceShare', 'absences', 'workHandedIn', 'rating') })
  .chain(({ fact }) => {
    const limits = { attendanceShare: [1, 100], absences: [0, 10], workHandedIn: [1, 100], rating: [2, 10] } as const;
    const [min, max] = limits[fact as keyof typeof limits];
    return fc.integer({ min, max }).map((limit) => ({
      name: fact,
      fact: fact as keyof typeof limits,
      limit: fact === 'rating' ? limit / 2 : limit,
    }));
  });
const ruleSets = fc.array(
  fc.oneof(
    facts,
    fc.array(facts, { minLength: 2, maxLength: 4 }).map((anyOf) => ({ name: 'One of them', anyOf })),
  ),
  { minLength: 1, maxLength: 5 },
);
const weeks = fc
  .tuple(fc.nat(12), fc.nat(12), fc.nat(8), fc.nat(8), fc.nat(8), fc.option(fc.integer({ min: 2, max: 10 })))
  .map(
    ([attended, missed, submitted, untouched, returned, halves]): WeekFacts => ({
      ...notCounted,
      activitiesTotal: attended + missed,
      activitiesAccessed: attended,
      assignmentsTotal: submitted + untouched + returned,
      assignmentsSubmitted: submitted,
      assignmentsUntouched: untouched,
      rating: halves === null ? null : halves / 2,
    }),
  );

/** The rule of one requirement once more, counted one by one. It shares nothing with the product. */
function isEnough({ fact, limit }: { fact: string; limit: number }, facts: WeekFacts): boolean {
  const { activitiesTotal: taught, activitiesAccessed: seen, assignmentsTotal: given } = facts;
  if (fact === 'rating') return (facts.rating ?? 0) >= limit;
  if (fact === 'absences') return seen + limit >= taught;
  const [part, whole] = fact === 'attendanceShare' ? [seen, taught] : [facts.assignmentsSubmitted, given];
  return whole === 0 || Math.round((part / whole) * 1e9) >= Math.round(limit * 1e7);
}

test('random rule sets judge random weeks as a second calculation does, and what is still needed is enough and no more', () => {
  fc.assert(
    fc.property(ruleSets, weeks, (criteria, facts) => {
      const rules = RuleSet.parse({ ...specifiedRules, version: 2, criteria });
      const judged = judge(facts, rules);
      const expected = criteria.map((one) =>
        'anyOf' in one ? one.anyOf.some((way) => isEnough(way, facts)) : isEnough(one, facts),
      );
      expect(judged.map(({ isMet }) => isMet)).toEqual(expected);
      expect(areAllMet(judged)).toBe(!expected.includes(false));
      for (const [index, { isMet, stillNeeded, reason, about }] of judged.entries()) {
        expect(stillNeeded.length === 0).toBe(isMet);
        const asked = criteria[index];
        if (isMet || !asked || 'anyOf' in asked) continue;
        if (about === 'activities') {
          const { activitiesAccessed: seen, activitiesTotal: total } = facts;
          expect(reason).toMatch(asked.fact === 'absences' ? `${total - seen} absence` : `${seen} of ${total}`);
        }
        if (asked.fact !== 'attendanceShare') continue;
        const more = Number(/^(\d+) more/.exec(stillNeeded[0] ?? '')?.[1]);
        const after = (count: number) => ({ ...facts, activitiesAccessed: facts.activitiesAccessed + count });
        expect([isEnough(asked, after(more - 1)), isEnough(asked, after(more))]).toEqual([false, true]);
      }
    }),
    { numRuns: sizeOf({ usual: 300, deep: 20_000 }) },
  );
});
