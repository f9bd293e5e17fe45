import { type RawBuilder, sql } from 'kysely';
import { bookableDays, type readBooking } from '#contract/booking.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { externalLink } from './booking-setup-queries.ts';
import { coachesOf, coachIdsOf } from './coaching-access.ts';

type Booking = ResponseOf<typeof readBooking>;
type BookedSession = Booking['sessions'][number];

const shownSessions = 50;
const dayInMs = 86_400_000;

/** Three statements; the half hours are those that `bookSession` accepts. */
export async function findBooking(
  db: Db,
  actor: Pick<Actor, 'id'>,
  coachId: string | null,
  at: Date,
): Promise<Booking> {
  const coaches = await findOwnCoaches(db, actor);
  const chosen = coaches.find(({ id }) => id === coachId) ?? (coachId === null ? coaches[0] : undefined);
  return {
    coaches,
    coachId: chosen?.id ?? null,
    slots: chosen ? await findFreeSlots(db, chosen.id, actor.id, at) : [],
    sessions: await findOwnSessions(db, actor, at),
  };
}

/** Whom, with whom, and from when on; `movedId` is a session that does not stand in its own way. */
export interface SlotQuestion {
  coachId: string;
  participantId: string;
  at: Date;
  movedId?: string | null;
  /** Only whether the half hour from this instant on is free. */
  startsAt?: Date;
}

/** A table of `starts_at`: every half hour that can be booked, or the one that is asked for. */
export function freeSlots({ coachId, participantId, at, movedId = null, startsAt }: SlotQuestion): RawBuilder<unknown> {
  const end = new Date(at.getTime() + bookableDays * dayInMs);
  const [first, last] = startsAt ? [latest(at, startsAt), earliest(end, new Date(startsAt.getTime() + 1))] : [at, end];
  return sql`free_slots(${coachId}::uuid, ${participantId}::uuid, ${first}::timestamptz, ${last}::timestamptz, ${movedId}::uuid)`;
}

function latest(one: Date, other: Date): Date {
  return one > other ? one : other;
}

function earliest(one: Date, other: Date): Date {
  return one < other ? one : other;
}

async function findFreeSlots(db: Db, coachId: string, participantId: string, at: Date): Promise<string[]> {
  const slots = freeSlots({ coachId, participantId, at });
  const { rows } = await sql<{ startsAt: Date }>`select starts_at from ${slots} order by starts_at`.execute(db);
  return rows.map(({ startsAt }) => startsAt.toISOString());
}

async function findOwnCoaches(db: Db, actor: Pick<Actor, 'id'>): Promise<Booking['coaches']> {
  const rows = await coachesOf(db, sql.val(actor.id))
    .select([
      'coach.id',
      'coach.firstName',
      'coach.lastName',
      externalLink.as('externalLink'),
      sql<string | null>`case when scheduling_enabled then external_booking_instructions end`.as('instructions'),
    ])
    .execute();
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

async function findOwnSessions(db: Db, actor: Pick<Actor, 'id'>, at: Date): Promise<BookedSession[]> {
  const rows = await db
    .selectFrom('coachingSessions')
    .innerJoin('profiles as coach', 'coach.id', 'coachingSessions.coachId')
    .select([
      'coachingSessions.id',
      'coachId',
      sql<string>`coach.first_name || ' ' || coach.last_name`.as('coachName'),
      'scheduledAt',
      'durationMinutes',
      'agenda',
      'teamsLink',
      sql<boolean>`coach_id = any(${coachIdsOf(db, sql.val(actor.id))})`.as('isWithOwnCoach'),
    ])
    .where('participantId', '=', actor.id)
    .where('coachingSessions.status', '=', 'scheduled')
    .where(sql<Date>`scheduled_at + make_interval(mins => duration_minutes)`, '>', at)
    .orderBy('scheduledAt')
    .limit(shownSessions)
    .execute();
  return rows.map(({ isWithOwnCoach, ...row }) => {
    const isToCome = row.scheduledAt > at;
    return {
      ...row,
      scheduledAt: row.scheduledAt.toISOString(),
      can: { move: isToCome && isWithOwnCoach, cancel: isToCome },
    };
  });
}
