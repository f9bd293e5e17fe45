import { z } from 'zod';
import { defaultProgrammeId, defaultUnlockedWeeks } from './default-programme.ts';
import { Cursor, Day, endpoint, Id, IdParams, Instant, pageOf, type ResponseOf } from './endpoint.ts';
import { Matching } from './matching.ts';
import { ProgrammeCalendar } from './pay-periods.ts';
import { TrackType } from './roles.ts';
import { mostActivityWeeks } from './weeks.ts';

export const cohortStatuses = ['planning', 'active', 'completed', 'cancelled'] as const;
export const CohortStatus = z.enum(cohortStatuses);
export type CohortStatus = z.infer<typeof CohortStatus>;

export const membershipStatuses = ['active', 'completed', 'withdrawn'] as const;
export const MembershipStatus = z.enum(membershipStatuses);
export type MembershipStatus = z.infer<typeof MembershipStatus>;

/** A day that a programme can lie on. */
export const ProgrammeDay = Day.refine(
  (day) => day >= '2000-01-01' && day <= '2099-12-31',
  'Choose a day between 2000 and 2099.',
);

/** All that an admin writes of a cohort but its start, which moves a whole programme. */
export const CohortFacts = z.object({
  name: z.string().trim().min(1, 'Enter a name.').max(200),
  description: z.string().trim().max(2000).default(''),
  programType: TrackType,
  endDate: ProgrammeDay,
  status: CohortStatus.default('planning'),
  capacity: z.number('Enter a number.').int('Enter a whole number.').min(1, 'Enter 1 or more.').max(100_000),
  curriculumVersion: z.string().trim().min(1, 'Enter the curriculum version.').max(50).default('1'),
  unlockedWeeks: z
    .number('Enter a number.')
    .int('Enter a whole number.')
    .min(0, 'Enter 0 or more.')
    .max(mostActivityWeeks, `Enter ${mostActivityWeeks} or less.`)
    .default(defaultUnlockedWeeks),
});

export const NewCohort = CohortFacts.extend({
  startDate: ProgrammeDay,
  /** It stays. */
  programmeId: Id.default(defaultProgrammeId),
}).refine(({ startDate, endDate }) => endDate > startDate, {
  path: ['endDate'],
  message: 'The end must be after the start.',
});
export type NewCohort = z.infer<typeof NewCohort>;

export const Cohort = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  programType: TrackType,
  startDate: Day,
  endDate: Day,
  status: CohortStatus,
  capacity: z.number('Enter a number.').int(),
  /** Follows the active members (ADMIN-23). */
  currentEnrollment: z.number().int(),
  curriculumVersion: z.string(),
  unlockedWeeks: z.number().int(),
  programme: z.object({
    id: Id,
    name: z.string(),
    /** What its kinds of participants are called. */
    kinds: z.array(z.object({ kind: TrackType, label: z.string() })),
  }),
  calendar: ProgrammeCalendar,
  version: z.number().int(),
});
export type Cohort = z.infer<typeof Cohort>;

export const listCohorts = endpoint({
  name: 'listCohorts',
  method: 'GET',
  path: '/api/cohorts',
  access: 'cohorts.manage',
  mayReadReplica: true,
  summary: 'All cohorts, the latest start first (ADMIN-21).',
  shows: ['cohorts', 'enrolments', 'training'],
  query: z.object({
    search: z.coerce.string().max(200).default(''),
    status: CohortStatus.optional(),
    programType: TrackType.optional(),
    programme: Id.optional(),
    cursor: Cursor.optional(),
  }),
  response: pageOf(Cohort.extend({ activityCount: z.number().int() })).extend({ matching: Matching }),
});
export type ListedCohort = ResponseOf<typeof listCohorts>['rows'][number];

