import { dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { findActiveCohort } from '#server/features/cohorts/cohort-queries.ts';
import { visibleActivities } from '#server/features/curriculum/curriculum-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { notFound } from '#server/platform/errors.ts';
import { changed } from '#server/platform/telling.ts';
import { loadActivity, lockedRefusal, unlockedWeeksOf } from './learning-access.ts';

/**
 * Sets a participant's own mark on a content item that they may see, once its activity is open. It only counts in their
 * overview.
 */
export async function setContentTick(db: Db, actor: Actor, contentItemId: string, isTicked: boolean) {
  const visible = await visibleActivities(db, actor)
    .innerJoin('contentItems', 'contentItems.trainingActivityId', 'trainingActivities.id')
    .select('trainingActivities.id as activityId')
    .where('contentItems.id', '=', contentItemId)
    .where('contentItems.archivedAt', 'is', null)
    .executeTakeFirst();
  if (!visible) throw notFound('We cannot find this content.');
  const activity = await loadActivity(db, actor, visible.activityId);
  const cohort = await findActiveCohort(db, actor.id);
  const refusal = lockedRefusal(activity, unlockedWeeksOf(cohort), dayAt(now(), activity.zone));
  if (refusal) throw refusal;
  const tick = { userId: actor.id, contentItemId };
  if (isTicked) {
    await db
      .insertInto('contentTicks')
      .values({ ...tick, tickedAt: now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  } else {
    await db
      .deleteFrom('contentTicks')
      .where('userId', '=', actor.id)
      .where('contentItemId', '=', contentItemId)
      .execute();
  }
  await changed(db, 'ticks', [actor.id]);
  return { isTicked };
}
