import { z } from 'zod';
import { correctionStatuses } from './attendance-corrections.ts';
import { Cursor, Day, endpoint, Id, IdParams, Instant, pageOf } from './endpoint.ts';
import { PaidDays } from './pay-periods.ts';
import { OwnStipendQuestion } from './stipend-questions.ts';
import { AmountLine, Conditions, Criteria } from './stipend-rules.ts';
import { PaymentPart } from './stipends.ts';
import { SubmissionStatus } from './submissions.ts';

/** 'sent' means that the payment system has it. */
export const weekStates = ['pending', 'approved', 'sent', 'paid', 'denied'] as const;

export const StipendWeek = PaidDays.extend({
  cohortId: Id,
  cohortName: z.string(),
  /** The programme's day on which this was answered. */
  today: Day,
  /** It is false until the admins' week is worked out. Until then, the row shows what is found now. */
  isWorkedOut: z.boolean(),
  criteria: Criteria,
  isEligible: z.boolean(),
  /** True of an undecided week if, by the rules, too much of it is lost by today (`weekStanding`). */
  isOutOfReach: z.boolean(),
  /** The names of the criteria that decide so. It is empty of any other week. */
  lostCriteria: z.array(z.string()),
  activities: z.object({ accessed: z.number().int(), total: z.number().int() }),
  assignments: z.object({ submitted: z.number().int(), total: z.number().int() }),
  rating: z.number().nullable(),
  /** Says why the week counts only in part, or not at all: the person joined late, or left. */
  membershipNote: z.string().nullable(),
  /** An undecided week lacks these. `day` is when it is held or due. An assignment has a status if it was returned. */
  missing: z.array(
    z.object({
      kind: z.enum(['activity', 'assignment']),
      id: Id,
      title: z.string(),
      day: Day.nullable(),
      status: SubmissionStatus.nullable(),
    }),
  ),
  amountCents: z.number().int(),
  /** What the rules pay, line by line. It is empty before the week is worked out, and of earlier rows. */
  amountLines: z.array(AmountLine),
  /** The version of the rules that judged it. */
  rulesVersion: z.number().int(),
  /** True if the amount changed after the approval, and another admin must approve it. */
  amountAwaitsApproval: z.boolean(),
  state: z.enum(weekStates),
  decidedAt: Instant.nullable(),
  /** Says why it was denied. */
  denialReason: z.string().nullable(),
  sentAt: Instant.nullable(),
  /** The sum, and when the last of it was paid. */
  payment: PaymentPart.extend({ parts: z.array(PaymentPart) }).nullable(),
  /** Changes of the amount, newest first. An adjustment came after the hand-over. */
  changes: z.array(
    z.object({ at: Instant, fromCents: z.number().int(), toCents: z.number().int(), isAdjustment: z.boolean() }),
  ),
  corrections: z.array(
    z.object({
      activityId: Id,
      activityTitle: z.string(),
      attended: z.boolean(),
      status: z.enum(correctionStatuses),
      answer: z.string().nullable(),
    }),
  ),
  /** All questions that were not taken back, newest first. */
  questions: z.array(OwnStipendQuestion),
});
export type StipendWeek = z.infer<typeof StipendWeek>;

const StipendWeeks = pageOf(StipendWeek).extend({
  person: z.object({ id: Id, name: z.string() }),
  /**
   * They cover all weeks. `earnedCents` adds up approved and paid weeks (STIP0-03), at the amounts that were approved.
   * `paidCents` is what was paid of them.
   */
  totals: z.object({ earnedCents: z.number().int(), paidCents: z.number().int() }),
  /** What the rules of the newest week ask for. Null without a week. */
  rules: Conditions.nullable(),
  can: z.object({ ask: z.boolean() }),
});
export type StipendWeeks = z.infer<typeof StipendWeeks>;

export const listOwnStipendWeeks = endpoint({
  name: 'listOwnStipendWeeks',
  method: 'GET',
  path: '/api/stipends/own',
  access: 'stipends.own',
  mayReadReplica: true,
  summary: "All weeks of the participant's own stipends, newest first, with what each rests on and lacks.",
  shows: [
    'stipends',
    'payments',
    'questions',
    'corrections',
    'attendance',
    'submissions',
    'ratings',
    'training',
    'cohorts',
    'enrolments',
  ],
  query: z.object({ cursor: Cursor.optional() }),
  response: StipendWeeks,
});

export const listStipendWeeksOf = endpoint({
  name: 'listStipendWeeksOf',
  method: 'GET',
  path: '/api/users/:id/stipends',
  access: 'stipends.explain',
  mayReadReplica: true,
  summary: "A participant's weeks as they see them: of own participants for a coach, of everybody for an admin.",
  shows: [
    'stipends',
    'payments',
    'questions',
    'corrections',
    'attendance',
    'submissions',
    'ratings',
    'training',
    'cohorts',
    'enrolments',
    'people',
  ],
  params: IdParams,
  query: z.object({ cursor: Cursor.optional() }),
  response: StipendWeeks,
});
