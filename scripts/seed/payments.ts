import { sql } from 'kysely';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { easternTime } from '#server/db/demo/past.ts';
import { documentedBody, type HandoverRow } from '#server/features/payments/handovers.ts';
import { writePayments } from '#server/features/payments/payments.ts';
import { standingAt } from '#server/platform/clock.ts';
import { dollars, drawn, idOf } from './draws.ts';
import { seedNotices } from './notices.ts';
import { isOfMembers, type SeededAdmins } from './people.ts';
import type { CohortPlan } from './plan.ts';

interface Week {
  cohortId: string;
  week: number;
  admins: SeededAdmins;
}

interface Batch extends Week {
  rows: HandoverRow[];
  at: Date;
  /** What the payment system answered to each try, in order. Null: no connection was made. */
  answers: (number | null)[];
}

/** One in a hundred approved weeks is paid by hand. The others are handed over on Thursday and confirmed on Friday. */
export async function payWeek(db: Db, plan: CohortPlan, week: Week): Promise<void> {
  const { startDate, until, number } = plan;
  const at = (days: number, time: string) => easternTime(addDays(startDate, 7 * week.week + days), time);
  if (at(3, '11:00') >= until) return;
  await payByHand(db, plan, week, at);
  const rows = await payableRows(db, week);
  if (rows.length === 0) return;
  // One batch never reached the payment system. An admin recalled it and made it anew.
  if (number === 2 && week.week === 3) {
    const handoverId = await handOver(db, { ...week, rows, at: at(3, '09:40'), answers: [null, null] });
    await recall(db, week, { handoverId, at: at(3, '10:40') });
  }
  const isSlow = (week.week + number) % 9 === 0;
  const handoverId = await handOver(db, { ...week, rows, at: at(3, '11:00'), answers: isSlow ? [503, 200] : [200] });
  if (at(4, '15:00') < until) await confirm(db, { ...week, handoverId, rows, at: at(4, '15:00') });
}

/** An admin notes payments by check. Some checks come back, and a bank transfer follows four days after the check. */
async function payByHand(
  db: Db,
  { seed, until }: CohortPlan,
  { cohortId, week, admins }: Week,
  at: (days: number, time: string) => Date,
): Promise<void> {
  const [, , payer] = admins;
  const chosen = await sql<{ id: string; stipendAmountCents: number; isTakenBack: boolean }>`
    select id, stipend_amount_cents, ${drawn(seed, 'taken back', 'fellow_id', 'week_number')} < 150 as is_taken_back from stipend_eligibility
    where ${isOfMembers(cohortId)} and week_number = ${week} and payment_status = 'approved'
      and ${drawn(seed, 'by hand', 'fellow_id', 'week_number')} < 12
    order by fellow_id`.execute(db);
  const paid = chosen.rows.map(({ id, stipendAmountCents, isTakenBack }) => ({
    id,
    part: 1,
    paidCents: stipendAmountCents,
    isTakenBack,
  }));
  const pay = (rows: typeof paid, paidAt: Date, reference: string) =>
    standingAt(paidAt, () =>
      writePayments(db, rows, {
        at: paidAt,
        source: 'admin',
        recordedBy: payer.id,
        reference,
        note: 'No bank account yet.',
      }),
    );
  await pay(paid, at(3, '09:00'), `Check of ${dayAt(at(3, '09:00'), houseZone)}`);
  const back = paid.filter(({ isTakenBack }) => isTakenBack);
  if (back.length === 0 || at(7, '14:00') >= until) return;
  await sql`
    with taken_back as (
      insert into stipend_payment_reversals (payment_id, at, reversed_by, reason)
      select id, ${at(6, '10:00')}, ${payer.id}, 'The check came back in the mail.' from stipend_payment_parts
      where stipend_id = any(${back.map(({ id }) => id)}::uuid[])
    )
    update stipend_eligibility set payment_status = 'approved', updated_at = ${at(6, '10:00')}, version = version + 1
    where id = any(${back.map(({ id }) => id)}::uuid[])`.execute(db);
  await pay(back, at(7, '14:00'), `Bank transfer of ${dayAt(at(7, '14:00'), houseZone)}`);
}

async function payableRows(db: Db, { cohortId, week }: Week): Promise<HandoverRow[]> {
  const found = await sql<HandoverRow>`
    select stipend.id, stipend.version, payee_name as participant_name, payee_email as participant_email,
      coalesce(member.coach_name, 'No coach assigned') as coach_assigned, cohorts.name as cohort_assigned,
      stipend_amount_cents as amount_cents, 1 as part, payment_status, approved_at, null as left_out_as
    from stipend_eligibility stipend
    join seeded_members member on member.participant_id = stipend.fellow_id
    join cohorts on cohorts.id = stipend.cohort_id
    where stipend.cohort_id = ${cohortId} and week_number = ${week} and payment_status = 'approved'
    order by participant_name, member.place`.execute(db);
  return found.rows;
}

