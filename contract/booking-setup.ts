import { z } from 'zod';
import { bookingLinkProblem, bookingLinkTooLong, longestBookingLink } from './booking-links.ts';
import { Day, Done, endpoint, Id, IdParams } from './endpoint.ts';

const BookingSetup = z.object({
  schedulingEnabled: z.boolean(),
  schedulingLink: z.string().nullable(),
  instructions: z.string().nullable(),
});

export const readBookingSetup = endpoint({
  name: 'readBookingSetup',
  method: 'GET',
  path: '/api/coach/booking-setup',
  access: 'coaching.run',
  summary: "The coach's external booking link and what participants read beside it.",
  shows: ['availability'],
  response: BookingSetup,
});

export const saveBookingSetup = endpoint({
  name: 'saveBookingSetup',
  method: 'PUT',
  path: '/api/coach/booking-setup',
  access: 'coaching.run',
  summary: 'Saves the link and the instructions; switched off, the link is cleared.',
  body: z
    .object({
      schedulingEnabled: z.boolean(),
      schedulingLink: z.string().trim().max(longestBookingLink, bookingLinkTooLong).nullable(),
      instructions: z.string().trim().max(2000).nullable(),
    })
    .superRefine(({ schedulingEnabled, schedulingLink }, context) => {
      const message = schedulingEnabled ? bookingLinkProblem(schedulingLink ?? '') : null;
      if (message) context.addIssue({ code: 'custom', path: ['schedulingLink'], message });
    }),
  response: BookingSetup,
});

/** A wall-clock time in half hours; 24:00 ends a day. */
const HalfHour = z.string().regex(/^(([01]\d|2[0-3]):[03]0|24:00)$/, 'Choose times on the hour or half hour.');

export const AvailabilityRange = z
  .object({ dayOfWeek: z.number().int().min(0).max(6), startTime: HalfHour, endTime: HalfHour })
  .refine(({ startTime, endTime }) => startTime < endTime, 'A time must end after it starts.');
export type AvailabilityRange = z.infer<typeof AvailabilityRange>;

/** COACH-51: day 0 is a Sunday, and so is the day on which a week starts. */
const WeekStart = Day.refine((day) => new Date(`${day}T00:00:00Z`).getUTCDay() === 0, 'A week starts on a Sunday.');
const WeekParams = z.object({ weekStartDate: WeekStart });

const Availability = z.object({
  weekStartDate: Day,
  /** US Eastern wall-clock times `HH:MM`, by day and time. */
  ranges: z.array(AvailabilityRange),
});

export const readAvailability = endpoint({
  name: 'readAvailability',
  method: 'GET',
  path: '/api/coach/availability/:weekStartDate',
  access: 'coaching.run',
  summary: 'When the coach takes sessions in a week.',
  shows: ['availability', 'sessions'],
  params: WeekParams,
  response: Availability,
});

export const saveAvailability = endpoint({
  name: 'saveAvailability',
  method: 'PUT',
  path: '/api/coach/availability/:weekStartDate',
  access: 'coaching.run',
  summary: "Replaces the coach's times of one week (COACH-52); sessions that are booked stay booked.",
  params: WeekParams,
  body: z.object({
    ranges: z
      .array(AvailabilityRange)
      .max(7 * 24)
      .refine(areApart, 'Two times on one day overlap.'),
  }),
  response: Availability,
});

function areApart(ranges: AvailabilityRange[]): boolean {
  return ranges.every((range, index) =>
    ranges
      .slice(index + 1)
      .every(
        (other) =>
          other.dayOfWeek !== range.dayOfWeek || other.endTime <= range.startTime || range.endTime <= other.startTime,
      ),
  );
}

const Leave = z.object({ id: Id, startsOn: Day, endsOn: Day, note: z.string().nullable() });

export const listLeave = endpoint({
  name: 'listLeave',
  method: 'GET',
  path: '/api/coach/leave',
  access: 'coaching.run',
  summary: 'The days on which the coach takes no bookings, from today on; at most 100.',
  shows: ['availability', 'sessions'],
  response: z.object({ leave: z.array(Leave) }),
});

export const addLeave = endpoint({
  name: 'addLeave',
  method: 'POST',
  path: '/api/coach/leave',
  access: 'coaching.run',
  summary: 'Takes days out of booking, both included; sessions that are booked stay booked.',
  body: z
    .object({ startsOn: Day, endsOn: Day, note: z.string().trim().max(200).nullable() })
    .refine(({ startsOn, endsOn }) => startsOn <= endsOn, {
      path: ['endsOn'],
      message: 'The last day must not be before the first.',
    }),
  response: Leave,
});

export const removeLeave = endpoint({
  name: 'removeLeave',
  method: 'DELETE',
  path: '/api/coach/leave/:id',
  access: 'coaching.run',
  summary: 'Opens the days for booking again.',
  params: IdParams,
  response: Done,
});
