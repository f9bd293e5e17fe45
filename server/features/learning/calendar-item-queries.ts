import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { DB } from '#server/db/schema.gen.ts';
import { ownParticipants } from '#server/features/coaching/coaching-access.ts';
import { sessionItems } from '#server/features/coaching/session-calendar-queries.ts';
import { visibleActivities } from '#server/features/curriculum/curriculum-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { calendarMoment } from '#server/platform/calendar-moments.ts';
import type { CalendarItem } from '#server/platform/calendar-text.ts';
import { notFound } from '#server/platform/errors.ts';
import { zoneOfActivity } from './learning-access.ts';

type Viewer = Pick<Actor, 'id' | 'role' | 'trackType'>;
type Activities = SelectQueryBuilder<DB, 'trainingActivities', unknown>;

/** A year's programs fit in. Beyond that, the items nearest to today count. */
const mostItems = 2000;
const daysBack = 200;
/** `record-attendance` counts this for a session of unknown length. */
const usualMinutes = 60;

/** Finds a person's whole calendar, in one statement. */
export async function findCalendarItems(db: Db, viewer: Viewer, today: string): Promise<CalendarItem[]> {
  const cohorts = followedCohorts(db, viewer);
  const activities = visibleActivities(db, viewer).where((eb) =>
    eb.or([eb('trainingActivities.cohortId', 'is', null), eb('trainingActivities.cohortId', 'in', cohorts)]),
  );
  const everything = activityItems(activities)
    .unionAll(deadlineItems(activities))
    .unionAll(sessionItems(db, sql.val(viewer.id)))
    .unionAll(requirementItems(db, cohorts));
  const items = await db
    .selectFrom(everything.as('items'))
    .selectAll()
    .where('day', '>=', sql<string>`${today}::date - ${daysBack}::integer`)
    .orderBy(sql`abs(day - ${today}::date)`)
    .orderBy('id')
    .limit(mostItems)
    .execute();
  return items.sort((a, b) => whenOf(a).localeCompare(whenOf(b)) || a.id.localeCompare(b.id));
}

/** Finds one item that the person may see, with its day. Reviewers open every assignment. */
export async function loadCalendarItem(db: Db, viewer: Viewer, kind: CalendarItem['kind'], id: string) {
  const item = await itemsOfKind(db, viewer, kind, id).executeTakeFirst();
  if (!item) throw notFound('There is nothing with a date at this address.');
  return item;
}

function itemsOfKind(db: Db, viewer: Viewer, kind: CalendarItem['kind'], id: string) {
  if (kind === 'session') return sessionItems(db, sql.val(viewer.id)).where('coachingSessions.id', '=', id);
  if (kind === 'activity') return activityItems(visibleActivities(db, viewer)).where('trainingActivities.id', '=', id);
  const activities =
    viewer.role === 'participant' ? visibleActivities(db, viewer) : db.selectFrom('trainingActivities');
  return deadlineItems(activities).where('contentAssignments.id', '=', id);
}

function whenOf({ startsAt, day }: CalendarItem): string {
  return startsAt ?? day;
}

/** The cohorts whose program a person follows. */
function followedCohorts(db: Db, viewer: Viewer) {
  const members = db
    .selectFrom('cohortParticipants')
    .innerJoin('cohorts', 'cohorts.id', 'cohortParticipants.cohortId')
    .select('cohorts.id')
    .where('cohortParticipants.status', '=', sql.lit('active'));
  if (viewer.role === 'participant') {
    // FELL-08
    return members
      .where('cohortParticipants.participantId', '=', viewer.id)
      .orderBy('cohorts.startDate', 'desc')
      .orderBy('cohorts.id', 'desc')
      .limit(1);
  }
  if (viewer.role === 'coach') {
    return members.where('cohortParticipants.participantId', 'in', ownParticipants(db, viewer).select('profiles.id'));
  }
  return db.selectFrom('cohorts').select('cohorts.id').where('cohorts.status', 'in', ['planning', 'active']);
}

