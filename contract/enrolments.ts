import { z } from 'zod';
import { endpoint, Id } from './endpoint.ts';
import { PeopleIds, PeoplePreview, RefusedPerson } from './people-sets.ts';

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

/** Says what becomes of the sessions that are booked with a coach whom another one replaces. */
export const bookedSessionsChoices = ['move', 'keep', 'cancel'] as const;
export type BookedSessionsChoice = (typeof bookedSessionsChoices)[number];

export const previewCoachReplacement = endpoint({
  name: 'previewCoachReplacement',
  method: 'GET',
  path: '/api/cohort-enrolments/coach-replacement',
  access: 'cohorts.manage',
  summary:
    'The coach whom the chosen one would replace if the participant were enrolled so, and how many sessions are booked.',
  shows: ['coaches', 'sessions', 'people', 'enrolments'],
  query: z.object({ userId: Id, cohortId: Id, coachId: Id }),
  response: z.object({
    /** It is null if nobody is replaced. */
    formerCoach: z.object({ id: Id, firstName: z.string(), lastName: z.string() }).nullable(),
    /** Counts the sessions to come that are booked with the former coach. */
    booked: z.number().int(),
    /** Counts those of them in which the chosen coach is free at the same time. */
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
    /**
     * 'move' moves sessions if the new coach is free, and cancels the others. 'keep' leaves them with the former coach,
     * and is the default. 'cancel' cancels them.
     */
    bookedSessions: z.enum(bookedSessionsChoices).optional(),
  }),
  response: z.object({
    firstName: z.string(),
    lastName: z.string(),
    cohortName: z.string(),
    coachName: z.string().nullable(),
    /** What became of the sessions that were booked with the former coach. */
    sessions: z.object({ moved: z.number().int(), cancelled: z.number().int() }),
  }),
});

const peopleInCohort = z.object({ userIds: PeopleIds, cohortId: z.uuid(cohortMissing) });

export const previewEnrolments = endpoint({
  name: 'previewEnrolments',
  method: 'POST',
  path: '/api/cohort-enrolments/sets/preview',
  access: 'cohorts.manage',
  summary: 'Whom enrolling these people in a cohort would enroll, and why each other one cannot be. Writes nothing.',
  shows: ['people', 'enrolments', 'cohorts', 'training'],
  body: peopleInCohort,
  response: PeoplePreview.extend({ cohortName: z.string() }),
});

export const enrolPeople = endpoint({
  name: 'enrolPeople',
  method: 'POST',
  path: '/api/cohort-enrolments/sets',
  access: 'cohorts.manage',
  takesLong: true,
  summary:
    'Enrolls these people in a cohort and in the course of its program; their coaches stay. Says of each other one why they are not enrolled.',
  body: peopleInCohort,
  response: z.object({ enrolled: z.number().int(), cohortName: z.string(), refused: z.array(RefusedPerson) }),
});
