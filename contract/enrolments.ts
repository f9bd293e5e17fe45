import { z } from 'zod';
import { endpoint, Id } from './endpoint.ts';

/** USER-28 */
export const cohortMissing = 'Please select a cohort';

const EnrolmentTarget = z.object({
  id: Id,
  name: z.string(),
  status: z.enum(['active', 'planning']),
  programType: z.string(),
  capacity: z.number().int(),
  currentEnrollment: z.number().int(),
});
export type EnrolmentTarget = z.infer<typeof EnrolmentTarget>;

export const listEnrolmentTargets = endpoint({
  name: 'listEnrolmentTargets',
  method: 'GET',
  path: '/api/cohort-enrolments/targets',
  access: 'cohorts.manage',
  summary: 'Cohorts that somebody may be enrolled in: active or planning ones (USER-27), the latest start first.',
  response: z.object({ cohorts: z.array(EnrolmentTarget) }),
});

export const enrolInCohort = endpoint({
  name: 'enrolInCohort',
  method: 'POST',
  path: '/api/cohort-enrolments',
  access: 'cohorts.manage',
  summary:
    'Enrols a participant in a cohort and in the course of its programme, there with a coach where one is named.',
  body: z.object({ userId: Id, cohortId: z.uuid(cohortMissing), coachId: Id.nullable().optional() }),
  response: z.object({
    firstName: z.string(),
    lastName: z.string(),
    cohortName: z.string(),
    coachName: z.string().nullable(),
  }),
});
