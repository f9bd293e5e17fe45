import { sql } from 'kysely';
import type { listWeeklyRatings } from '#contract/coaching.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import { todayIn } from '#server/features/programmes/calendar-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { ownParticipantIds } from './coaching-access.ts';

type WeeklyRating = ResponseOf<typeof listWeeklyRatings>['ratings'][number];

/**
 * Returns the ratings of the coach's own participants in active cohorts, in one statement. Without a week, it takes
 * each cohort's current one.
 */
export async function findWeeklyRatings(db: Db, actor: Actor, week: number | null): Promise<WeeklyRating[]> {
  const rows = await ratingRows(db, actor, week)
    .orderBy('profiles.firstName')
    .orderBy('profiles.lastName')
    .orderBy('profiles.id')
    .execute();
  return rows.map(toRating);
}

export async function findWeeklyRating(db: Db, actor: Actor, participantId: string, week: number) {
  const row = await ratingRows(db, actor, week).where('profiles.id', '=', participantId).executeTakeFirst();
  return row ? toRating(row) : null;
}

/** Selects `person_id`, `cohort_id` and `week_number` of the weeks that the coach rates. */
export function weeksToRate(db: Db, actor: Pick<Actor, 'id' | 'role'>, week: number | null) {
  return sql`
    select participant_id as person_id, cohort_id, week_number
    from ${ratingRows(db, actor, week)} as weeks_to_rate`;
}

function ratingRows(db: Db, actor: Pick<Actor, 'id' | 'role'>, week: number | null) {
  // TIME-09, by the programme's clock. A week is what one stipend pays for.
  const presentPeriod = sql<number>`period_on(calendar.start_date, calendar.pay_period, calendar.weeks,
    ${todayIn(sql`calendar.zone`)})`;
  const shownWeek = sql<number>`coalesce(${week}::integer, ${presentPeriod})`;
  return (
    db
      .selectFrom('profiles')
      .innerJoin('cohortParticipants', 'cohortParticipants.participantId', 'profiles.id')
      .innerJoin('cohorts', 'cohorts.id', 'cohortParticipants.cohortId')
      .innerJoin('cohortCalendars as calendar', 'calendar.id', 'cohorts.id')
      .leftJoin('performanceFeedback as ratings', (join) =>
        join
          .onRef('ratings.fellowId', '=', 'profiles.id')
          .onRef('ratings.cohortId', '=', 'cohorts.id')
          .on('ratings.weekNumber', '=', shownWeek),
      )
      .leftJoin('stipendEligibility as stipends', (join) =>
        join
          .onRef('stipends.fellowId', '=', 'profiles.id')
          .onRef('stipends.cohortId', '=', 'cohorts.id')
          .on('stipends.weekNumber', '=', shownWeek),
      )
      .select([
        'profiles.id as participantId',
        'profiles.firstName',
        'profiles.lastName',
        'cohorts.id as cohortId',
        'cohorts.name as cohortName',
        presentPeriod.as('presentPeriod'),
        shownWeek.as('weekNumber'),
        'ratings.overallRating as rating',
        'ratings.comment',
        'ratings.updatedAt',
        sql<boolean>`coalesce(stipends.payment_status, 'pending') <> 'pending'`.as('isDecided'),
      ])
      .where('cohortParticipants.status', '=', sql.lit('active'))
      .where('cohorts.status', '=', sql.lit('active'))
      // If several cohorts are active, the one that started last counts (FELL-08).
      .where(
        sql<boolean>`cohorts.id = (select latest.id from cohort_participants membership
        join cohorts latest on latest.id = membership.cohort_id
        where membership.participant_id = profiles.id and membership.status = 'active' and latest.status = 'active'
        order by latest.start_date desc, latest.id desc limit 1)`,
      )
      .where('profiles.id', '=', ownParticipantIds(db, actor))
  );
}

type StoredRating = Awaited<ReturnType<ReturnType<typeof ratingRows>['execute']>>[number];

function toRating({ isDecided, presentPeriod, updatedAt, ...row }: StoredRating): WeeklyRating {
  const isFuture = row.weekNumber > presentPeriod;
  return { ...row, updatedAt: updatedAt?.toISOString() ?? null, can: { rate: !isDecided && !isFuture } };
}
