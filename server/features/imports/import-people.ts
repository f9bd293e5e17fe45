import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { findProgramCourses, lockCohorts } from '#server/features/cohorts/cohort-queries.ts';
import { audit } from '#server/platform/audit.ts';
import { newId } from '#server/platform/ids.ts';
import { invitePeople } from '#server/platform/invitations.ts';
import { createSignIns } from '#server/platform/sign-ins.ts';
import { makeRoomFor } from '#server/platform/unconfirmed-registrations.ts';
import { accountError, type ImportRecord, noCoachError } from './import-checks.ts';

export interface WaitingRow {
  rowNumber: number;
  record: ImportRecord;
}

/** What became of a row: a person, or the reason why not. */
export interface RowResult {
  rowNumber: number;
  userId: string | null;
  error: string | null;
}

interface UploadOfRows {
  importId: string;
  actorId: string;
  publicUrl: string;
}

interface Candidate extends ImportRecord {
  id: string;
  rowNumber: number;
  courseId: string | null;
  coachId: string | null;
  error: string | null;
}

/** Makes the accounts of these rows with all that belongs to them, every kind of row as one set (BULK-42, BULK-43). */
export async function makePeople(
  db: Db,
  { importId, actorId, publicUrl }: UploadOfRows,
  rows: WaitingRow[],
): Promise<RowResult[]> {
  const candidates = await findPlaces(db, rows);
  const given = candidates.filter(isIn).map(toSignIn);
  await makeRoomFor(
    db,
    actorId,
    given.map(({ email }) => email),
  );
  const { refusedIds } = await createSignIns(db, given);
  const refused = new Set(refusedIds);
  const results = candidates.map((person) => (refused.has(person.id) ? { ...person, error: accountError } : person));
  const made = results.filter(isIn);
  await enrol(
    db,
    made.filter(({ role }) => role === 'participant'),
  );
  await audit(
    db,
    actorId,
    made.map(({ id, role }) => ({
      action: 'user.create',
      subjectType: 'profile',
      subjectId: id,
      after: { role, importId },
    })),
  );
  const invited = made.map(({ id, email, firstName }) => ({ userId: id, email, firstName }));
  await invitePeople(db, invited, importId, publicUrl);
  return results.map(({ rowNumber, id, error }) => ({ rowNumber, error, userId: error === null ? id : null }));
}

function isIn({ error }: Candidate): boolean {
  return error === null;
}

/** Locks the cohorts, and says of each row which course and coach it gets, or why it can't get in. */
async function findPlaces(db: Db, rows: WaitingRow[]): Promise<Candidate[]> {
  const cohorts = new Map((await lockCohorts(db, unique(rows.map(({ record }) => record.cohortId)))).map(withPlaces));
  const courses = new Map((await findProgramCourses(db)).map(({ id, programType }) => [programType, id]));
  const coaches = await findCoaches(db, unique(rows.flatMap(({ record }) => record.coachEmail ?? [])));
  return rows.map(({ rowNumber, record }) => {
    const cohort = cohorts.get(record.cohortId);
    const isParticipant = record.role === 'participant';
    const courseId = (isParticipant && cohort && courses.get(cohort.programType)) || null;
    const coachId = (record.coachEmail && coaches.get(record.coachEmail)) || null;
    const error = placeError(record, cohort, courseId, coachId);
    if (error === null && isParticipant && cohort) cohort.places -= 1;
    return { ...record, id: newId(), rowNumber, courseId, coachId, error };
  });
}

type LockedCohort = Awaited<ReturnType<typeof lockCohorts>>[number];

type CohortWithPlaces = LockedCohort & { places: number };

function withPlaces(cohort: LockedCohort): [string, CohortWithPlaces] {
  return [cohort.id, { ...cohort, places: cohort.capacity - cohort.currentEnrollment }];
}

function placeError(
  { role, coachEmail }: ImportRecord,
  cohort: CohortWithPlaces | undefined,
  courseId: string | null,
  coachId: string | null,
): string | null {
  if (!cohort || !['active', 'planning'].includes(cohort.status)) {
    return 'The cohort is no longer active or planning';
  }
  if (role === 'participant' && cohort.places <= 0) {
    return `Cohort "${cohort.name}" is full: all ${cohort.capacity} places are taken`;
  }
  if (coachEmail && !coachId) return noCoachError(coachEmail);
  if (coachEmail && !courseId)
    return `Program "${cohort.programType}" has no course in which a coach could be assigned`;
  return null;
}

async function findCoaches(db: Db, emails: string[]): Promise<Map<string, string>> {
  if (emails.length === 0) return new Map();
  const coaches = await db
    .selectFrom('profiles')
    .select(['id', sql<string>`lower(email::text)`.as('email')])
    .where('email', '=', sql<string>`any(${emails}::citext[])`)
    .where('role', '=', 'coach')
    .where('deletedAt', 'is', null)
    .execute();
  return new Map(coaches.map(({ id, email }) => [email, id]));
}

function toSignIn({ id, email, firstName, lastName, role, trackType }: Candidate) {
  return { id, email, firstName, lastName, role, trackType };
}

async function enrol(db: Db, participants: Candidate[]): Promise<void> {
  if (participants.length === 0) return;
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(participants)}::jsonb) as given
        (id uuid, "cohortId" uuid, "courseId" uuid, "coachId" uuid)
    ), member as (
      insert into cohort_participants (cohort_id, participant_id) select "cohortId", id from given
    )
    insert into user_courses (user_id, course_id, coach_id)
    select id, "courseId", "coachId" from given where "courseId" is not null`.execute(db);
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
