import { type RawBuilder, sql } from 'kysely';
import type { PayPeriod } from '#contract/pay-periods.ts';
import type { LostSoFar, WeekFacts } from '#contract/stipend-facts.ts';
import {
  type AmountLine,
  amountFor,
  areAllMet,
  Criteria,
  type Criterion,
  judge,
  type RuleSet,
} from '#contract/stipend-rules.ts';
import type { StipendWeek, StipendWeeks } from '#contract/stipend-weeks.ts';
import { SubmissionStatus } from '#contract/submissions.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { isOwnParticipant } from '#server/features/coaching/coaching-access.ts';
import { todayIn, weeksOfPeriod } from '#server/features/programmes/calendar-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { notFound } from '#server/platform/errors.ts';
import { byDay, byId, descending, pagesBy } from '#server/platform/pages.ts';
import { loadRuleSets } from './rule-sets.ts';
import {
  lostSoFar,
  type MembershipFacts,
  membershipFacts,
  membershipNote,
  outOfReach,
  StipendEvidence,
} from './stipend-evidence.ts';
import { lastHandoverOf, type PaidAt, paidCentsOf, standingPaymentOf } from './stipend-standing-queries.ts';
import {
  hasLeftPaid,
  judgedColumns,
  moreFactsOf,
  periodFirstDay,
  periodLastDay,
  periodsOfCalendar,
  rulesOn,
  storedColumns,
  weekFacts,
} from './week-facts-queries.ts';

type Person = StipendWeeks['person'];

const firstDay = periodFirstDay(sql`own_weeks.week_number`);
/** First day and cohort are the key of the page, because there is one row for both. */
const pages = pagesBy(20, [descending(byDay(firstDay)), descending(byId(sql`own_weeks.cohort_id`))]);

/** Finds what the participant's own page shows. */
export function findOwnStipendWeeks(db: Db, actor: Actor, cursor: string | undefined): Promise<StipendWeeks> {
  const person = { id: actor.id, name: `${actor.firstName} ${actor.lastName}` };
  return findPage(db, person, { cursor, canAsk: true });
}

/** Finds the same for their coach and for admins, to read. */
export async function findStipendWeeksOf(
  db: Db,
  actor: Actor,
  participantId: string,
  cursor: string | undefined,
): Promise<StipendWeeks> {
  return findPage(db, await loadParticipant(db, actor, participantId), { cursor, canAsk: false });
}

/**
 * Loads a person with stipends whom the actor may see. A coach sees their own participants. An admin sees everybody,
 * including people with stipends who are no participants any more.
 */
export async function loadParticipant(db: Db, actor: Actor, participantId: string) {
  const person = await db
    .selectFrom('profiles')
    .select(['id', 'email', 'fullName as name'])
    .where('id', '=', participantId)
    .where((eb) =>
      eb.or([
        eb.and([eb('role', '=', 'participant'), eb('deletedAt', 'is', null)]),
        ...(actor.role === 'admin'
          ? [eb.exists(eb.selectFrom('stipendEligibility').select('id').whereRef('fellowId', '=', 'profiles.id'))]
          : []),
      ]),
    )
    .$if(actor.role !== 'admin', (own) => own.where((eb) => isOwnParticipant(db, actor, eb.ref('profiles.id'))))
    .executeTakeFirst();
  if (!person) throw notFound('This participant was not found.');
  return person;
}

/** Finds one of the weeks, if it has begun and was the participant's. */
export async function findParticipantStipendWeek(
  db: Db,
  participantId: string,
  { cohortId, weekNumber }: { cohortId: string; weekNumber: number },
): Promise<StipendWeek | null> {
  const [found] = await judged(db, await oneWeek(db, { participantId, cohortId, weekNumber }));
  return found?.week ?? null;
}

const oneWeek = builtOnce(
  (_, { participantId, ...week }: { participantId: string; cohortId: string; weekNumber: number }) =>
    weeksOf(participantId, week),
);

/** Finds all weeks, newest first. A cohort has as many as its programme. */
export async function findAllStipendWeeks(db: Db, participantId: string): Promise<StipendWeek[]> {
  const found = await judged(db, await allWeeks(db, { participantId }));
  return found.map(({ week }) => week);
}

const allWeeks = builtOnce((_, { participantId }: { participantId: string }) => weeksOf(participantId, {}));

async function findPage(db: Db, person: Person, { cursor, canAsk }: { cursor: string | undefined; canAsk: boolean }) {
  // Stryker disable next-line ConditionalExpression: Whatever is built anew has the same rows.
  const weeks = cursor
    ? (await latestWeeks(person.id, cursor).execute(db)).rows
    : await latestWeeksAsPageOpens(db, { participantId: person.id });
  const found = await judged(db, weeks);
  const page = pages.cut(found, ({ week }) => [week.firstDay, week.cohortId]);
  return {
    person,
    rows: page.rows.map(({ week }) => week),
    rules: page.rows[0]?.rules ?? null,
    nextCursor: page.nextCursor,
    totals: await findTotals(db, person.id),
    can: { ask: canAsk },
  };
}

