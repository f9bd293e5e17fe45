import { sql } from 'kysely';
import { readBooking } from '#contract/booking.ts';
import { listCoachSessions } from '#contract/coach-sessions.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { readCoachDashboard, readParticipantDashboard } from '#contract/home.ts';
import { programmeZone } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { tellAudiences } from '#server/platform/live.ts';
import { notify } from '#server/platform/notices.ts';

type SessionChange = { by: 'participant' | 'coach' } & (
  | { kind: 'booked' }
  | { kind: 'moved'; from: Date }
  | { kind: 'cancelled'; reason?: string }
  /** Completed, missed, or a word of the coach to its notes or link: seen on the screens, not worth a notice. */
  | { kind: 'changed' }
);

const participantScreens: Endpoint[] = [readParticipantDashboard, readBooking];
const coachScreens: Endpoint[] = [readCoachDashboard, listCoachSessions];
const coachPlace = '/coach?tab=sessions';
const participantPlace = '/coaching';

/** Both sides' open browsers read again; the other side is also told in words, in the product and by mail. */
export async function tellOfSession(db: Db, sessionId: string, change: SessionChange): Promise<void> {
  const session = await loadSides(db, sessionId);
  const words = wordsFor(session, change);
  const toldId = change.by === 'coach' ? session.participantId : session.coachId;
  if (words) {
    await notify(db, [
      {
        ...words,
        userId: toldId,
        kind: 'coaching_session',
        link: change.by === 'coach' ? participantPlace : coachPlace,
        preference: 'coachMessages',
        eventKey: `session:${sessionId}:${change.kind}:${session.calendarSequence}`,
      },
    ]);
  }
  const notice = words && { type: change.kind === 'cancelled' ? 'warning' : 'info', ...words };
  await tellAudiences(db, [
    {
      userIds: [session.participantId],
      endpoints: participantScreens,
      ...(notice && change.by === 'coach' ? { notice } : {}),
    },
    {
      userIds: [session.coachId],
      endpoints: coachScreens,
      ...(notice && change.by === 'participant' ? { notice } : {}),
    },
  ]);
}

function loadSides(db: Db, sessionId: string) {
  return db
    .selectFrom('coachingSessions')
    .innerJoin('profiles as coach', 'coach.id', 'coachingSessions.coachId')
    .innerJoin('profiles as participant', 'participant.id', 'coachingSessions.participantId')
    .select([
      'coachId',
      'participantId',
      'scheduledAt',
      'calendarSequence',
      sql<string>`coach.first_name || ' ' || coach.last_name`.as('coachName'),
      sql<string>`participant.first_name || ' ' || participant.last_name`.as('participantName'),
    ])
    .where('coachingSessions.id', '=', sessionId)
    .executeTakeFirstOrThrow();
}

type Sides = Awaited<ReturnType<typeof loadSides>>;

function wordsFor(session: Sides, change: SessionChange): { title: string; message: string } | null {
  const who = change.by === 'coach' ? session.coachName : session.participantName;
  const when = inWords(session.scheduledAt);
  switch (change.kind) {
    case 'booked':
      return { title: 'A coaching session was booked', message: `${who} booked ${when}.` };
    case 'moved':
      return {
        title: 'A coaching session was moved',
        message: `${who} moved the session of ${inWords(change.from)} to ${when}.`,
      };
    case 'cancelled':
      return {
        title: 'A coaching session was cancelled',
        message: `${who} cancelled the session of ${when}.${change.reason ? ` Reason: ${change.reason}` : ''}`,
      };
    case 'changed':
      return null;
  }
}

const dayFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: programmeZone,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});
const timeFormat = new Intl.DateTimeFormat('en-US', { timeZone: programmeZone, hour: 'numeric', minute: '2-digit' });

function inWords(at: Date): string {
  return `${dayFormat.format(at)}, ${timeFormat.format(at)} ET`;
}
