import { dayAt } from '#contract/weeks.ts';
import { writerOf } from '#contract/zone-writers.ts';
import { shownZone } from '../../api/shown-zone.ts';
import { formatDateTime, formatDay, formatTime } from '../../ui/dates.ts';

const hourInMs = 60 * 60 * 1000;
const weekdayParts = { weekday: 'short' } as const;

/**
 * MSG-32 to MSG-34: shows the time. After a day it adds the weekday, and after a week the date. All are in programme
 * time.
 */
export function formatMessageTime(sentAt: string, now: Date): string {
  const age = now.getTime() - Date.parse(sentAt);
  if (age < 24 * hourInMs) return formatTime(sentAt);
  if (age < 168 * hourInMs) return `${weekdayOf(sentAt)}, ${formatTime(sentAt)}`;
  if (yearOf(sentAt) === yearOf(now.toISOString())) return formatDateTime(sentAt);
  return `${formatDay(sentAt, { withYear: true })}, ${formatTime(sentAt)}`;
}

/** The line above the messages of one day. */
export function formatMessageDay(sentAt: string, now: Date): string {
  const day = dayAt(new Date(sentAt), shownZone());
  if (day === dayAt(now, shownZone())) return 'Today';
  if (day === dayAt(new Date(now.getTime() - 24 * hourInMs), shownZone())) return 'Yesterday';
  return formatDay(day, { withYear: yearOf(sentAt) !== yearOf(now.toISOString()) });
}

function weekdayOf(instant: string): string {
  return writerOf(weekdayParts, shownZone()).format(new Date(instant));
}

function yearOf(instant: string): string {
  return dayAt(new Date(instant), shownZone()).slice(0, 4);
}
