import { sql } from 'kysely';
import {
  type CoachSession,
  firstUpcomingSessions,
  type listCoachSessions,
  type listUpcomingSessions,
  reopeningInMs,
  shownCancelledSessions,
  shownPastSessions,
} from '#contract/coach-sessions.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { hiddenId, hiddenInstant } from '#server/db/hidden-values.ts';
import type { Actor } from '#server/platform/actor.ts';
import { byId, byInstant, pagesBy } from '#server/platform/pages.ts';
import { mayOpenPerson } from './coaching-access.ts';

const mostOverdue = 50;
const upcomingPages = pagesBy(firstUpcomingSessions, [byInstant(sql`scheduled_at`), byId(sql`coaching_sessions.id`)]);

/** COACH-29, COACH-31, COACH-44: returns the coach's own sessions, in four statements. */
export async function findCoachSessions(
  db: Db,
  coach: Pick<Actor, 'id'>,
  at: Date,
): Promise<ResponseOf<typeof listCoachSessions>> {
  const upcoming = await firstUpcoming(db, { id: coach.id, at });
  const cancelled = await cancelledToCome(db, { id: coach.id, at });
  const past = await latestPast(db, { id: coach.id, at });
  const overdue = await overdueBeside(db, { id: coach.id, at, shownIds: past.map(({ id }) => id) });
  return {
    upcoming: upcoming.map(({ count: _, ...row }) => toSession(row, at)),
    upcomingCount: upcoming[0]?.count ?? 0,
    cancelled: cancelled.map((row) => toSession(row, at)),
    past: past.map((row) => toSession(row, at)),
    olderOverdue: overdue.map(({ count: _, ...row }) => toSession(row, at)),
    olderOverdueCount: overdue[0]?.count ?? 0,
  };
}

interface CoachAt {
  id: string;
  at: Date;
}

const firstUpcoming = builtOnce((db, { id, at }: CoachAt) =>
  upcomingOf(db, { id }, at).select(sql<number>`count(*) over ()`.as('count')).limit(firstUpcomingSessions),
);

const cancelledToCome = builtOnce((db, { id, at }: CoachAt) =>
  coachSessions(db, { id })
    .where('coachingSessions.status', '=', 'cancelled')
    .where(endsAt, '>', hiddenInstant(at))
    .orderBy('scheduledAt')
    .orderBy('coachingSessions.id')
    .limit(shownCancelledSessions),
);

const latestPast = builtOnce((db, { id, at }: CoachAt) =>
  coachSessions(db, { id })
    .where((eb) =>
      eb.or([eb('coachingSessions.status', 'in', ['completed', 'no_show']), eb(endsAt, '<=', hiddenInstant(at))]),
    )
    .orderBy('scheduledAt', 'desc')
    .orderBy('coachingSessions.id')
    .limit(shownPastSessions),
);

const overdueBeside = builtOnce((db, { id, at, shownIds }: CoachAt & { shownIds: string[] }) =>
  coachSessions(db, { id })
    .select(sql<number>`count(*) over ()`.as('count'))
    .where('coachingSessions.status', '=', sql.lit('scheduled'))
    .where(endsAt, '<=', hiddenInstant(at))
    .where(sql<boolean>`coaching_sessions.id <> all(${shownIds}::uuid[])`)
    .orderBy('scheduledAt')
    .orderBy('coachingSessions.id')
    .limit(mostOverdue),
);

export async function findUpcomingSessions(
  db: Db,
  coach: Pick<Actor, 'id'>,
  { at, cursor }: { at: Date; cursor: string | undefined },
): Promise<ResponseOf<typeof listUpcomingSessions>> {
  const found = await upcomingOf(db, coach, at)
    .where(upcomingPages.comesAfter(cursor))
    .limit(upcomingPages.most)
    .execute();
  const page = upcomingPages.cut(found, ({ scheduledAt, id }) => [scheduledAt.toISOString(), id]);
  return { ...page, rows: page.rows.map((row) => toSession(row, at)) };
}

function upcomingOf(db: Db, coach: Pick<Actor, 'id'>, at: Date) {
  return coachSessions(db, coach)
    .where('coachingSessions.status', '=', sql.lit('scheduled'))
    .where(endsAt, '>', hiddenInstant(at))
    .orderBy(upcomingPages.inOrder);
}

export async function findCoachSession(db: Db, coach: Pick<Actor, 'id'>, id: string, at: Date): Promise<CoachSession> {
  const row = await coachSessions(db, coach).where('coachingSessions.id', '=', id).executeTakeFirstOrThrow();
  return toSession(row, at);
}

interface SessionState {
  status: string;
  scheduledAt: Date;
  durationMinutes: number;
  /** When the coach completed it or marked it as missed. */
  closedAt: Date | null;
}

/** Says what a coach can do with a session at an instant (COACH-33, COACH-34, COACH-36, COACH-37). */
export function possibleActs({ status, scheduledAt, durationMinutes, closedAt }: SessionState, at: Date) {
  const isScheduled = status === 'scheduled';
  const hasBegun = scheduledAt <= at;
  const isOver = scheduledAt.getTime() + durationMinutes * 60_000 <= at.getTime();
  return {
    isOverdue: isScheduled && isOver,
    can: {
      complete: isScheduled && hasBegun,
      cancel: isScheduled && !hasBegun,
      markNoShow: isScheduled && hasBegun,
      writeNotes: status === 'completed' || status === 'no_show' || (isScheduled && isOver),
      reopen: closedAt !== null && at.getTime() - closedAt.getTime() < reopeningInMs,
    },
  };
}

const endsAt = sql<Date>`scheduled_at + make_interval(mins => duration_minutes)`;

/** The coach's sessions, with what `toSession` needs. */
export function coachSessions(db: Db, coach: Pick<Actor, 'id'>) {
  return db
    .selectFrom('coachingSessions')
    .innerJoin('profiles', 'profiles.id', 'coachingSessions.participantId')
    .select([
      'coachingSessions.id',
      'participantId',
      'firstName',
      'lastName',
      'email',
      'scheduledAt',
      'durationMinutes',
      'agenda',
      'notes',
      'coachingSessions.status',
      'teamsLink',
      'cancelReason',
      'noShowReason',
      'closedAt',
    ])
    .select((eb) =>
      mayOpenPerson(db, { ...coach, role: 'coach' }, eb.ref('coachingSessions.participantId')).as('canOpenPerson'),
    )
    .where('coachingSessions.coachId', '=', hiddenId(coach.id))
    .$narrowType<Pick<CoachSession, 'status'>>();
}

type StoredSession = Awaited<ReturnType<ReturnType<typeof coachSessions>['execute']>>[number];

export function toSession({ closedAt, canOpenPerson, ...row }: StoredSession, at: Date): CoachSession {
  const { isOverdue, can } = possibleActs({ ...row, closedAt }, at);
  const scheduledAt = row.scheduledAt.toISOString();
  return { ...row, scheduledAt, isOverdue, can: { ...can, openPerson: canOpenPerson } };
}
