import { expect, test } from 'vitest';
import {
  atBest,
  bestRating,
  Finding,
  type LostSoFar,
  MoreFacts,
  measures,
  notCounted,
  RuleFact,
  type WeekFacts,
} from './stipend-facts.ts';
import { AmountLine, Criterion, isAtRisk, judge, Requirement, ruleSentence } from './stipend-rules.ts';

const week: WeekFacts = {
  activitiesTotal: 10,
  activitiesAccessed: 7,
  assignmentsTotal: 4,
  assignmentsSubmitted: 2,
  assignmentsUntouched: 1,
  rating: 3.5,
  sessionsTotal: 5,
  sessionsAttended: 3,
  minutesTotal: 600,
  minutesAttended: 150,
  daysAttended: 3,
  trips: 1,
  unexcusedAbsences: 2,
  assignmentsAccepted: 1,
  daysInPeriod: 5,
  daysEnrolled: 4,
};
const judged = (fact: RuleFact, limit: number, facts: Partial<WeekFacts> = {}) =>
  judge({ ...week, ...facts }, { criteria: [{ name: 'It', fact, limit }] })[0];

const noActivities = { activitiesTotal: 0, activitiesAccessed: 0, unexcusedAbsences: 0 };
const noWork = { assignmentsTotal: 0, assignmentsSubmitted: 0, assignmentsUntouched: 0, assignmentsAccepted: 0 };

