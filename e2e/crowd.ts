import { newId } from '#server/platform/ids.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { badlyRated, judgedWeek } from '#test/factories/stipends.ts';
import type { InstanceWithDatabase } from './instance.ts';

const longName = 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh';

/**
 * People of one cohort that has not begun, each with a stipend of week 1 in another, all from one upload and invited. Every tenth
 * has a long name, and every third week is not eligible. One statement a table, for any number.
 */
export async function buildCrowd({ db }: InstanceWithDatabase, size: number) {
  const cohort = await buildCohort(db, { status: 'planning', name: 'Spring 2027', capacity: size });
  const admin = await db.selectFrom('profiles').select('id').where('role', '=', 'admin').executeTakeFirstOrThrow();
  const people = Array.from({ length: size }, (_, index) => ({
    id: newId(),
    email: `person-${index}-with-an-address-of-usual-length@participants.example`,
    firstName: 'Robin',
    lastName: index % 10 === 0 ? `${longName} ${index}` : `Reyes ${index}`,
    trackType: 'fellowship',
  }));
  await db
    .insertInto('auth.user')
    .values(
      people.map((person) => ({ ...person, name: `${person.firstName} ${person.lastName}`, emailVerified: true })),
    )
    .execute();
  await db
    .insertInto('profiles')
    .values(people.map((person) => ({ ...person, role: 'participant' })))
    .execute();
  await db
    .insertInto('cohortParticipants')
    .values(people.map(({ id }) => ({ participantId: id, cohortId: cohort.id })))
    .execute();
  // Nobody is a member of this one, so nothing computes its weeks anew.
  const paying = await buildCohort(db, { status: 'planning', name: 'Summer 2027' });
  const weeks = [judgedWeek(), judgedWeek({ ...badlyRated, activitiesAccessed: 2 })] as const;
  await db
    .insertInto('stipendEligibility')
    .values(
      people.map(({ id }, index) => ({
        weekNumber: 1,
        fellowId: id,
        cohortId: paying.id,
        ...weeks[index % 3 === 0 ? 1 : 0],
      })),
    )
    .execute();
  const upload = await db
    .insertInto('bulkImports')
    .values({
      filename: 'spring-2027-everybody.csv',
      createdBy: admin.id,
      status: 'completed',
      totalRecords: size,
      successfulRecords: size,
      completedAt: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('bulkImportRows')
    .values(
      people.map(({ id, ...record }, index) => ({
        importId: upload.id,
        rowNumber: index + 1,
        record: JSON.stringify({ ...record, role: 'participant' }),
        status: 'succeeded',
        userId: id,
      })),
    )
    .execute();
  await db
    .insertInto('invitations')
    .values(
      people.map(({ id }) => ({
        userId: id,
        importId: upload.id,
        expiresAt: new Date(Date.now() + 7 * 24 * 3_600_000),
      })),
    )
    .execute();
  return { importId: upload.id, cohortId: cohort.id };
}
