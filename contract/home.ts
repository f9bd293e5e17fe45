import { z } from 'zod';
import { CoachSession } from './coach-sessions.ts';
import { Cursor, Day, endpoint, Id, Instant, pageOf, type ResponseOf } from './endpoint.ts';
import { Progress } from './fellowship.ts';
import { dashboardReads } from './first-reads.ts';
import { CalendarActivity } from './learning.ts';
import { OpenMatters } from './open-matters.ts';
import { PaidDays, PayPeriod, ProgrammeCalendar } from './pay-periods.ts';
import { Role, TrackType } from './roles.ts';
import { Conditions, Criteria } from './stipend-rules.ts';
import { PaymentStatus } from './stipends.ts';
import { SubmissionStatus } from './submissions.ts';

export const readParticipantDashboard = endpoint({
  ...dashboardReads.participant,
  access: 'dashboard.participant',
  mayReadReplica: true,
  summary: 'What to do next, and whether this week is paid: one request fills the screen.',
  response: z.object({
    cohort: z
      .object({ id: Id, name: z.string(), startDate: Day, endDate: Day, calendar: ProgrammeCalendar })
      .nullable(),
    /** It is null without a cohort. */
    week: z
      .object({ number: z.number().int(), firstDay: Day, lastDay: Day, holiday: z.string().nullable() })
      .nullable(),
    progress: Progress,
    thisWeek: z.object({ done: z.number().int(), total: z.number().int(), isOnTrack: z.boolean() }),
    /** Those of this week, first held first, completed or not. */
    weekActivities: z.array(CalendarActivity),
    /** The one primary action of the screen. */
    nextStep: z
      .object({
        kind: z.enum(['activity', 'assignment', 'resubmit']),
        id: Id,
        submissionId: Id.nullable(),
        title: z.string(),
        dueDate: Day.nullable(),
      })
      .nullable(),
    /**
     * Activities that are not completed, at most 500: those of this week, then of earlier ones, then what is coming.
     */
    pendingActivities: z.array(CalendarActivity),
    /**
     * This week's assignments that its pay depends on, first due first. Each has a day, and is not handed in or is to
     * be handed in again.
     */
    openAssignments: z.array(
      z.object({
        id: Id,
        submissionId: Id.nullable(),
        /** Set if the work was returned. */
        status: SubmissionStatus.nullable(),
        title: z.string(),
        dueDate: Day,
      }),
    ),
    /** FELL-23: at most five of the cohort's, still to come. */
    deadlines: z.array(z.object({ id: Id, title: z.string(), type: z.string(), dueDate: Day, isDueSoon: z.boolean() })),
    /** It is null if the participant's track is paid none, without a cohort, and if it could not be read. */
    stipend: z
      .object({
        /** The stipend that pays for today. */
        present: PaidDays,
        rules: Conditions,
        weeklyCents: z.number().int(),
        totalEarnedCents: z.number().int(),
        isEligible: z.boolean(),
        /** True of an undecided week if, by the rules, too much of it is lost by today (`weekStanding`). */
        isOutOfReach: z.boolean(),
        /** Set once the week is decided. The criteria are then those of the decision. */
        decidedAt: Instant.nullable(),
        criteria: Criteria,
        recentWeeks: z.array(
          PaidDays.extend({
            criteria: Criteria,
            isEligible: z.boolean(),
            paymentStatus: PaymentStatus,
            amountCents: z.number().int(),
          }),
        ),
      })
      .nullable(),
    /** It is null if it could not be read. */
    coaching: z
      .object({
        coach: z
          .object({
            id: Id,
            firstName: z.string(),
            lastName: z.string(),
            schedulingLink: z.string().nullable(),
            instructions: z.string().nullable(),
          })
          .nullable(),
        nextSession: z
          .object({
            id: Id,
            scheduledAt: Instant,
            durationMinutes: z.number().int(),
            teamsLink: z.string().nullable(),
          })
          .nullable(),
        unreadMessages: z.number().int(),
      })
      .nullable(),
    /** The sections that could not be read this time. The others stay (FELL-29, FELL-30). */
    notLoaded: z.array(z.enum(['stipend', 'coaching'])),
    today: Day,
  }),
});

/** The dashboard lists so many. `listCoachParticipants` has them all. */
export const firstParticipants = 10;

