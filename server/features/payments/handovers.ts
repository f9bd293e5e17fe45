import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import { formatCents } from '#contract/money.ts';
import type { handOverWeek as handOverWeekEndpoint } from '#contract/payments.ts';
import type { SeenRows } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import { coachNameOf } from '#server/features/coaching/coaching-access.ts';
import { lockStipends } from '#server/features/stipends/stipend-lock-access.ts';
import {
  isNotHandedOver,
  isPayable,
  isReadyToGoAgain,
  isSentUnpaid,
  mayBePayable,
  nextPartOf,
  paidCentsOf,
} from '#server/features/stipends/stipend-standing-queries.ts';
import { isOfWeek, versionsOf } from '#server/features/stipends/week-figure-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { machineTime } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { enqueue } from '#server/platform/jobs.ts';
import type { App } from '#server/platform/serve.ts';
import { changed } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { sendHandoverQueue } from './handover-queue.ts';
import { answerLimitInMs, tryHandover } from './handover-tries.ts';
import { findOutdatedPayees } from './payee-queries.ts';

type Reply = ReplyOf<typeof handOverWeekEndpoint>;

const firstRetryAfterInMs = 60_000;
/** With less time, a first try makes no sense, so the job makes it. */
const leastTimeInMs = 500;

interface Week {
  weekNumber: number;
  cohortId?: string | undefined;
  again: boolean;
  /** The rows that the admin saw. */
  seen?: SeenRows | undefined;
}

/**
 * Hands a week's approved stipends over to the payment system, and what adjustments added to paid ones. Tries an open
 * batch again under its own id before it makes a new one. Makes the first tries within ten seconds, and the job makes
 * later ones. Opens its own transactions.
 */
export async function handOverWeek(app: App, actor: Actor, week: Week): Promise<Reply> {
  const { prepared, ...leftOut } = await inTransaction(app.db, (db) => prepareHandovers(db, actor, week));
  if (prepared.length === 0) {
    return { handoverId: null, status: 'nothing_to_send', recipients: 0, ...leftOut, error: null };
  }
  const deadline = performance.now() + answerLimitInMs;
  let recipients = 0;
  let recalled: Reply | null = null;
  for (const handover of prepared) {
    const reply = { handoverId: handover.id, recipients: handover.recipients, ...leftOut };
    const left = Math.floor(deadline - performance.now());
    if (left < leastTimeInMs) return { ...reply, status: 'queued', error: null };
    const tried = await tryHandover(app, handover.id, left);
    if (tried.status === 'sent') recipients += handover.recipients;
    else if (tried.status === 'recalled') recalled = { ...reply, status: 'recalled', error: tried.error };
    else return { ...reply, status: tried.status === 'busy' ? 'busy' : 'failed', error: tried.error };
  }
  if (recalled && recipients === 0) return recalled;
  // Stryker disable next-line OptionalChaining: There is at least one here.
  return { handoverId: prepared.at(-1)?.id ?? null, status: 'sent', recipients, ...leftOut, error: null };
}

/** Finds the week's open batch, if any, and makes a new one for payable rows that were never handed over. */
async function prepareHandovers(db: Db, actor: Actor, week: Week) {
  const { weekNumber, again, seen } = week;
  await sql`select pg_advisory_xact_lock(hashtext('stipend hand-over'), ${weekNumber})`.execute(db);
  const open = await findOpen(db, week);
  for (const { id, status } of open) if (status === 'given_up') await enqueueRetries(db, id);
  // To press again repeats a batch that is still open, and makes no second one.
  if (again && open.length > 0) return { prepared: open, heldBack: 0, ofDeleted: 0, own: 0 };
  const found = await rowsToHandOver(db, actor, week);
  const rows = found.filter(({ leftOutAs }) => leftOutAs === null);
  const leftOut = leftOutOf(found);
  if (!again && seen) requireSame(seen, figuresOf(await findOpenRows(db, open), rows));
  if (rows.length === 0) return { prepared: open, ...leftOut };
  return { prepared: [...open, await createHandover(db, actor, { week, rows })], ...leftOut };
}

/** Says what `handOverWeek` would send now. */
export async function previewHandover(db: Db, actor: Actor, where: { week: number; cohort?: string | undefined }) {
  const week = { weekNumber: where.week, cohortId: where.cohort, again: false };
  const found = await findRows(db, actor, week, mayBePayable);
  const rows = found.filter(({ leftOutAs }) => leftOutAs === null);
  const open = await findOpen(db, week);
  const openRows = await findOpenRows(db, open);
  const byCohort = Map.groupBy([...openRows, ...rows], ({ cohortAssigned }) => cohortAssigned);
  return {
    toSend: figuresOf(openRows, rows),
    cohorts: [...byCohort].map(([name, own]) => ({ name, count: own.length, totalCents: sumOf(own) })),
    openBatches: open.length,
    outdatedPayees: await findOutdatedPayees(db, [
      ...openRows.map(({ stipendId }) => stipendId),
      ...rows.map(({ id }) => id),
    ]),
    ...leftOutOf(found),
  };
}

