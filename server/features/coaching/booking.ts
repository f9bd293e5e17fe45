import { type Expression, sql } from 'kysely';
import { slotMinutes, tooManyOpen } from '#contract/booking.ts';
import { cancelledByParticipant } from '#contract/coach-sessions.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { refusalNamed } from '#server/platform/broken-constraints.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { type BookingLimits, freeSlots, mayBook, openSessionsOf, type SlotQuestion } from './booking-queries.ts';
import { coachesOf, coachIdsOf } from './coaching-access.ts';
import { tellOfSession } from './session-notices.ts';

interface NewSession {
  id?: string | undefined;
  coachId: string;
  startsAt: Date;
  agenda: string | null;
  teamsLink?: string | null;
}

/**
 * COACH-49, COACH-50: books a free half hour of the person's own coach. A second request with the same id is the same
 * session.
 */
export async function bookSession(
  db: Db,
  actor: Pick<Actor, 'id'>,
  session: NewSession,
  limits: BookingLimits,
): Promise<string> {
  const { id = newId(), coachId, startsAt, agenda, teamsLink = null } = session;
  await lockCalendars(db, coachId, actor.id);
  const openSessions = await requireOwnCoach(db, actor, coachId);
  if (!mayBook(openSessions, limits)) return findSameSession(db, actor, { ...session, id }, tooManySessions(limits));
  const booked = await sql<{ id: string }>`
    insert into coaching_sessions (id, coach_id, participant_id, scheduled_at, duration_minutes, agenda, teams_link)
    select ${id}::uuid, ${coachId}::uuid, ${actor.id}::uuid, starts_at, ${slotMinutes}::integer, ${agenda}, ${teamsLink}
    from ${freeSlots({ coachId, participantId: actor.id, at: now(), startsAt, limits })} as slots
    returning id`.execute(db);
  const [made] = booked.rows;
  if (!made) return findSameSession(db, actor, { ...session, id }, slotTaken());
  await tellOfSession(db, made.id, { kind: 'booked', by: 'participant' });
  return made.id;
}

/** One row changes its time. So the old half hour is free only once the new one is taken. */
export async function moveSession(
  db: Db,
  actor: Pick<Actor, 'id'>,
  { sessionId, startsAt }: { sessionId: string; startsAt: Date },
  limits: BookingLimits,
): Promise<void> {
  await lockCalendars(db, sql<string>`${ownSession(db, actor, sessionId).select('coachId')}`, actor.id);
  const session = await lockOwnSession(db, actor, sessionId);
  requireToCome(session);
  if (!session.isWithOwnCoach) throw notOwnCoach();
  if (session.scheduledAt.getTime() === startsAt.getTime()) return;
  const question: SlotQuestion = {
    coachId: session.coachId,
    participantId: actor.id,
    at: now(),
    movedId: sessionId,
    startsAt,
    limits,
  };
  const moved = await db
    .updateTable('coachingSessions')
    .set({ scheduledAt: startsAt, durationMinutes: slotMinutes })
    .where('id', '=', sessionId)
    .where(sql<boolean>`${startsAt}::timestamptz in (select starts_at from ${freeSlots(question)} as slots)`)
    .returning('id')
    .executeTakeFirst();
  if (!moved) throw slotTaken();
  await tellOfSession(db, sessionId, { kind: 'moved', by: 'participant', from: session.scheduledAt });
}

/** If a person asks again, as after a lost answer, the session is already cancelled and nobody is told again. */
export async function withdrawSession(db: Db, actor: Pick<Actor, 'id'>, sessionId: string): Promise<void> {
  const session = await lockOwnSession(db, actor, sessionId);
  if (session.cancelReason === cancelledByParticipant) return;
  requireToCome(session);
  await db
    .updateTable('coachingSessions')
    .set({ status: 'cancelled', cancelReason: cancelledByParticipant })
    .where('id', '=', sessionId)
    .execute();
  const [before, after] = ['scheduled', 'cancelled'].map((status) => ({ status }));
  const subject = { subjectType: 'coaching_session', subjectId: sessionId };
  await audit(db, actor.id, { action: 'session.cancel', ...subject, before, after, reason: cancelledByParticipant });
  await tellOfSession(db, sessionId, { kind: 'cancelled', by: 'participant' });
}

/** Returns how many sessions are to come, with any coach. */
async function requireOwnCoach(db: Db, actor: Pick<Actor, 'id'>, coachId: string): Promise<number> {
  const own = await coachesOf(db, sql.val(actor.id))
    .select(openSessionsOf(db, actor, now()).as('openSessions'))
    .where('coach.id', '=', coachId)
    .executeTakeFirst();
  if (!own) throw notOwnCoach();
  return own.openSessions;
}

function tooManySessions({ bookingsOpen }: BookingLimits): AppError {
  return new AppError('conflict', tooManyOpen(bookingsOpen));
}

function notOwnCoach(): AppError {
  return new AppError('forbidden', 'You can only book with your own coach.');
}

/**
 * A request that books with the same coach, or for the same participant, waits. The order is always the same, so nobody
 * waits forever.
 */
async function lockCalendars(db: Db, coachId: string | Expression<string>, participantId: string): Promise<void> {
  await db
    .selectFrom('profiles')
    .select('id')
    .where((eb) => eb.or([eb('id', '=', participantId), eb('id', '=', coachId)]))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Returns the session that was booked before by this id. If there is none, throws the refusal. */
async function findSameSession(
  db: Db,
  actor: Pick<Actor, 'id'>,
  { id, coachId, startsAt }: Pick<NewSession, 'coachId' | 'startsAt'> & { id: string },
  refusal: AppError,
): Promise<string> {
  const same = await db
    .selectFrom('coachingSessions')
    .select('id')
    .where('id', '=', id)
    .where('participantId', '=', actor.id)
    .where('coachId', '=', coachId)
    .where('scheduledAt', '=', startsAt)
    .where('scheduledAt', '>', now())
    .where('status', '=', sql.lit('scheduled'))
    .executeTakeFirst();
  if (!same) throw refusal;
  return same.id;
}

function ownSession(db: Db, actor: Pick<Actor, 'id'>, sessionId: string) {
  return db.selectFrom('coachingSessions').where('id', '=', sessionId).where('participantId', '=', actor.id);
}

/** Nobody else changes the session until the transaction ends. */
async function lockOwnSession(db: Db, actor: Pick<Actor, 'id'>, sessionId: string) {
  const session = await ownSession(db, actor, sessionId)
    .select((eb) => [
      'coachId',
      'scheduledAt',
      'status',
      'cancelReason',
      sql<boolean>`coach_id = any(${coachIdsOf(db, eb.ref('participantId'))})`.as('isWithOwnCoach'),
    ])
    .forUpdate()
    .executeTakeFirst();
  if (!session) throw notFound('We cannot find this session among yours.');
  return session;
}

function requireToCome({ status, scheduledAt }: { status: string; scheduledAt: Date }): void {
  if (status !== 'scheduled' || scheduledAt <= now()) {
    throw new AppError('conflict', 'You can only change a scheduled session that has not started.');
  }
}

/** The database has the last word, and refuses with the same error. */
function slotTaken(): AppError {
  return refusalNamed('coach_is_never_double_booked');
}