export const readCohort = endpoint({
  name: 'readCohort',
  method: 'GET',
  path: '/api/cohorts/:id',
  access: 'cohorts.manage',
  summary: 'One cohort as it stands now, with what its programme holds.',
  shows: ['cohorts', 'enrolments', 'training'],
  params: IdParams,
  response: Cohort.extend({
    holds: z.object({
      activities: z.number().int(),
      contents: z.number().int(),
      assignments: z.number().int(),
      requirements: z.number().int(),
      members: z.number().int(),
    }),
    /** The copy that made this cohort. Null if it was set up by hand. */
    copy: z
      .object({
        id: Id,
        sourceName: z.string().nullable(),
        /** The reason why it cannot be undone any more. Null if it can. */
        staysBecause: z.string().nullable(),
      })
      .nullable(),
  }),
});
export type ReadCohort = ResponseOf<typeof readCohort>;

export const createCohort = endpoint({
  name: 'createCohort',
  method: 'POST',
  path: '/api/cohorts',
  access: 'cohorts.manage',
  summary: 'Sets up a cohort without a programme (ADMIN-22).',
  body: NewCohort,
  response: Cohort,
});

export const updateCohort = endpoint({
  name: 'updateCohort',
  method: 'PUT',
  path: '/api/cohorts/:id',
  access: 'cohorts.manage',
  summary:
    'Writes the facts of a cohort anew; refused as stale when somebody else has changed them since they were read.',
  params: IdParams,
  body: CohortFacts.extend({ version: z.number().int() }),
  response: Cohort,
});

export const CohortMember = z.object({
  participantId: Id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  role: z.string(),
  trackType: TrackType.nullable(),
  coaches: z.array(z.string()),
  status: MembershipStatus,
  enrolledAt: Instant,
  endedAt: Instant.nullable(),
});
export type CohortMember = z.infer<typeof CohortMember>;

export const listCohortMembers = endpoint({
  name: 'listCohortMembers',
  method: 'GET',
  path: '/api/cohorts/:id/members',
  access: 'cohorts.manage',
  mayReadReplica: true,
  summary: 'Who is and was in a cohort, by name, with their coaches (ADMIN-21).',
  shows: ['enrolments', 'people', 'coaches'],
  params: IdParams,
  query: z.object({
    search: z.coerce.string().max(200).default(''),
    status: MembershipStatus.optional(),
    cursor: Cursor.optional(),
  }),
  response: pageOf(CohortMember).extend({ matching: Matching }),
});

const MemberParams = z.object({ id: Id, participantId: Id });

export const readCohortMember = endpoint({
  name: 'readCohortMember',
  method: 'GET',
  path: '/api/cohorts/:id/members/:participantId',
  access: 'cohorts.manage',
  summary: 'One member, with what stays of them in the cohort when they leave it.',
  shows: ['enrolments', 'people', 'coaches', 'sessions', 'stipends', 'attendance', 'submissions', 'ratings'],
  params: MemberParams,
  response: CohortMember.extend({
    stays: z.object({
      submissions: z.number().int(),
      attendance: z.number().int(),
      stipends: z.number().int(),
    }),
    upcomingSessions: z.number().int(),
  }),
});

const Reason = z.object({ reason: z.string().trim().min(1, 'Please say why.').max(500) });

export const withdrawMember = endpoint({
  name: 'withdrawMember',
  method: 'POST',
  path: '/api/cohorts/:id/members/:participantId/withdrawal',
  access: 'cohorts.manage',
  summary: 'Takes a member out of a cohort: the place is free, what they did stays.',
  params: MemberParams,
  body: Reason,
  response: CohortMember,
});

export const takeMemberBack = endpoint({
  name: 'takeMemberBack',
  method: 'DELETE',
  path: '/api/cohorts/:id/members/:participantId/withdrawal',
  access: 'cohorts.manage',
  summary: 'Makes a withdrawn member active again, while there is a place.',
  params: MemberParams,
  response: CohortMember,
});

export const enrolInFellowship = endpoint({
  name: 'enrolInFellowship',
  method: 'POST',
  path: '/api/fellowship-enrolments',
  access: 'cohorts.manage',
  summary: 'Registers a user, named by id, in the fellowship cohort (ADMIN-11 to ADMIN-19).',
  body: z.object({ userId: z.string().trim().min(1, 'Please enter a user ID to search for').max(100) }),
  response: z.object({ firstName: z.string(), lastName: z.string(), cohortName: z.string() }),
});
