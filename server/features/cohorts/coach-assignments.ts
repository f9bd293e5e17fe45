import { sql } from 'kysely';
import { assignmentRefusals } from '#contract/coach-assignment.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError } from '#server/platform/errors.ts';
import { isWithoutCoach } from './coach-assignment-queries.ts';
import { findProgramCourses } from './cohort-queries.ts';
import { tellOfAssignment } from './enrolment-notices.ts';

interface Person {
  id: string;
  firstName: string;
  lastName: string;
  role: string;
  isDeleted: boolean;
  isWithoutCoach: boolean;
  hasThisCoach: boolean;
}

/** CASN-07 to CASN-17: assigns all of them or none. A person who has got a coach meanwhile keeps that coach. */
export async function assignCoach(
  db: Db,
  actor: Actor,
  { participantIds, coachId }: { participantIds: string[]; coachId: string },
) {
  const ids = [...new Set(participantIds)];
  const people = await lockPeople(db, [coachId, ...ids], coachId);
  const coach = people.find(({ id }) => id === coachId);
  if (coach?.role !== 'coach' || coach.isDeleted) {
    throw new AppError('conflict', 'This person is not a coach. Please choose another one.');
  }
  // CASN-08
  const course = (await findProgramCourses(db)).find(({ programType }) => programType === 'fellowship');
  if (!course) throw new AppError('conflict', assignmentRefusals.noCourse);
  const participants = people.filter(({ id }) => id !== coachId);
  refuseUnlessWaiting(ids.length, participants);

  await assign(db, ids, course.id, coachId);
  await audit(
    db,
    actor.id,
    ids.map((id) => ({ action: 'coach.assign', subjectType: 'user', subjectId: id, after: { coachId } })),
  );
  await tellOfAssignment(db, participants, coach);
  return { assigned: ids.length, coachName: nameOf(coach) };
}

/** Locks them in one order. Meanwhile nobody else assigns or enrolls them, or gives them another role. */
async function lockPeople(db: Db, ids: string[], coachId: string): Promise<Person[]> {
  await sql`select from profiles where id = any(${ids}::uuid[]) order by id for update`.execute(db);
  const found = await sql<Person>`
    select id, first_name, last_name, role, deleted_at is not null as is_deleted, ${isWithoutCoach} as is_without_coach,
      exists (select from user_courses where user_id = profiles.id and status = 'enrolled' and coach_id = ${coachId})
        as has_this_coach
    from profiles where id = any(${ids}::uuid[])`.execute(db);
  return found.rows;
}

function refuseUnlessWaiting(chosen: number, participants: Person[]): void {
  const settled = participants.filter((person) => !person.isWithoutCoach || person.role !== 'participant');
  if (settled.length === 0 && participants.length === chosen) return;
  if (settled.some(({ hasThisCoach }) => hasThisCoach)) throw new AppError('duplicate', assignmentRefusals.duplicate);
  const [first] = settled;
  const others = settled.length - 1;
  const who = first
    ? `${nameOf(first)}${others > 0 ? ` and ${others.toLocaleString('en-US')} more` : ''}`
    : 'Somebody among them';
  throw new AppError(
    'stale',
    `${who} no longer waits for a coach. Nobody was assigned; please look at the list again.`,
  );
}

/** CASN-09, CASN-10: writes the course's row, or makes it, and every other enrolment that lacks a coach. */
async function assign(db: Db, participantIds: string[], courseId: string, coachId: string): Promise<void> {
  await sql`
    with filled as (
      update user_courses set coach_id = ${coachId}
      where user_id = any(${participantIds}::uuid[]) and status = 'enrolled' and coach_id is null
    )
    insert into user_courses (user_id, course_id, coach_id, status)
    select id, ${courseId}, ${coachId}, 'enrolled' from unnest(${participantIds}::uuid[]) as id
    on conflict (user_id, course_id) do nothing`.execute(db);
}

function nameOf({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`;
}