function latestWeeks(participantId: string, cursor?: string): RawBuilder<FoundWeek> {
  return weeksOf(participantId, { cursor, limit: pages.most });
}

const latestWeeksAsPageOpens = builtOnce((_, { participantId }: { participantId: string }) =>
  latestWeeks(participantId),
);

async function findTotals(db: Db, participantId: string): Promise<StipendWeeks['totals']> {
  const [totals] = await totalsOf(db, { participantId });
  // Stryker disable next-line ConditionalExpression,StringLiteral,CallExpression: There always is one, as it says.
  if (!totals) throw new Error('A select of sums answered no row.');
  return totals;
}

const totalsOf = builtOnce((db, { participantId }: { participantId: string }) =>
  db
    .selectFrom('stipendEligibility as stipend')
    .select([
      sql<number>`coalesce(sum(${approvedCents}) filter (where stipend.payment_status in ('approved', 'paid')), 0)`.as(
        'earnedCents',
      ),
      sql<number>`coalesce(sum(${paidCentsOf(sql.ref('stipend.id'))}), 0)`.as('paidCents'),
    ])
    .where('stipend.fellowId', '=', participantId),
);

/**
 * Expects rows of `stipend`. While a new amount waits for another admin, this is the amount before it, or 0 if none was
 * approved yet.
 */
export const approvedCents = sql<number>`case when amount_awaits_approval(stipend) then coalesce((
    select (change.before ->> 'amountCents')::integer from stipend_ledger change
    where change.stipend_id = stipend.id and change.kind in ('amount', 'adjustment')
      and change.position > ${lastApprovalOf('stipend')}
    order by change.position limit 1), 0)
  else stipend.stipend_amount_cents end`;

/**
 * The last line of the ledger that approved an amount. If the amount is unusual, the approver must not be the admin who
 * set it.
 */
export function lastApprovalOf(stipends: 'stipend' | 'stipends') {
  return sql<number | null>`(select max(approval.position) from stipend_ledger approval
    where approval.stipend_id = ${sql.ref(`${stipends}.id`)} and approval.kind in ('approval', 'amount_approval')
      and not (is_amount_unusual((approval.after ->> 'amountCents')::integer, ${sql.ref(`${stipends}.ruleAmountCents`)})
        and approval.actor_id is not distinct from (select change.actor_id from stipend_ledger change
          where change.stipend_id = approval.stipend_id and change.kind in ('amount', 'adjustment')
            and change.position < approval.position
          order by change.position desc limit 1)))`;
}

interface Which {
  cohortId?: string;
  weekNumber?: number;
  cursor?: string | undefined;
  limit?: number;
}

const membership = membershipFacts(sql`facts`);

interface FoundWeek extends WeekFacts, MembershipFacts {
  cohortId: string;
  cohortName: string;
  firstDay: string;
  lastDay: string;
  payPeriod: PayPeriod;
  today: string;
  ruleSetId: string | null;
  rulesVersion: number;
  weekNumber: number;
  stipendId: string | null;
  isMember: boolean;
  /** The stored judgment, or null without a stored row. */
  criteria: unknown;
  evidence: unknown;
  lost: LostSoFar | null;
  amountCents: number | null;
  amountLines: AmountLine[];
  paymentStatus: 'pending' | 'approved' | 'paid' | 'denied';
  amountAwaitsApproval: boolean;
  decidedAt: Date | null;
  denialReason: string | null;
  handover: string | null;
  sentAt: Date | null;
  paidCents: number | null;
  paidAt: Date | null;
  paymentParts: PaidAt[] | null;
  changes: { at: string; fromCents: number; toCents: number; isAdjustment: boolean }[];
  corrections: StipendWeek['corrections'];
  questions: StipendWeek['questions'];
}

async function judged(db: Db, found: FoundWeek[]) {
  const ruleSets = await loadRuleSets(db, new Set(found.flatMap(({ ruleSetId }) => ruleSetId ?? [])));
  return found.map((row) => {
    const rules = row.ruleSetId === null ? null : ruleSets(row.ruleSetId);
    return { week: toWeek(row, rules), rules: rules && { criteria: rules.criteria } };
  });
}

/**
 * Selects the rows that the admins see, in one statement. It adds weeks without a row, with the present facts, if they
 * have begun in a present cohort or were over when the participant left. A row that an admin looked at ahead of its
 * week is left out until the week begins or the row is decided.
 */