test.each<[RuleFact, number, Partial<WeekFacts>, string, string, number, string[]]>([
  ['attendanceShare', 70, {}, '7 of 10 activities attended (70%)', '7 of 10', 70, []],
  ['attendanceShare', 71, {}, '7 of 10 activities attended (70%), 71% needed', '7 of 10', 70, ['1 more activity']],
  ['attendanceShare', 90, {}, '7 of 10 activities attended (70%), 90% needed', '7 of 10', 70, ['2 more activities']],
  ['attendanceShare', 90, noActivities, 'No activities to attend', '0 of 0', 100, []],

  ['sessionsAttended', 3, {}, '3 sessions attended', '3 of 3', 100, []],
  ['sessionsAttended', 2, {}, '3 sessions attended', '3 of 2', 100, []],
  ['sessionsAttended', 4, {}, '3 sessions attended, 4 needed', '3 of 4', 75, ['1 more session']],
  ['sessionsAttended', 4, { sessionsAttended: 1 }, '1 session attended, 4 needed', '1 of 4', 25, ['3 more sessions']],

  ['minutesAttended', 150, {}, '150 minutes attended', '150 of 150', 100, []],
  ['minutesAttended', 1_200, {}, '150 minutes attended, 1,200 needed', '150 of 1,200', 12.5, ['1,050 more minutes']],
  ['minutesAttended', 2, { minutesAttended: 1 }, '1 minute attended, 2 needed', '1 of 2', 50, ['1 more minute']],

  ['hoursAttended', 2.5, {}, '2.5 hours attended', '2.5 of 2.5', 100, []],
  ['hoursAttended', 4, {}, '2.5 hours attended, 4 needed', '2.5 of 4', 62.5, ['1.5 more hours']],
  ['hoursAttended', 2, { minutesAttended: 60 }, '1 hour attended, 2 needed', '1 of 2', 50, ['1 more hour']],

  ['absences', 3, {}, '3 absences, at most 3 allowed', '3 of 3', 100, []],
  ['absences', 2, {}, '3 absences, at most 2 allowed', '3 of 2', 87.5, ['no more than 2 absences']],
  ['absences', 1, { activitiesAccessed: 9 }, '1 absence, at most 1 allowed', '1 of 1', 100, []],
  [
    'absences',
    1,
    { activitiesAccessed: 8 },
    '2 absences, at most 1 allowed',
    '2 of 1',
    800 / 9,
    ['no more than 1 absence'],
  ],

  ['unexcusedAbsences', 2, {}, '8 of 10 activities attended or excused', '8 of 10', 100, []],
  [
    ...(['unexcusedAbsences', 1, {}, '8 of 10 activities attended or excused, 9 needed', '8 of 10', 800 / 9] as const),
    ['1 more activity attended or excused'],
  ],
  [
    ...(['unexcusedAbsences', 0, {}, '8 of 10 activities attended or excused, 10 needed', '8 of 10', 80] as const),
    ['2 more activities attended or excused'],
  ],
  ['unexcusedAbsences', 0, noActivities, 'No activities to attend', '0 of 0', 100, []],

  ['workHandedIn', 50, {}, '2 of 4 handed in, 1 returned: revise and hand in again', '2 of 4, 1 returned', 50, []],
  [
    ...(['workHandedIn', 51, {}] as const),
    ...(['2 of 4 handed in, 51% needed, 1 returned: revise and hand in again', '2 of 4, 1 returned', 50] as const),
    ['1 returned assignment handed in again'],
  ],
  [
    ...(['workHandedIn', 100, { assignmentsTotal: 2_000, assignmentsUntouched: 1_996 }] as const),
    ...(['2 of 2000 handed in, 2 returned: revise and hand in again', '2 of 2000, 2 returned', 0.1] as const),
    ['1,996 more assignments', '2 returned assignments handed in again'],
  ],
  [
    ...(['workHandedIn', 100, { assignmentsUntouched: 2 }, '2 of 4 handed in', '2 of 4', 50] as const),
    ['2 more assignments'],
  ],
  [
    'workHandedIn',
    75,
    { assignmentsUntouched: 2 },
    '2 of 4 handed in, 75% needed',
    '2 of 4',
    50,
    ['1 more assignment'],
  ],
  ['workHandedIn', 100, noWork, 'No assignments to hand in', '0 of 0', 100, []],

  ['workAccepted', 25, {}, '1 of 4 accepted', '1 of 4', 25, []],
  ['workAccepted', 50, {}, '1 of 4 accepted, 50% needed', '1 of 4', 25, ['1 more assignment accepted']],
  ['workAccepted', 51, {}, '1 of 4 accepted, 51% needed', '1 of 4', 25, ['2 more assignments accepted']],
  ['workAccepted', 100, {}, '1 of 4 accepted', '1 of 4', 25, ['3 more assignments accepted']],
  ['workAccepted', 100, noWork, 'No assignments to hand in', '0 of 0', 100, []],

  ['rating', 3.5, {}, 'Rated 3.5 of 5', '3.5 of 5', 70, []],
  ['rating', 4, {}, 'Rated 3.5 of 5, 4.0 needed', '3.5 of 5', 70, ['a rating of 4.0 or more']],
  ['rating', 1, { rating: null }, 'Not rated yet, 1.0 needed', 'Not rated yet', 0, ['a rating of 1.0 or more']],

  ['daysEnrolled', 4, {}, '4 days enrolled', '4 of 4', 100, []],
  ['daysEnrolled', 5, {}, '4 days enrolled, 5 needed', '4 of 5', 80, ['1 more day']],
  ['daysEnrolled', 5, { daysEnrolled: 1 }, '1 day enrolled, 5 needed', '1 of 5', 20, ['4 more days']],
])('a limit of %s at %d, with %j: "%s"', (fact, limit, facts, reason, standing, percentage, stillNeeded) => {
  const { about } = measures[fact];
  const isMet = stillNeeded.length === 0;
  expect(judged(fact, limit, facts)).toEqual({ name: 'It', isMet, reason, standing, percentage, stillNeeded, about });
});

test('hours that are not quite enough never read as enough, and what is still needed is never a hundredth too much', () => {
  expect(judged('hoursAttended', 1, { minutesAttended: 59.9 })).toMatchObject({
    isMet: false,
    standing: '0.99 of 1',
    stillNeeded: ['0.01 more hours'],
  });
  for (let minutes = 0; minutes < 48_000; minutes += 3) {
    const needed = (minutes + 6) / 60;
    expect(judged('hoursAttended', needed, { minutesAttended: minutes })?.stillNeeded).toEqual(['0.1 more hours']);
  }
});

