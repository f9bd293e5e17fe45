import { sql } from 'kysely';
import type { CoachDashboard } from '#contract/home.ts';
import { addDays, easternDay, startOfEasternDay } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { externalLink } from '#server/features/coaching/booking-setup-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { eachOwnParticipant, findFirstParticipants } from './coach-participant-queries.ts';

const shownReviews = 5;
const upcomingSessions = 3;

/** Runs five statements, whatever the number of participants. Each reads only what is the coach's own (SEC-11). */
export async function findCoachDashboard(db: Db, coach: Pick<Actor, 'id'>, at: Date): Promise<CoachDashboard> {
  const { participants, total, completionRate } = await findFirstParticipants(db, coach, at);
  const { pendingEvaluations, pendingReviews } = await pendingReviewsOf(db, coach);
  const { todaysSessions, upcoming } = await sessionsOf(db, coach, at);
  return {
    counts: { participants: total, pendingReviews, todaysSessions: todaysSessions.length, completionRate },
    participants,
    pendingEvaluations,
    todaysSessions,
    upcomingSessions: upcoming,
    firstSteps: await firstStepsOf(db, coach),
  };
}

/** COACH-05, COACH-10, COACH-12: returns the longest waiting first, and how many wait in all. */
async function pendingReviewsOf(db: Db, coach: Pick<Actor, 'id'>) {
  const rows = await db
    .with('own', () => eachOwnParticipant(db, coach))
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
    .selectFrom('waiting')
    .innerJoin('own', 'own.id', 'waiting.ownId')
    .innerJoin('contentSubmissions', 'contentSubmissions.id', 'waiting.id')
    .innerJoin('contentAssignments', 'contentAssignments.id', 'contentSubmissions.assignmentId')
    .innerJoin('contentItems', 'contentItems.id', 'contentAssignments.contentItemId')
    .innerJoin('trainingActivities', 'trainingActivities.id', 'contentItems.trainingActivityId')
    .select([
      'contentSubmissions.id',
      'contentAssignments.title as assignmentTitle',
      'own.firstName',
      'own.lastName',
      'own.courseTitle',
      sql<string>`'Week ' || training_activities.week_number || ': ' || training_activities.title`.as('weekTitle'),
      'contentSubmissions.submittedAt',
      'waiting.total',
    ])
    .orderBy('contentSubmissions.submittedAt')
    .orderBy('contentSubmissions.id')
    .execute();
  return {
    pendingReviews: rows[0]?.total ?? 0,
    pendingEvaluations: rows.map((row) => ({ ...row, submittedAt: row.submittedAt.toISOString() })),
  };
}

async function firstStepsOf(db: Db, coach: Pick<Actor, 'id'>): Promise<CoachDashboard['firstSteps']> {
  return db
    .selectFrom('profiles')
    .select((eb) => [
      sql<boolean>`${externalLink} is not null or exists (${eb
        .selectFrom('coachAvailability')
        .select('coachAvailability.id')
        .where('coachAvailability.coachId', '=', coach.id)})`.as('hasTimes'),
      eb
        .exists(
          eb
            .selectFrom('coachingSessions')
            .select('coachingSessions.id')
            .where('coachingSessions.coachId', '=', coach.id),
        )
        .$castTo<boolean>()
        .as('hasSessions'),
    ])
    .where('profiles.id', '=', coach.id)
    .executeTakeFirstOrThrow();
}

/**
 * COACH-06: returns the sessions of the US Eastern day, without cancelled ones. COACH-11: returns the next three from
 * now on.
 */
async function sessionsOf(db: Db, coach: Pick<Actor, 'id'>, at: Date) {
  const today = easternDay(at);
  const tomorrow = startOfEasternDay(addDays(today, 1));
  const sessions = db.selectFrom('coachingSessions').where('coachingSessions.coachId', '=', coach.id);
  const next = sessions
    .select('coachingSessions.id')
    .where('coachingSessions.status', '=', 'scheduled')
    .where('coachingSessions.scheduledAt', '>=', at)
    .orderBy('coachingSessions.scheduledAt')
    .limit(upcomingSessions);
  const rows = await sessions
    .innerJoin('profiles', 'profiles.id', 'coachingSessions.participantId')
    .select((eb) => [
      'coachingSessions.id',
      'coachingSessions.participantId',
      'profiles.firstName',
      'profiles.lastName',
      'profiles.email',
      'coachingSessions.scheduledAt',
      'coachingSessions.durationMinutes',
      'coachingSessions.agenda',
      'coachingSessions.notes',
      'coachingSessions.status',
      'coachingSessions.teamsLink',
      eb('coachingSessions.id', 'in', next).$castTo<boolean>().as('isNext'),
    ])
    .where('coachingSessions.status', '<>', 'cancelled')
    .where((eb) =>
      eb.or([
        eb.and([
          eb('coachingSessions.scheduledAt', '>=', startOfEasternDay(today)),
          eb('coachingSessions.scheduledAt', '<', tomorrow),
        ]),
        eb('coachingSessions.id', 'in', next),
      ]),
    )
    .orderBy('coachingSessions.scheduledAt')
    .orderBy('coachingSessions.id')
    .$narrowType<Pick<CoachDashboard['todaysSessions'][number], 'status'>>()
    .execute();
  const shown = rows.map((row) => ({ ...row, scheduledAt: row.scheduledAt.toISOString() }));
  return {
    todaysSessions: shown.filter(({ scheduledAt }) => easternDay(new Date(scheduledAt)) === today),
    upcoming: shown.filter(({ isNext }) => isNext),
  };
}
