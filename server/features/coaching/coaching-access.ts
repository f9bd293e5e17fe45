import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';

/**
 * Returns the people whom a coach looks after: they are enrolled in a course under the coach (SEC-11). Each person and
 * course has one row.
 */
export function ownParticipants(db: Db, coach: Pick<Actor, 'id'>) {
  return db
    .selectFrom('userCourses')
    .innerJoin('profiles', 'profiles.id', 'userCourses.userId')
    .where('userCourses.coachId', '=', coach.id)
    .where('userCourses.status', '=', sql.lit('enrolled'))
    .where('profiles.deletedAt', 'is', null);
}

/** True if the person is one of them. It is a condition or a column for any query. */
export function isOwnParticipant(
  db: Db,
  coach: Pick<Actor, 'id'>,
  participantId: Expression<string>,
): RawBuilder<boolean> {
  return sql<boolean>`(${participantId} in ${ownParticipants(db, coach).select('profiles.id')})`;
}

/**
 * Their ids, as an array that PostgreSQL reads first. A list of them with many other conditions begins with it. Of a join,
 * PostgreSQL may judge everybody by the other conditions before it asks whose they are.
 */
export function ownParticipantIds(db: Db, coach: Pick<Actor, 'id'>): RawBuilder<string> {
  return sql<string>`any(array${ownParticipants(db, coach).select('profiles.id')})`;
}

/** A coach sees the pages of their own participants, an admin those of everybody who is there. */
export function visiblePeople(db: Db, actor: Pick<Actor, 'id' | 'role'>) {
  return db
    .selectFrom('profiles')
    .where('profiles.deletedAt', 'is', null)
    .$if(actor.role !== 'admin', (own) =>
      own.where('profiles.role', '=', 'participant').where((eb) => isOwnParticipant(db, actor, eb.ref('profiles.id'))),
    );
}

/**
 * True if the person's page opens for the actor. It is a column for any query, of an id that is not a column of
 * `profiles`.
 */
export function mayOpenPerson(
  db: Db,
  actor: Pick<Actor, 'id' | 'role'>,
  personId: Expression<string>,
): RawBuilder<boolean> {
  return sql<boolean>`exists (${visiblePeople(db, actor).select('profiles.id').where('profiles.id', '=', personId)})`;
}

/** Returns the first of `coachesOf` for each of several people, beside `participant_id`. `people` is what follows "=". */
export function firstCoachOfEach(db: Db, people: Expression<string>) {
  return coachesOf(db, people).distinctOn('taken.userId').select('taken.userId as participantId');
}

/**
 * Returns the coaches who look after a participant. The coach of the course that the participant joined last is first.
 * Each course has one row. Of several people, those of one person are together.
 */
export function coachesOf(db: Db, participantId: Expression<string>) {
  return db
    .selectFrom('userCourses as taken')
    .innerJoinLateral(
      // Without the offset PostgreSQL may walk through the coaches to the few that are meant.
      (eb) =>
        eb
          .selectFrom('profiles')
          .selectAll()
          .whereRef('profiles.id', '=', 'taken.coachId')
          .where('profiles.deletedAt', 'is', null)
          .where('profiles.role', '=', sql.lit('coach'))
          .offset(sql.lit(0))
          .as('coach'),
      (join) => join.onTrue(),
    )
    .where('taken.userId', '=', participantId)
    .where('taken.status', '=', sql.lit('enrolled'))
    .orderBy('taken.userId')
    .orderBy('taken.startDate', 'desc')
    .orderBy('taken.courseId');
}

/** Returns their ids as an array, in a column for any query. */
export function coachIdsOf(db: Db, participantId: Expression<string>): RawBuilder<string[]> {
  const ids = coachesOf(db, participantId).select('coach.id');
  return sql<string[]>`array(select distinct id from ${ids} as coaches)`;
}

/** Returns the name of the first of them (STIP-29), or null without one. It is a column for any query. */
export function coachNameOf(db: Db, participantId: Expression<string>): RawBuilder<string | null> {
  return sql<string | null>`${coachesOf(db, participantId).select('coach.fullName as name').limit(1)}`;
}
