import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { findWeeklyRating } from './coaching-queries.ts';

interface Rating {
  participantId: string;
  weekNumber: number;
  /** From 1.0 to 5.0 in halves. */
  rating: number;
  comment: string | null;
}

/** Sets the rating of a coach's own participant. Refuses coming weeks, and a week whose stipend is decided. */
export async function rateWeek(db: Db, actor: Actor, given: Rating) {
  const before = await findWeeklyRating(db, actor, given.participantId, given.weekNumber);
  if (!before) throw notFound('This is not one of your participants.');
  await lockStipend(db, given, before.cohortId);
  const current = await findWeeklyRating(db, actor, given.participantId, given.weekNumber);
  if (!current?.can.rate) {
    throw new AppError('conflict', 'You cannot rate this week: it has not started, or its stipend is already decided.');
  }
  const comment = given.comment?.trim() ? given.comment.trim() : null;
  const stored = { overallRating: given.rating, comment, ratedBy: actor.id, updatedAt: now() };
  const { id } = await db
    .insertInto('performanceFeedback')
    .values({ fellowId: given.participantId, cohortId: before.cohortId, weekNumber: given.weekNumber, ...stored })
    .onConflict((conflict) => conflict.columns(['fellowId', 'cohortId', 'weekNumber']).doUpdateSet(stored))
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(db, actor.id, {
    action: 'performance.rate',
    subjectType: 'performance_feedback',
    subjectId: id,
    before: { rating: current.rating },
    after: { rating: given.rating, participantId: given.participantId, weekNumber: given.weekNumber },
  });
  return { ...current, rating: given.rating, comment, updatedAt: stored.updatedAt.toISOString() };
}

/** Locks the stipend, so that nobody decides the week between the check and the rating. */
async function lockStipend(db: Db, { participantId, weekNumber }: Rating, cohortId: string): Promise<void> {
  await db
    .selectFrom('stipendEligibility')
    .select('id')
    .where('fellowId', '=', participantId)
    .where('cohortId', '=', cohortId)
    .where('weekNumber', '=', weekNumber)
    .forUpdate()
    .execute();
}
