import { expect, test } from 'vitest';
import { bookingDays, chosenDay } from './booking-days.ts';

const today = '2026-11-20';
const days = bookingDays({
  today,
  // The first is still Monday evening in US Eastern.
  slots: ['2026-11-24T02:30:00.000Z', '2026-11-25T15:00:00.000Z', '2026-11-25T15:30:00.000Z'],
  sessions: [{ scheduledAt: '2026-11-20T15:00:00.000Z' }, { scheduledAt: '2026-11-25T19:00:00.000Z' }],
});

test('the days to choose from have free times, an own session, or a holiday, and come in order', () => {
  expect(days.map(({ day, slots, holiday, sessions }) => [day, slots.length, holiday, sessions.length])).toEqual([
    ['2026-11-20', 0, null, 1],
    ['2026-11-23', 1, null, 0],
    ['2026-11-25', 2, null, 1],
    ['2026-11-26', 0, 'Thanksgiving', 0],
  ]);
});

test.each([
  ['the first with a free time, unless one is asked for', undefined, '2026-11-23'],
  ['the one that is asked for, also without a free time', '2026-11-26', '2026-11-26'],
  ['the first with a free time, if the one asked for is not among them', '2026-11-24', '2026-11-23'],
])('the chosen day is %s', (_, asked, expected) => {
  expect(chosenDay(days, asked)?.day).toBe(expected);
});
