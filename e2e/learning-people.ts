import type { Page } from '@playwright/test';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { hashPassword } from '#server/sign-in/password-hash.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildParticipant } from '#test/factories/people.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { demoPassword, signIn } from './support.ts';

/** The program's day of this moment. A run of all files may cross midnight, so nobody keeps it. */
export const today = () => dayAt(new Date(), houseZone);

/** Gives the person a password and signs them in. */
export async function enter(page: Page, instance: InstanceWithDatabase, person: BuiltPerson): Promise<void> {
  await instance.db
    .insertInto('auth.account')
    .values({
      userId: person.id,
      accountId: person.id,
      providerId: 'credential',
      password: await hashPassword(demoPassword),
    })
    .execute();
  await signIn(page, instance.url, person.email);
}

/** A member in week 5 of a cohort with a curriculum of its own. */
export async function buildMember({ db }: Pick<InstanceWithDatabase, 'db'>) {
  const participant = await buildParticipant(db);
  const cohort = await buildCohort(db, {
    name: `Autumn fellows of ${participant.id}`,
    description: 'Sixteen weeks of grid work.',
    startDate: addDays(today(), -30),
    capacity: 30,
    curriculumVersion: participant.id,
  });
  await enrol(db, { cohortId: cohort.id, participantId: participant.id });
  const session = (title: string, weekNumber: number, days: number | null, facts: object = {}) =>
    buildActivity(db, {
      cohortId: cohort.id,
      title,
      weekNumber,
      sessionDate: days === null ? null : addDays(today(), days),
      ...facts,
    });
  const attend = (contentId: string) =>
    db
      .insertInto('attendanceRecords')
      .values({ fellowId: participant.id, cohortId: cohort.id, contentId, weekNumber: 1 })
      .execute();
  return { participant, cohort, session, attend };
}

export function row(page: Page, title: string) {
  return page.getByRole('listitem').filter({ hasText: title });
}
