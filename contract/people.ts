import { z } from 'zod';
import { Cursor, Day, endpoint, Id, IdParams, Instant, pageOf } from './endpoint.ts';
import { Progress } from './fellowship.ts';
import { OpenMatters } from './open-matters.ts';
import { PaidDays } from './pay-periods.ts';
import { StipendWeek } from './stipend-weeks.ts';
import { SubmissionStatus } from './submissions.ts';
import { User } from './user-management.ts';

const Standing = OpenMatters.extend({
  cohort: z.object({ id: Id, name: z.string(), startDate: Day }),
  weekNumber: z.number().int(),
  progress: Progress,
  track: z.object({ name: z.string(), isLocked: z.boolean() }).nullable(),
  /** True if, by the rules, too much of this week is lost by today. */
  isStipendAtRisk: z.boolean(),
  /** It is null if nothing is paid for the week, or it has not begun. */
  week: StipendWeek.nullable(),
});

export const readPerson = endpoint({
  name: 'readPerson',
  method: 'GET',
  path: '/api/people/:id',
  access: 'people.read',
  summary: 'A person, their account and how they stand now: an own participant for a coach, everybody for an admin.',
  shows: [
    'people',
    'enrolments',
    'coaches',
    'cohorts',
    'progress',
    'stipends',
    'payments',
    'questions',
    'corrections',
    'attendance',
    'submissions',
    'ratings',
    'sessions',
    'messages',
    'training',
  ],
  params: IdParams,
  response: z.object({
    /** A coach can do none of what admins do with accounts. */
    person: User.extend({ phone: z.string().nullable() }),
    /** It is null for a person who is no participant of a cohort. */
    standing: Standing.nullable(),
    can: z.object({
      /** True for admins: change the account, see its sign-ins, end them. */
      manage: z.boolean(),
      message: z.boolean(),
      /** False for oneself: nobody reads what colleagues note about them. */
      readNotes: z.boolean(),
    }),
  }),
});

export const historyParts = ['learning', 'coaching', 'pay', 'notices', 'account'] as const;
export const HistoryPart = z.enum(historyParts);
export type HistoryPart = z.infer<typeof HistoryPart>;

const Named = z.object({ id: Id, title: z.string() });
const Name = z.string().nullable();

/** The time that a stipend pays for, which is a week only in some programs. */
const period = PaidDays.omit({ lastDay: true }).shape;

const Happened = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('account_made') }),
  z.object({ kind: z.literal('invited') }),
  z.object({ kind: z.literal('invitation_accepted') }),
  z.object({ kind: z.literal('joined'), cohort: z.string() }),
  z.object({ kind: z.literal('left'), cohort: z.string(), hasCompleted: z.boolean() }),
  /** `recordedBy` is null if the participant completed the activity themself. */
  z.object({ kind: z.literal('attended'), activity: Named, recordedBy: Name }),
  z.object({ kind: z.literal('handed_in'), assignment: Named, submissionId: Id, round: z.number().int() }),
  z.object({
    kind: z.literal('reviewed'),
    assignment: Named,
    submissionId: Id,
    status: SubmissionStatus,
    reviewedBy: Name,
  }),
  z.object({ kind: z.literal('module_completed'), module: z.string(), setBy: Name }),
  z.object({ kind: z.literal('session'), status: z.string(), coach: z.string() }),
  z.object({ kind: z.literal('rated'), ...period, rating: z.number(), ratedBy: z.string() }),
  z.object({ kind: z.literal('approved'), ...period, amountCents: z.number().int() }),
  z.object({ kind: z.literal('denied'), ...period, reason: Name }),
  z.object({ kind: z.literal('amount_changed'), ...period, amountCents: z.number().int() }),
  z.object({ kind: z.literal('paid'), ...period, amountCents: z.number().int() }),
  z.object({ kind: z.literal('payment_taken_back'), ...period, amountCents: z.number().int() }),
  z.object({
    kind: z.literal('notice'),
    title: z.string(),
    readAt: Instant.nullable(),
    /** True if an email, push or text about it could not be delivered. */
    isBounced: z.boolean(),
  }),
]);
export type Happened = z.infer<typeof Happened>;

export const HistoryEntry = z.object({
  /** It is unique among all entries. */
  key: z.string(),
  at: Instant,
  happened: Happened,
});
export type HistoryEntry = z.infer<typeof HistoryEntry>;

export const listPersonHistory = endpoint({
  name: 'listPersonHistory',
  method: 'GET',
  path: '/api/people/:id/history',
  access: 'people.read',
  mayReadReplica: true,
  summary: 'What happened with a person, latest first, as it is on record now.',
  shows: [
    'people',
    'enrolments',
    'cohorts',
    'attendance',
    'training',
    'submissions',
    'progress',
    'sessions',
    'ratings',
    'stipends',
    'payments',
    'notices',
    'deliveries',
  ],
  params: IdParams,
  query: z.object({ part: HistoryPart.optional(), cursor: Cursor.optional() }),
  response: pageOf(HistoryEntry),
});