const CoachParticipant = OpenMatters.extend({
  id: Id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  courseTitle: z.string(),
  status: z.string(),
  trackType: TrackType.nullable(),
  /** What the program of the person's present cohort calls their kind. Null without a kind or a cohort. */
  kindName: z.string().nullable(),
  /** That of the same program. Null without a cohort. */
  payPeriod: PayPeriod.nullable(),
  startDate: Day,
  totalSubmissions: z.number().int(),
  gradedSubmissions: z.number().int(),
  /** True if, by the rules, too much of this week is lost by today. */
  isStipendAtRisk: z.boolean(),
  /** In the present cohort. */
  progress: Progress,
});

/** DATA-24, with what else the screen needs. */
export const readCoachDashboard = endpoint({
  ...dashboardReads.coach,
  access: 'dashboard.coach',
  mayReadReplica: true,
  summary: "Who needs the coach today: sessions, reviews, participants. Only the coach's own.",
  response: z.object({
    counts: z.object({
      participants: z.number().int(),
      pendingReviews: z.number().int(),
      todaysSessions: z.number().int(),
      completionRate: z.number().int(),
    }),
    /**
     * The participant who needs the coach most comes first. These are the first `firstParticipants` of
     * `counts.participants`.
     */
    participants: z.array(CoachParticipant),
    pendingEvaluations: z.array(
      z.object({
        id: Id,
        assignmentTitle: z.string(),
        participantId: Id,
        firstName: z.string(),
        lastName: z.string(),
        courseTitle: z.string(),
        weekTitle: z.string(),
        submittedAt: Instant,
        can: z.object({ openPerson: z.boolean() }),
      }),
    ),
    todaysSessions: z.array(CoachSession),
    upcomingSessions: z.array(CoachSession),
    /** What a new coach has done. Times count if they can be booked here or elsewhere. */
    firstSteps: z.object({ hasTimes: z.boolean(), hasSessions: z.boolean() }),
  }),
});

export const listCoachParticipants = endpoint({
  name: 'listCoachParticipants',
  method: 'GET',
  path: '/api/coach/participants',
  access: 'dashboard.coach',
  mayReadReplica: true,
  summary: "The coach's own participants by pages, in the order of the dashboard.",
  shows: [
    'training',
    'attendance',
    'submissions',
    'progress',
    'stipends',
    'ratings',
    'sessions',
    'messages',
    'coaches',
    'people',
    'enrolments',
  ],
  query: z.object({ cursor: Cursor.optional() }),
  response: pageOf(CoachParticipant),
});

export const adminSections = ['people', 'cohorts', 'enrollments', 'submissions', 'queues'] as const;
const AdminSection = z.enum(adminSections);
export type AdminSection = z.infer<typeof AdminSection>;

/** DATA-25 */
export const readAdminDashboard = endpoint({
  ...dashboardReads.admin,
  access: 'dashboard.admin',
  mayReadReplica: true,
  summary: 'Whether the programme is healthy: counts, the last 7 days, roles and tracks.',
  response: z.object({
    statistics: z.object({
      totalUsers: z.number().int(),
      totalCohorts: z.number().int(),
      totalEnrollments: z.number().int(),
      pendingSubmissions: z.number().int(),
    }),
    /** How many more or fewer there are than seven days ago. For submissions, it is how many were handed in since. */
    changes: z.object({ users: z.number().int(), cohorts: z.number().int(), enrollments: z.number().int() }),
    recentActivity: z.object({ newUsersThisWeek: z.number().int(), submissionsThisWeek: z.number().int() }),
    cohortStats: z.object({ active: z.number().int(), planning: z.number().int() }),
    usersByRole: z.array(z.object({ role: Role, count: z.number().int() })),
    participantsByTrack: z.array(z.object({ trackType: TrackType.nullable(), count: z.number().int() })),
    queues: z.object({
      roleRequests: z.number().int(),
      participantsWithoutCoach: z.number().int(),
      failedImports: z.number().int(),
      stipendsToApprove: z.number().int(),
      /** The oldest week of a cohort with some of them. `weeks` counts the weeks of cohorts with any. */
      oldestStipends: z
        .object({ weekNumber: z.number().int(), cohortId: z.uuid(), cohortName: z.string(), weeks: z.number().int() })
        .nullable(),
      /** Counts questions of participants about their stipends that nobody has answered yet. */
      stipendQuestions: z.number().int(),
      /** Counts mails and messages that could not be delivered and are no longer tried. */
      deliveriesGivenUp: z.number().int(),
    }),
    /** The sections that could not be read this time. Their figures are zeros that mean nothing (ADMIN-20). */
    notLoaded: z.array(AdminSection),
  }),
});

export type ParticipantDashboard = ResponseOf<typeof readParticipantDashboard>;
export type CoachDashboard = ResponseOf<typeof readCoachDashboard>;
export type AdminDashboard = ResponseOf<typeof readAdminDashboard>;
