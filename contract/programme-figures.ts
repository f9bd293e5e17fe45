import { z } from 'zod';
import { Cursor, Day, endpoint, Id, IdParams, pageOf, type ResponseOf } from './endpoint.ts';
import { PaidDays } from './pay-periods.ts';
import { type StandingGroup, standingGroups } from './standing.ts';
import { CountsByAge, WaitingAge } from './waiting-age.ts';

const Group = z.enum(standingGroups) satisfies z.ZodType<StandingGroup>;

const Look = z.object({
  state: z.string(),
  color: z.enum(['success', 'warning', 'danger', 'info', 'neutral']),
  label: z.string(),
});

export const readCohortStandings = endpoint({
  name: 'readCohortStandings',
  method: 'GET',
  path: '/api/figures/cohort-standings',
  access: 'progress.read',
  mayReadReplica: true,
  summary: 'How many people of each running cohort are at risk, behind and on track: own participants for a coach.',
  shows: [
    'progress',
    'stipends',
    'ratings',
    'attendance',
    'submissions',
    'training',
    'enrolments',
    'cohorts',
    'coaches',
    'people',
  ],
  response: z.object({
    /** At most 200, the newest first. */
    cohorts: z.array(
      z.object({ id: Id, name: z.string(), members: z.number().int(), groups: z.record(Group, z.number().int()) }),
    ),
  }),
});
export type CohortStandings = ResponseOf<typeof readCohortStandings>;

export const waitingKinds = ['reviews', 'stipends', 'questions', 'corrections'] as const;

export const readWaitingAges = endpoint({
  name: 'readWaitingAges',
  method: 'GET',
  path: '/api/figures/waiting',
  access: 'dashboard.admin',
  mayReadReplica: true,
  summary: 'How long reviews, stipends to decide, questions and corrections wait.',
  shows: ['submissions', 'stipends', 'questions', 'corrections', 'people', 'cohorts'],
  response: z.object({
    reviews: CountsByAge,
    stipends: CountsByAge,
    questions: CountsByAge,
    corrections: CountsByAge,
    /** The weeks with stipends to decide, the oldest first. A stipend waits since its week is over. */
    stipendWeeks: z.array(
      z.object({
        weekNumber: z.number().int(),
        cohortId: Id,
        cohortName: z.string(),
        age: WaitingAge,
        count: z.number().int(),
      }),
    ),
  }),
});
export type WaitingAges = ResponseOf<typeof readWaitingAges>;

/** The parts of the sum that a week can bring, from the surest on. Together they are the possible sum. */
export const payParts = ['paid', 'approved', 'toDecide', 'denied', 'notEligible'] as const;

export const readCohortWeeks = endpoint({
  name: 'readCohortWeeks',
  method: 'GET',
  path: '/api/figures/cohorts/:id/weeks',
  access: 'stipends.manage',
  mayReadReplica: true,
  summary: 'Attendance and pay of a cohort, week by week, as the weeks were judged.',
  shows: ['stipends', 'payments', 'cohorts', 'attendance', 'training', 'enrolments'],
  params: IdParams,
  response: z.object({
    id: Id,
    name: z.string(),
    /** The parts of the possible sum, in the words of `paymentLooks`. */
    parts: z.array(Look.extend({ state: z.enum(payParts) })),
    /** Only weeks that are worked out, the first one first. */
    weeks: z.array(
      PaidDays.extend({
        people: z.number().int(),
        attendance: z.object({ attended: z.number().int(), total: z.number().int() }),
        cents: z.record(z.enum(payParts), z.number().int()),
        possibleCents: z.number().int(),
      }),
    ),
  }),
});
export type CohortWeeks = ResponseOf<typeof readCohortWeeks>;

export const readCohortCompletion = endpoint({
  name: 'readCohortCompletion',
  method: 'GET',
  path: '/api/figures/cohorts/:id/completion',
  access: 'progress.read',
  mayReadReplica: true,
  summary: "How far a cohort's members are, week by week, against the plan: own participants for a coach.",
  shows: ['progress', 'people', 'enrolments', 'coaches', 'training', 'cohorts', 'attendance', 'submissions'],
  params: IdParams,
  response: z.object({
    members: z.number().int(),
    weeks: z.array(
      z.object({
        weekNumber: z.number().int(),
        lastDay: Day,
        /** The share of the cohort's days that has passed by the end of the week. */
        plannedPercentage: z.number(),
        /** The average of the members by then. It is null for weeks that have not begun. */
        completedPercentage: z.number().nullable(),
      }),
    ),
  }),
});
export type CohortCompletion = ResponseOf<typeof readCohortCompletion>;

export const listCoachWeeks = endpoint({
  name: 'listCoachWeeks',
  method: 'GET',
  path: '/api/coach/weeks',
  access: 'dashboard.coach',
  mayReadReplica: true,
  summary: "The weeks of the coach's own participants in their present cohorts, by name, as they were judged.",
  shows: [
    'stipends',
    'payments',
    'attendance',
    'submissions',
    'ratings',
    'training',
    'cohorts',
    'enrolments',
    'coaches',
    'people',
  ],
  query: z.object({ cursor: Cursor.optional() }),
  response: pageOf(
    z.object({
      id: Id,
      firstName: z.string(),
      lastName: z.string(),
      cohortName: z.string().nullable(),
      /** Only weeks that are worked out and have begun, the first one first. */
      weeks: z.array(
        z.object({
          weekNumber: z.number().int(),
          /** The week as a whole, by `weekStanding`. */
          standing: Look.extend({ sentence: z.string() }),
          /** Attendance, work and rating, by `criterionStanding`, in the order of the rules. */
          criteria: z.array(Look),
          /** What was decided about the pay, by `decisionLooks`. */
          pay: Look,
        }),
      ),
    }),
  ),
});
export type CoachWeekRow = ResponseOf<typeof listCoachWeeks>['rows'][number];
