import { sql } from 'kysely';
import { defaultStipendCents } from '#contract/money.ts';
import type { LostSoFar, WeekFacts } from '#contract/stipend-facts.ts';
import { areAllMet, Criteria, type Criterion, judge } from '#contract/stipend-rules.ts';
import type { StipendWeek, StipendWeeks } from '#contract/stipend-weeks.ts';
import { SubmissionStatus } from '#contract/submissions.ts';
import { easternDay, programmeWeek, programmeWeeks, programmeZone } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { isOwnParticipant } from '#server/features/coaching/coaching-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { notFound } from '#server/platform/errors.ts';
import { byDay, byId, descending, pagesBy } from '#server/platform/pages.ts';
import { ruleSetInForce } from './rule-sets.ts';
import {
  isOutOfReach,
  lostSoFar,
  type MembershipFacts,
  membershipFacts,
  membershipNote,
  StipendEvidence,
} from './stipend-evidence.ts';
import { lastHandoverOf, type PaidAt, paymentPartsOf } from './stipend-standing-queries.ts';
import { judgedColumns, storedColumns, weekFacts } from './week-facts-queries.ts';

type Person = StipendWeeks['person'];

const firstDay = sql`(cohorts.start_date + 7 * (own_weeks.week_number - 1))`;
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
  week: { cohortId: string; weekNumber: number },
): Promise<StipendWeek | null> {
  const [found] = await readWeeks(db, participantId, { ...week, limit: 1 });
  return found ? toWeek(found) : null;
}

/** Finds all weeks, newest first. A cohort has at most sixteen. */
export async function findAllStipendWeeks(db: Db, participantId: string): Promise<StipendWeek[]> {
  return (await readWeeks(db, participantId, { limit: null })).map(toWeek);
}

async function findPage(db: Db, person: Person, { cursor, canAsk }: { cursor: string | undefined; canAsk: boolean }) {
  const rows = await readWeeks(db, person.id, { cursor, limit: pages.most });
  const page = pages.cut(rows, ({ firstDay, cohortId }) => [firstDay, cohortId]);
  return {
    person,
    rows: page.rows.map(toWeek),
    nextCursor: page.nextCursor,
    totals: await findTotals(db, person.id),
    can: { ask: canAsk },
  };
}

