import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { notFound } from '#server/platform/errors.ts';
import { tellSessionsEnded } from '#server/platform/live.ts';
import { endCalendarAddress, endSessions } from '#server/sign-in/session-end.ts';
import { dropRenewal } from '#server/sign-in/session-identity.ts';

/**
 * Ends the session that asks, even if it waits for its second factor. A person without a session is already signed out.
 */
export async function signOutHere(db: Db, request: FastifyRequest): Promise<void> {
  dropRenewal(request);
  const person = request.identity?.actor ?? request.identity?.pending;
  if (person) await endSessionOf(db, person.id, person.sessionId);
}

export async function endOwnSession(db: Db, actor: Actor, sessionId: string): Promise<void> {
  if (!(await endSessionOf(db, actor.id, sessionId))) {
    throw notFound('We cannot find this session. It may have ended already.');
  }
  await audit(db, actor.id, { action: 'session.end', subjectType: 'user', subjectId: actor.id });
}

export async function endOwnOtherSessions(db: Db, actor: Actor): Promise<number> {
  const ended = await endSessions(db, actor.id, actor.sessionId);
  await endCalendarAddress(db, actor.id);
  await audit(db, actor.id, {
    action: 'session.end_others',
    subjectType: 'user',
    subjectId: actor.id,
    after: { ended },
  });
  return ended;
}

/** An admin signs a person out everywhere. An admin who names themself ends their own sessions too. */
export async function signOutPerson(db: Db, actor: Actor, userId: string): Promise<number> {
  await requirePresent(db, userId);
  const ended = await endSessions(db, userId);
  await audit(db, actor.id, { action: 'session.end_all', subjectType: 'user', subjectId: userId, after: { ended } });
  return ended;
}

export async function requirePresent(db: Db, userId: string): Promise<void> {
  const person = await db
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .executeTakeFirst();
  if (!person) throw notFound('We cannot find this person.');
}

/** Also ends the pushes to the browser that subscribed in it. Returns false if the session has already ended. */
async function endSessionOf(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const ended = await sql`
    with silenced as (
      delete from push_subscriptions where user_id = ${userId} and session_id = ${sessionId}
    )
    delete from auth.session where id = ${sessionId} and user_id = ${userId}`.execute(db);
  if (!ended.numAffectedRows) return false;
  await tellSessionsEnded(db, userId);
  return true;
}