function findOpen(db: Db, week: Week) {
  const { weekNumber, cohortId = null } = week;
  return db
    .selectFrom('stipendHandovers')
    .select(['id', 'recipients', 'status'])
    .where('weekNumber', '=', weekNumber)
    .where('status', 'not in', ['sent', 'recalled'])
    .$if(cohortId !== null, (query) =>
      query.where(
        sql<boolean>`exists (select from stipend_handover_rows handed
          join stipend_eligibility stipends on stipends.id = handed.stipend_id
          where handed.handover_id = stipend_handovers.id and stipends.cohort_id = ${cohortId})`,
      ),
    )
    .orderBy('createdAt')
    .execute();
}

interface OpenRow {
  handoverId: string;
  stipendId: string;
  amountCents: number;
  cohortAssigned: string;
}

async function findOpenRows(db: Db, open: { id: string }[]): Promise<OpenRow[]> {
  // Stryker disable next-line ConditionalExpression: Of no batches the statement finds no rows either.
  if (open.length === 0) return [];
  const found = await sql<OpenRow>`
    select handover_id, stipend_id, amount_cents, coalesce(cohort_assigned, 'Unknown cohort') as cohort_assigned
    from stipend_handover_rows where handover_id = any(${open.map(({ id }) => id)}::uuid[])
    order by handover_id, stipend_id`.execute(db);
  return found.rows;
}

function figuresOf(openRows: OpenRow[], rows: HandoverRow[]): SeenRows {
  const batches = [...new Set(openRows.map(({ handoverId }) => `batch-${handoverId}`))];
  const versions = rows.map(({ id, version }) => `${id.slice(-12)}.${version}`).sort();
  return {
    count: openRows.length + rows.length,
    totalCents: sumOf(openRows) + sumOf(rows),
    versions: [...batches, ...versions].join(','),
  };
}

