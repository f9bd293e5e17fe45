import { cancelledByCoach } from '#contract/coach-sessions.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { changed } from '#server/platform/telling.ts';
import { tellOfSession } from './session-notices.ts';
import { possibleActs } from './session-queries.ts';

interface SessionUpdate {
  status?: 'completed' | 'no_show' | undefined;
  noShowReason?: string | undefined;
  notes?: string | null | undefined;
  teamsLink?: string | null | undefined;
}

/**
 * COACH-33, COACH-36, COACH-37, COACH-43: updates only the coach's own sessions. An absent field stays as it is. Screens
 * show the change, and nobody gets a notice.
 */
export async function updateSession(
  db: Db,
  coach: Pick<Actor, 'id'>,
  sessionId: string,
  { status, noShowReason, notes, teamsLink }: SessionUpdate,
): Promise<void> {
  const session = await lockSession(db, coach, sessionId);
  const { can, isOverdue } = possibleActs(session, now());
  if (status === 'completed' && !can.complete) {
    throw refused('You can only complete a scheduled session that has started.');
  }
  if (status === 'no_show' && !can.markNoShow) {
    throw refused('You can only mark a scheduled session as missed once it has started.');
  }
  if (teamsLink !== undefined && session.status !== 'scheduled') {
    throw refused('You can only add a meeting link to a scheduled session.');
  }
  const isClosed = status !== undefined;
  if (notes !== undefined && !isClosed && !can.writeNotes) throw refused('You can write notes once a session is over.');
  const completesByNotes = notes !== undefined && !isClosed && isOverdue;
  const saved = {
    ...(notes === undefined ? {} : { notes: notes || null }),
    ...(teamsLink === undefined ? {} : { teamsLink }),
    ...(isClosed ? { status } : {}),
    ...(noShowReason === undefined ? {} : { noShowReason }),
    // COACH-37
    ...(completesByNotes ? { status: 'completed' } : {}),
  };
  if (Object.keys(saved).length === 0) return;
  const closed = isClosed || completesByNotes ? { closedAt: now() } : {};
  await db
    .updateTable('coachingSessions')
    .set({ ...saved, ...closed })
    .where('id', '=', sessionId)
    .execute();
  const [before, after] = [session.status, saved.status ?? session.status].map((kept) => ({ status: kept }));
  const written = Object.keys(saved).filter((name) => name !== 'status');
  await audit(db, coach.id, { action: 'session.update', ...subject(sessionId), before, after: { ...after, written } });
  await changed(db, 'sessions', [coach.id, session.participantId]);
}

/** Takes back, for a minute, that a session was completed or missed. The reason of a no-show goes with it. */
export async function reopenSession(db: Db, coach: Pick<Actor, 'id'>, sessionId: string): Promise<void> {
  const session = await lockSession(db, coach, sessionId);
  if (session.status === 'scheduled') return;
  if (!possibleActs(session, now()).can.reopen) {
    throw refused('A session can be opened again for one minute after it was completed or marked as missed.');
  }
  await db
    .updateTable('coachingSessions')
    .set({ status: 'scheduled', noShowReason: null, closedAt: null })
    .where('id', '=', sessionId)
    .execute();
  const [before, after] = [session.status, 'scheduled'].map((status) => ({ status }));
  await audit(db, coach.id, { action: 'session.reopen', ...subject(sessionId), before, after });
  await changed(db, 'sessions', [coach.id, session.participantId]);
}

/**
 * COACH-34, COACH-35. If a coach asks again, as after a lost answer, the session is already cancelled and nobody is
 * told again.
 */
export async function cancelSession(
  db: Db,
  coach: Pick<Actor, 'id'>,
  sessionId: string,
  reason: string | null,
): Promise<void> {
  const session = await lockSession(db, coach, sessionId);
  const cancelReason = reason ? `${cancelledByCoach}: ${reason}` : cancelledByCoach;
  if (session.cancelReason === cancelReason) return;
  if (!possibleActs(session, now()).can.cancel) {
    throw refused('You can only cancel a scheduled session that has not started.');
  }
  await db
    .updateTable('coachingSessions')
    .set({ status: 'cancelled', cancelReason })
    .where('id', '=', sessionId)
    .execute();
  const [before, after] = ['scheduled', 'cancelled'].map((status) => ({ status }));
  await audit(db, coach.id, { action: 'session.cancel', ...subject(sessionId), before, after, reason });
  await tellOfSession(db, sessionId, { kind: 'cancelled', by: 'coach', reason: cancelReason });
}

async function lockSession(db: Db, coach: Pick<Actor, 'id'>, sessionId: string) {
  const session = await db
    .selectFrom('coachingSessions')
    .select(['participantId', 'status', 'cancelReason', 'scheduledAt', 'durationMinutes', 'closedAt'])
    .where('id', '=', sessionId)
    .where('coachId', '=', coach.id)
    .forUpdate()
    .executeTakeFirst();
  if (!session) throw notFound('We cannot find this session among yours.');
  return session;
}

function subject(id: string) {
  return { subjectType: 'coaching_session', subjectId: id };
}

function refused(detail: string): AppError {
  return new AppError('conflict', detail);
}
