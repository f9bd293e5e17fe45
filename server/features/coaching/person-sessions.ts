import { sql } from 'kysely';
import { readBooking } from '#contract/booking.ts';
import { listCoachSessions } from '#contract/coach-sessions.ts';
import { easternMoment } from '#contract/eastern-moments.ts';
import { readCoachDashboard, readParticipantDashboard } from '#contract/home.ts';
import type { Db } from '#server/db/database.ts';
import { now } from '#server/platform/clock.ts';
import { tellBrowsers } from '#server/platform/live.ts';
import { notify } from '#server/platform/notices.ts';
import { sessionItems } from './session-calendar-queries.ts';

/** All that the person has scheduled from now on, on either side; who would have met them is told, as by any other end. */
export async function cancelSessionsOfPerson(db: Db, personId: string, reason: string): Promise<void> {
  const cancelled = await sql<{ id: string }>`
    update coaching_sessions set status = 'cancelled', cancel_reason = ${reason}
    where ${personId} in (coach_id, participant_id) and status = 'scheduled' and scheduled_at > ${now()}::timestamptz
    returning id`.execute(db);
  const others = await findOthers(
    db,
    personId,
    cancelled.rows.map(({ id }) => id),
  );
  await notify(
    db,
    others.map(({ otherId, otherName, otherEmail, isOtherCoach, scheduledAt, ...item }) => ({
      userId: otherId,
      kind: 'coaching_session',
      title: 'A coaching session was cancelled',
      message: `The session of ${easternMoment(scheduledAt)} is cancelled. Reason: ${reason}`,
      link: isOtherCoach ? '/coach?tab=sessions' : '/coaching',
      preference: 'coachMessages' as const,
      eventKey: `session:${item.id}:cancelled:${item.sequence}:${otherId}`,
      calendarInvitation: { item, attendees: [{ name: otherName, email: otherEmail }] },
    })),
  );
  await tellBrowsers(db, [personId, ...others.map(({ otherId }) => otherId)], {
    endpoints: [readParticipantDashboard, readBooking, readCoachDashboard, listCoachSessions],
  });
}

/** The other person of each session, with the session as it stands in their calendar. */
function findOthers(db: Db, personId: string, sessionIds: string[]) {
  return db
    .selectFrom('coachingSessions as session')
    .innerJoin('profiles as person', (join) =>
      join.on(
        'person.id',
        '=',
        sql<string>`case when session.coach_id = ${personId} then session.participant_id else session.coach_id end`,
      ),
    )
    .innerJoinLateral(sessionItems(db, sql.ref('person.id')).as('item'), (join) =>
      join.onRef('item.id', '=', 'session.id'),
    )
    .selectAll('item')
    .select([
      'person.id as otherId',
      'person.email as otherEmail',
      sql<string>`person.first_name || ' ' || person.last_name`.as('otherName'),
      sql<boolean>`session.coach_id = person.id`.as('isOtherCoach'),
      'session.scheduledAt',
    ])
    .where('session.id', '=', sql<string>`any(${sessionIds}::uuid[])`)
    .execute();
}
