import { sql } from 'kysely';
import { specifiedCalendar } from '#contract/default-programme.ts';
import { addDays } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { easternTime } from '#server/db/demo/past.ts';
import { deriveWeek } from '#server/features/stipends/week-derivation.ts';
import { dollars, drawn, picked } from './draws.ts';
import { seedNotices } from './notices.ts';
import { payWeek, recordPayments } from './payments.ts';
import { isOfMembers, type SeededAdmins } from './people.ts';
import type { CohortPlan } from './plan.ts';

const denials = [
  'Attendance was below what the week needs, and no correction was asked for.',
  'The assignment of this week was not handed in.',
  'Your coach rated this week below 3.0. Please talk to your coach about it.',
];
const otherDenials = [
  'The site visit was attended by somebody else.',
  'Reported as working elsewhere during the sessions.',
];
const amounts = [25_000, 37_500, 60_000, 65_000];

/** The product judges every week that has begun. */
export async function judgeWeeks(db: Db, plan: CohortPlan, cohortId: string): Promise<void> {
  for (const weekNumber of begunWeeks(plan)) await deriveWeek(db, { cohortIds: [cohortId], weekNumber });
}

/**
 * On the Wednesday after a week it is decided, and paid by the end of that week, one week after the other, so that the
 * ledger has the lines in their order. From the first line until the transaction ends, no other cohort is decided.
 */
export async function payWeeks(db: Db, plan: CohortPlan, cohortId: string, admins: SeededAdmins): Promise<void> {
  const { state, startDate, until } = plan;
  if (state === 'planning') return;
  for (const week of begunWeeks(plan)) {
    const decidedAt = easternTime(addDays(startDate, 7 * week + 2), '10:15');
    if (decidedAt >= until) continue;
    await decideWeek(db, plan, { cohortId, week, decidedAt, admins });
    await payWeek(db, plan, { cohortId, week, admins });
  }
  await recordDecisions(db, plan, cohortId, admins);
  await recordPayments(db, plan, cohortId);
}

function begunWeeks({ passedWeeks, state }: CohortPlan): number[] {
  const begun = state === 'planning' ? 0 : Math.min(specifiedCalendar.weeks, passedWeeks + 1);
  return Array.from({ length: begun }, (_, index) => index + 1);
}

interface Week {
  cohortId: string;
  week: number;
  decidedAt: Date;
  admins: SeededAdmins;
}

/** A few amounts change, a few eligible weeks and most others are denied, and the eligible rest is approved. */
async function decideWeek(
  db: Db,
  { seed, needsSecondApprover }: CohortPlan,
  { cohortId, week, decidedAt, admins }: Week,
): Promise<void> {
  const [first, second, payer] = admins;
  const pending = sql`${isOfMembers(cohortId)} and week_number = ${week} and payment_status = 'pending'`;
  const key = ['fellow_id', 'week_number'];
  await sql`
    update stipend_eligibility set stipend_amount_cents = (${amounts}::integer[])[1 + ${drawn(seed, 'amount', ...key)} % ${amounts.length}],
      is_amount_set_by_hand = true, amount_set_by = ${payer.id}, amount_reason = 'Part of the week was paid by the employer.',
      updated_at = ${new Date(decidedAt.getTime() - 3_600_000)}, version = version + 1
    where ${pending} and overall_eligible and ${drawn(seed, 'changes', ...key)} < 6`.execute(db);
  await sql`
    update stipend_eligibility set payment_status = 'denied', approved_by = ${first.id}, approved_at = ${decidedAt}, updated_at = ${decidedAt},
      denial_reason = case when overall_eligible then ${picked(otherDenials, seed, 'reason', ...key)}
        when not attendance_eligible then ${denials[0]}::text when not assignment_eligible then ${denials[1]} else ${denials[2]} end,
      version = version + 1
    where ${pending} and is_member and case when overall_eligible then ${drawn(seed, 'denies', ...key)} < 5
      else ${drawn(seed, 'denies', ...key)} < 800 end`.execute(db);
  if (needsSecondApprover) {
    await sql`
      update stipend_eligibility set first_approved_by = ${first.id}, first_approved_at = ${decidedAt}, updated_at = ${decidedAt},
        version = version + 1
      where ${pending} and overall_eligible`.execute(db);
  }
  const approver = needsSecondApprover ? second : first;
  const approvedAt = needsSecondApprover ? new Date(decidedAt.getTime() + 5 * 3_600_000) : decidedAt;
  await sql`
    update stipend_eligibility set payment_status = 'approved', approved_by = ${approver.id}, approved_at = ${approvedAt},
      updated_at = ${approvedAt}, version = version + 1
    where ${pending} and overall_eligible`.execute(db);
}

/** Writes the log entries and notices that the acts leave. */
async function recordDecisions(
  db: Db,
  plan: CohortPlan,
  cohortId: string,
  [first, , payer]: SeededAdmins,
): Promise<void> {
  const own = isOfMembers(cohortId);
  await sql`
    insert into audit_log (at, actor_id, action, subject_type, subject_id, before, after, reason)
    select stipend.approved_at - interval '1 hour', ${payer.id}::uuid, 'stipend.change_amount', 'stipend', stipend.id,
      jsonb_build_object('amountCents', stipend_rule_cents()), jsonb_build_object('amountCents', stipend.stipend_amount_cents), stipend.amount_reason
    from stipend_eligibility stipend where ${own} and stipend.amount_set_by is not null
    union all
    select stipend.first_approved_at, ${first.id}::uuid, 'stipend.approve_first', 'stipend', stipend.id, facts.pending, facts.pending, null
    from stipend_eligibility stipend
    cross join lateral (select jsonb_build_object('paymentStatus', 'pending', 'amountCents', stipend.stipend_amount_cents) as pending) facts
    where ${own} and stipend.first_approved_at is not null
    union all
    select stipend.approved_at, stipend.approved_by, case when stipend.payment_status = 'denied' then 'stipend.deny' else 'stipend.approve' end,
      'stipend', stipend.id, facts.pending, facts.pending || jsonb_build_object('paymentStatus',
        case when stipend.payment_status = 'denied' then 'denied' else 'approved' end), stipend.denial_reason
    from stipend_eligibility stipend
    cross join lateral (select jsonb_build_object('paymentStatus', 'pending', 'amountCents', stipend.stipend_amount_cents) as pending) facts
    where ${own} and stipend.approved_at is not null`.execute(db);
  await seedNotices(
    db,
    plan,
    sql`
      select fellow_id as user_id, 'stipend' as kind, 'stipend_updates' as category, null::uuid as subject_id,
        'Stipend of week ' || week_number || case when denial_reason is null then ' approved' else ' denied' end as title,
        case when denial_reason is null then 'Your stipend of ' || ${dollars('stipend_amount_cents')} || ' for week ' || week_number || ' was approved.'
          else 'Your stipend for week ' || week_number || ' was denied. Your coach can tell you more. The reason: ' || denial_reason end as message,
        '/fellowship-dashboard' as link,
        'stipend:' || stipend.id || case when denial_reason is null then ':approved' else ':denied' end as event_key, approved_at as at
      from stipend_eligibility stipend where ${own} and approved_at is not null`,
  );
}
