import { expect, test } from 'vitest';
import { specifiedRules } from './default-programme.ts';
import { notCounted, type WeekFacts } from './stipend-facts.ts';
import { stipendHelp } from './stipend-help.ts';
import { judge } from './stipend-rules.ts';

const facts: WeekFacts = {
  ...notCounted,
  activitiesTotal: 100,
  activitiesAccessed: 100,
  assignmentsTotal: 0,
  assignmentsSubmitted: 0,
  assignmentsUntouched: 0,
  rating: 5,
};

test('the help names each criterion, with the numbers that the rules judge by', () => {
  const { criteria, unpaid } = stipendHelp(specifiedRules);
  const judged = judge(facts, specifiedRules);
  expect(criteria.map(({ about }) => about)).toEqual(judged.map(({ about }) => about));
  const [attendance, , rating] = criteria.map(({ answer }) => answer);
  const share = Number(/(\d+)%/.exec(attendance ?? '')?.[1]);
  const isEnough = (changes: Partial<WeekFacts>) =>
    judge({ ...facts, ...changes }, specifiedRules).every(({ isMet }) => isMet);
  expect([isEnough({ activitiesAccessed: share }), isEnough({ activitiesAccessed: share - 1 })]).toEqual([true, false]);
  const needed = Number(/You need (\d\.\d)/.exec(rating ?? '')?.[1]);
  expect([isEnough({ rating: needed }), isEnough({ rating: needed - 0.5 })]).toEqual([true, false]);
  expect(unpaid).toContain(`all ${criteria.length} are met`);
});
