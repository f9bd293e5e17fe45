import { type RawBuilder, sql } from 'kysely';
import { bookableDays, type readBooking, slotMinutes } from '#contract/booking.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { Config } from '#server/config.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { externalLink } from './booking-setup-queries.ts';
import { coachesOf, coachIdsOf } from './coaching-access.ts';

type Booking = ResponseOf<typeof readBooking>;
type BookedSession = Booking['sessions'][number];

const shownSessions = 50;
const hourInMs = 3_600_000;
const dayInMs = 24 * hourInMs;

export type BookingLimits = Pick<Config, 'bookingsOpen' | 'bookingNoticeHours'>;

/** It takes three statements. The half hours are those that `bookSession` accepts. */
export async function findBooking(
  db: Db,
  actor: Pick<Actor, 'id'>,
  { coachId, at, limits }: { coachId: string | null; at: Date; limits: BookingLimits },
): Promise<Booking> {
  const { coaches, openSessions } = await findOwnCoaches(db, actor, at);
  const chosen = coaches.find(({ id }) => id === coachId) ?? (coachId === null ? coaches[0] : undefined);
  return {
    coaches,
    coachId: chosen?.id ?? null,
    slots: chosen ? await findFreeSlots(db, { coachId: chosen.id, participantId: actor.id, at, limits }) : [],
    mostOpenSessions: limits.bookingsOpen,
    can: { book: chosen !== undefined && mayBook(openSessions, limits) },
    sessions: await findOwnSessions(db, actor, at),
  };
}

/** True if somebody with so many sessions to come may book one more. */
export function mayBook(openSessions: number, { bookingsOpen }: BookingLimits): boolean {
  return openSessions < bookingsOpen;
}

/** Counts the sessions to come, with any coach. It is a column for any query. */
export function openSessionsOf(db: Db, { id }: Pick<Actor, 'id'>, at: Date): RawBuilder<number> {
  const open = db
    .selectFrom('coachingSessions as open')
    .select(sql`count(*)::int`.as('count'))
    .where('open.participantId', '=', id)
    .where('open.status', '=', sql.lit('scheduled'))
    .where('open.scheduledAt', '>', at);
  return sql<number>`${open}`;
}

/** Asks for whom, with whom, and from when on. `movedId` is a session that does not stand in its own way. */
export interface SlotQuestion {
  coachId: string;
  participantId: string;
  at: Date;
  movedId?: string | null;
  /** Asks only whether the half hour from this instant on is free. */
  startsAt?: Date;
  limits: BookingLimits;
}

/** Returns a table of `starts_at`: every half hour that can be booked, or the one that is asked for. */
export function freeSlots(question: SlotQuestion): RawBuilder<unknown> {
  const { coachId, participantId, at, movedId = null, startsAt, limits } = question;
  const { soonest, end } = bookableTimes(at, limits);
  const [first, last] = startsAt
    ? [
        new Date(Math.max(soonest.getTime(), startsAt.getTime())),
        new Date(Math.min(end.getTime(), startsAt.getTime() + 1)),
      ]
    : [soonest, end];
  return sql`free_slots(${coachId}::uuid, ${participantId}::uuid, ${first}::timestamptz, ${last}::timestamptz, ${movedId}::uuid)`;
}

/** True if a coach is free in the half hour of `session`, a row of the query that is booked with another coach. */
export function couldTakeOver(coachId: string, at: Date, limits: BookingLimits): RawBuilder<boolean> {
  const { soonest, end } = bookableTimes(at, limits);
  return sql<boolean>`(session.duration_minutes = ${slotMinutes} and exists (
    select from free_slots(${coachId}::uuid, session.participant_id,
      greatest(session.scheduled_at, ${soonest}::timestamptz),
      least(session.scheduled_at + interval '1 millisecond', ${end}::timestamptz), session.id)))`;
}

function bookableTimes(at: Date, limits: BookingLimits) {
  return {
    soonest: new Date(at.getTime() + limits.bookingNoticeHours * hourInMs),
    end: new Date(at.getTime() + bookableDays * dayInMs),
  };
}

async function findFreeSlots(db: Db, question: SlotQuestion): Promise<string[]> {
  const slots = freeSlots(question);
  const { rows } = await sql<{ startsAt: Date }>`select starts_at from ${slots} order by starts_at`.execute(db);
  return rows.map(({ startsAt }) => startsAt.toISOString());
}

/** Also counts the sessions to come. Without a coach, nobody needs that number. */
async function findOwnCoaches(db: Db, actor: Pick<Actor, 'id'>, at: Date) {
  const rows = await ownCoaches(db, { id: actor.id, at });
  const coaches = new Map(rows.map(({ openSessions: _, ...coach }) => [coach.id, coach]));
  return { coaches: [...coaches.values()], openSessions: rows[0]?.openSessions ?? 0 };
}

const ownCoaches = builtOnce((db, { id, at }: { id: string; at: Date }) =>
  coachesOf(db, sql.val(id)).select([
    'coach.id',
    'coach.firstName',
    'coach.lastName',
    externalLink.as('externalLink'),
    sql<string | null>`case when scheduling_enabled then external_booking_instructions end`.as('instructions'),
    openSessionsOf(db, { id }, at).as('openSessions'),
  ]),
);

async function findOwnSessions(db: Db, actor: Pick<Actor, 'id'>, at: Date): Promise<BookedSession[]> {
  const rows = await ownSessions(db, { id: actor.id, at });
  return rows.map(({ isWithOwnCoach, ...row }) => {
    const isToCome = row.scheduledAt > at;
    return {
      ...row,
      scheduledAt: row.scheduledAt.toISOString(),
      can: { move: isToCome && isWithOwnCoach, cancel: isToCome },
    };
  });
}

const ownSessions = builtOnce((db, { id, at }: { id: string; at: Date }) =>
  db
    .selectFrom('coachingSessions')
    .innerJoin('profiles as coach', 'coach.id', 'coachingSessions.coachId')
    .select([
      'coachingSessions.id',
      'coachId',
      'coach.fullName as coachName',
      'scheduledAt',
      'durationMinutes',
      'agenda',
      'teamsLink',
      sql<boolean>`coach_id = any(${coachIdsOf(db, sql.val(id))})`.as('isWithOwnCoach'),
    ])
    .where('participantId', '=', id)
    .where('coachingSessions.status', '=', sql.lit('scheduled'))
    .where(sql<Date>`scheduled_at + make_interval(mins => duration_minutes)`, '>', at)
    .orderBy('scheduledAt')
    .limit(shownSessions),
);
