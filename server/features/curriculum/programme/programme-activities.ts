import { sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { createActivity as createEndpoint, listProgrammeActivities } from '#contract/programme-items.ts';
import type { Db } from '#server/db/database.ts';
import { activitySubject } from '#server/features/curriculum/activities.ts';
import { activityGone, requireSoundFacts } from '#server/features/curriculum/activity-rules.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { byId, byInstant, byInteger, exactly, pagesBy } from '#server/platform/pages.ts';
import { foldedWordsOf, isFoundByWords } from '#server/platform/search-pattern.ts';
import { contentPathsOf, releaseContentFiles } from './programme-files.ts';

type Filters = ParsedInputOf<typeof listProgrammeActivities>['query'];
type New = ParsedInputOf<typeof createEndpoint>['body'];

const createdAt = sql`activity.created_at`;
const pages = pagesBy(50, [byInteger(sql`activity.week_number`), byInstant(createdAt), byId(sql`activity.id`)]);

/** The page is chosen first, so that only its rows are counted. */
export async function findProgrammeActivities(db: Db, { cohort, week, search, id, cursor }: Filters) {
  const found = await db
    .selectFrom('trainingActivities as activity')
    .leftJoin('cohorts', 'cohorts.id', 'activity.cohortId')
    .select(['activity.id', 'activity.cohortId', 'cohorts.name as cohortName', 'activity.title'])
    .select(['activity.weekNumber', 'activity.sessionDate', 'activity.moduleName', 'activity.isRequired'])
    .select(['activity.duration', 'activity.durationMinutes', 'activity.location', 'activity.deliveryPartner'])
    .select(['activity.deliveryMedium', 'activity.trainingDeliveryMode', 'activity.description'])
    .select(['activity.calendarSequence as version', 'activity.audiences'])
    .select([
      sql<string | null>`to_char(activity.session_time, 'HH24:MI')`.as('sessionTime'),
      sql<string>`(select zone from programmes where id = activity.programme_id)`.as('zone'),
      exactly(createdAt).as('key'),
      ...hangingCounts,
    ])
    .$if(cohort === 'none', (rows) => rows.where('activity.cohortId', 'is', null))
    .$if(cohort !== undefined && cohort !== 'none', (rows) => rows.where('activity.cohortId', '=', cohort ?? ''))
    .$if(id !== undefined, (rows) => rows.where('activity.id', '=', id ?? ''))
    .$if(week !== undefined, (rows) => rows.where('activity.weekNumber', '=', week ?? 0))
    .where(isFoundByWords(search, foldedWordsOf(['activity.title', 'activity.module_name'])))
    .where(pages.comesAfter(cursor))
    .orderBy(pages.inOrder)
    .limit(pages.most)
    .execute();
  const page = pages.cut(found, ({ weekNumber, key, id }) => [weekNumber, key, id]);
  return page;
}

export async function createActivity(db: Db, actor: Actor, given: New) {
  await requireSoundFacts(db, given, null);
  const id = newId();
  await db
    .insertInto('trainingActivities')
    .values({ id, ...given, createdAt: now() })
    .execute();
  const { title, weekNumber, cohortId, sessionDate, isRequired, audiences } = given;
  await audit(db, actor.id, {
    action: 'activity.create',
    ...activitySubject(id),
    after: { title, weekNumber, cohortId, sessionDate, isRequired, audiences },
  });
  return { id };
}

/** Deletes its contents and assignments too. Refuses if anything that somebody did depends on it. */
export async function deleteActivity(db: Db, actor: Actor, id: string) {
  const activity = await lockActivity(db, id);
  const { attendance, submissions, drafts, corrections, ticks } = activity;
  if (attendance + submissions + drafts + corrections + ticks > 0) {
    throw new AppError(
      'conflict',
      `${activity.title} stays: ${attendance.toLocaleString('en-US')} people attended it, ${submissions.toLocaleString('en-US')} handed work in, ${drafts.toLocaleString('en-US')} are writing, ${corrections.toLocaleString('en-US')} asked about their attendance and ${ticks.toLocaleString('en-US')} marked contents as done. You can hide it: edit it and choose nobody.`,
    );
  }
  const paths = await contentPathsOf(db, 'id', id);
  await db.deleteFrom('trainingActivities').where('id', '=', id).execute();
  await releaseContentFiles(db, paths);
  const { title, weekNumber, cohortId, contents, assignments } = activity;
  await audit(db, actor.id, {
    action: 'activity.delete',
    ...activitySubject(id),
    before: { title, weekNumber, cohortId, contents, assignments },
  });
  return { done: true as const };
}

const hangingCounts = [
  sql<number>`(select count(*) from content_items item
    where item.training_activity_id = activity.id and item.archived_at is null)`.as('contents'),
  sql<number>`(select count(*) from content_items item
    join content_assignments assignment on assignment.content_item_id = item.id and assignment.archived_at is null
    where item.training_activity_id = activity.id and item.archived_at is null)`.as('assignments'),
  sql<number>`(select count(*) from attendance_records where content_id = activity.id)`.as('attendance'),
  sql<number>`(select count(*) from attendance_corrections asked where asked.activity_id = activity.id)`.as(
    'corrections',
  ),
  sql<number>`(select count(*) from content_items item
    join content_assignments assignment on assignment.content_item_id = item.id
    join content_submissions submission on submission.assignment_id = assignment.id
    where item.training_activity_id = activity.id)`.as('submissions'),
  sql<number>`(select count(*) from content_items item
    join content_assignments assignment on assignment.content_item_id = item.id
    join assignment_drafts draft on draft.assignment_id = assignment.id
    where item.training_activity_id = activity.id)`.as('drafts'),
  sql<number>`(select count(distinct tick.user_id) from content_items item
    join content_ticks tick on tick.content_item_id = item.id
    where item.training_activity_id = activity.id)`.as('ticks'),
] as const;

/** Nobody attends it, hands anything in or marks anything as done until the transaction ends. */
async function lockActivity(db: Db, id: string) {
  const { rows } = await sql<{ title: string; weekNumber: number; cohortId: string | null }>`
    with item as (
      select id from content_items where training_activity_id = ${id} order by id for update
    ), assignment as (
      select id from content_assignments where content_item_id in (select id from item) order by id for update
    )
    select title, week_number, cohort_id, (select count(*) from assignment)
    from training_activities where id = ${id} for update`.execute(db);
  const [activity] = rows;
  if (!activity) throw activityGone();
  // Work that came while this waited for the lock counts too, so the count comes only now.
  const counts = await db
    .selectFrom('trainingActivities as activity')
    .select(hangingCounts)
    .where('activity.id', '=', id)
    .executeTakeFirstOrThrow();
  return { ...activity, ...counts };
}