/** Writes a batch with its tries, a minute apart. The last answer decides whether it was sent. */
async function handOver(db: Db, { cohortId, week, admins, rows, at, answers }: Batch): Promise<string> {
  const [, , payer] = admins;
  const id = idOf('handover', cohortId, String(week), at.toISOString());
  const totalCents = rows.reduce((total, { amountCents }) => total + amountCents, 0);
  const isSent = answers.at(-1) === 200;
  await sql`
    insert into stipend_handovers (id, week_number, cohort_id, body, recipients, total_cents, status, created_by, created_at, sent_at)
    values (${id}, ${week}, ${cohortId}, ${JSON.stringify(documentedBody(week, rows, totalCents))}, ${rows.length}, ${totalCents},
      ${isSent ? 'sent' : 'failed'}, ${payer.id}, ${at}, ${isSent ? new Date(at.getTime() + 60_000 * answers.length) : null})`.execute(
    db,
  );
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given
        (id uuid, "amountCents" integer, "participantEmail" text, "cohortAssigned" text, part integer)
    ), touched as (
      update stipend_eligibility set version = version + 1 from given where given.id = stipend_eligibility.id
    ), tried as (
      insert into stipend_handover_tries (handover_id, tried_at, finished_at, response_status, error, may_have_arrived)
      select ${id}, ${at}::timestamptz + make_interval(mins => place::integer), ${at}::timestamptz + make_interval(mins => place::integer, secs => 2), answer,
        case when answer is null then 'connect ECONNREFUSED 203.0.113.7:443' when answer > 299 then 'Webhook failed: ' || answer end, answer is not null
      from unnest(${answers}::integer[]) with ordinality as answers (answer, place)
    )
    insert into stipend_handover_rows (handover_id, stipend_id, amount_cents, participant_email, cohort_assigned, part)
    select ${id}, id, "amountCents", "participantEmail", "cohortAssigned", part from given`.execute(db);
  return id;
}

async function recall(
  db: Db,
  { admins: [, , payer] }: Week,
  { handoverId, at }: { handoverId: string; at: Date },
): Promise<void> {
  await sql`
    with recalled as (
      update stipend_handovers set status = 'recalled', recalled_by = ${payer.id}, recall_reason = 'The payment system was moved to another address.'
      where id = ${handoverId}
      returning *
    )
    insert into audit_log (at, actor_id, action, subject_type, subject_id, before, after, reason)
    select ${at}::timestamptz, recalled_by, 'stipend.recall_handover', 'stipend_handover', id, '{"status": "failed"}'::jsonb,
      jsonb_build_object('status', status, 'recipients', recipients), recall_reason
    from recalled`.execute(db);
}

interface Confirmation extends Week {
  handoverId: string;
  rows: HandoverRow[];
  at: Date;
}

/** The payment system confirms that it paid the whole batch in one transfer. */
async function confirm(db: Db, { cohortId, week, handoverId, rows, at }: Confirmation): Promise<void> {
  const reference = `ACH-${dayAt(at, houseZone).replaceAll('-', '')}-${handoverId.slice(0, 6).toUpperCase()}`;
  const ids = rows.map(({ id }) => id);
  await sql`
    with told as (
      insert into stipend_confirmations (id, body_hash, received_at, handover_id, reference)
      values (${`msg_${idOf('confirmation', cohortId, String(week)).replaceAll('-', '')}`},
        encode(sha256(convert_to(${reference}, 'UTF8')), 'hex'), ${at}, ${handoverId}, ${reference})
      returning id
    )
    insert into stipend_confirmation_rows (confirmation_id, stipend_id, amount_cents, outcome)
    select told.id, given.id, given.cents, 'paid'
    from told cross join unnest(${ids}::uuid[], ${rows.map(({ amountCents }) => amountCents)}::integer[]) as given (id, cents)`.execute(
    db,
  );
  const paid = rows.map(({ id, part, amountCents }) => ({ id, part, paidCents: amountCents }));
  await standingAt(at, () => writePayments(db, paid, { at, source: 'confirmation', reference, handoverId }));
}

/** Writes the log entries and notices that the acts leave. */
export async function recordPayments(db: Db, plan: CohortPlan, cohortId: string): Promise<void> {
  await sql`
    insert into audit_log (at, actor_id, action, subject_type, subject_id, before, after, reason)
    select line.at, line.actor_id,
      case line.kind when 'handover' then 'stipend.hand_over' when 'payment' then 'stipend.pay' else 'stipend.take_payment_back' end,
      'stipend', line.stipend_id, facts.standing,
      case line.kind when 'handover' then facts.standing || jsonb_build_object('handoverId', line.handover_id)
        when 'payment' then jsonb_build_object('paymentStatus', 'paid', 'amountCents', stipend.stipend_amount_cents, 'paidCents', line.paid_cents)
        else '{"amountCents": 0}' end,
      line.reason
    from (select * from stipend_eligibility where ${isOfMembers(cohortId)}) stipend
    join stipend_ledger line on line.stipend_id = stipend.id
    cross join lateral (select jsonb_build_object('paymentStatus', case when line.kind = 'reversal' then 'paid' else 'approved' end,
      'amountCents', stipend.stipend_amount_cents) as standing) facts
    where line.kind in ('handover', 'payment', 'reversal')
    order by line.position`.execute(db);
  await seedNotices(
    db,
    plan,
    sql`
      select stipend.fellow_id as user_id, 'stipend' as kind, 'stipend_updates' as category, null::uuid as subject_id,
        'Stipend of week ' || week_number || ' paid' as title,
        'Your stipend of ' || ${dollars('amount_cents')} || ' for week ' || week_number || ' was paid.' as message,
        '/fellowship-dashboard' as link, 'stipend:' || stipend.id || ':paid:' || reversals_before as event_key, part.paid_at as at
      from stipend_payment_parts part
      join (select * from stipend_eligibility where ${isOfMembers(cohortId)}) stipend on stipend.id = part.stipend_id
      union all
      select stipend.fellow_id, 'stipend', 'stipend_updates', null, 'Payment of week ' || week_number || ' taken back',
        'We told you by mistake that ' || ${dollars('amount_cents')} || ' for week ' || week_number
          || ' was paid. We will tell you when it is.',
        '/fellowship-dashboard', 'stipend:' || stipend.id || ':taken_back:' || part.reversals_before, reversal.at
      from stipend_payment_reversals reversal join stipend_payment_parts part on part.id = reversal.payment_id
      join (select * from stipend_eligibility where ${isOfMembers(cohortId)}) stipend on stipend.id = part.stipend_id`,
  );
}
