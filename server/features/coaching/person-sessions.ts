import { sql } from 'kysely';
import { readBooking } from '#contract/booking.ts';
import { listCoachSessions } from '#contract/coach-sessions.ts';
import { easternMoment } from '#contract/eastern-moments.ts';
import { readCoachDashboard, readParticipantDashboard } from '#contract/home.ts';
import type { Db } from '#server/db/database.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { tellBrowsers } from '#server/platform/live.ts';
import { notify } from '#server/platform/notices.ts';
import { sessionItems } from './session-calendar-queries.ts';

/**
 * All that the person has scheduled from now on, on either side. Both sides are told, in the product, by mail and in
 * their calendars; somebody who was deleted has no address any more.
 */
export async function cancelSessionsOfPerson(
  db: Db,
  actorId: string | null,
  personId: string,
  reason: string,
): Promise<void> {
  const cancelled = await sql<{ id: string }>`
    update coaching_sessions set status = 'cancelled', cancel_reason = ${reason}
    where ${personId} in (coach_id, participant_id) and status = 'scheduled' and scheduled_at > ${now()}::timestamptz
    returning id`.execute(db);
  const ids = cancelled.rows.map(({ id }) => id);
  await audit(
    db,
    actorId,
    ids.map((id) => ({
      action: 'session.cancel',
      subjectType: 'coaching_session',
      subjectId: id,
      before: { status: 'scheduled' },
      after: { status: 'cancelled' },
      reason,
    })),
  );
  const sides = await findSides(db, ids);
  const attendees = Map.groupBy(sides, ({ id }) => id);
  await notify(
    db,
    sides.map(({ sideId, name: _, email: __, isCoach, scheduledAt, ...item }) => ({
      userId: sideId,
      kind: 'coaching_session',
      title: 'A coaching session was cancelled',
      message: `The session of ${easternMoment(scheduledAt)} is cancelled. Reason: ${reason}`,
      link: linkFor(sideId === personId, isCoach),
      preference: 'coachMessages' as const,
      subjectId: item.id,
      eventKey: `session:${item.id}:cancelled:${item.sequence}:${sideId}`,
      calendarInvitation: {
        item,
        attendees: (attendees.get(item.id) ?? []).map((side) => ({ name: side.name, email: side.email })),
      },
    })),
  );
  await tellBrowsers(db, [...new Set([personId, ...sides.map(({ sideId }) => sideId)])], {
    endpoints: [readParticipantDashboard, readBooking, readCoachDashboard, listCoachSessions],
  });
}

/** Whose role has changed has other screens now. */
function linkFor(isPerson: boolean, isCoach: boolean): string {
  if (isPerson) return '/dashboard';
  return isCoach ? '/coach?tab=sessions' : '/coaching';
}

/** Both people of each session, with the session as it stands in their calendar; without who was deleted. */
function findSides(db: Db, sessionIds: string[]) {
  return db
    .selectFrom('coachingSessions as session')
    .innerJoin('profiles as person', (join) =>
      join.on(({ eb, ref }) => eb(ref('person.id'), 'in', [ref('session.coachId'), ref('session.participantId')])),
    )
    .innerJoinLateral(sessionItems(db, sql.ref('person.id')).as('item'), (join) =>
      join.onRef('item.id', '=', 'session.id'),
    )
    .selectAll('item')
    .select([
      'person.id as sideId',
      'person.email',
      sql<string>`person.first_name || ' ' || person.last_name`.as('name'),
      sql<boolean>`session.coach_id = person.id`.as('isCoach'),
      'session.scheduledAt',
    ])
    .where('session.id', '=', sql<string>`any(${sessionIds}::uuid[])`)
    .where('person.deletedAt', 'is', null)
    .orderBy('session.scheduledAt')
    .orderBy('person.id')
    .execute();
}