/** A meeting link stays in the product, where it opens on the day of the session (ACT-13). */
function activityItems(activities: Activities) {
  return activities
    .leftJoin('cohorts', 'cohorts.id', 'trainingActivities.cohortId')
    .innerJoin('programmes', 'programmes.id', 'trainingActivities.programmeId')
    .select([
      sql<CalendarItem['kind']>`'activity'`.as('kind'),
      'trainingActivities.id',
      'trainingActivities.title',
      'trainingActivities.description',
      sql<
        string | null
      >`case when training_activities.location ~* '^\\s*https?://' then 'Online' else training_activities.location end`.as(
        'place',
      ),
      sql<
        string[]
      >`array_remove(array['Week ' || training_activities.week_number, training_activities.module_name, cohorts.name], null)`.as(
        'facts',
      ),
      sql<string>`training_activities.session_date`.as('day'),
      'programmes.zone',
      calendarMoment(sessionStart, zone).as('startsAt'),
      calendarMoment(
        sql`${sessionStart} + make_interval(mins => coalesce(training_activities.duration_minutes, ${usualMinutes}))`,
        zone,
      ).as('endsAt'),
      sql<boolean>`false`.as('isCancelled'),
      'trainingActivities.calendarSequence as sequence',
      'trainingActivities.updatedAt as changedAt',
    ])
    .where('trainingActivities.sessionDate', 'is not', null);
}

function deadlineItems(activities: Activities) {
  const dueDate = sql<string>`coalesce(content_assignments.due_date, content_items.due_date)`;
  return activities
    .innerJoin('contentItems', 'contentItems.trainingActivityId', 'trainingActivities.id')
    .innerJoin('contentAssignments', 'contentAssignments.contentItemId', 'contentItems.id')
    .select([
      sql<CalendarItem['kind']>`'assignment'`.as('kind'),
      'contentAssignments.id',
      'contentAssignments.title',
      sql<string | null>`null`.as('description'),
      sql<string | null>`null`.as('place'),
      sql<string[]>`array['Week ' || training_activities.week_number, training_activities.title]`.as('facts'),
      dueDate.as('day'),
      zoneOfActivity,
      sql<string | null>`null`.as('startsAt'),
      sql<string | null>`null`.as('endsAt'),
      sql<boolean>`false`.as('isCancelled'),
      'contentAssignments.calendarSequence as sequence',
      'contentAssignments.updatedAt as changedAt',
    ])
    .where('contentAssignments.archivedAt', 'is', null)
    .where(dueDate, 'is not', null);
}

function requirementItems(db: Db, cohorts: ReturnType<typeof followedCohorts>) {
  return db
    .selectFrom('weeklyRequirements')
    .innerJoin('cohorts', 'cohorts.id', 'weeklyRequirements.cohortId')
    .select([
      sql<CalendarItem['kind']>`'requirement'`.as('kind'),
      'weeklyRequirements.id',
      'weeklyRequirements.title',
      sql<string | null>`null`.as('description'),
      sql<string | null>`null`.as('place'),
      sql<
        string[]
      >`array_remove(array['Week ' || weekly_requirements.week_number, weekly_requirements.type, cohorts.name], null)`.as(
        'facts',
      ),
      'weeklyRequirements.dueDate as day',
      sql<string>`zone_of_cohort(cohorts.id)`.as('zone'),
      sql<string | null>`null`.as('startsAt'),
      sql<string | null>`null`.as('endsAt'),
      sql<boolean>`false`.as('isCancelled'),
      'weeklyRequirements.calendarSequence as sequence',
      'weeklyRequirements.updatedAt as changedAt',
    ])
    .where('weeklyRequirements.cohortId', 'in', cohorts);
}

const zone = sql.ref('programmes.zone');
const sessionStart = sql`((training_activities.session_date + training_activities.session_time) at time zone programmes.zone)`;