test.each<[RuleFact, string, string, string, string, string]>([
  ['attendanceShare', 'Share of activities attended', 'at least', 'percent', '1 to 100', 'activities'],
  ['sessionsAttended', 'Sessions attended', 'at least', 'count', '1 to 200', 'activities'],
  ['minutesAttended', 'Minutes attended', 'at least', 'minutes', '1 to 50000', 'activities'],
  ['hoursAttended', 'Hours attended', 'at least', 'hours', '0.5 to 800', 'activities'],
  ['absences', 'Activities missed', 'at most', 'count', '0 to 100', 'activities'],
  ['unexcusedAbsences', 'Activities missed without an excuse', 'at most', 'count', '0 to 200', 'activities'],
  ['workHandedIn', 'Share of work handed in', 'at least', 'percent', '1 to 100', 'assignments'],
  ['workAccepted', 'Share of work accepted', 'at least', 'percent', '1 to 100', 'assignments'],
  ['rating', "Coach's rating", 'at least', 'rating', '1 to 5', 'rating'],
  ['daysEnrolled', 'Days enrolled', 'at least', 'days', '1 to 31', 'membership'],
])(
  'an admin who writes rules reads %s as "%s", asks %s, in %s from %s, and evidence of it is the %s',
  (fact, ...words) => {
    const { label, asks, unit, range, about } = measures[fact];
    expect([label, asks, unit, range.join(' to '), about]).toEqual(words);
  },
);

test('every fact that rules may ask for takes both ends of its range, and refuses what is beyond in words', () => {
  expect(RuleFact.options).toEqual(Object.keys(measures));
  for (const fact of RuleFact.options) {
    const [first, last] = measures[fact].range;
    const problems = (limit: number) =>
      Requirement.safeParse({ name: 'It', fact, limit }).error?.issues.map(({ code, path, message }) => [
        code,
        ...path,
        message,
      ]);
    expect([problems(first), problems(last)], fact).toEqual([undefined, undefined]);
    const refusal = [['custom', 'limit', `Enter a number from ${first} to ${last}.`]];
    expect([problems(first - 0.1), problems(last + 0.1)], fact).toEqual([refusal, refusal]);
  }
});

test.each<[RuleFact, number, string]>([
  ['attendanceShare', 80, 'at least 80% of the activities are attended'],
  ['sessionsAttended', 1, 'at least 1 session is attended'],
  ['sessionsAttended', 3, 'at least 3 sessions are attended'],
  ['minutesAttended', 1, 'at least 1 minute is attended'],
  ['minutesAttended', 1_500, 'at least 1,500 minutes are attended'],
  ['hoursAttended', 1, 'at least 1 hour is attended'],
  ['hoursAttended', 2.5, 'at least 2.5 hours are attended'],
  ['absences', 0, 'no activity is missed'],
  ['absences', 2, 'at most 2 of the activities are missed'],
  ['unexcusedAbsences', 0, 'no activity is missed without an excuse'],
  ['unexcusedAbsences', 2, 'at most 2 of the activities are missed without an excuse'],
  ['workHandedIn', 100, 'all work is handed in'],
  ['workHandedIn', 75, 'at least 75% of the work is handed in'],
  ['workAccepted', 100, 'all work is accepted'],
  ['workAccepted', 75, 'at least 75% of the work is accepted'],
  ['rating', 3, "the coach's rating is 3.0 or more"],
  ['daysEnrolled', 1, 'the person is enrolled for at least 1 day'],
  ['daysEnrolled', 4, 'the person is enrolled for at least 4 days'],
])('a limit of %s at %d pays when %s', (fact, limit, words) => {
  expect(ruleSentence({ criteria: [{ name: 'It', fact, limit }] })).toBe(`Paid when ${words}.`);
});

const recorded = 'An activity counts once it is recorded for you: you mark it complete, or your coach records it.';
const eachWork = 'All assignments of the month count, required or not.';
const again =
  'Handed in is enough, even before your coach has read it. Work that comes back to you counts again when you hand it in again.';

