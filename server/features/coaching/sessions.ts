import { readCoachDashboard, readParticipantDashboard } from '#contract/home.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { tellBrowsers } from '#server/platform/live.ts';
import { ownParticipants } from './coaching-access.ts';

interface NewSession {
  coachId: string;
  scheduledAt: Date;
  agenda: string | null;
  teamsLink?: string | null;
}

const slotMinutes = 30;
const overlap = '23P01';

/** COACH-49, COACH-50: with the own coach, and never twice at once for either; the database decides. */
export async function bookSession(db: Db, participant: Pick<Actor, 'id'>, session: NewSession): Promise<string> {
  const own = await ownParticipants(db, { id: session.coachId })
    .select('profiles.id')
    .where('profiles.id', '=', participant.id)
    .executeTakeFirst();
  if (!own) throw new AppError('forbidden', 'You can book with your own coach only.');
  const id = newId();
  await db
    .insertInto('coachingSessions')
    .values({ id, participantId: participant.id, durationMinutes: slotMinutes, ...session })
    .execute()
    .catch((error: { code?: string }) => {
      if (error.code === overlap)
        throw new AppError('slot_taken', 'This time slot is no longer available', { cause: error });
      throw error;
    });
  await tellBrowsers(db, [participant.id, session.coachId], {
    endpoints: [readParticipantDashboard, readCoachDashboard],
  });
  return id;
}

/** COACH-33, COACH-36: the coach's own sessions only. */
export async function completeSession(
  db: Db,
  coach: Pick<Actor, 'id'>,
  sessionId: string,
  notes: string | null,
): Promise<void> {
  await closeSession(db, coach, sessionId, { status: 'completed', notes });
}

export async function cancelSession(
  db: Db,
  coach: Pick<Actor, 'id'>,
  sessionId: string,
  cancelReason: string,
): Promise<void> {
  await closeSession(db, coach, sessionId, { status: 'cancelled', cancelReason });
}

async function closeSession(
  db: Db,
  coach: Pick<Actor, 'id'>,
  sessionId: string,
  change: { status: string; notes?: string | null; cancelReason?: string },
): Promise<void> {
  const closed = await db
    .updateTable('coachingSessions')
    .set(change)
    .where('id', '=', sessionId)
    .where('coachId', '=', coach.id)
    .where('status', '=', 'scheduled')
    .returning(['participantId', 'coachId'])
    .executeTakeFirst();
  if (!closed) throw new AppError('conflict', 'Only a scheduled session of your own can be changed.');
  await tellBrowsers(db, [closed.participantId, closed.coachId], {
    endpoints: [readParticipantDashboard, readCoachDashboard],
  });
}
