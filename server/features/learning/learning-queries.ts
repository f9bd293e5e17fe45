import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { readActivityContent } from '#contract/activities.ts';
import { defaultProgrammeId } from '#contract/default-programme.ts';
import type { ParsedInputOf, ResponseOf } from '#contract/endpoint.ts';
import { houseZone } from '#contract/house-zone.ts';
import type { readTrainingCalendar } from '#contract/learning.ts';
import { currentWeek, dayAt, programmeCalendar } from '#contract/weeks.ts';
import { builtOnce, builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { findActiveCohort } from '#server/features/cohorts/cohort-queries.ts';
import { visibleActivities } from '#server/features/curriculum/curriculum-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { foldedWordsOf, isFoundByWords } from '#server/platform/search-pattern.ts';
import {
  activityState,
  completionRefusal,
  loadOwnActivity,
  otherCohortRefusal,
  unlockedWeeksOf,
} from './learning-access.ts';

type ContentType = ResponseOf<typeof readActivityContent>['items'][number]['contentType'];
type Filters = ParsedInputOf<typeof readTrainingCalendar>['query'];

const calendarLimit = 500;
/** So many programs are offered to filter by. */
const mostProgrammes = 50;

export async function findTrainingCalendar(db: Db, actor: Actor, { search, week, module, programme, around }: Filters) {
  if (programme && actor.role !== 'admin') {
    throw new AppError('forbidden', 'Only an admin can filter by program.');
  }
  const cohort = actor.role === 'participant' ? await findActiveCohort(db, actor.id) : null;
  const today = dayAt(now(), cohort?.calendar.zone ?? houseZone);
  const { id: actorId, role, trackType } = actor;
  const day = around ?? today;
  const asked = { actorId, trackType, day, week: week ?? null, module: module || null, programme: programme ?? null };
  const found = search?.trim()
    ? await calendarRows(db, role, asked, search).execute()
    : await calendarRowsWithoutSearch(db, role, asked);
  return {
    activities: found
      .filter((activity) => activity.nearness <= calendarLimit)
      .map((activity) => ({
        ...activity,
        state: role === 'participant' ? activityState(activity, today, unlockedWeeksOf(cohort)) : null,
      })),
    hasMore: found.length > calendarLimit,
    currentWeek: cohort ? currentWeek(cohort.startDate, today, cohort.calendar) : null,
    holidays: (cohort ? programmeCalendar(cohort.startDate, cohort.calendar) : []).flatMap(({ week, holiday }) =>
      holiday ? [{ week, name: holiday }] : [],
    ),
    today,
    ...(await findChoices(db, actor.role, cohort?.id ?? null)),
  };
}

interface Asked {
  actorId: string;
  trackType: Actor['trackType'];
  /** The activities that are nearest to it are shown. */
  day: string;
  week: number | null;
  module: string | null;
  programme: string | null;
}

function calendarRows(db: Db, role: Actor['role'], asked: Asked, search = '') {
  const { actorId, trackType, day, week, module, programme } = asked;
  const matching = calendarActivities(db, { id: actorId, role, trackType })
    .select(nearness(day).as('nearness'))
    .$if(week !== null, (rows) => rows.where('trainingActivities.weekNumber', '=', week))
    .$if(module !== null, (rows) => rows.where('trainingActivities.moduleName', '=', module))
    .$if(programme !== null, (rows) => rows.where(sql<boolean>`${programme} = any(training_activities.audiences)`))
    .$if(search !== '', (rows) => rows.where(mentions(search)));
  return db
    .selectFrom(matching.as('matching'))
    .selectAll()
    .where('nearness', '<=', sql.lit(calendarLimit + 1))
    .orderBy('weekNumber')
    .orderBy('sessionDate')
    .orderBy('sessionTime')
    .orderBy('id');
}

const calendarRowsWithoutSearch = builtOnceByRole((db, role, asked: Asked) => calendarRows(db, role, asked));

/**
 * What the calendar can be filtered by. Audiences of the first program are named as they are. Those of others have its
 * name beside, because copies are named alike.
 */
async function findChoices(db: Db, role: Actor['role'], cohortId: string | null) {
  const rows = await programmesToChoose(db, role, { cohortId });
  return {
    modules: [...new Set(rows.flatMap(({ modules }) => modules))],
    audiences: rows.flatMap(({ audiences }) => audiences),
  };
}

const programmesToChoose = builtOnceByRole(
  (_, role, { cohortId }: { cohortId: string | null }) => sql<{
    modules: string[];
    audiences: { key: string; label: string }[];
  }>`
    select module_names as modules, (
        select coalesce(jsonb_agg(jsonb_build_object('key', key, 'label', label
          || case when programmes.id = ${sql.lit(defaultProgrammeId)} then '' else ' · ' || programmes.name end) order by place), '[]')
        from programme_audiences where programme_id = programmes.id and ${sql.lit(role === 'admin')}) as audiences
    from programmes
    where ${cohortId === null ? sql`archived_at is null` : sql`id = (select programme_id from cohorts where cohorts.id = ${cohortId})`}
    order by id = ${sql.lit(defaultProgrammeId)} desc, name limit ${sql.lit(mostProgrammes)}`,
);

/** The place of an activity among all. The nearest to a day comes first, and one without a day comes last. */
function nearness(day: string) {
  const distance = sql`abs(training_activities.session_date - ${day}::date)`;
  return sql<number>`row_number() over (order by ${distance} nulls last, training_activities.id)`;
}

/** Visible activities as the calendar shows them, with the person's own completion. */
export function calendarActivities(db: Db, viewer: Pick<Actor, 'id' | 'role' | 'trackType'>) {
  return visibleActivities(db, viewer)
    .innerJoin('programmes', 'programmes.id', 'trainingActivities.programmeId')
    .leftJoin('cohorts', 'cohorts.id', 'trainingActivities.cohortId')
    .leftJoin('attendanceRecords', (join) =>
      join
        .onRef('attendanceRecords.contentId', '=', 'trainingActivities.id')
        .on('attendanceRecords.fellowId', '=', viewer.id),
    )
    .select((eb) => [
      'trainingActivities.id',
      'trainingActivities.title',
      'trainingActivities.weekNumber',
      'trainingActivities.sessionDate',
      sql<string | null>`to_char(training_activities.session_time, 'HH24:MI')`.as('sessionTime'),
      'trainingActivities.durationMinutes',
      'trainingActivities.moduleName',
      'trainingActivities.deliveryMedium',
      'cohorts.name as cohortName',
      'programmes.zone',
      eb('attendanceRecords.id', 'is not', null).$castTo<boolean>().as('isCompleted'),
    ]);
}

export async function findActivity(db: Db, actor: Actor, activityId: string) {
  const activity = await loadOwnActivity(db, actor, activityId);
  const isParticipant = actor.role === 'participant';
  const cohort = isParticipant ? await findActiveCohort(db, actor.id) : null;
  const today = dayAt(now(), activity.zone);
  const refusal = isParticipant
    ? (otherCohortRefusal(activity, cohort) ?? completionRefusal(activity, cohort, today))
    : null;
  const meetingUrl = linkIn(activity.location);
  return {
    ...activity,
    audiences: activity.shownAudiences,
    state: isParticipant ? activityState(activity, today, unlockedWeeksOf(cohort)) : null,
    meetingUrl,
    isMeetingOpen: meetingUrl !== null && activity.sessionDate === today,
    completedAt: activity.completedAt?.toISOString() ?? null,
    completion: cohort ? { fellowId: actor.id, cohortId: cohort.id } : null,
    can: { complete: isParticipant && !activity.isCompleted && refusal === null },
    completionBlockedBecause: refusal?.message ?? null,
  };
}

export async function findActivityContent(db: Db, actor: Actor, activityId: string) {
  await loadOwnActivity(db, actor, activityId);
  return { items: await contentOf(db, { activityId, participantId: actor.role === 'participant' ? actor.id : null }) };
}

/** Contents in their order (ACT-05) with their assignments. A participant also gets their own status of each. */
const contentOf = builtOnce((db, { activityId, participantId }: { activityId: string; participantId: string | null }) =>
  db
    .selectFrom('contentItems')
    .leftJoin('storedFiles', 'storedFiles.path', 'contentItems.filePath')
    .select((eb) => [
      'contentItems.id',
      'contentItems.title',
      'contentItems.description',
      'contentItems.contentType',
      'contentItems.contentUrl',
      'contentItems.contentText',
      'storedFiles.id as fileId',
      'contentItems.orderIndex',
      'contentItems.estimatedMinutes',
      'contentItems.isRequired',
      'contentItems.dueDate',
      isTicked(participantId).as('isTicked'),
      jsonArrayFrom(
        eb
          .selectFrom('contentAssignments')
          .leftJoin('contentSubmissions', (join) =>
            join
              .onRef('contentSubmissions.assignmentId', '=', 'contentAssignments.id')
              .on('contentSubmissions.userId', '=', participantId),
          )
          .select([
            'contentAssignments.id',
            'contentAssignments.title',
            'contentAssignments.dueDate',
            'contentAssignments.isRequired',
            'contentSubmissions.status',
          ])
          .whereRef('contentAssignments.contentItemId', '=', 'contentItems.id')
          .where('contentAssignments.archivedAt', 'is', null)
          .orderBy('contentAssignments.orderIndex')
          .orderBy('contentAssignments.id'),
      ).as('assignments'),
    ])
    .where('contentItems.trainingActivityId', '=', activityId)
    .where('contentItems.archivedAt', 'is', null)
    .orderBy('contentItems.orderIndex')
    .orderBy('contentItems.id')
    .$narrowType<{ contentType: ContentType }>(),
);

function isTicked(participantId: string | null) {
  if (participantId === null) return sql<boolean | null>`null::boolean`;
  return sql<boolean | null>`exists (
    select from content_ticks where content_item_id = content_items.id and user_id = ${participantId})`;
}

function linkIn(location: string | null): string | null {
  const text = location?.trim() ?? '';
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : null;
}

/** CAL-01 */
function mentions(search: string) {
  return isFoundByWords(search, foldedWordsOf(['training_activities.title', 'training_activities.description']));
}
