import { expect, test } from 'vitest';
import { specifiedRules } from './default-programme.ts';
import { notCounted, type WeekFacts } from './stipend-facts.ts';
import { judge } from './stipend-rules.ts';
import {
  activitiesStanding,
  completionSentence,
  criterionStanding,
  type EligibilityFacts,
  eligibilityStanding,
  paceSentence,
  type WeekPhase,
  type WeekStandingFacts,
  weekPhase,
  weekStanding,
} from './week-standing.ts';

const days = { firstDay: '2026-11-16', lastDay: '2026-11-20' };
const running = '2026-11-18';
const over = '2026-11-21';

test.each([
  { today: '2026-11-15', phase: 'not_begun' },
  { today: '2026-11-16', phase: 'running' },
  { today: '2026-11-20', phase: 'running' },
  { today: '2026-11-21', phase: 'over' },
  { today: '2026-11-18', decision: 'denied', phase: 'decided' },
  { today: '2026-11-15', decision: 'approved', phase: 'decided' },
] as const)('on $today the week is $phase', ({ today, phase, decision = 'pending' as const }) => {
  expect(weekPhase(days, today, decision)).toBe(phase);
});

const metAll: WeekFacts = {
  ...notCounted,
  activitiesTotal: 5,
  activitiesAccessed: 4,
  assignmentsTotal: 1,
  assignmentsSubmitted: 1,
  assignmentsUntouched: 0,
  rating: 4,
};
const judged = (facts: Partial<WeekFacts> = {}) => judge({ ...metAll, ...facts }, specifiedRules);
const week = (facts: Partial<WeekStandingFacts> = {}): WeekStandingFacts => ({
  ...days,
  weekNumber: 3,
  payPeriod: 'week',
  today: running,
  reader: 'participant',
  decision: 'pending',
  criteria: judged(),
  isEligible: (facts.criteria ?? judged()).every(({ isMet }) => isMet),
  isOutOfReach: false,
  amountCents: 50_000,
  ...facts,
});
const begun = judged({ activitiesAccessed: 2, assignmentsSubmitted: 0, assignmentsUntouched: 1, rating: null });
const notRated = judged({ rating: null });

const cases: [string, Partial<WeekStandingFacts>, string, string, string, string][] = [
  [
    'not begun',
    { today: '2026-11-15', criteria: begun },
    'not_begun',
    'info',
    'Not started',
    'Week 3 has not started.',
  ],
  [
    'running, with some done',
    { criteria: begun },
    ...(['so_far', 'info', 'Attendance: 2 of 5 so far'] as const),
    'For $500 for week 3 you still need 2 more activities, 1 more assignment, and a rating of 3.0 or more.',
  ],
  [
    'running, with work returned',
    { criteria: judged({ assignmentsSubmitted: 0, rating: null }) },
    ...(['so_far', 'info', 'Assignments: 0 of 1, 1 returned so far'] as const),
    'For $500 for week 3 you still need 1 returned assignment handed in again and a rating of 3.0 or more.',
  ],
  [
    'running, and only the rating missing',
    { criteria: notRated },
    ...(['waiting_for_rating', 'info', "Waiting for your coach's rating"] as const),
    'Everything else is met. Your coach rates week 3, then $500 can be approved.',
  ],
  [
    'running, with a low rating',
    { criteria: judged({ rating: 2.5 }) },
    ...(['so_far', 'info', 'Performance: 2.5 of 5 so far'] as const),
    'For $500 for week 3 you still need a rating of 3.0 or more.',
  ],
  [
    'running, and too much lost',
    { criteria: begun, isOutOfReach: true },
    ...(['out_of_reach', 'danger', "Not on track for this week's pay"] as const),
    'Too much was missed or is late for week 3 to be paid. Your coach can tell you more.',
  ],
  [
    'running, and met in spite of what was missed',
    { isOutOfReach: true },
    ...(['met', 'success', 'All 3 requirements met'] as const),
    'All 3 requirements are met: $500 can be approved for week 3.',
  ],
  [
    'running, and met',
    {},
    ...(['met', 'success', 'All 3 requirements met'] as const),
    'All 3 requirements are met: $500 can be approved for week 3.',
  ],
  [
    'over, and met',
    { today: over },
    ...(['met', 'success', 'All 3 requirements met'] as const),
    'All 3 requirements are met: $500 can be approved for week 3.',
  ],
  [
    'over, and only the rating missing',
    { today: over, criteria: notRated },
    ...(['waiting_for_rating', 'info', "Waiting for your coach's rating"] as const),
    'Everything else is met. Your coach rates week 3, then $500 can be approved.',
  ],
  [
    'over, and not met',
    { today: over, criteria: begun, isOutOfReach: true },
    ...(['not_met', 'danger', 'Not met: Attendance, Assignments'] as const),
    'Week 3 is over and not decided yet: 2 of 5 activities attended (40%), 80% needed; 0 of 1 handed in.',
  ],
  [
    'met by somebody who left',
    { today: over, isEligible: false },
    ...(['not_counted', 'neutral', 'Does not count'] as const),
    'You were not in the cohort for all of week 3.',
  ],
  ['approved', { decision: 'approved' }, 'approved', 'success', 'Approved', '$500 for week 3 is approved.'],
  [
    'sent',
    { decision: 'sent' },
    ...(['sent', 'success', 'Sent to the payment system'] as const),
    '$500 for week 3 is sent to the payment system.',
  ],
  ['paid', { decision: 'paid', amountCents: 45_050 }, 'paid', 'success', 'Paid', '$450.50 for week 3 is paid.'],
  [
    'denied',
    { decision: 'denied' },
    ...(['denied', 'danger', 'Denied'] as const),
    'The $500 for week 3 was denied. Your coach can tell you more.',
  ],
];

