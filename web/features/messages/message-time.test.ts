import { expect, test } from 'vitest';
import { formatMessageDay, formatMessageTime } from './message-time.ts';

const now = new Date('2025-11-05T18:00:00Z');

test.each([
  ['2025-11-05T17:59:00Z', '12:59 PM ET'],
  ['2025-11-04T18:00:01Z', '1:00 PM ET'],
  // The device's clock is behind.
  ['2025-11-05T18:05:00Z', '1:05 PM ET'],
])('MSG-32 a message of %s, less than 24 hours old, shows only the time', (sentAt, shown) => {
  expect(formatMessageTime(sentAt, now)).toBe(shown);
});

test.each([
  ['2025-11-04T18:00:00Z', 'Tue, 1:00 PM ET'],
  ['2025-11-02T04:30:00Z', 'Sun, 12:30 AM ET'],
  ['2025-10-29T18:00:01Z', 'Wed, 2:00 PM ET'],
])('MSG-33 a message of %s, 24 to under 168 hours old, shows weekday and time', (sentAt, shown) => {
  expect(formatMessageTime(sentAt, now)).toBe(shown);
});

test.each([
  ['2025-10-29T18:00:00Z', 'Wed 29 Oct, 2:00 PM ET'],
  ['2025-03-09T07:30:00Z', 'Sun 9 Mar, 3:30 AM ET'],
  ['2024-12-31T18:00:00Z', 'Tue 31 Dec 2024, 1:00 PM ET'],
])('MSG-34 a message of %s, 168 hours old or more, shows date and time', (sentAt, shown) => {
  expect(formatMessageTime(sentAt, now)).toBe(shown);
});

test('the line above a day names it in programme time', () => {
  expect(formatMessageDay('2025-11-05T05:00:00Z', now)).toBe('Today');
  expect(formatMessageDay('2025-11-05T04:59:00Z', now)).toBe('Yesterday');
  expect(formatMessageDay('2025-11-03T18:00:00Z', now)).toBe('Mon 3 Nov');
  expect(formatMessageDay('2024-11-04T18:00:00Z', now)).toBe('Mon 4 Nov 2024');
});
