import { bookableDays } from '#contract/booking.ts';
import { holidaysBetween } from '#contract/holidays.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { shownZone } from '../../api/shown-zone.ts';

export interface BookingDay {
  day: string;
  /** The free times. There can be none, on a holiday or a day with an own session. */
  slots: string[];
  holiday: string | null;
  /** The own sessions. */
  sessions: { scheduledAt: string }[];
}

interface Facts {
  slots: string[];
  sessions: { scheduledAt: string }[];
  today: string;
}

/** Returns the days that a person chooses from when booking, in order. */
export function bookingDays({ slots, sessions, today }: Facts): BookingDay[] {
  const slotsOf = Map.groupBy(slots, (slot) => dayAt(new Date(slot), shownZone()));
  const sessionsOf = Map.groupBy(sessions, ({ scheduledAt }) => dayAt(new Date(scheduledAt), shownZone()));
  const holidays = new Map(holidaysBetween(today, addDays(today, bookableDays)).map(({ day, name }) => [day, name]));
  const days = new Set([...slotsOf.keys(), ...sessionsOf.keys(), ...holidays.keys()]);
  return [...days].sort().map((day) => ({
    day,
    slots: slotsOf.get(day) ?? [],
    holiday: holidays.get(day) ?? null,
    sessions: sessionsOf.get(day) ?? [],
  }));
}

/** Returns the day asked for, or else the first with a free time. */
export function chosenDay(days: BookingDay[], asked: string | undefined): BookingDay | undefined {
  return days.find(({ day }) => day === asked) ?? days.find(({ slots }) => slots.length > 0);
}