async function findTotals(db: Db, participantId: string): Promise<StipendWeeks['totals']> {
  return db
    .selectFrom('stipendEligibility as stipend')
    .leftJoin('stipendPayments as payment', 'payment.stipendId', 'stipend.id')
    .select([
      sql<number>`coalesce(sum(${approvedCents}) filter (where stipend.payment_status in ('approved', 'paid')), 0)`.as(
        'earnedCents',
      ),
      sql<number>`coalesce(sum(payment.amount_cents), 0)`.as('paidCents'),
    ])
    .where('stipend.fellowId', '=', participantId)
    .executeTakeFirstOrThrow();
}

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
      and not (is_amount_unusual((approval.after ->> 'amountCents')::integer)
        and approval.actor_id is not distinct from (select change.actor_id from stipend_ledger change
          where change.stipend_id = approval.stipend_id and change.kind in ('amount', 'adjustment')
            and change.position < approval.position
          order by change.position desc limit 1)))`;
}

interface Which {
  cohortId?: string;
  weekNumber?: number;
  cursor?: string | undefined;
  limit: number | null;
}

interface FoundWeek extends WeekFacts {
  cohortId: string;
  cohortName: string;
  startDate: string;
  firstDay: string;
  weekNumber: number;
  stipendId: string | null;
  isMember: boolean;
  /** The stored judgment, or null without a stored row. */
  criteria: unknown;
  evidence: unknown;
  membership: MembershipFacts;
  lost: LostSoFar | null;
  amountCents: number | null;
  paymentStatus: 'pending' | 'approved' | 'paid' | 'denied';
  amountAwaitsApproval: boolean;
  decidedAt: Date | null;
  denialReason: string | null;
  handover: string | null;
  sentAt: Date | null;
  paidCents: number | null;
  paidAt: Date | null;
  paymentParts: PaidAt[];
  changes: { at: string; fromCents: number; toCents: number; isAdjustment: boolean }[];
  corrections: StipendWeek['corrections'];
  questions: StipendWeek['questions'];
}

/**
 * Reads the rows that the admins see, in one statement. It adds weeks without a row, with the present facts, if they
 * have begun in a present cohort or were over when the participant left. A row that an admin looked at ahead of its
 * week is left out until the week begins or the row is decided.
 */
async function readWeeks(db: Db, participantId: string, { cohortId, weekNumber, cursor, limit }: Which) {
  const today = easternDay(now());
  const found = await sql<FoundWeek>`
    with begun as (
      select membership.cohort_id, week as week_number
      from cohort_participants membership
      join profiles on profiles.id = membership.participant_id
      join cohorts on cohorts.id = membership.cohort_id,
      lateral generate_series(1, least(${programmeWeeks}::integer, (${today}::date - cohorts.start_date) / 7 + 1)) week
      where membership.participant_id = ${participantId} and profiles.track_type = 'fellowship'
        and (membership.status = 'active' and profiles.role = 'participant'
          or membership.status <> 'active'
            and (membership.ended_at at time zone ${programmeZone})::date > cohorts.start_date + 7 * (week - 1) + 4)
        and cohorts.start_date <= ${today}
        and cohorts.start_date + 7 * (week - 1) + 4 >= (membership.enrolled_at at time zone ${programmeZone})::date
    ), own_weeks as (
      select cohort_id, week_number from begun
      union
      select stored.cohort_id, stored.week_number
      from stipend_eligibility stored join cohorts on cohorts.id = stored.cohort_id
      where stored.fellow_id = ${participantId}
        and (stored.payment_status <> 'pending' or cohorts.start_date + 7 * (stored.week_number - 1) <= ${today}::date)
    ), page as (
      select own_weeks.cohort_id, own_weeks.week_number, cohorts.name as cohort_name, cohorts.start_date,
        ${firstDay} as first_day
      from own_weeks join cohorts on cohorts.id = own_weeks.cohort_id
      where ${cohortId ? sql`own_weeks.cohort_id = ${cohortId}` : sql`true`}
        and ${weekNumber ? sql`own_weeks.week_number = ${weekNumber}` : sql`true`}
        and ${pages.comesAfter(cursor)}
      order by ${pages.inOrder}
      ${limit === null ? sql`` : sql`limit ${limit}`}
    ), ${weekFacts(sql`
      select ${participantId}::uuid as person_id, page.cohort_id, page.week_number from page
      where not exists (select from stipend_eligibility stored where stored.fellow_id = ${participantId}
        and stored.cohort_id = page.cohort_id and stored.week_number = page.week_number)`)}
    select page.*, stored.id as stipend_id, facts.activities_total, facts.activities_accessed, facts.assignments_total,
      facts.assignments_submitted, facts.assignments_untouched, facts.rating, facts.is_member, facts.evidence,
      ${membershipFacts(sql`facts.evidence`)} as membership, ${lostSoFar(sql`facts.evidence`)} as lost,
      stored.criteria,
      stored.stipend_amount_cents as amount_cents, coalesce(stored.payment_status, 'pending') as payment_status,
      coalesce(amount_awaits_approval(stored), false) as amount_awaits_approval, stored.approved_at as decided_at, stored.denial_reason, ${lastHandoverOf(sql.ref('stored.id'))} as handover,
      (select max(handover.sent_at) from stipend_handover_rows handed
        join stipend_handovers handover on handover.id = handed.handover_id
        where handed.stipend_id = stored.id and handover.status = 'sent') as sent_at,
      payment.amount_cents as paid_cents, payment.paid_at,
      ${paymentPartsOf(sql.ref('stored.id'))} as payment_parts,
      (select coalesce(jsonb_agg(jsonb_build_object('at', utc_text(line.at),
          'fromCents', line.before -> 'amountCents', 'toCents', line.after -> 'amountCents',
          'isAdjustment', line.kind = 'adjustment') order by line.position desc), '[]')
        from stipend_ledger line where line.stipend_id = stored.id and line.kind in ('amount', 'adjustment')) as changes,
      (select coalesce(jsonb_agg(jsonb_build_object('activityId', activity.id, 'activityTitle', activity.title,
          'attended', correction.attended, 'status', correction.status, 'answer', correction.answer)
          order by correction.asked_at, correction.id), '[]')
        from attendance_corrections correction join training_activities activity on activity.id = correction.activity_id
        where correction.participant_id = ${participantId} and correction.cohort_id = page.cohort_id
          and correction.week_number = page.week_number and correction.status <> 'withdrawn') as corrections,
      (select coalesce(jsonb_agg(jsonb_build_object('id', asked.id, 'question', asked.question, 'askedAt', utc_text(asked.asked_at),
          'status', asked.status, 'answer', asked.answer, 'answeredAt', utc_text(asked.answered_at),
          'answeredBy', answerer.full_name) order by asked.asked_at desc, asked.id desc), '[]')
        from stipend_questions asked left join profiles answerer on answerer.id = asked.answered_by
        where asked.participant_id = ${participantId} and asked.cohort_id = page.cohort_id
          and asked.week_number = page.week_number and asked.status <> 'withdrawn') as questions
    from page
    left join stipend_eligibility stored on stored.fellow_id = ${participantId}
      and stored.cohort_id = page.cohort_id and stored.week_number = page.week_number
    left join stipend_payments payment on payment.stipend_id = stored.id
    cross join lateral (
      select ${storedColumns}, stored.is_member, stored.evidence
      where stored.id is not null
      union all
      select ${judgedColumns}, is_member, evidence from counted
      where stored.id is null and counted.cohort_id = page.cohort_id and counted.week_number = page.week_number
    ) facts
    order by page.first_day desc, page.cohort_id desc`.execute(db);
  return found.rows;
}

function toWeek(found: FoundWeek): StipendWeek {
  const { cohortId, cohortName, weekNumber, startDate, firstDay, paymentStatus, handover } = found;
  const evidence = StipendEvidence.nullable().parse(found.evidence);
  const criteria = found.criteria === null ? judge(found, ruleSetInForce()) : Criteria.parse(found.criteria);
  const { lastDay } = programmeWeek(startDate, weekNumber);
  const isDecided = paymentStatus !== 'pending';
  const { activitiesAccessed, activitiesTotal, assignmentsSubmitted, assignmentsTotal, rating } = found;
  const isSent = paymentStatus === 'approved' && handover === 'sent';
  return {
    cohortId,
    cohortName,
    weekNumber,
    firstDay,
    lastDay,
    isWorkedOut: found.stipendId !== null,
    criteria,
    isEligible: found.isMember && areAllMet(criteria),
    isOutOfReach: !isDecided && isOutOfReach(found, found.lost),
    activities: { accessed: activitiesAccessed, total: activitiesTotal },
    assignments: { submitted: assignmentsSubmitted, total: assignmentsTotal },
    rating,
    membershipNote: membershipNote(found.membership, found.isMember),
    missing: isDecided || !evidence ? [] : missingIn(criteria, evidence),
    amountCents: found.amountCents ?? defaultStipendCents,
    amountAwaitsApproval: found.amountAwaitsApproval,
    state: isSent ? 'sent' : paymentStatus,
    decidedAt: found.decidedAt?.toISOString() ?? null,
    denialReason: found.denialReason,
    sentAt: found.sentAt?.toISOString() ?? null,
    payment:
      found.paidCents !== null && found.paidAt !== null
        ? { amountCents: found.paidCents, at: found.paidAt.toISOString(), parts: found.paymentParts }
        : null,
    changes: found.changes,
    corrections: found.corrections,
    questions: found.questions,
  };
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
      status: SubmissionStatus.nullable().parse(status),
    }));
  return [...(isMissing('activities') ? notAttended : []), ...(isMissing('assignments') ? notHandedIn : [])];
}
