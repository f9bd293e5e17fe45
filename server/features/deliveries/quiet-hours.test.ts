import { expect, test } from 'vitest';
import { houseZone } from '#contract/house-zone.ts';
import { endOfQuietHours, nextQuietHours } from './quiet-hours.ts';

test.each([
  ['a winter evening', '2026-01-15T02:00:00Z', '2026-01-15T13:00:00Z'],
  ['a winter night', '2026-01-15T12:59:59Z', '2026-01-15T13:00:00Z'],
  ['a summer evening', '2026-07-15T01:00:00Z', '2026-07-15T12:00:00Z'],
  ['the night in which the clocks go forward', '2026-03-08T03:00:00Z', '2026-03-08T12:00:00Z'],
  ['that night after the change', '2026-03-08T11:00:00Z', '2026-03-08T12:00:00Z'],
  ['the night in which the clocks go back', '2026-11-01T01:30:00Z', '2026-11-01T13:00:00Z'],
  ['that night after the change, too', '2026-11-01T12:30:00Z', '2026-11-01T13:00:00Z'],
])('quiet hours of %s end at 8 AM in US Eastern', (_, at, end) => {
  expect(endOfQuietHours(new Date(at), houseZone)?.toISOString()).toBe(new Date(end).toISOString());
});

test.each(['2026-01-15T13:00:00Z', '2026-01-16T01:59:59Z', '2026-07-15T12:00:00Z', '2026-07-16T00:59:59Z'])(
  '%s is no quiet hour',
  (at) => {
    expect(endOfQuietHours(new Date(at), houseZone)).toBeNull();
  },
);

test.each([
  ['2026-07-15T16:00:00Z', '2026-07-16T01:00:00Z'],
  ['2026-01-16T01:59:59Z', '2026-01-16T02:00:00Z'],
  ['2026-03-07T13:00:00Z', '2026-03-08T02:00:00Z'],
  ['2026-03-08T12:00:00Z', '2026-03-09T01:00:00Z'],
  ['2026-11-01T13:00:00Z', '2026-11-02T02:00:00Z'],
])('after %s phones are quiet from 9 PM in US Eastern', (at, start) => {
  expect(nextQuietHours(new Date(at), houseZone)).toEqual(new Date(start));
});

test.each([
  ['America/Denver', '2026-03-08T04:00:00Z', '2026-03-08T14:00:00Z'],
  ['America/Phoenix', '2026-03-08T05:00:00Z', '2026-03-08T15:00:00Z'],
  ['Australia/Sydney', '2026-10-03T12:00:00Z', '2026-10-03T21:00:00Z'],
  ['Australia/Sydney', '2026-04-04T12:00:00Z', '2026-04-04T22:00:00Z'],
])('quiet hours in %s end at 8 AM there, across a change of the clocks too', (zone, at, end) => {
  expect(endOfQuietHours(new Date(at), zone)).toEqual(new Date(end));
  expect(endOfQuietHours(new Date(end), zone)).toBeNull();
  expect(nextQuietHours(new Date(end), zone).getTime() - Date.parse(end)).toBe(13 * 3_600_000);
});