function sumOf(rows: { amountCents: number }[]): number {
  return rows.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

function requireSame(seen: SeenRows, found: SeenRows): void {
  if (seen.versions === found.versions && seen.totalCents === found.totalCents && seen.count === found.count) return;
  const inWords = ({ count, totalCents }: SeenRows) =>
    `${count} ${count === 1 ? 'stipend' : 'stipends'} of ${formatCents(totalCents)}`;
  throw new AppError(
    'stale',
    `Nothing was sent, because the week has changed since you looked. You saw ${inWords(seen)}; now it is ${inWords(found)}. Please look again.`,
  );
}

/**
 * HOOK-03 to HOOK-06. With `again`, finds exactly the rows that the receiver accepted before, as the admin saw them.
 */
async function rowsToHandOver(db: Db, actor: Actor, week: Week) {
  // Rows are locked in the order of everybody who decides, then read, then put in the order of the body.
  const locked = await lockStipends(db, sql<SqlBool>`(${isOfWeek(week)} and ${isPayable})`);
  if (week.again) await requireSeen(db, actor, week);
  return findRows(db, actor, week, sql`stipends.id = any(${locked}::uuid[])`);
}

async function findRows(db: Db, actor: Actor, week: Week, condition: RawBuilder<unknown>): Promise<HandoverRow[]> {
  const isMeant = sql<SqlBool>`(${isOfWeek(week)} and ${week.again ? isSentUnpaid : isNotHandedOver})`;
  const found = await sql<HandoverRow>`
    select stipends.id, stipends.version, stipends.payee_name as participant_name, stipends.payee_email as participant_email,
      coalesce(${coachNameOf(db, sql.ref('stipends.fellowId'))}, 'No coach assigned') as coach_assigned,
      coalesce(cohorts.name, 'Unknown cohort') as cohort_assigned,
      stipends.stipend_amount_cents - coalesce(${paidCentsOf(sql.ref('stipends.id'))}, 0) as amount_cents,
      ${nextPartOf(sql.ref('stipends.id'))} as part, stipends.payment_status, stipends.approved_at,
      case when fellow.deleted_at is not null then 'ofDeleted' when fellow.id = ${actor.id} then 'own'
        when amount_awaits_approval(stipends) then 'heldBack' end as left_out_as
    from stipend_eligibility stipends
    join profiles fellow on fellow.id = stipends.fellow_id
    left join cohorts on cohorts.id = stipends.cohort_id
    where ${isMeant} and ${condition}
    order by participant_name, stipends.id`.execute(db);
  return found.rows;
}

/** If two admins send a week again, or one request comes twice, only the first succeeds. */
async function requireSeen(db: Db, actor: Actor, week: Week): Promise<void> {
  const { seen } = week;
  const isMeant = sql<SqlBool>`(${isOfWeek(week)} and ${isReadyToGoAgain} and stipends.fellow_id <> ${actor.id})`;
  const found = await sql<SeenRows>`
    select count(*) as count, coalesce(sum(stipends.stipend_amount_cents - coalesce(${paidCentsOf(sql.ref('stipends.id'))}, 0)), 0)
        as total_cents, ${versionsOf(isMeant)} as versions
    from stipend_eligibility stipends where ${isMeant}`.execute(db);
  const [now] = found.rows;
  // Stryker disable next-line OptionalChaining: The contract asks for what was seen where a week is sent again.
  if (now && now.versions === seen?.versions) return;
  throw new AppError(
    'stale',
    'Nothing was sent again, because what the payment system has, or what is owed, has changed since you looked. Please look again.',
  );
}

/**
 * The reason why a row is not sent. Another admin has to approve its new amount, the payee was deleted, or the row
 * belongs to the admin who sends.
 */
type LeftOut = 'heldBack' | 'ofDeleted' | 'own';

function leftOutOf(rows: HandoverRow[]): Record<LeftOut, number> {
  const count = (reason: LeftOut) => rows.filter(({ leftOutAs }) => leftOutAs === reason).length;
  return { heldBack: count('heldBack'), ofDeleted: count('ofDeleted'), own: count('own') };
}

export interface HandoverRow {
  id: string;
  version: number;
  /** The payee's name and address as they were approved. */
  participantName: string;
  participantEmail: string;
  coachAssigned: string;
  cohortAssigned: string;
  /** The amount of the part that is handed over. */
  amountCents: number;
  part: number;
  paymentStatus: string;
  approvedAt: Date;
  leftOutAs: LeftOut | null;
}

interface NewHandover {
  week: Week;
  rows: HandoverRow[];
}

async function createHandover(db: Db, actor: Actor, { week, rows }: NewHandover) {
  const id = newId();
  const { weekNumber, cohortId = null } = week;
  const isFirst = !week.again;
  const totalCents = sumOf(rows);
  const body = JSON.stringify(documentedBody(weekNumber, rows, totalCents));
  await db
    .insertInto('stipendHandovers')
    .values({ id, weekNumber, cohortId, body, recipients: rows.length, totalCents, createdBy: actor.id })
    .execute();
  // The rows have changed from here on, so a decision on what was seen before is refused.
  await sql`
    with given as (
      select * from unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.amountCents)}::integer[],
        ${rows.map((row) => row.participantEmail)}::text[], ${rows.map((row) => row.cohortAssigned)}::text[],
        ${rows.map((row) => row.part)}::integer[]) as given (id, amount_cents, participant_email, cohort_assigned, part)
    ), touched as (
      update stipend_eligibility set version = version + 1 from given where given.id = stipend_eligibility.id
    )
    insert into stipend_handover_rows
      (handover_id, stipend_id, amount_cents, participant_email, cohort_assigned, part, is_first)
    select ${id}, given.*, ${isFirst} from given`.execute(db);
  await changed(db, ['payments', 'stipends'], []);
  await audit(
    db,
    actor.id,
    rows.map(({ id: subjectId, paymentStatus, amountCents }) => ({
      action: isFirst ? 'stipend.hand_over' : 'stipend.hand_over_again',
      subjectType: 'stipend',
      subjectId,
      before: { paymentStatus, amountCents },
      after: { paymentStatus, amountCents, handoverId: id },
    })),
  );
  await enqueueRetries(db, id);
  return { id, recipients: rows.length };
}

/** If this process dies before a try is recorded, the job finds the batch. */
function enqueueRetries(db: Db, handoverId: string): Promise<void> {
  return enqueue(
    db,
    sendHandoverQueue,
    { handoverId },
    { startAfter: new Date(machineTime().getTime() + firstRetryAfterInMs) },
  );
}

/** HOOK-02, HOOK-03: has exactly these fields, with amounts in dollars. */
export function documentedBody(weekNumber: number, rows: HandoverRow[], totalCents: number) {
  return {
    week_number: weekNumber,
    approved_stipends: rows.map((row) => ({
      participant_name: row.participantName,
      participant_email: row.participantEmail,
      coach_assigned: row.coachAssigned,
      cohort_assigned: row.cohortAssigned,
      stipend_amount: row.amountCents / 100,
      approved_at: row.approvedAt.toISOString(),
    })),
    total_amount: totalCents / 100,
    total_recipients: rows.length,
  };
}
