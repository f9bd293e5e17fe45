import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { type BookingLimits, couldTakeOver } from './booking-queries.ts';

/** Another coach takes over a participant. */
export interface CoachReplacement {
  participantId: string;
  formerCoachId: string;
  newCoachId: string;
  at: Date;
  limits: BookingLimits;
}

/** Returns how many sessions are booked with the former coach, and in how many of them the new one is free. */
export async function countBookedSessions(
  db: Db,
  replacement: CoachReplacement,
): Promise<{ booked: number; movable: number }> {
  const { newCoachId, at, limits } = replacement;
  const { rows } = await sql<{ booked: number; movable: number }>`
    select count(*)::int as booked, count(*) filter (where ${couldTakeOver(newCoachId, at, limits)})::int as movable
    from coaching_sessions session where ${isBookedWithFormer(replacement)}`.execute(db);
  const [counts] = rows;
  if (!counts) throw new Error('A select of counts answered no row.');
  return counts;
}

/** It reads a row `session`. */
export function isBookedWithFormer({ participantId, formerCoachId, at }: CoachReplacement): RawBuilder<boolean> {
  return sql<boolean>`(session.participant_id = ${participantId} and session.coach_id = ${formerCoachId}
    and session.status = 'scheduled' and session.scheduled_at > ${at}::timestamptz)`;
}