test.each(cases)('STIP0-05 a week that is %s', (_, facts, state, color, label, sentence) => {
  expect(weekStanding(week(facts))).toEqual({ state, color, label, sentence });
});

test('staff read the same states, of somebody else', () => {
  for (const [name, facts, state, color] of cases) {
    const standing = weekStanding(week({ ...facts, reader: 'staff' }));
    expect(standing, name).toMatchObject({ state, color });
    expect(`${standing.label} ${standing.sentence}`, name).not.toMatch(/\byou/i);
  }
  expect(weekStanding(week({ criteria: notRated, reader: 'staff' })).label).toBe("Waiting for the coach's rating");
});

test.each([
  ['not_begun', 'Attendance: 2 of 5 so far', "Waiting for your coach's rating"],
  ['running', 'Attendance: 2 of 5 so far', "Waiting for your coach's rating"],
  ['over', 'Attendance not met', "Waiting for your coach's rating"],
  ['decided', 'Attendance not met', 'Performance not met'],
] as [WeekPhase, string, string][])('a criterion of a week that is %s', (phase, attendance, performance) => {
  const labels = begun.map((criterion) => criterionStanding(criterion, phase, 'participant').label);
  expect([labels[0], labels[2]]).toEqual([attendance, performance]);
  const toStaff = begun.map((criterion) => criterionStanding(criterion, phase, 'staff').label);
  expect(toStaff).toEqual(labels.map((label) => label.replace('your coach', 'the coach')));
});

test('a criterion that a running week can no longer meet is out of reach, and nothing else is', () => {
  const labels = (phase: WeekPhase) =>
    begun.map((criterion) => criterionStanding(criterion, phase, 'admin', ['Attendance', 'Performance']).label);
  expect(labels('running')).toEqual([
    'Attendance: out of reach, 2 of 5 so far',
    'Assignments: 0 of 1 so far',
    "Waiting for the coach's rating",
  ]);
  expect(labels('not_begun')[0]).toBe('Attendance: 2 of 5 so far');
  expect(labels('over')[0]).toBe('Attendance failed');
  const [met] = judged();
  expect(met && criterionStanding(met, 'running', 'admin', ['Attendance']).state).toBe('met');
  const [lost] = begun;
  expect(lost && criterionStanding(lost, 'running', 'participant', ['Attendance'])).toMatchObject({
    state: 'out_of_reach',
    color: 'danger',
  });
});

test('STIP-15 on the admins screens a criterion has passed or failed, once its week no longer runs', () => {
  const labels = (phase: WeekPhase, facts: Partial<WeekFacts>) =>
    judged(facts).map((criterion) => criterionStanding(criterion, phase, 'admin').label);
  expect(labels('over', { activitiesAccessed: 2, rating: 2.5 })).toEqual([
    'Attendance failed',
    'Assignments passed',
    'Performance failed',
  ]);
  expect(labels('running', { activitiesAccessed: 2, rating: null })).toEqual([
    'Attendance: 2 of 5 so far',
    'Assignments passed',
    "Waiting for the coach's rating",
  ]);
  expect(labels('decided', { rating: null })[2]).toBe('Performance failed');
});

