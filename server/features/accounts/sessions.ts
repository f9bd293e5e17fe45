import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { notFound } from '#server/platform/errors.ts';
import { tellSessionsEnded } from '#server/platform/live.ts';
import { endCalendarAddress, endSessions } from '#server/platform/sign-ins.ts';

export async function endOwnSession(db: Db, actor: Actor, sessionId: string): Promise<void> {
  const ended = await sql`
    with silenced as (
      delete from push_subscriptions where user_id = ${actor.id} and session_id = ${sessionId}
    )
    delete from auth.session where id = ${sessionId} and user_id = ${actor.id}`.execute(db);
  if (!ended.numAffectedRows) throw notFound('This session is not there. It may have ended already.');
  await tellSessionsEnded(db, actor.id);
  await audit(db, actor.id, { action: 'session.end', subjectType: 'user', subjectId: actor.id });
}

/** Whoever signs out gets nothing pushed any more to the browser that subscribed in that session. */
export async function silenceSession(db: Db, { id, sessionId }: Actor): Promise<void> {
  await db.deleteFrom('pushSubscriptions').where('userId', '=', id).where('sessionId', '=', sessionId).execute();
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

/** An admin signs a person out everywhere; their own sessions too, where they name themself. */
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
  if (!person) throw notFound('This person is not there.');
}
