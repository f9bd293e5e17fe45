import type { Insertable } from 'kysely';
import type { updateCohort as updateCohortEndpoint } from '#contract/cohorts.ts';
import { defaultProgrammeId } from '#contract/default-programme.ts';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { Db } from '#server/db/database.ts';
import type { CohortsTable } from '#server/db/schema.gen.ts';
import {
  requireOpenProgramme,
  requireUnlockable,
  weeksOfProgramme,
} from '#server/features/programmes/programme-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { refuseOvertaken } from '#server/platform/overtaken.ts';
import { refuseTaken } from '#server/platform/taken-names.ts';
import { changed } from '#server/platform/telling.ts';
import { cohortGone, findCohort } from './cohort-setup-queries.ts';

type NewCohort = Omit<Insertable<CohortsTable>, 'id' | 'createdAt'>;
type Edit = ParsedInputOf<typeof updateCohortEndpoint>['body'];
type Stored = Awaited<ReturnType<typeof lockCohort>>;

/** Without an author, the product itself fills in a programme. */
export async function createCohort(
  db: Db,
  author: Pick<Actor, 'id' | 'role'> | null,
  cohort: NewCohort,
): Promise<string> {
  if (author && author.role !== 'admin') throw new AppError('forbidden', 'Only an admin can set up a cohort.');
  const id = newId();
  await requireOpenProgramme(db, { programmeId: defaultProgrammeId, ...cohort });
  await db
    .insertInto('cohorts')
    .values({ ...cohort, id })
    .execute()
    .catch(refuseTaken(takenWords(cohort.name), 'name'));
  const { name, startDate, endDate, programType } = cohort;
  const after = { name, startDate, endDate, programType };
  await changed(db, 'cohorts', { membersOf: [id] });
  await audit(db, author?.id ?? null, {
    action: 'cohort.create',
    subjectType: 'cohort',
    subjectId: id,
    after,
    at: now(),
  });
  return id;
}

/** ADMIN-22. Does not overwrite unseen what somebody else has written meanwhile. */
export async function updateCohort(db: Db, actor: Actor, id: string, { version, ...after }: Edit) {
  const before = await lockCohort(db, id);
  refuseOvertaken(before.version, version, 'cohort');
  refuseBrokenRules(before, after);
  await refuseOtherKind(db, before, after);
  await db
    .updateTable('cohorts')
    .set((row) => ({ ...after, version: row('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
    .catch(refuseTaken(takenWords(after.name), 'name'));
  await changed(db, 'cohorts', { membersOf: [id] });
  await audit(db, actor.id, {
    action: 'cohort.update',
    subjectType: 'cohort',
    subjectId: id,
    before: factsOf(before),
    after: factsOf(after),
  });
  return findCohort(db, id);
}

/** Until the transaction ends, nobody takes a place in it or moves it. */
async function lockCohort(db: Db, id: string) {
  const cohort = await db
    .selectFrom('cohorts')
    .selectAll()
    .select(weeksOfProgramme)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!cohort) throw cohortGone();
  return cohort;
}

function refuseBrokenRules(before: Stored, after: Omit<Edit, 'version'>): void {
  requireUnlockable(before.weeks, after.unlockedWeeks);
  if (after.endDate <= before.startDate) throw atField('endDate', 'The end must be after the start.');
  if (after.capacity >= before.currentEnrollment) return;
  throw atField(
    'capacity',
    `${before.currentEnrollment.toLocaleString('en-US')} people are in this cohort, so it needs at least as many places.`,
  );
}

/** The members were enrolled for the cohort's kind of programme, so it stays. */
async function refuseOtherKind(db: Db, before: Stored, after: Omit<Edit, 'version'>): Promise<void> {
  if (after.programType === before.programType) return;
  const member = await db
    .selectFrom('cohortParticipants')
    .select('participantId')
    .where('cohortId', '=', before.id)
    .limit(1)
    .executeTakeFirst();
  if (member) throw atField('programType', 'People are or were in this cohort, so its program type cannot change.');
}

function takenWords(name: string): string {
  return `This program type already has a cohort named ${name}.`;
}

function atField(path: string, message: string): AppError {
  return new AppError('invalid_input', message, { errors: [{ path, message }] });
}

function factsOf(cohort: Omit<Edit, 'version' | 'status' | 'programType'> & { status: string; programType: string }) {
  const { name, description, programType, endDate, status, capacity, curriculumVersion, unlockedWeeks } = cohort;
  return { name, description, programType, endDate, status, capacity, curriculumVersion, unlockedWeeks };
}
