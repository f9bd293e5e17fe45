import { afterEach, expect, test, vi } from 'vitest';
import { showTimesIn } from '../api/shown-zone.ts';
import {
  formatClock,
  formatDateTime,
  formatDay,
  formatInstantInRow,
  formatInstantWithYear,
  formatLocalTime,
  formatShortInstant,
  formatTime,
} from './dates.ts';

const zones = ['America/New_York', 'America/Los_Angeles', 'UTC', 'Asia/Tokyo', 'Pacific/Auckland'];

afterEach(() => {
  vi.unstubAllEnvs();
  showTimesIn('America/New_York');
});

function inDeviceZone(zone: string): void {
  vi.stubEnv('TZ', zone);
  expect(new Intl.DateTimeFormat().resolvedOptions().timeZone, 'the device is in the zone').toBe(zone);
}

test.each(zones)('TIME-01 an instant is shown in US Eastern on a device in %s', (zone) => {
  inDeviceZone(zone);
  expect(formatDateTime('2026-11-03T19:00:00Z')).toBe('Tue 3 Nov, 2:00 PM ET');
  expect(formatDateTime(new Date('2026-07-03T18:00:00Z'))).toBe('Fri 3 Jul, 2:00 PM ET');
  expect(formatTime('2026-03-08T06:59:00Z')).toBe('1:59 AM ET');
  expect(formatTime('2026-03-08T07:00:00Z')).toBe('3:00 AM ET');
  expect(formatDay('2026-11-04T04:30:00Z', { withYear: true })).toBe('Tue 3 Nov 2026');
  expect(formatClock('14:00', 'America/New_York')).toBe('2:00 PM ET');
  expect(formatClock('00:30:00', 'America/New_York')).toBe('12:30 AM ET');
});

test.each(zones)('TIME-05 a date without a time stays on its day on a device in %s', (zone) => {
  inDeviceZone(zone);
  expect(formatDay('2026-11-03')).toBe('Tue 3 Nov');
  expect(formatDay('2026-01-01', { withYear: true })).toBe('Thu 1 Jan 2026');
  expect(formatDay('2026-03-08')).toBe('Sun 8 Mar');
});

test('TIME-03 a missing date reads Not scheduled', () => {
  for (const missing of [null, undefined, '']) {
    expect(formatDateTime(missing)).toBe('Not scheduled');
    expect(formatTime(missing)).toBe('Not scheduled');
    expect(formatDay(missing)).toBe('Not scheduled');
  }
  expect(formatClock(null, 'America/New_York')).toBe('Not scheduled');
});

test('TIME-04 a value that is no date reads Invalid date', () => {
  for (const invalid of ['soon', '2026-13-40', new Date(Number.NaN)]) {
    expect(formatDateTime(invalid)).toBe('Invalid date');
    expect(formatTime(invalid)).toBe('Invalid date');
    expect(formatDay(invalid)).toBe('Invalid date');
  }
  expect(formatDay('2026-02-30')).toBe('Invalid date');
  expect(formatClock('25:70', 'America/New_York')).toBe('Invalid date');
});

test('the own time is offered only where the clock there shows something else', () => {
  inDeviceZone('America/Los_Angeles');
  expect(formatLocalTime('2026-11-03T19:00:00Z')).toBe('Tue 3 Nov, 11:00 AM, your time');
  inDeviceZone('America/Toronto');
  expect(formatLocalTime('2026-11-03T19:00:00Z')).toBeNull();
  inDeviceZone('America/New_York');
  expect(formatLocalTime('2026-11-03T19:00:00Z')).toBeNull();
});

test('times are said in the zone of the person’s program, with the own time where that differs', () => {
  inDeviceZone('America/New_York');
  showTimesIn('America/Denver');
  expect(formatDateTime('2026-11-03T19:00:00Z')).toBe('Tue 3 Nov, 12:00 PM MT');
  expect(formatDay('2026-11-04T06:30:00Z')).toBe('Tue 3 Nov');
  expect(formatShortInstant('2026-09-08T18:30:00Z')).toBe('Sep 8, 12:30 PM MT');
  expect(formatClock('09:00', 'Australia/Sydney')).toBe('9:00 AM Sydney Time');
  expect(formatLocalTime('2026-11-03T19:00:00Z')).toBe('Tue 3 Nov, 2:00 PM, your time');
  expect(formatLocalTime('2026-11-03T19:00:00Z', 'America/New_York')).toBeNull();
});

test('an instant of another year than today has its year, by the zone of the program', () => {
  const newYear = '2026-01-01T04:30:00Z';
  expect(formatInstantInRow(newYear, '2025-12-31')).toBe('Dec 31, 11:30 PM ET');
  expect(formatInstantInRow(newYear, '2026-01-01')).toBe('Dec 31, 2025');
  expect(formatInstantWithYear(newYear, '2025-12-31')).toBe('Dec 31, 11:30 PM ET');
  expect(formatInstantWithYear(newYear, '2026-01-01')).toBe('Dec 31, 2025, 11:30 PM ET');
  showTimesIn('UTC');
  expect(formatInstantInRow(newYear, '2026-01-01')).toMatch(/^Jan 1, 4:30 AM /);
  expect(formatInstantInRow('soon', '2026-01-01')).toBe('Invalid date');
});
