import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { findProgramCourses, lockCohorts } from '#server/features/cohorts/cohort-queries.ts';
import { tellOfNewAdminsQueue } from '#server/features/users/new-admin-queue.ts';
import { audit } from '#server/platform/audit.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { type InvitingApp, invitePeople } from '#server/sign-in/invitations.ts';
import { createSignIns } from '#server/sign-in/sign-ins.ts';
import { makeRoomFor } from '#server/sign-in/unconfirmed-registrations.ts';
import { accountError } from './import-checks.ts';
import { type PlacedRow, placeRows, type WaitingRow } from './import-places.ts';
import { findRoles } from './import-queries.ts';

/** The outcome of a row: a person, or the reason why there is none. */
export interface RowResult {
  rowNumber: number;
  userId: string | null;
  error: string | null;
}

interface UploadOfRows {
  importId: string;
  actorId: string;
  app: InvitingApp;
}

const withAccount = { courseId: null, coachId: null, error: accountError };

type Candidate = PlacedRow & { id: string };

/**
 * Makes the accounts of these rows with all that belongs to them. It handles each kind of row as one set (BULK-42,
 * BULK-43).
 */
export async function makePeople(
  db: Db,
  { importId, actorId, app }: UploadOfRows,
  rows: WaitingRow[],
): Promise<RowResult[]> {
  const candidates = await findPlaces(db, rows);
  const given = candidates.filter(isIn).map((person) => ({ ...toSignIn(person), madeBy: actorId }));
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
    made.map(({ id, role, coachId }) => ({
      action: 'user.create',
      subjectType: 'user',
      subjectId: id,
      after: { role, importId, ...(coachId ? { coachId } : {}) },
    })),
  );
  const invited = made.map(({ id, email, firstName }) => ({ userId: id, email, firstName }));
  await invitePeople(db, invited, importId, app);
  const personIds = made.filter(({ role }) => role === 'admin').map(({ id }) => id);
  if (personIds.length > 0) await enqueue(db, tellOfNewAdminsQueue, { personIds, isInvited: true });
  return results.map(({ rowNumber, id, error }) => ({ rowNumber, error, userId: error === null ? id : null }));
}

function isIn({ error }: Candidate): boolean {
  return error === null;
}

/**
 * Locks the cohorts, and decides for each row which course and coach it gets, or why it cannot get in. A person who got
 * an account since the file was checked, as by another file, takes no place.
 */
async function findPlaces(db: Db, rows: WaitingRow[]): Promise<Candidate[]> {
  const cohorts = await lockCohorts(db, unique(rows.map(({ record }) => record.cohortId)));
  const courses = await findProgramCourses(db);
  // Stryker disable next-line ArrayDeclaration: No coach has the address that would stand for none.
  const coaches = await findCoaches(db, unique(rows.flatMap(({ record }) => record.coachEmail ?? [])));
  const known = await findRoles(
    db,
    rows.map(({ record }) => record.email),
  );
  const placed = placeRows(
    rows.filter(({ record }) => !known.has(record.email)),
    { cohorts, courses, coaches },
  );
  const places = new Map(placed.map((row) => [row.rowNumber, row]));
  return rows.map(({ rowNumber, record }) => ({
    ...(places.get(rowNumber) ?? { ...record, rowNumber, ...withAccount }),
    id: newId(),
  }));
}

/** None of these coaches loses the role before the caller's transaction ends. */
async function findCoaches(db: Db, emails: string[]): Promise<Map<string, string>> {
  const coaches = await db
    .selectFrom('profiles')
    .select(['id', sql<string>`lower(email::text)`.as('email')])
    .where('email', '=', sql<string>`any(${emails}::citext[])`)
    .where('role', '=', 'coach')
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .forShare()
    .execute();
  return new Map(coaches.map(({ id, email }) => [email, id]));
}

function toSignIn({ id, email, firstName, lastName, role, trackType, phone }: Candidate) {
  return { id, email, firstName, lastName, role, trackType, phone };
}

async function enrol(db: Db, participants: Candidate[]): Promise<void> {
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
