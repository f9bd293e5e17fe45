import { createHash } from 'node:crypto';
import ICAL from 'ical.js';
import { tzlib_get_ical_block } from 'timezones-ical-library';
import { addDays } from '#contract/weeks.ts';
import { parseSender } from './mail-sender.ts';

// A line holds at most 75 octets. The library does not count the blank that starts a folded line.
ICAL.foldLength = 74;

/** An entry of a calendar. It lasts a whole day or, if it has times, from one instant to another. */
export interface CalendarItem {
  kind: 'activity' | 'assignment' | 'session' | 'requirement';
  id: string;
  title: string;
  description: string | null;
  place: string | null;
  /** The week, module, cohort or kind that the item belongs to, in words. */
  facts: string[];
  day: string;
  /** The zone of its program, a name of the tz database. */
  zone: string;
  /** Instants as `calendarMoment` writes them in the zone, or null for a whole day. */
  startsAt: string | null;
  endsAt: string | null;
  isCancelled: boolean;
  sequence: number;
  changedAt: Date;
}

/** Tells a mail program to add or change an event, or to take it away. */
export interface CalendarInvitation {
  item: CalendarItem;
  attendees: { name: string; email: string }[];
}

type Property = [name: string, parameters: Record<string, string>, type: string, value: string | number];

/** Calendar programs are asked to read again this often. */
const refreshInterval = 'PT1H';

const definitions = new Map<string, unknown>();

/** What the file says of the zones that its times are in (RFC 5545, 3.6.5). */
function zonesOf(items: CalendarItem[]): unknown[] {
  return [...new Set(items.map(({ zone }) => zone))].map((zone) => {
    const known = definitions.get(zone) ?? ICAL.parse(tzlib_get_ical_block(zone)[0] ?? '');
    definitions.set(zone, known);
    return known;
  });
}

/** Writes the items as an iCalendar file (RFC 5545). */
export function calendarText(items: CalendarItem[], { publicUrl, zone }: { publicUrl: string; zone: string }): string {
  const properties: Property[] = [
    ...fileProperties('PUBLISH'),
    ['name', {}, 'unknown', 'Switchyard'],
    ['refresh-interval', {}, 'duration', refreshInterval],
    ['x-wr-calname', {}, 'unknown', 'Switchyard'],
    ['x-wr-timezone', {}, 'unknown', zone],
    ['x-published-ttl', {}, 'unknown', refreshInterval],
  ];
  const events = items.map((item) => ['vevent', eventProperties(item, publicUrl), []]);
  return ICAL.stringify(['vcalendar', properties, [...zonesOf(items), ...events]]);
}

export function calendarInvitationMethod({ item }: CalendarInvitation): 'REQUEST' | 'CANCEL' {
  return item.isCancelled ? 'CANCEL' : 'REQUEST';
}

/** Writes the same event as `calendarText` does, as a request to its attendees (RFC 5546). */
export function calendarInvitationText(
  calendarInvitation: CalendarInvitation,
  { publicUrl, mailFrom }: { publicUrl: string; mailFrom: string },
): string {
  const { item, attendees } = calendarInvitation;
  const properties: Property[] = [
    ...eventProperties(item, publicUrl),
    // Mail programs take changes only from the organizer, so the organizer is the mail's sender.
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
  return ICAL.stringify(['vcalendar', fileProperties(method), [...zonesOf([item]), ['vevent', properties, []]]]);
}

function fileProperties(method: string): Property[] {
  return [
    ['version', {}, 'text', '2.0'],
    ['prodid', {}, 'text', '-//Switchyard//Training Calendar//EN'],
    ['calscale', {}, 'text', 'GREGORIAN'],
    ['method', {}, 'text', method],
  ];
}

/** A quote ends a parameter, and programs do not know the escape for it. So a quote becomes an apostrophe. */
function personParameters(name: string): Record<string, string> {
  return { cn: plain(name).replace(/\s+/g, ' ').replaceAll('"', "'") };
}

function mailto(address: string): string {
  return `mailto:${encodeURI(address)}`;
}

/** Equal items have equal tags in every process. */
export function calendarTag(text: string): string {
  return `W/"${createHash('sha256').update(text).digest('base64url')}"`;
}

function eventProperties(item: CalendarItem, publicUrl: string): Property[] {
  const { kind, id, day, zone, startsAt, endsAt, place, isCancelled, sequence } = item;
  const changedAt = item.changedAt.toISOString().replace(/\.\d+/, '');
  const address = addressOf(item, publicUrl);
  const isBusy = startsAt !== null && !isCancelled;
  return [
    // The id is the same for both sides of a session, for every reader and on every instance.
    ['uid', {}, 'text', `${kind}-${id}@switchyard`],
    ['sequence', {}, 'integer', sequence],
    ['dtstamp', {}, 'date-time', changedAt],
    ['last-modified', {}, 'date-time', changedAt],
    startsAt ? timed('dtstart', startsAt, zone) : ['dtstart', {}, 'date', day],
    endsAt ? timed('dtend', endsAt, zone) : ['dtend', {}, 'date', addDays(day, 1)],
    ['summary', {}, 'text', plain(summaryOf(item))],
    ['description', {}, 'text', plain(descriptionOf(item, address))],
    ...(place ? [['location', {}, 'text', plain(place)] satisfies Property] : []),
    ['url', {}, 'uri', address],
    ['status', {}, 'text', isCancelled ? 'CANCELLED' : 'CONFIRMED'],
    ['transp', {}, 'text', isBusy ? 'OPAQUE' : 'TRANSPARENT'],
  ];
}

function timed(name: string, moment: string, zone: string): Property {
  return [name, moment.endsWith('Z') ? {} : { tzid: zone }, 'date-time', moment];
}

/** Some programs show a canceled event like any other, so the words say it too. */
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

/** The file may hold no control characters except line ends and tabs. */
function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '');
}
