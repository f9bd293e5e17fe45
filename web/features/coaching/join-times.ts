import { joinOpensMinutesBefore } from '#contract/coach-sessions.ts';

const minuteInMs = 60_000;

/** COACH-39: from 15 minutes before the start until the end. */
export function isJoinOpen(
  { scheduledAt, durationMinutes }: { scheduledAt: string; durationMinutes: number },
  now: Date,
): boolean {
  const start = Date.parse(scheduledAt);
  const end = start + durationMinutes * minuteInMs;
  return now.getTime() >= start - joinOpensMinutesBefore * minuteInMs && now.getTime() < end;
}
