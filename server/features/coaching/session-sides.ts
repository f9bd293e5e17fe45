import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Notice } from '#server/platform/notices.ts';
import { sessionItems } from './session-calendar-queries.ts';

export type Side = 'participant' | 'coach';
export type SessionSide = Awaited<ReturnType<typeof findSides>>[number];

const sessionPlaces = { participant: '/coaching', coach: '/coach?tab=sessions' };

/**
 * Finds the two people of each session, each with the session as it stands in their own calendar. The next session
 * comes first.
 */
export async function findSides(db: Db, sessionIds: string[]) {
  const rows = await db
    .selectFrom('coachingSessions as session')
    .innerJoin('profiles as person', (join) =>
      join.on(({ eb, ref }) => eb(ref('person.id'), 'in', [ref('session.coachId'), ref('session.participantId')])),
    )
    .innerJoinLateral(sessionItems(db, sql.ref('person.id')).as('item'), (join) =>
      join.onRef('item.id', '=', 'session.id'),
    )
    .selectAll('item')
    .select([
      'person.id as personId',
      'person.email',
      'person.fullName as name',
      sql<Side>`case when person.id = session.coach_id then 'coach' else 'participant' end`.as('side'),
      sql<boolean>`person.deleted_at is not null`.as('isDeleted'),
      'session.scheduledAt',
      'session.participantId',
    ])
    .where('session.id', '=', sql<string>`any(${sessionIds}::uuid[])`)
    .orderBy('session.scheduledAt')
    .orderBy('person.id')
    .execute();
  return rows.map(({ personId, email, name, side, isDeleted, scheduledAt, participantId, ...item }) => ({
    person: { id: personId, name, email },
    side,
    isDeleted,
    scheduledAt,
    participantId,
    item,
  }));
}

/** The parts of a session's notice beside its words. A coach reads one line for each participant while it is unread. */
export function sessionNotice(
  { person, side, participantId, item }: SessionSide,
  kind: string,
  attendees: SessionSide['person'][],
): Omit<Notice, 'title' | 'message'> {
  return {
    userId: person.id,
    kind: 'coaching_session',
    link: sessionPlaces[side],
    ...(side === 'coach' ? { matter: `sessions:${participantId}` } : {}),
    preference: 'coachMessages',
    subjectId: item.id,
    eventKey: `session:${item.id}:${kind}:${item.sequence}:${person.id}`,
    calendarInvitation: { item, attendees: attendees.map(({ name, email }) => ({ name, email })) },
  };
}
