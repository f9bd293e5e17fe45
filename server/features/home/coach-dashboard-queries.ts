import { type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { type CoachDashboard, firstParticipants } from '#contract/home.ts';
import { houseZone } from '#contract/house-zone.ts';
import { dayAt } from '#contract/weeks.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { hiddenInstant } from '#server/db/hidden-values.ts';
import { externalLink } from '#server/features/coaching/booking-setup-queries.ts';
import { mayOpenPerson } from '#server/features/coaching/coaching-access.ts';
import { coachSessions, toSession } from '#server/features/coaching/session-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { askRanked, byNeed, type Ranking, toParticipant, withRanking } from './coach-participant-queries.ts';

const shownReviews = 5;
const upcomingSessions = 3;

/** Runs two statements, whatever the number of participants. Each reads only what is the coach's own (SEC-11). */
export async function findCoachDashboard(db: Db, coach: Pick<Actor, 'id'>, at: Date): Promise<CoachDashboard> {
  const [found, { todaysSessions, upcoming }] = await Promise.all([
    askRanked(db, coach, at, {
      ask: (ranking) => participantsAndReviews(db, ranking),
      rowsOf: ([answer]) => answer?.participants ?? [],
    }),
    sessionsOf(db, coach, at),
  ]);
  const [first] = found;
  if (!first) throw new Error('A select of what waits for a coach answered no row.');
  const { participants, reviews, ...firstSteps } = first;
  return {
    counts: {
      participants: participants[0]?.total ?? 0,
      pendingReviews: reviews[0]?.total ?? 0,
      todaysSessions: todaysSessions.length,
      completionRate: participants[0]?.completionRate ?? 0,
    },
    participants: participants.map(toParticipant),
    pendingEvaluations: reviews.map(({ canOpenPerson, submittedAt, ...row }) => ({
      ...row,
      submittedAt: new Date(submittedAt).toISOString(),
      can: { openPerson: canOpenPerson },
    })),
    todaysSessions,
    upcomingSessions: upcoming,
    firstSteps,
  };
}

/**
 * COACH-04, COACH-05, COACH-10, COACH-12: the participants who need the coach most, the reviews that wait longest, how
 * many there are of both, and a new coach's steps. Who is the coach's own is read once.
 */
const participantsAndReviews = builtOnce((db, ranking: Ranking) => {
  const { coachId } = ranking;
  return withRanking(db, ranking)
    .with('waiting', (query) =>
      query
        .selectFrom('own')
        .innerJoin('contentSubmissions', 'contentSubmissions.userId', 'own.id')
        .select(['contentSubmissions.id', 'contentSubmissions.submittedAt', 'own.id as ownId'])
        .select(sql<number>`count(*) over ()`.as('total'))
        .where('contentSubmissions.status', '=', sql.lit('submitted'))
        .orderBy('contentSubmissions.submittedAt')
        .orderBy('contentSubmissions.id')
        .limit(shownReviews),
    )
    .selectNoFrom((eb) => [
      jsonArrayFrom(eb.selectFrom('weighed').selectAll().orderBy(byNeed).limit(firstParticipants)).as('participants'),
      jsonArrayFrom(
        eb
          .selectFrom('waiting')
          .innerJoin('own', 'own.id', 'waiting.ownId')
          .innerJoin('contentSubmissions', 'contentSubmissions.id', 'waiting.id')
          .innerJoin('contentAssignments', 'contentAssignments.id', 'contentSubmissions.assignmentId')
          .innerJoin('contentItems', 'contentItems.id', 'contentAssignments.contentItemId')
          .innerJoin('trainingActivities', 'trainingActivities.id', 'contentItems.trainingActivityId')
          .select([
            'contentSubmissions.id',
            'contentAssignments.title as assignmentTitle',
            'own.id as participantId',
            'own.firstName',
            'own.lastName',
            'own.courseTitle',
            mayOpenPerson(db, { id: coachId, role: 'coach' }, sql.ref('own.id')).as('canOpenPerson'),
            sql<string>`'Week ' || training_activities.week_number || ': ' || training_activities.title`.as(
              'weekTitle',
            ),
            'contentSubmissions.submittedAt',
            'waiting.total',
          ])
          .orderBy('contentSubmissions.submittedAt')
          .orderBy('contentSubmissions.id'),
      ).as('reviews'),
      sql<boolean>`exists (select from profiles where id = ${coachId} and ${externalLink} is not null)
        or exists (select from coach_availability where coach_id = ${coachId})`.as('hasTimes'),
      sql<boolean>`exists (select from coaching_sessions where coach_id = ${coachId})`.as('hasSessions'),
    ]);
});

/**
 * COACH-06: returns the sessions of the US Eastern day, without cancelled ones. COACH-11: returns the next three from
 * now on.
 */
async function sessionsOf(db: Db, coach: Pick<Actor, 'id'>, at: Date) {
  const today = dayAt(at, houseZone);
  const rows = await sessionRows(db, { coachId: coach.id, at, today });
  const shown = rows.map(({ isNext, ...row }) => ({ isNext, session: toSession(row, at) }));
  return {
    todaysSessions: shown.flatMap(({ session }) =>
      dayAt(new Date(session.scheduledAt), houseZone) === today ? [session] : [],
    ),
    upcoming: shown.flatMap(({ isNext, session }) => (isNext ? [session] : [])),
  };
}

interface SessionsOf {
  coachId: string;
  at: Date;
  today: string;
}

const sessionRows = builtOnce((db, { coachId, at, today }: SessionsOf) => {
  const beginningOf = (day: RawBuilder<unknown>) => sql<Date>`(select ${day}::timestamp at time zone ${houseZone})`;
  const next = db
    .selectFrom('coachingSessions')
    .where('coachingSessions.coachId', '=', coachId)
    .select('coachingSessions.id')
    .where('coachingSessions.status', '=', sql.lit('scheduled'))
    .where('coachingSessions.scheduledAt', '>=', hiddenInstant(at))
    .orderBy('coachingSessions.scheduledAt')
    .limit(upcomingSessions);
  return coachSessions(db, { id: coachId })
    .select((eb) => eb('coachingSessions.id', 'in', next).$castTo<boolean>().as('isNext'))
    .where('coachingSessions.status', '<>', 'cancelled')
    .where((eb) =>
      eb.or([
        eb.and([
          eb('coachingSessions.scheduledAt', '>=', beginningOf(sql`${today}::date`)),
          eb('coachingSessions.scheduledAt', '<', beginningOf(sql`(${today}::date + 1)`)),
        ]),
        eb('coachingSessions.id', 'in', next),
      ]),
    )
    .orderBy('coachingSessions.scheduledAt')
    .orderBy('coachingSessions.id');
});