test.each([
  ['running', { criteria: begun }],
  ['running, and only the rating missing', { criteria: notRated }],
  ['not begun', { criteria: begun, today: '2026-11-15' }],
])('nothing has failed in a week that is %s', (_, facts) => {
  for (const reader of ['participant', 'staff'] as const) {
    const standing = weekStanding(week({ ...facts, reader }));
    const eligibility = eligibilityStanding(week({ ...facts, reader }));
    const words = [standing.label, standing.sentence, eligibility.label, eligibility.sentence].join(' ');
    expect(words).not.toMatch(/fail|not met|risk/i);
    expect([standing.color, eligibility.color]).toEqual(['info', 'info']);
  }
});

test.each([
  ['eligible', {}, 'eligible', 'Eligible'],
  ['running', { criteria: begun }, 'not_yet', 'Not Eligible yet', 'Attendance: 2 of 5 so far'],
  ['lost', { criteria: begun, isOutOfReach: true }, 'not_eligible', 'Not Eligible', "Not on track for this week's pay"],
  [
    'lost by one criterion',
    { criteria: begun, isOutOfReach: true, lostCriteria: ['Assignments'] },
    'not_eligible',
    'Not Eligible',
    'Assignments: 0 of 1 so far',
  ],
  [
    'lost by two criteria',
    { criteria: begun, isOutOfReach: true, lostCriteria: ['Attendance', 'Assignments'] },
    'not_eligible',
    'Not Eligible',
    'Attendance: 2 of 5 so far, Assignments: 0 of 1 so far',
  ],
  [
    'over',
    { criteria: begun, today: over },
    'not_eligible',
    'Not Eligible',
    'Failed: Attendance, Assignments, Performance',
  ],
  [
    'over, not rated',
    { criteria: notRated, today: over },
    'not_yet',
    'Not Eligible yet',
    "Waiting for the coach's rating",
  ],
  [
    'denied',
    { criteria: begun, decision: 'denied' },
    'not_eligible',
    'Not Eligible',
    'Failed: Attendance, Assignments, Performance',
  ],
  [
    'left',
    { isEligible: false, today: over },
    'not_eligible',
    'Not Eligible',
    'The person was not in the cohort for all of week 3.',
  ],
] as [string, Partial<EligibilityFacts>, string, string, string?][])(
  'STIP-16 the admins read of a week that is %s',
  (_, facts, state, label, sentence) => {
    expect(eligibilityStanding({ ...week(facts), ...facts })).toMatchObject({
      state,
      label,
      ...(sentence ? { sentence } : {}),
    });
  },
);

test.each([
  { done: 0, total: 0, state: 'none', label: 'Nothing this week' },
  { done: 2, total: 5, state: 'so_far', label: '2 of 5 so far' },
  { done: 5, total: 5, state: 'all_done', label: 'All done' },
])('a week that pays nothing, with $done of $total done: $state', ({ done, total, ...expected }) => {
  expect(activitiesStanding({ done, total })).toMatchObject(expected);
});

test('FELL-19 the verdict names the learning that it judges, and why', () => {
  expect(paceSentence({ done: 3, total: 5, isOnTrack: true, isPaid: false })).toMatch(
    /^On track with learning.*overdue\.$/,
  );
  expect(paceSentence({ done: 1, total: 5, isOnTrack: false, isPaid: true })).toBe(
    "Not on track with learning yet: learning needs half of this week's activities. Pay has its own requirements: see your stipend.",
  );
  expect(paceSentence({ done: 5, total: 5, isOnTrack: false, isPaid: false })).toBe(
    'Not on track with learning yet: one from an earlier week is more than a day overdue.',
  );
});

test.each([
  [
    'activities and more are missing',
    { criteria: begun },
    "2 more activities for this week's $500. You also need 1 more assignment and a rating of 3.0 or more.",
  ],
  [
    'only activities are missing',
    { criteria: judged({ activitiesAccessed: 3 }) },
    "1 more activity for this week's $500.",
  ],
  [
    'there are enough activities',
    { criteria: judged({ assignmentsSubmitted: 0, assignmentsUntouched: 1, rating: null }) },
    "These are enough activities for this week's $500. You still need 1 more assignment and a rating of 3.0 or more.",
  ],
  [
    'only the rating is missing',
    { criteria: notRated },
    'Everything else is met. Your coach rates week 3, then $500 can be approved.',
  ],
  ['all is met', {}, 'All 3 requirements are met: $500 can be approved for week 3.'],
  [
    'the week is over',
    { today: over, criteria: judged({ activitiesAccessed: 3 }) },
    'Week 3 is over and not decided yet: 3 of 5 activities attended (60%), 80% needed.',
  ],
] as const)('after an activity, when %s, the sentence says what is still needed', (_, facts, sentence) => {
  expect(completionSentence(week(facts))).toBe(sentence);
});
