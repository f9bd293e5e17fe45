import { expect, test } from 'vitest';
import { specifiedRules } from './default-programme.ts';
import type { PayPeriod } from './pay-periods.ts';
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
  const { criteria, unpaid } = stipendHelp(specifiedRules, 'week');
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

test('the help names the pay period of the program', () => {
  const words = (payPeriod: PayPeriod) => JSON.stringify(stipendHelp(specifiedRules, payPeriod));
  expect(words('month')).toContain('Your coach rates each month');
  expect(words('month')).toContain('A month is paid if all 3 are met');
  expect(words('month')).not.toContain('week');
  expect(words('two_weeks')).toContain('A two-week period is paid');
  expect(words('week')).toContain("of the week's activities");
});
