import { joinOpensMinutesBefore } from '#contract/coach-sessions.ts';

const minuteInMs = 60_000;

interface SessionTimes {
  scheduledAt: string;
  durationMinutes: number;
}

/** COACH-39: from 15 minutes before the start until the end. */
export function isJoinOpen(session: SessionTimes, now: Date): boolean {
  const opensAt = Date.parse(session.scheduledAt) - joinOpensMinutesBefore * minuteInMs;
  return now.getTime() >= opensAt && !hasEnded(session, now);
}

export function hasEnded({ scheduledAt, durationMinutes }: SessionTimes, now: Date): boolean {
  return now.getTime() >= Date.parse(scheduledAt) + durationMinutes * minuteInMs;
}
