import { type RawBuilder, sql } from 'kysely';
import type { BookedSessionsChoice } from '#contract/enrolments.ts';
import type { AuditAction } from '#server/platform/audit-actions.ts';
import { couldTakeOver } from './booking-queries.ts';
import { type CoachReplacement, isBookedWithFormer } from './coach-replacement-queries.ts';

/** The part of a statement that settles booked sessions returns this. */
export interface SettledSession {
  id: string;
  /** It moves to the new coach. Otherwise it is cancelled. */
  isMoved: boolean;
}

export const cancelledByReplacement = 'The participant has a new coach';

/**
 * Says what happens to booked sessions when another coach takes over, as a part of the statement that changes the
 * coach. A moved session keeps its time and loses the meeting link, which is the former coach's. The participant and
 * the new coach are already locked, so nobody books what is given here meanwhile.
 */
export function settlingBookedSessions(
  replacement: CoachReplacement | null,
  choice: BookedSessionsChoice,
): RawBuilder<unknown> {
  if (!replacement || choice === 'keep') return sql`select null::uuid as id, false as is_moved where false`;
  const { newCoachId, at, limits } = replacement;
  const moves = choice === 'move' ? couldTakeOver(newCoachId, at, limits) : sql`false`;
  return sql`
    update coaching_sessions
    set coach_id = case when moves then ${newCoachId}::uuid else coach_id end,
      teams_link = case when not moves then teams_link end,
      status = case when moves then status else 'cancelled' end,
      cancel_reason = case when not moves then ${cancelledByReplacement} end
    from (select session.id as booked_id, ${moves} as moves from coaching_sessions session
      where ${isBookedWithFormer(replacement)}) as booked
    where id = booked_id and status = 'scheduled'
    returning id, moves as is_moved`;
}

const changesCoach: AuditAction = 'session.change_coach';
const cancels: AuditAction = 'session.cancel';

/** Writes the log's rows about the sessions, as a part of the same statement, which calls them `settled`. */
export function notingSettledSessions(actorId: string, replacement: CoachReplacement | null): RawBuilder<unknown> {
  const { formerCoachId = null, newCoachId = null } = replacement ?? {};
  return sql`
    insert into audit_log (actor_id, action, subject_type, subject_id, before, after, reason)
    select ${actorId}::uuid, case when is_moved then ${changesCoach} else ${cancels} end, 'coaching_session', id,
      case when is_moved then jsonb_build_object('coachId', ${formerCoachId}::uuid) else '{"status": "scheduled"}' end,
      case when is_moved then jsonb_build_object('coachId', ${newCoachId}::uuid) else '{"status": "cancelled"}' end,
      case when not is_moved then ${cancelledByReplacement} end
    from settled`;
}
