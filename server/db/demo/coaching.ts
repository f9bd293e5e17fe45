import { addDays, easternDay } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { bookSession, cancelSession, completeSession } from '#server/features/coaching/sessions.ts';
import { now } from '#server/platform/clock.ts';
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
  'Talked through childcare on lab days; the partner centre has places.',
  'Wants to become a relay technician. Next step: shadow a field crew.',
];
const sessionMinutes = 30;

/** Sessions of the passed weeks, three of the first coach today, and some to come. */
export async function fillCoaching(db: Db, startDate: string, fellows: DemoFellow[]): Promise<void> {
  const own = fellows.filter(({ coach }) => coach.id === fellows[0]?.coach.id);
  await holdPassedSessions(db, startDate, fellows);
  await bookToday(db, own.slice(1, 4));
  await bookToCome(db, fellows);
}

/** Two a week for each coach, on Wednesdays; the last one of all was cancelled. */
async function holdPassedSessions(db: Db, startDate: string, fellows: DemoFellow[]): Promise<void> {
  for (const [index, fellow] of fellows.entries()) {
    const wednesday = addDays(startDate, 7 * (index % 4) + 2);
    const sessionId = await book(db, fellow, easternTime(wednesday, index < 12 ? '11:00' : '15:30'), index);
    if (index === fellows.length - 1) await cancelSession(db, fellow.coach, sessionId, 'Family emergency');
    else await completeSession(db, fellow.coach, sessionId, notes[index % notes.length] ?? null);
  }
}

async function bookToday(db: Db, fellows: DemoFellow[]): Promise<void> {
  const times = ['10:00', '13:30', '16:30'];
  for (const [index, fellow] of fellows.entries()) {
    const at = easternTime(easternDay(now()), times[index] ?? '17:00');
    const sessionId = await book(db, fellow, at, index);
    const isOver = at.getTime() + sessionMinutes * 60_000 < now().getTime();
    if (isOver && index < fellows.length - 1) await completeSession(db, fellow.coach, sessionId, notes[index] ?? null);
  }
}

/** On the next working days, the demo's participant first. */
async function bookToCome(db: Db, fellows: DemoFellow[]): Promise<void> {
  let day = easternDay(now());
  for (const [index, fellow] of fellows.slice(0, 12).entries()) {
    if (index % 3 === 0) day = nextWorkingDay(day);
    await book(db, fellow, easternTime(day, '11:00'), index);
  }
}

function book(db: Db, fellow: DemoFellow, scheduledAt: Date, index: number): Promise<string> {
  return bookSession(db, fellow, {
    coachId: fellow.coach.id,
    scheduledAt,
    agenda: agendas[index % agendas.length] ?? null,
    teamsLink: `https://meet.example/coaching/${fellow.id}`,
  });
}

function nextWorkingDay(day: string): string {
  const next = addDays(day, 1);
  const weekday = new Date(`${next}T00:00:00Z`).getUTCDay();
  return weekday === 0 || weekday === 6 ? nextWorkingDay(next) : next;
}
