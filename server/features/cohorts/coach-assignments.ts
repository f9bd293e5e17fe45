import { sql } from 'kysely';
import { assignmentRefusals, type previewCoachAssignment as previewContract } from '#contract/coach-assignment.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError } from '#server/platform/errors.ts';
import { fullNameOf, type NamedPerson, partPeople, type Refusal, throwRefusal } from '#server/platform/refusals.ts';
import { isWithoutCoach } from './coach-assignment-queries.ts';
import { findProgramCourses } from './cohort-queries.ts';
import { tellOfAssignment } from './enrolment-notices.ts';

interface Person extends NamedPerson {
  role: string;
  isDeleted: boolean;
  isEnrolled: boolean;
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
  // In one order. Meanwhile nobody else assigns or enrolls them, or gives them another role.
  await sql`select from profiles where id = any(${[coachId, ...ids]}::uuid[]) order by id for update`.execute(db);
  const { coach, courseId, people } = await findAssignment(db, ids, coachId);
  const participants = people.filter(({ id }) => id !== coachId);
  refuseUnlessWaiting(ids.length, participants, coach);

  await assign(db, ids, courseId, coachId);
  await audit(
    db,
    actor.id,
    ids.map((id) => ({ action: 'coach.assign', subjectType: 'user', subjectId: id, after: { coachId } })),
  );
  await tellOfAssignment(db, participants, coach);
  return { assigned: ids.length, coachName: fullNameOf(coach) };
}

/** Says for whom `assignCoach` is open now. */
export async function previewCoachAssignment(
  db: Db,
  { participantIds, coachId }: { participantIds: string[]; coachId: string },
): Promise<ReplyOf<typeof previewContract>> {
  const { coach, people } = await findAssignment(db, participantIds, coachId);
  const present = people.filter(({ isDeleted }) => !isDeleted);
  const { open, refused } = partPeople(participantIds, present, (person) => waitingRefusal(person, coach));
  return { ready: open.map(({ id }) => id), refused, coachName: fullNameOf(coach) };
}

async function findAssignment(db: Db, ids: string[], coachId: string) {
  const people = await findPeople(db, [coachId, ...ids], coachId);
  const coach = people.find(({ id }) => id === coachId);
  if (coach?.role !== 'coach' || coach.isDeleted) {
    throw new AppError('conflict', 'This person is not a coach. Please choose another one.');
  }
  // CASN-08
  const course = (await findProgramCourses(db)).find(({ programType }) => programType === 'fellowship');
  if (!course) throw new AppError('conflict', assignmentRefusals.noCourse);
  return { coach, courseId: course.id, people };
}

async function findPeople(db: Db, ids: string[], coachId: string): Promise<Person[]> {
  const found = await sql<Person>`
    select id, first_name, last_name, role, deleted_at is not null as is_deleted, ${isWithoutCoach} as is_without_coach,
      exists (select from user_courses where user_id = profiles.id and status = 'enrolled') as is_enrolled,
      exists (select from user_courses where user_id = profiles.id and status = 'enrolled' and coach_id = ${coachId})
        as has_this_coach
    from profiles where id = any(${ids}::uuid[])`.execute(db);
  return found.rows;
}

/** Null for a participant who waits for a coach. */
function waitingRefusal(person: Person, coach: NamedPerson): Refusal | null {
  if (person.role === 'participant' && person.isWithoutCoach) return null;
  if (person.hasThisCoach) {
    return {
      code: 'duplicate',
      detail: assignmentRefusals.duplicate,
      inList: `Already with ${fullNameOf(coach)}`,
    };
  }
  const detail = `${fullNameOf(person)} no longer waits for a coach.`;
  if (person.role !== 'participant') return { code: 'stale', detail, inList: 'Not a participant' };
  return {
    code: 'stale',
    detail,
    inList: person.isEnrolled ? 'Already with another coach' : 'Not enrolled yet: enroll them in a cohort first',
  };
}

/** A refusal of one is a refusal of all. */
function refuseUnlessWaiting(chosen: number, participants: Person[], coach: NamedPerson): void {
  const settled = participants.filter((person) => waitingRefusal(person, coach));
  if (settled.length === 0 && participants.length === chosen) return;
  const refusals = settled.flatMap((person) => waitingRefusal(person, coach) ?? []);
  throwRefusal(refusals.find(({ code }) => code === 'duplicate') ?? null);
  const [first] = settled;
  const others = settled.length - 1;
  const who = first
    ? `${fullNameOf(first)}${others > 0 ? ` and ${others.toLocaleString('en-US')} more` : ''}`
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