function weeksOf(
  participantId: string,
  { cohortId, weekNumber, cursor, limit = Number.MAX_SAFE_INTEGER }: Which,
): RawBuilder<FoundWeek> {
  const today = todayIn(sql`calendar.zone`);
  return sql<FoundWeek>`
    with begun as (
      select membership.cohort_id, number as week_number
      from cohort_participants membership
      join profiles on profiles.id = membership.participant_id
      join cohort_calendars calendar on calendar.id = membership.cohort_id,
      lateral generate_series(1, ${periodsOfCalendar()}) number,
      lateral (select ${periodFirstDay(sql`number`)} as first_day, ${periodLastDay(sql`number`)} as last_day) dated,
      lateral ${rulesOn(sql`calendar.programme_id`, sql`dated.first_day`)} rules
      where membership.participant_id = ${participantId} and profiles.track_type = any(calendar.paid_kinds)
        and (membership.status = 'active' and profiles.role = 'participant'
          or membership.status <> 'active' and ${hasLeftPaid(sql`(membership.ended_at at time zone calendar.zone)::date`)})
        and dated.first_day <= ${today}
        and dated.last_day >= (membership.enrolled_at at time zone calendar.zone)::date
    ), own_weeks as (
      select cohort_id, week_number from begun
      union
      select stored.cohort_id, stored.week_number
      from stipend_eligibility stored join cohort_calendars calendar on calendar.id = stored.cohort_id
      where stored.fellow_id = ${participantId}
        and (stored.payment_status <> 'pending' or ${periodFirstDay(sql`stored.week_number`)} <= ${today})
    ), page as (
      select own_weeks.cohort_id, own_weeks.week_number, calendar.name as cohort_name, calendar.start_date,
        calendar.pay_period, calendar.zone, ${today} as today, ${firstDay} as first_day,
        ${periodLastDay(sql`own_weeks.week_number`)} as last_day, rules.id as rule_set_id
      from own_weeks join cohort_calendars calendar on calendar.id = own_weeks.cohort_id
      left join lateral ${rulesOn(sql`calendar.programme_id`, firstDay)} rules on true
      where ${cohortId ? sql`own_weeks.cohort_id = ${cohortId}` : sql`true`}
        and ${weekNumber ? sql`own_weeks.week_number = ${weekNumber}` : sql`true`}
        and ${pages.comesAfter(cursor)}
      order by ${pages.inOrder}
      limit ${limit}
    ), ${weekFacts(sql`
      select ${participantId}::uuid as person_id, page.cohort_id, page.week_number from page
      where not exists (select from stipend_eligibility stored where stored.fellow_id = ${participantId}
        and stored.cohort_id = page.cohort_id and stored.week_number = page.week_number)`)}
    select page.*, stored.id as stipend_id, facts.activities_total, facts.activities_accessed, facts.assignments_total,
      facts.assignments_submitted, facts.assignments_untouched, ${moreFactsOf('facts')}, facts.rating, facts.is_member,
      facts.evidence, facts.rules_version, coalesce(stored.amount_lines, '[]') as amount_lines,
      ${membership.ended} as ended, ${membership.countsFrom} as counts_from,
      ${lostSoFar(sql`facts.evidence`, todayIn(sql`page.zone`))} as lost,
      stored.criteria,
      stored.stipend_amount_cents as amount_cents, coalesce(stored.payment_status, 'pending') as payment_status,
      coalesce(amount_awaits_approval(stored), false) as amount_awaits_approval, stored.approved_at as decided_at, stored.denial_reason, ${lastHandoverOf(sql.ref('stored.id'))} as handover,
      (select max(handover.sent_at) from stipend_handover_rows handed
        join stipend_handovers handover on handover.id = handed.handover_id
        where handed.stipend_id = stored.id and handover.status = 'sent') as sent_at,
      payment.paid_cents, payment.paid_at, payment.parts as payment_parts,
      (select coalesce(jsonb_agg(jsonb_build_object('at', utc_text(line.at),
          'fromCents', line.before -> 'amountCents', 'toCents', line.after -> 'amountCents',
          'isAdjustment', line.kind = 'adjustment') order by line.position desc), '[]')
        from stipend_ledger line where line.stipend_id = stored.id and line.kind in ('amount', 'adjustment')) as changes,
      (select coalesce(jsonb_agg(jsonb_build_object('activityId', activity.id, 'activityTitle', activity.title,
          'attended', correction.attended, 'status', correction.status, 'answer', correction.answer)
          order by correction.asked_at, correction.id), '[]')
        from attendance_corrections correction join training_activities activity on activity.id = correction.activity_id
        where correction.participant_id = ${participantId} and correction.cohort_id = page.cohort_id
          and correction.week_number between ${weeksOfPeriod(sql`page.week_number`, sql`page`)} and correction.status <> 'withdrawn') as corrections,
      (select coalesce(jsonb_agg(jsonb_build_object('id', asked.id, 'question', asked.question, 'askedAt', utc_text(asked.asked_at),
          'status', asked.status, 'answer', asked.answer, 'answeredAt', utc_text(asked.answered_at),
          'answeredBy', answerer.full_name) order by asked.asked_at desc, asked.id desc), '[]')
        from stipend_questions asked left join profiles answerer on answerer.id = asked.answered_by
        where asked.participant_id = ${participantId} and asked.cohort_id = page.cohort_id
          and asked.week_number = page.week_number and asked.status <> 'withdrawn') as questions
    from page
    left join stipend_eligibility stored on stored.fellow_id = ${participantId}
      and stored.cohort_id = page.cohort_id and stored.week_number = page.week_number
    left join lateral ${standingPaymentOf(sql.ref('stored.id'))} payment on true
    cross join lateral (
      select ${storedColumns}, stored.is_member, stored.evidence, stored.rules_version
      where stored.id is not null
      union all
      select ${judgedColumns}, is_member, evidence, rules_version from counted
      where stored.id is null and counted.cohort_id = page.cohort_id and counted.week_number = page.week_number
    ) facts
    order by page.first_day desc, page.cohort_id desc`;
}

