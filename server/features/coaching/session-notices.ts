import { sql } from 'kysely';
import { readBooking } from '#contract/booking.ts';
import { listCoachSessions } from '#contract/coach-sessions.ts';
import { easternMoment } from '#contract/eastern-moments.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { readCoachDashboard, readParticipantDashboard } from '#contract/home.ts';
import type { Db } from '#server/db/database.ts';
import { tellAudiences } from '#server/platform/live.ts';
import { type Notice, notify } from '#server/platform/notices.ts';
import { sessionItems } from './session-calendar-queries.ts';

type Side = 'participant' | 'coach';
type SessionChange = { by: Side } & (
  | { kind: 'booked' }
  | { kind: 'moved'; from: Date }
  | { kind: 'cancelled'; reason?: string }
  /** Completed, missed, or a word of the coach to its notes or link: seen on the screens, not worth a notice. */
  | { kind: 'changed' }
);

const places = { participant: '/coaching', coach: '/coach?tab=sessions' };
const screens: Record<Side, Endpoint[]> = {
  participant: [readParticipantDashboard, readBooking],
  coach: [readCoachDashboard, listCoachSessions],
};

/**
 * Both sides' open browsers read again; both are told in words, in the product and by mail, which brings the session
 * into their calendars, changes it there or takes it away. Who acted read it on the screen, so no toast repeats it.
 */
export async function tellOfSession(db: Db, sessionId: string, change: SessionChange): Promise<void> {
  const sides = await loadSides(db, sessionId);
  const told = sides.map((side) => ({ ...side, words: wordsFor(side, change) }));
  await notify(
    db,
    told.flatMap(({ words, ...side }) => (words ? [{ ...words, ...noticeFor(side, sides, change.kind) }] : [])),
  );
  const type = change.kind === 'cancelled' ? 'warning' : 'info';
  await tellAudiences(
    db,
    told.map(({ id, side, words }) => ({
      userIds: [id],
      endpoints: screens[side],
      ...(words && side !== change.by ? { notice: { type, ...words } } : {}),
    })),
  );
}

/** The two people of a session, each with the session as it stands in their own calendar. */
async function loadSides(db: Db, sessionId: string) {
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
      sql<string>`person.first_name || ' ' || person.last_name`.as('name'),
      sql<Side>`case when person.id = session.coach_id then 'coach' else 'participant' end`.as('side'),
      'session.scheduledAt',
    ])
    .where('session.id', '=', sessionId)
    .execute();
  return rows.map(({ personId, email, name, side, scheduledAt, ...item }) => {
    const other = rows.find((row) => row.personId !== personId);
    if (!other) throw new Error(`A session without its other side: ${sessionId}`);
    return { id: personId, email, name, side, otherName: other.name, scheduledAt, item };
  });
}

type Told = Awaited<ReturnType<typeof loadSides>>[number];

function noticeFor({ id, side, item }: Told, sides: Told[], kind: string): Omit<Notice, 'title' | 'message'> {
  const participant = sides.find((one) => one.side === 'participant');
  return {
    userId: id,
    kind: 'coaching_session',
    link: places[side],
    ...(side === 'coach' ? { matter: `sessions:${participant?.id}` } : {}),
    preference: 'coachMessages',
    subjectId: item.id,
    eventKey: `session:${item.id}:${kind}:${item.sequence}:${id}`,
    calendarInvitation: { item, attendees: sides.map(({ name, email }) => ({ name, email })) },
  };
}

/** To whoever acted it is a confirmation. */
function wordsFor(told: Told, change: SessionChange): { title: string; message: string } | null {
  const { side, otherName } = told;
  const isOwn = side === change.by;
  const who = isOwn ? 'You' : otherName;
  const withWhom = isOwn ? ` with ${otherName}` : '';
  const when = easternMoment(told.scheduledAt);
  switch (change.kind) {
    case 'booked':
      return {
        title: isOwn ? 'Your coaching session is booked' : 'A coaching session was booked',
        message: `${who} booked a session${withWhom} on ${when}.`,
      };
    case 'moved':
      return {
        title: isOwn ? 'Your coaching session is moved' : 'A coaching session was moved',
        message: `${who} moved the session${withWhom} of ${easternMoment(change.from)} to ${when}.`,
      };
    case 'cancelled':
      return {
        title: isOwn ? 'Your coaching session is cancelled' : 'A coaching session was cancelled',
        message: `${who} cancelled the session${withWhom} of ${when}.${change.reason ? ` Reason: ${change.reason}` : ''}`,
      };
    case 'changed':
      return null;
  }
}
