import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';

/** The people whom a coach looks after: enrolled in a course under them (SEC-11). One row a person and course. */
export function ownParticipants(db: Db, coach: Pick<Actor, 'id'>) {
  return db
    .selectFrom('userCourses')
    .innerJoin('profiles', 'profiles.id', 'userCourses.userId')
    .where('userCourses.coachId', '=', coach.id)
    .where('userCourses.status', '=', 'enrolled')
    .where('profiles.deletedAt', 'is', null);
}

/** Whether somebody is one of them; for a condition or a column of any query. */
export function isOwnParticipant(
  db: Db,
  coach: Pick<Actor, 'id'>,
  participantId: Expression<string>,
): RawBuilder<boolean> {
  return sql<boolean>`(${participantId} in ${ownParticipants(db, coach).select('profiles.id')})`;
}

/** Who looks after a participant, the coach of the course that they joined last first. One row a course. */
export function coachesOf(db: Db, participantId: Expression<string>) {
  return db
    .selectFrom('userCourses as taken')
    .innerJoin('profiles as coach', 'coach.id', 'taken.coachId')
    .where('taken.userId', '=', participantId)
    .where('taken.status', '=', 'enrolled')
    .where('coach.deletedAt', 'is', null)
    .where('coach.role', '=', 'coach')
    .orderBy('taken.startDate', 'desc')
    .orderBy('taken.courseId');
}

/** Their ids, as an array in a column of any query. */
export function coachIdsOf(db: Db, participantId: Expression<string>): RawBuilder<string[]> {
  const ids = coachesOf(db, participantId).select('coach.id');
  return sql<string[]>`array(select distinct id from ${ids} as coaches)`;
}

/** The name of the first of them (STIP-29), null without one; a column of any query. */
export function coachNameOf(db: Db, participantId: Expression<string>): RawBuilder<string | null> {
  return sql<string | null>`${coachesOf(db, participantId).select('coach.fullName as name').limit(1)}`;
}