test.each<[RuleFact, number, string, string]>([
  [
    ...(['attendanceShare', 80, 'What counts as attendance?'] as const),
    `${recorded} You need 80% of the month's activities. A month without activities is fine.`,
  ],
  [
    ...(['sessionsAttended', 1, 'What counts as a session?'] as const),
    `An activity that has a day. ${recorded} You need 1 session.`,
  ],
  [
    ...(['sessionsAttended', 3, 'What counts as a session?'] as const),
    `An activity that has a day. ${recorded} You need 3 sessions.`,
  ],
  [
    ...(['minutesAttended', 1, 'Which minutes count?'] as const),
    `The planned minutes of each activity. ${recorded} You need 1 minute.`,
  ],
  [
    ...(['minutesAttended', 90, 'Which minutes count?'] as const),
    `The planned minutes of each activity. ${recorded} You need 90 minutes.`,
  ],
  [
    ...(['hoursAttended', 1, 'Which hours count?'] as const),
    `The planned time of each activity. ${recorded} You need 1 hour.`,
  ],
  [
    ...(['hoursAttended', 2.5, 'Which hours count?'] as const),
    `The planned time of each activity. ${recorded} You need 2.5 hours.`,
  ],
  ['absences', 2, 'What counts as an absence?', `${recorded} You may miss 2 of the month's activities.`],
  [
    ...(['unexcusedAbsences', 2, 'What is an excused absence?'] as const),
    `An activity that you miss for a reason your coach accepts. ${recorded} You may miss 2 without an excuse.`,
  ],
  ['workHandedIn', 100, 'Which assignments count?', `${eachWork} ${again}`],
  ['workHandedIn', 75, 'Which assignments count?', `${eachWork} You need 75% of them. ${again}`],
  ['workAccepted', 75, 'Which work counts?', 'Assignments that your coach has accepted. You need 75% of them.'],
  [
    ...(['rating', 3, 'Who rates me?'] as const),
    'Your coach rates each month from 1.0 to 5.0. You need 3.0 or more. Until then the month waits for the rating.',
  ],
  ['daysEnrolled', 1, 'Which days count?', 'The days on which you are a member of the cohort. You need 1 day.'],
  ['daysEnrolled', 4, 'Which days count?', 'The days on which you are a member of the cohort. You need 4 days.'],
])('a participant who asks about %s at %d is answered: "%s"', (fact, limit, question, answer) => {
  expect(measures[fact].help(limit, 'month')).toEqual({ question, answer });
});

const nothingLost = { activities: 0, assignments: 0, sessions: 0, minutes: 0, unexcused: 0 };

test('at best, a running week gets all that is not lost', () => {
  const lost = { activities: 3, assignments: 1, sessions: 2, minutes: 90, unexcused: 1 };
  expect(atBest({ ...week, rating: null }, lost)).toEqual({
    ...week,
    activitiesAccessed: 7,
    assignmentsSubmitted: 3,
    assignmentsUntouched: 1,
    assignmentsAccepted: 3,
    sessionsAttended: 3,
    minutesAttended: 510,
    unexcusedAbsences: 1,
    rating: bestRating,
  });
});

test.each<[RuleFact, number, Partial<LostSoFar>, Partial<LostSoFar>]>([
  ['sessionsAttended', 4, { sessions: 1 }, { sessions: 2 }],
  ['hoursAttended', 9, { minutes: 60 }, { minutes: 61 }],
  ['unexcusedAbsences', 1, { unexcused: 1 }, { unexcused: 2 }],
  ['workAccepted', 75, { assignments: 1 }, { assignments: 2 }],
] as const)(
  'a running week that needs %s of %d is at risk by what is lost of it, not a bit earlier',
  (fact, limit, ...steps) => {
    const risks = steps.map((lost) =>
      isAtRisk(week, { ...nothingLost, ...lost }, { criteria: [{ name: 'It', fact, limit }] }),
    );
    expect(risks).toEqual([false, true]);
  },
);

test('what was not counted counts as nothing', () => {
  expect(Object.values(notCounted)).toEqual(Object.keys(MoreFacts.shape).map(() => 0));
});

test('facts, findings and lines of an amount leave whole, and none of their parts is left out', () => {
  const finding = {
    ...{ name: 'Rating', about: 'rating', isMet: true, reason: 'Rated 3.5 of 5', standing: '3.5 of 5' },
    ...{ percentage: 70, stillNeeded: [] },
  };
  const line = { name: 'Days', count: 2, cents: 300 };
  expect([Criterion.parse(finding), AmountLine.parse(line), MoreFacts.parse(notCounted)]).toEqual([
    finding,
    line,
    notCounted,
  ]);
  for (const schema of [Criterion, Finding, AmountLine, MoreFacts]) expect(schema.safeParse({}).success).toBe(false);
  for (const about of ['activities', 'assignments', 'rating', 'membership']) {
    expect(Criterion.safeParse({ ...finding, about }).success, about).toBe(true);
  }
  expect(Criterion.safeParse({ ...finding, about: 'weather' }).success).toBe(false);
});
