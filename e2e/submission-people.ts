import type { Page } from '@playwright/test';
import { enrol } from '#test/factories/cohorts.ts';
import { buildAssignment } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import type { InstanceWithDatabase } from './instance.ts';
import { buildMember } from './learning-people.ts';

/** A participant of a coach, with one assignment in the first week. */
export async function buildSubmitters({ db }: Pick<InstanceWithDatabase, 'db'>) {
  const { participant, cohort, session } = await buildMember({ db });
  const coach = await buildCoach(db);
  const activity = await session('Substation walk-down', 1, -7);
  const own = await buildParticipant(db, { firstName: 'Nadia', lastName: 'Ng' });
  await enrol(db, { cohortId: cohort.id, participantId: own.id, coachId: coach.id });
  const assignmentOf = (title: string, facts: object = {}) =>
    buildAssignment(db, { trainingActivityId: activity.id, title, ...facts });
  const submit = (person: BuiltPerson, assignmentId: string, facts: object = {}) =>
    buildSubmission(db, { assignmentId, userId: person.id, reviewedBy: coach.id, ...facts });
  return { participant, own, coach, assignmentOf, submit };
}

export const rowOf = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title });
