import { expect, test } from 'vitest';
import { specifiedRules } from './default-programme.ts';
import { type RatedWeek, ratingStake } from './rated-weeks.ts';
import { notCounted, type WeekFacts } from './stipend-facts.ts';
import { judge } from './stipend-rules.ts';

function week(facts: Partial<WeekFacts> = {}, changes: Partial<RatedWeek> = {}): RatedWeek {
  const counts = {
    ...notCounted,
    ...{ activitiesTotal: 5, activitiesAccessed: 5, assignmentsTotal: 1, assignmentsSubmitted: 1 },
    ...{ assignmentsUntouched: 0, rating: 5, ...facts },
  };
  return {
    ...{ participantId: '', cohortId: '', today: '2026-11-18' },
    ...{ weekNumber: 9, payPeriod: 'week' as const, firstDay: '2026-11-16', lastDay: '2026-11-20' },
    activities: { accessed: counts.activitiesAccessed, total: counts.activitiesTotal },
    assignments: { submitted: counts.assignmentsSubmitted, accepted: 0, total: counts.assignmentsTotal },
    isPaid: true,
    ratingNeeded: 3,
    criteriaAtBest: judge(counts, specifiedRules),
    isOutOfReach: false,
    amountCents: 50_000,
    state: 'pending',
    ...changes,
  };
}
const sentence = (rated: RatedWeek) => ratingStake(rated).sentence;

test('the rating decides only if all else is met, whatever the present rating is', () => {
  expect(sentence(week())).toBe('A rating of 3.0 or more brings $500 for week 9.');
  expect(ratingStake(week({}, { today: '2026-11-23' })).state).toBe('rating_decides');
});

test('what else decides is said instead: what is missing, what is lost, what is over, and what is decided', () => {
  expect(sentence(week({ activitiesAccessed: 2 }))).toBe('Still needed for $500 for week 9: 2 more activities.');
  expect(ratingStake(week({ activitiesAccessed: 0 }, { isOutOfReach: true, today: '2026-11-20' })).state).toBe(
    'out_of_reach',
  );
  expect(sentence(week({ activitiesAccessed: 2 }, { today: '2026-11-23' }))).toBe(
    'Not decided yet. Not met: Attendance.',
  );
  expect(sentence(week({}, { state: 'paid' }))).toBe('$500 for week 9 is paid.');
  expect(sentence(week({}, { isPaid: false }))).toBe('This week is not paid, whatever you rate.');
  expect(ratingStake(week({}, { today: '2026-11-13' })).state).toBe('not_begun');
});

test('a rating that was given is told by what it brought, and only if nothing else decides', () => {
  expect(ratingStake(week(), 3)).toMatchObject({
    state: 'met',
    sentence: 'Rated 3.0: $500 can be approved for week 9.',
  });
  expect(ratingStake(week(), 2.5)).toMatchObject({
    state: 'not_met',
    sentence: 'Rated 2.5: $500 for week 9 needs 3.0 or more.',
  });
  expect(ratingStake(week({ activitiesAccessed: 2 }), 4).sentence).toMatch(/^Still needed/);
  expect(ratingStake(week({}, { state: 'paid' }), 4).sentence).toBe('$500 for week 9 is paid.');
});
