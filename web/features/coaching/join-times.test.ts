import { expect, test } from 'vitest';
import { isJoinOpen } from './join-times.ts';

test.each([
  ['09:44:59', false],
  ['09:45:00', true],
  ['10:00:00', true],
  ['10:29:59', true],
  ['10:30:00', false],
  ['10:31:00', false],
])('COACH-39 a session from 10:00 to 10:30 can be joined at %s: %s', (time, isOpen) => {
  const session = { scheduledAt: '2026-02-04T10:00:00-05:00', durationMinutes: 30 };
  expect(isJoinOpen(session, new Date(`2026-02-04T${time}-05:00`))).toBe(isOpen);
});
