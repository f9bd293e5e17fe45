import { createHash } from 'node:crypto';
import ICAL from 'ical.js';
import { tzlib_get_ical_block } from 'timezones-ical-library';
import { addDays, programmeZone } from '#contract/weeks.ts';
import { parseSender } from './mail-sender.ts';

// A line holds 75 octets at most, and the library does not count the blank that a folded one begins with.
ICAL.foldLength = 74;

/** What stands in a calendar at a day or, where it has a time, from an instant to another. */
export interface CalendarItem {
  kind: 'activity' | 'assignment' | 'session' | 'requirement';
  id: string;
  title: string;
  description: string | null;
  place: string | null;
  /** The week, module, cohort or kind that it belongs to, in words. */
  facts: string[];
  day: string;
  /** As `calendarMoment` writes them; null for a whole day. */
  startsAt: string | null;
  endsAt: string | null;
  isCancelled: boolean;
  sequence: number;
  changedAt: Date;
}

/** What a mail program is to do with an event: to add or change it, or to take it away. */
export interface CalendarInvitation {
  item: CalendarItem;
  attendees: { name: string; email: string }[];
}

type Property = [name: string, parameters: Record<string, string>, type: string, value: string | number];

/** How often calendar programs are asked to read again. */
const refreshInterval = 'PT1H';
const [zoneText = ''] = tzlib_get_ical_block(programmeZone);
const zone = ICAL.parse(zoneText);

/** The items as an iCalendar file (RFC 5545). */
export function calendarText(items: CalendarItem[], publicUrl: string): string {
  const properties: Property[] = [
    ...fileProperties('PUBLISH'),
    ['name', {}, 'unknown', 'Switchyard'],
    ['refresh-interval', {}, 'duration', refreshInterval],
    ['x-wr-calname', {}, 'unknown', 'Switchyard'],
    ['x-wr-timezone', {}, 'unknown', programmeZone],
    ['x-published-ttl', {}, 'unknown', refreshInterval],
  ];
  const events = items.map((item) => ['vevent', eventProperties(item, publicUrl), []]);
  return ICAL.stringify(['vcalendar', properties, [zone, ...events]]);
}

export function calendarInvitationMethod({ item }: CalendarInvitation): 'REQUEST' | 'CANCEL' {
  return item.isCancelled ? 'CANCEL' : 'REQUEST';
}

/** The same event as `calendarText` writes, as a request to those who attend it (RFC 5546). */
export function calendarInvitationText(
  calendarInvitation: CalendarInvitation,
  { publicUrl, mailFrom }: { publicUrl: string; mailFrom: string },
): string {
  const { item, attendees } = calendarInvitation;
  const properties: Property[] = [
    ...eventProperties(item, publicUrl),
    // Mail programs take changes only from the organizer, so it is who sends the mail.
    ['organizer', personParameters(parseSender(mailFrom).name), 'cal-address', mailto(parseSender(mailFrom).address)],
    ...attendees.map(
      ({ name, email }): Property => [
        'attendee',
        {
          ...personParameters(name),
          cutype: 'INDIVIDUAL',
          role: 'REQ-PARTICIPANT',
          partstat: 'ACCEPTED',
          rsvp: 'FALSE',
        },
        'cal-address',
        mailto(email),
      ],
    ),
  ];
  const method = calendarInvitationMethod(calendarInvitation);
  return ICAL.stringify(['vcalendar', fileProperties(method), [zone, ['vevent', properties, []]]]);
}

function fileProperties(method: string): Property[] {
  return [
    ['version', {}, 'text', '2.0'],
    ['prodid', {}, 'text', '-//Switchyard//Training Calendar//EN'],
    ['calscale', {}, 'text', 'GREGORIAN'],
    ['method', {}, 'text', method],
  ];
}

/** Quotes end a parameter, and the way to write them is one that programs don't know. */
function personParameters(name: string): Record<string, string> {
  return { cn: plain(name).replace(/\s+/g, ' ').replaceAll('"', "'") };
}

function mailto(address: string): string {
  return `mailto:${encodeURI(address)}`;
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

function timed(name: string, moment: string): Property {
  return [name, moment.endsWith('Z') ? {} : { tzid: programmeZone }, 'date-time', moment];
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
