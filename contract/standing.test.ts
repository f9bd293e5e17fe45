import { expect, test } from 'vitest';
import { ProgressStatus } from './fellowship.ts';
import type { OpenMatters } from './open-matters.ts';
import {
  completionLabels,
  type PersonStandingFacts,
  type PersonState,
  personStanding,
  programmeStanding,
  type Standing,
} from './standing.ts';

test.each([
  { days: null, state: 'nothing_yet', color: 'info', label: 'Nothing counted yet' },
  { days: 0, state: 'on_schedule', color: 'success', label: 'On schedule' },
  { days: -6, state: 'on_schedule', color: 'success', label: 'On schedule' },
  { days: 6, state: 'on_schedule', color: 'success', label: 'On schedule' },
  { days: -7, state: 'behind', color: 'warning', label: '1 week behind schedule' },
  { days: -20, state: 'behind', color: 'warning', label: '2 weeks behind schedule' },
  { days: 14, state: 'ahead', color: 'success', label: '2 weeks ahead of schedule' },
  { days: 40, overallPercentage: 100, state: 'complete', color: 'success', label: 'Program complete' },
])('the programme at $days days is $state: "$label"', ({ days, overallPercentage = 31, ...expected }) => {
  expect(programmeStanding({ overallPercentage, daysAheadBehind: days })).toMatchObject(expected);
});

test.each([
  { days: null, sentence: 'Progress counts from the first activity.' },
  { days: 0, sentence: '31% of the whole program is complete, as planned by today.' },
  { days: 6, sentence: '31% of the whole program is complete, as planned by today.' },
  { days: -1, sentence: '31% of the whole program is complete, less than a week behind the plan.' },
  { days: -6, sentence: '31% of the whole program is complete, less than a week behind the plan.' },
  { days: -7, sentence: '31% of the whole program is complete, 1 week late.' },
  { days: 7, sentence: '31% of the whole program is complete, 1 week early.' },
])('the programme says why: "$sentence"', ({ days, sentence }) => {
  expect(programmeStanding({ overallPercentage: 30.6, daysAheadBehind: days }).sentence).toBe(sentence);
});

test('the share of the programme is named as a share, and never as a standing', () => {
  for (const status of ProgressStatus.options) {
    expect(completionLabels[status]).toMatch(/\d+% complete$/);
    expect(completionLabels[status]).not.toMatch(/risk|behind|ahead|track|schedule/i);
  }
});

const nothingOpen: OpenMatters = {
  missedActivities: 0,
  overdueAssignments: 0,
  submissionsToRevise: 0,
  missedSessions: 0,
  isSilent: false,
};
const onSchedule = { overallPercentage: 40, daysAheadBehind: 0 };
const behind = { overallPercentage: 20, daysAheadBehind: -14 };

interface PersonCase extends Partial<Standing<PersonState>> {
  isOutOfReach?: boolean;
  programme?: PersonStandingFacts['programme'];
  matters?: Partial<OpenMatters>;
}

test.each<PersonCase>([
  { state: 'up_to_date', color: 'success', label: 'Up to date', sentence: 'On schedule.' },
  {
    ...{ isOutOfReach: true, state: 'out_of_reach', color: 'danger' },
    ...{ label: "Not on track for this week's pay", sentence: "Not on track for this week's pay." },
  },
  { matters: { missedActivities: 1 }, state: 'activities_overdue', color: 'warning', label: '1 activity overdue' },
  {
    matters: { overdueAssignments: 2 },
    state: 'assignments_overdue',
    color: 'warning',
    label: '2 assignments overdue',
  },
  { programme: behind, state: 'behind', color: 'warning', label: '2 weeks behind schedule' },
  { matters: { submissionsToRevise: 1 }, state: 'returned', color: 'warning', label: '1 assignment returned' },
  { matters: { missedSessions: 3 }, state: 'no_show', color: 'warning', label: '3 no-shows' },
  { matters: { isSilent: true }, state: 'silent', color: 'warning', label: 'Silent for 7 days' },
])('one badge for a person: $state', ({ isOutOfReach = false, programme = onSchedule, matters, ...expected }) => {
  const facts = { isOutOfReach, programme, matters: { ...nothingOpen, ...matters } };
  expect(personStanding(facts)).toMatchObject(expected);
});

test('of several reasons the gravest is the badge, and all of them stand in the sentence', () => {
  const all = { missedActivities: 2, overdueAssignments: 1, submissionsToRevise: 1, missedSessions: 1, isSilent: true };
  const facts = { isOutOfReach: true, programme: behind, matters: all };
  expect(personStanding(facts)).toEqual({
    state: 'out_of_reach',
    color: 'danger',
    label: "Not on track for this week's pay",
    reasons: [
      "Not on track for this week's pay",
      '2 activities overdue',
      '1 assignment overdue',
      '2 weeks behind schedule',
      '1 assignment returned',
      '1 no-show',
      'Silent for 7 days',
    ],
    sentence:
      "Not on track for this week's pay. 2 activities overdue. 1 assignment overdue. 2 weeks behind schedule. 1 assignment returned. 1 no-show. Silent for 7 days.",
  });
  expect(personStanding({ ...facts, payPeriod: 'month' }).label).toBe("Not on track for this month's pay");
  expect(personStanding({ ...facts, payPeriod: 'two_weeks' }).label).toBe("Not on track for these two weeks' pay");
  expect(personStanding({ ...facts, isOutOfReach: false })).toMatchObject({ state: 'activities_overdue' });
});

test('a person is up to date only if the programme is not behind', () => {
  expect(personStanding({ isOutOfReach: false, programme: behind, matters: nothingOpen }).state).toBe('behind');
});
