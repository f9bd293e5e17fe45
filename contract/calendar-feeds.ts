import { z } from 'zod';
import { Done, endpoint, Id, Instant } from './endpoint.ts';

/** The secret address at which calendar programs read a person's calendar. */
export const CalendarFeed = z.object({
  address: z.string(),
  createdAt: Instant,
  /** The moment when a calendar program last read it. Null until one does. */
  lastReadAt: Instant.nullable(),
});
export type CalendarFeed = z.infer<typeof CalendarFeed>;

export const readCalendarFeed = endpoint({
  name: 'readCalendarFeed',
  method: 'GET',
  path: '/api/calendar-feed',
  access: 'calendar.own',
  summary: "The person's own calendar address; null until one is made, and again after a change of role.",
  shows: ['calendars', 'people'],
  holdsSecret: true,
  response: z.object({ feed: CalendarFeed.nullable() }),
});

export const makeCalendarFeed = endpoint({
  name: 'makeCalendarFeed',
  method: 'POST',
  path: '/api/calendar-feed',
  access: 'calendar.own',
  summary: 'Makes the own calendar address, or answers the one that is there.',
  holdsSecret: true,
  response: CalendarFeed,
});

export const renewCalendarFeed = endpoint({
  name: 'renewCalendarFeed',
  method: 'POST',
  path: '/api/calendar-feed/renewal',
  access: 'calendar.own',
  summary: 'Makes a new calendar address; the one before stops at once.',
  holdsSecret: true,
  response: CalendarFeed,
});

export const stopCalendarFeed = endpoint({
  name: 'stopCalendarFeed',
  method: 'DELETE',
  path: '/api/calendar-feed',
  access: 'calendar.own',
  summary: 'Takes the own calendar address away.',
  response: Done,
});

export const downloadCalendar = endpoint({
  name: 'downloadCalendar',
  method: 'GET',
  path: '/calendar/:file',
  access: 'public',
  summary: 'What a calendar program reads (iCalendar): the file name is the secret of the person and ends in .ics.',
  params: z.object({ file: z.string() }),
  response: z.string(),
  binary: { 200: ['text/calendar'], 304: [] },
});

export const calendarItemKinds = ['activity', 'assignment', 'session'] as const;

export const downloadCalendarItem = endpoint({
  name: 'downloadCalendarItem',
  method: 'GET',
  path: '/api/calendar-items/:kind/:id',
  access: 'calendar.own',
  summary: 'One activity, deadline of an assignment or coaching session as an iCalendar file.',
  params: z.object({ kind: z.enum(calendarItemKinds), id: Id }),
  response: z.string(),
  binary: { 200: ['text/calendar'] },
});
