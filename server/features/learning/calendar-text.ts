import { createHash } from 'node:crypto';
import ICAL from 'ical.js';
import { tzlib_get_ical_block } from 'timezones-ical-library';
import { addDays, programmeZone } from '#contract/weeks.ts';
import type { CalendarItem } from './calendar-item-queries.ts';

// A line holds 75 octets at most, and the library does not count the blank that a folded one begins with.
ICAL.foldLength = 74;

type Property = [name: string, parameters: Record<string, string>, type: string, value: string | number];

/** How often calendar programs are asked to read again. */
const refreshInterval = 'PT1H';
const [zoneText = ''] = tzlib_get_ical_block(programmeZone);
const zone = ICAL.parse(zoneText);

/** The items as an iCalendar file (RFC 5545). */
export function calendarText(items: CalendarItem[], publicUrl: string): string {
  const properties: Property[] = [
    ['version', {}, 'text', '2.0'],
    ['prodid', {}, 'text', '-//Switchyard//Training Calendar//EN'],
    ['calscale', {}, 'text', 'GREGORIAN'],
    ['method', {}, 'text', 'PUBLISH'],
    ['name', {}, 'unknown', 'Switchyard'],
    ['refresh-interval', {}, 'duration', refreshInterval],
    ['x-wr-calname', {}, 'unknown', 'Switchyard'],
    ['x-wr-timezone', {}, 'unknown', programmeZone],
    ['x-published-ttl', {}, 'unknown', refreshInterval],
  ];
  const events = items.map((item) => ['vevent', eventProperties(item, publicUrl), []]);
  return ICAL.stringify(['vcalendar', properties, [zone, ...events]]);
}

/** The same items have the same tag, in every process. */
export function calendarTag(text: string): string {
  return `W/"${createHash('sha256').update(text).digest('base64url')}"`;
}

function eventProperties(item: CalendarItem, publicUrl: string): Property[] {
  const { kind, id, day, startsAt, endsAt, place, isCancelled, sequence } = item;
  const changedAt = item.changedAt.toISOString().replace(/\.\d+/, '');
  const address = addressOf(item, publicUrl);
  const isBusy = startsAt !== null && !isCancelled;
  return [
    // The same for both sides of a session, whoever reads it and wherever the product runs.
    ['uid', {}, 'text', `${kind}-${id}@switchyard`],
    ['sequence', {}, 'integer', sequence],
    ['dtstamp', {}, 'date-time', changedAt],
    ['last-modified', {}, 'date-time', changedAt],
    startsAt ? timed('dtstart', startsAt) : ['dtstart', {}, 'date', day],
    endsAt ? timed('dtend', endsAt) : ['dtend', {}, 'date', addDays(day, 1)],
    ['summary', {}, 'text', plain(summaryOf(item))],
    ['description', {}, 'text', plain(descriptionOf(item, address))],
    ...(place ? [['location', {}, 'text', plain(place)] satisfies Property] : []),
    ['url', {}, 'uri', address],
    ['status', {}, 'text', isCancelled ? 'CANCELLED' : 'CONFIRMED'],
    ['transp', {}, 'text', isBusy ? 'OPAQUE' : 'TRANSPARENT'],
  ];
}

function timed(name: string, wallClock: string): Property {
  return [name, { tzid: programmeZone }, 'date-time', wallClock];
}

/** Some programs show a cancelled event like any other, so the words say it too. */
function summaryOf({ kind, title, isCancelled }: CalendarItem): string {
  const words = kind === 'assignment' || kind === 'requirement' ? `Due: ${title}` : title;
  return isCancelled ? `Cancelled: ${words}` : words;
}

function descriptionOf({ facts, description }: CalendarItem, address: string): string {
  return [facts.join(' · '), description?.trim() ?? '', address].filter(Boolean).join('\n\n');
}

function addressOf({ kind, id }: CalendarItem, publicUrl: string): string {
  if (kind === 'activity') return `${publicUrl}/activity/${id}`;
  return kind === 'assignment' ? `${publicUrl}/assignment/${id}` : `${publicUrl}/dashboard`;
}

/** Control characters other than a line's end may not stand in the file. */
function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '');
}
