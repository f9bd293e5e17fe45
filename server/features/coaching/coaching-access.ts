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