/** Rules are missing only of a row that was decided before there were any for its days. */
function toWeek(found: FoundWeek, rules: RuleSet | null): StipendWeek {
  const { cohortId, cohortName, weekNumber, payPeriod, firstDay, lastDay, today, paymentStatus, handover } = found;
  const evidence = found.evidence === null ? null : StipendEvidence.parse(found.evidence);
  const criteria = found.criteria === null && rules ? judge(found, rules) : Criteria.parse(found.criteria);
  const isDecided = paymentStatus !== 'pending';
  const { activitiesAccessed, activitiesTotal, assignmentsSubmitted, assignmentsTotal, rating } = found;
  const lostCriteria = isDecided ? [] : outOfReach(found, found.lost, rules);
  const isSent = paymentStatus === 'approved' && handover === 'sent';
  return {
    cohortId,
    cohortName,
    weekNumber,
    payPeriod,
    firstDay,
    lastDay,
    today,
    isWorkedOut: found.stipendId !== null,
    criteria,
    isEligible: found.isMember && areAllMet(criteria),
    isOutOfReach: lostCriteria.length > 0,
    lostCriteria,
    activities: { accessed: activitiesAccessed, total: activitiesTotal },
    assignments: { submitted: assignmentsSubmitted, total: assignmentsTotal },
    rating,
    membershipNote: membershipNote(found, found.isMember),
    missing: isDecided || !evidence ? [] : missingIn(criteria, evidence),
    amountCents: found.amountCents ?? (rules ? amountFor(found, rules).cents : 0),
    amountLines: found.amountLines,
    rulesVersion: found.rulesVersion,
    amountAwaitsApproval: found.amountAwaitsApproval,
    state: isSent ? 'sent' : paymentStatus,
    decidedAt: found.decidedAt?.toISOString() ?? null,
    denialReason: found.denialReason,
    sentAt: found.sentAt?.toISOString() ?? null,
    payment: paymentOf(found),
    changes: found.changes,
    corrections: found.corrections,
    questions: found.questions,
  };
}

function paymentOf({ paidCents, paidAt, paymentParts: parts }: FoundWeek): StipendWeek['payment'] {
  // Stryker disable next-line ConditionalExpression,LogicalOperator: What was paid has all three, anything else none.
  if (paidCents === null || paidAt === null || parts === null) return null;
  return { amountCents: paidCents, at: paidAt.toISOString(), parts };
}

/** The missing parts of the criteria that are not met. */
function missingIn(criteria: Criteria, evidence: StipendEvidence): StipendWeek['missing'] {
  const isMissing = (part: Criterion['about']) => criteria.some(({ about, isMet }) => about === part && !isMet);
  const notAttended = evidence.activities
    .filter(({ counts, accessedAt }) => counts && accessedAt === null)
    .map(({ id, title, day }) => ({ kind: 'activity' as const, id, title, day, status: null }));
  const notHandedIn = evidence.assignments
    .filter(({ counts, status }) => counts && status !== 'submitted' && status !== 'accepted')
    .map(({ id, title, dueDate, status }) => ({
      kind: 'assignment' as const,
      id,
      title,
      day: dueDate,
      status: status === null ? null : SubmissionStatus.parse(status),
    }));
  return [...(isMissing('activities') ? notAttended : []), ...(isMissing('assignments') ? notHandedIn : [])];
}
