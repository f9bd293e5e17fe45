import { expect, test } from 'vitest';
import type { Happened } from '#contract/people.ts';
import { historyInWords } from './history-words.ts';

const id = '00000000-0000-7000-8000-000000000001';
const assignment = { id, title: 'Read a meter' };
const week = { weekNumber: 4, payPeriod: 'week', firstDay: '2025-09-29' } as const;
const month = { weekNumber: 2, payPeriod: 'month', firstDay: '2025-10-01' } as const;
const twoWeeks = { weekNumber: 2, payPeriod: 'two_weeks', firstDay: '2025-09-29' } as const;

test.each<[Happened, string, string | undefined]>([
  [{ kind: 'joined', cohort: 'Fall lines' }, 'Joined Fall lines', undefined],
  [{ kind: 'left', cohort: 'Fall lines', hasCompleted: false }, 'Left Fall lines', undefined],
  [{ kind: 'left', cohort: 'Fall lines', hasCompleted: true }, 'Completed Fall lines', undefined],
  [
    { kind: 'attended', activity: { id, title: 'Lab' }, recordedBy: 'Cleo Coach' },
    'Attended Lab',
    'Recorded by Cleo Coach',
  ],
  [{ kind: 'handed_in', assignment, submissionId: id, round: 1 }, 'Handed in Read a meter', undefined],
  [{ kind: 'handed_in', assignment, submissionId: id, round: 2 }, 'Handed in Read a meter', 'Round 2'],
  [{ kind: 'session', status: 'no_show', coach: 'Cleo Coach' }, 'Did not come to a session with Cleo Coach', undefined],
  [{ kind: 'rated', ...week, rating: 4, ratedBy: 'Cleo Coach' }, 'Rated 4.0 for week 4', 'By Cleo Coach'],
  [{ kind: 'rated', ...twoWeeks, rating: 4, ratedBy: 'Cleo Coach' }, 'Rated 4.0 for weeks 3 and 4', 'By Cleo Coach'],
  [{ kind: 'paid', ...month, amountCents: 50_000 }, 'October 2025 paid: $500', undefined],
  [{ kind: 'denied', ...week, reason: 'Was away' }, 'Week 4 denied', 'Was away'],
  [{ kind: 'paid', ...week, amountCents: 50_000 }, 'Week 4 paid: $500', undefined],
  [{ kind: 'payment_taken_back', ...week, amountCents: 45_050 }, 'Week 4: payment of $450.50 taken back', undefined],
  [
    { kind: 'notice', title: 'You have a coach', readAt: null, isBounced: true },
    'Notice: You have a coach',
    'Not read yet. A message about it could not be delivered',
  ],
  [
    { kind: 'notice', title: 'You have a coach', readAt: '2025-10-07T18:00:00Z', isBounced: false },
    'Notice: You have a coach',
    'Read Tue 7 Oct, 2:00 PM ET',
  ],
])('%j is told in words', (happened, title, note) => {
  expect(historyInWords(happened)).toMatchObject({ title, ...(note ? { note } : {}) });
  expect(historyInWords(happened).note).toBe(note);
});

test.each([
  ['2025-10-07T17:00:00Z', 'Read 2:00 PM ET'],
  ['2025-10-06T17:00:00Z', 'Read Tue 7 Oct, 2:00 PM ET'],
  ['2024-10-07T17:00:00Z', 'Read Tue 7 Oct, 2:00 PM ET'],
])('a notice of %s, read later, says: %s', (at, note) => {
  const notice: Happened = {
    kind: 'notice',
    title: 'You have a coach',
    readAt: '2025-10-07T18:00:00Z',
    isBounced: false,
  };
  expect(historyInWords(notice, at).note).toBe(note);
});
