import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { readConfig } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { bookSession } from '#server/features/coaching/booking.ts';
import { saveAvailability } from '#server/features/coaching/booking-setup.ts';
import { cancelSession, updateSession } from '#server/features/coaching/sessions.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now, standingAt } from '#server/platform/clock.ts';
import { easternTime } from './past.ts';
import type { DemoFellow } from './people.ts';

const agendas = [
  'Check-in',
  'Feedback on the lab report',
  'Career plan and next certificate',
  'Preparing for the interview',
];
const notes = [
  'On track. Agreed to draft the lab report before Thursday.',
  'Talked through childcare on lab days; the partner center has places.',
  'Wants to become a relay technician. Next step: shadow a field crew.',
];
const sessionMinutes = 30;

const hourInMs = 3_600_000;
const offeredWeeksToCome = 5;

/**
 * Fills in when coaches take sessions, the sessions of the passed weeks, three of the first coach today, and some to
 * come.
 */
export async function fillCoaching(db: Db, startDate: string, fellows: DemoFellow[]): Promise<void> {
  const coaches = [...new Map(fellows.map(({ coach }) => [coach.id, coach])).values()];
  for (const coach of coaches) await offerTimes(db, coach, startDate);
  const own = fellows.filter(({ coach }) => coach.id === fellows[0]?.coach.id);
  await holdPassedSessions(db, startDate, fellows);
  await bookToday(db, own.slice(1, 4));
  await bookToCome(db, fellows);
}

/** Offers mornings and afternoons of working days. Today counts as one, whichever day it is. */
async function offerTimes(db: Db, coach: Actor, startDate: string): Promise<void> {
  const today = dayAt(now(), houseZone);
  const end = addDays(today, 7 * offeredWeeksToCome);
  for (let sunday = sundayOf(startDate); sunday <= end; sunday = addDays(sunday, 7)) {
    const days = [0, 1, 2, 3, 4, 5, 6].filter((day) => (day > 0 && day < 6) || addDays(sunday, day) === today);
    const ranges = days.flatMap((dayOfWeek) => [
      { dayOfWeek, startTime: '10:00', endTime: '12:00' },
      { dayOfWeek, startTime: '13:30', endTime: '17:00' },
    ]);
    await saveAvailability(db, coach, sunday, ranges);
  }
}

function sundayOf(day: string): string {
  return addDays(day, -new Date(`${day}T00:00:00Z`).getUTCDay());
}

/** Each coach holds two a week, on Wednesdays. The very last one was cancelled. */
async function holdPassedSessions(db: Db, startDate: string, fellows: DemoFellow[]): Promise<void> {
  for (const [index, fellow] of fellows.entries()) {
    const wednesday = addDays(startDate, 7 * (index % 4) + 2);
    const sessionId = await book(db, fellow, easternTime(wednesday, index < 12 ? '11:00' : '15:30'), index);
    if (index === fellows.length - 1) {
      await standingAt(easternTime(wednesday, '08:00'), () =>
        cancelSession(db, fellow.coach, sessionId, 'Family emergency'),
      );
    } else await complete(db, fellow, sessionId, index);
  }
}

async function bookToday(db: Db, fellows: DemoFellow[]): Promise<void> {
  const times = ['10:00', '13:30', '16:30'];
  for (const [index, fellow] of fellows.entries()) {
    const at = easternTime(dayAt(now(), houseZone), times[index] ?? '17:00');
    const sessionId = await book(db, fellow, at, index);
    const isOver = at.getTime() + sessionMinutes * 60_000 < now().getTime();
    if (isOver && index < fellows.length - 1) await complete(db, fellow, sessionId, index);
  }
}

/** Books on the next working days, the demo's participant first. */
async function bookToCome(db: Db, fellows: DemoFellow[]): Promise<void> {
  let day = dayAt(now(), houseZone);
  for (const [index, fellow] of fellows.slice(0, 12).entries()) {
    if (index % 3 === 0) day = nextWorkingDay(day);
    await book(db, fellow, easternTime(day, '11:00'), index);
  }
}

/** The demo shows a program with its usual settings. */
const usualSettings = readConfig({});

/** Books a day before the session, or now if that day has not come yet. */
function book(db: Db, fellow: DemoFellow, startsAt: Date, index: number): Promise<string> {
  const dayBefore = new Date(startsAt.getTime() - 24 * hourInMs);
  const bookedAt = dayBefore > now() ? now() : dayBefore;
  return standingAt(bookedAt, () =>
    bookSession(
      db,
      fellow,
      {
        coachId: fellow.coach.id,
        startsAt,
        agenda: agendas[index % agendas.length] ?? null,
        teamsLink: `https://meet.example/coaching/${fellow.id}`,
      },
      usualSettings,
    ),
  );
}

function complete(db: Db, { coach }: DemoFellow, sessionId: string, index: number): Promise<void> {
  return updateSession(db, coach, sessionId, {
    status: 'completed',
    notes: notes[(index + Math.floor(index / notes.length)) % notes.length] ?? null,
  });
}

function nextWorkingDay(day: string): string {
  const next = addDays(day, 1);
  const weekday = new Date(`${next}T00:00:00Z`).getUTCDay();
  return weekday === 0 || weekday === 6 ? nextWorkingDay(next) : next;
}
