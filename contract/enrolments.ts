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
  shows: ['cohorts', 'enrolments'],
  response: z.object({ cohorts: z.array(EnrolmentTarget) }),
});

/** What becomes of the sessions that are booked with the coach whom another one replaces. */
export const bookedSessionsChoices = ['move', 'keep', 'cancel'] as const;
export type BookedSessionsChoice = (typeof bookedSessionsChoices)[number];

export const previewCoachReplacement = endpoint({
  name: 'previewCoachReplacement',
  method: 'GET',
  path: '/api/cohort-enrolments/coach-replacement',
  access: 'cohorts.manage',
  summary:
    'Whom the chosen coach would replace if the participant were enrolled so, and how many sessions are booked with them.',
  shows: ['coaches', 'sessions', 'people', 'enrolments'],
  query: z.object({ userId: Id, cohortId: Id, coachId: Id }),
  response: z.object({
    /** Null where nobody is replaced. */
    formerCoach: z.object({ id: Id, firstName: z.string(), lastName: z.string() }).nullable(),
    /** Sessions with them that are to come. */
    booked: z.number().int(),
    /** In how many of these the chosen coach is free at the same time. */
    movable: z.number().int(),
  }),
});
export type CoachReplacement = z.infer<typeof previewCoachReplacement.response>;

export const enrolInCohort = endpoint({
  name: 'enrolInCohort',
  method: 'POST',
  path: '/api/cohort-enrolments',
  access: 'cohorts.manage',
  summary:
    'Enrols a participant in a cohort and in the course of its programme, there with a coach where one is named.',
  body: z.object({
    userId: Id,
    cohortId: z.uuid(cohortMissing),
    coachId: Id.nullable().optional(),
    /** Moved where the new coach is free and otherwise cancelled, kept with the former coach unless chosen, or cancelled. */
    bookedSessions: z.enum(bookedSessionsChoices).optional(),
  }),
  response: z.object({
    firstName: z.string(),
    lastName: z.string(),
    cohortName: z.string(),
    coachName: z.string().nullable(),
    /** What became of those that were booked with the former coach. */
    sessions: z.object({ moved: z.number().int(), cancelled: z.number().int() }),
  }),
});
