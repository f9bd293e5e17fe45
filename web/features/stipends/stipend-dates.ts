import { programmeZone } from '#contract/weeks.ts';
import { formatDay, writeMoment } from '../../ui/dates.ts';

const instantParts = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
const shortInstant = new Intl.DateTimeFormat('en-US', { ...instantParts, timeZone: programmeZone });
const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** 'Sep 8, 2:30 PM ET' (STIP-59) */
export function formatStipendInstant(instant: string): string {
  return writeMoment(instant, (at) => `${shortInstant.format(at).replaceAll('\u202f', ' ')} ET`);
}

/** 'Sep 8' for a calendar day */
export function formatStipendDay(day: string | null): string {
  return writeMoment(day && `${day}T12:00:00Z`, (at) => shortDay.format(at));
}

/** 'Mon 6 Oct to Fri 10 Oct' */
export function formatStipendWeek(firstDay: string, lastDay: string): string {
  return `${formatDay(firstDay)} to ${formatDay(lastDay)}`;
}
