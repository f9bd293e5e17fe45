import { type SqlBool, sql } from 'kysely';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import { formatCents } from '#contract/money.ts';
import type { approveWeek as approveWeekEndpoint } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { AppError } from '#server/platform/errors.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { approvesFrom, maySecond } from './second-approver-queries.ts';
import { newAdminRefusal } from './stipend-access.ts';
import { cohortsHeld } from './stipend-lock-access.ts';
import { type DecidedStipend, recordOutcome } from './stipend-notices.ts';
import { deriveUndecided } from './week-derivation.ts';
import { periodFirstDay } from './week-facts-queries.ts';
import { isOfWeek, versionOf, versionsOf } from './week-figure-queries.ts';

type Week = ParsedInputOf<typeof approveWeekEndpoint>['body'];
type Reply = ReplyOf<typeof approveWeekEndpoint>;

/** The most names in a refusal. */
const namedAtMost = 5;

/** Approves for an admin's request. The new facts stay stored even if they lead to a refusal. */
export async function approveWeekOnFreshFacts(db: Db, actor: Actor, week: Week): Promise<Reply> {
  await inTransaction(db, (transaction) => refreshWeek(transaction, week));
  return inTransaction(db, (transaction) => approveWeek(transaction, actor, week));
}

/**
 * Approves every eligible, pending stipend of the week in one statement (STIP-42), exactly those that the admin saw.
 * Cohorts that need two approvals get their first one, or their second one from another admin. The admin's own row is
 * left out.
 */
export async function approveWeek(db: Db, actor: Actor, week: Week): Promise<Reply> {
  await refreshWeek(db, week);
  const waiting = await lockWaiting(db, actor, week);
  const refusal = newAdminRefusal(waiting);
  if (refusal) throw refusal;
  if (week.seen.versions !== waiting.versions) {
    throw seenOthers(week.seen, waiting, await findDifferences(db, actor, week));
  }
  const { approved, firstApproved } = await approveRows(db, actor, waiting.ids);
  return { approved, firstApproved, skipped: waiting.ids.length - approved - firstApproved, own: waiting.own };
}

async function refreshWeek(db: Db, week: Pick<Week, 'weekNumber' | 'cohortId'>): Promise<void> {
  await deriveUndecided(db, isOfWeek(week));
}

interface Waiting {
  ids: string[];
  count: number;
  totalCents: number;
  versions: string;
  approvesFrom: Date | null;
  /** The number of the admin's own rows, which are left out. */
  own: number;
}

/** The one order of locking makes two admins who approve at once wait for each other without a deadlock. */
async function lockWaiting(db: Db, actor: Actor, week: Week): Promise<Waiting> {
  const isWaiting = sql<SqlBool>`(${isOfWeek(week)} and stipends.payment_status = 'pending' and stipends.overall_eligible)`;
  const isOthers = sql<SqlBool>`fellow_id <> ${actor.id}`;
  const found = await sql<Waiting>`
    with held as materialized (${cohortsHeld(isWaiting)}), stipends as (
      select id, fellow_id, version, stipend_amount_cents from stipend_eligibility stipends
      where ${isWaiting} and (select count(*) from held) >= 0
      order by cohort_id, fellow_id for no key update
    )
    select coalesce(array_agg(id order by id) filter (where ${isOthers}), '{}') as ids,
      count(*) filter (where ${isOthers}) as count,
      coalesce(sum(stipend_amount_cents) filter (where ${isOthers}), 0) as total_cents,
      ${versionsOf(isOthers)} as versions, count(*) filter (where not ${isOthers}) as own,
      ${approvesFrom(actor)} as approves_from
    from stipends`.execute(db);
  // Stryker disable next-line ObjectLiteral,ArrayDeclaration,StringLiteral: Sums over no rows are a row too.
  return found.rows[0] ?? { ids: [], count: 0, totalCents: 0, versions: '', approvesFrom: null, own: 0 };
}

/**
 * Approves rows that the caller has locked, and puts that on record. Leaves out those that this admin cannot be second
 * to.
 */
export async function approveRows(db: Db, actor: Actor, ids: string[]) {
  const decided = await sql<DecidedStipend & { isFinal: boolean }>`
    update stipend_eligibility stipends set
      payment_status = case when turn.is_final then 'approved' else 'pending' end,
      approved_by = case when turn.is_final then ${actor.id}::uuid end,
      approved_at = case when turn.is_final then ${now()}::timestamptz end,
      first_approved_by = case when turn.is_final then stipends.first_approved_by else ${actor.id}::uuid end,
      first_approved_at = case when turn.is_final then stipends.first_approved_at else ${now()}::timestamptz end,
      updated_at = ${now()}, version = stipends.version + 1
    from (
      select waiting.id, not cohorts.needs_second_approver or waiting.first_approved_by is not null as is_final,
        calendar.pay_period, ${periodFirstDay(sql`waiting.week_number`)} as first_day
      from stipend_eligibility waiting join cohorts on cohorts.id = waiting.cohort_id
      join cohort_calendars calendar on calendar.id = cohorts.id
      where waiting.id = any(${ids}::uuid[])
        and (not cohorts.needs_second_approver or waiting.first_approved_by is null
          or ${maySecond(actor, sql`waiting.first_approved_by || waiting.amount_setters`)})
    ) turn
    where turn.id = stipends.id
    returning stipends.id, fellow_id, week_number, pay_period, first_day, stipend_amount_cents,
      'pending' as payment_status, is_final`.execute(db);
  const approved = decided.rows.filter(({ isFinal }) => isFinal);
  const firstApproved = decided.rows.filter(({ isFinal }) => !isFinal);
  await recordOutcome(db, actor, approved, 'approved');
  await recordOutcome(db, actor, firstApproved, 'first_approved');
  return { approved: approved.length, firstApproved: firstApproved.length };
}

interface Difference {
  name: string;
  amountCents: number;
  paymentStatus: string;
  overallEligible: boolean;
  isNew: boolean;
  total: number;
}

/** Finds rows that wait now or that the admin saw, but not in the same version. */
async function findDifferences(db: Db, actor: Actor, week: Week): Promise<Difference[]> {
  const found = await sql<Difference>`
    with seen as (
      select split_part(entry, '.', 1) as key, entry from unnest(string_to_array(${week.seen.versions}, ',')) as entry
    )
    select fellow.full_name as name, stipends.stipend_amount_cents as amount_cents,
      stipends.payment_status, stipends.overall_eligible, seen.key is null as is_new, (count(*) over ())::integer as total
    from stipend_eligibility stipends
    join profiles fellow on fellow.id = stipends.fellow_id
    left join seen on seen.key = right(stipends.id::text, 12)
    cross join lateral (select stipends.payment_status = 'pending' and stipends.overall_eligible as now) waits
    where ${isOfWeek(week)} and stipends.fellow_id <> ${actor.id} and (waits.now or seen.key is not null)
      and not (waits.now and coalesce(seen.entry = ${versionOf}, false))
    order by fellow.last_name, fellow.first_name, stipends.id limit ${namedAtMost}`.execute(db);
  return found.rows;
}

function seenOthers(seen: Week['seen'], { count, totalCents }: Waiting, differences: Difference[]): AppError {
  const inWords = (stipends: { count: number; totalCents: number }) =>
    `${stipends.count.toLocaleString('en-US')} ${stipends.count === 1 ? 'stipend' : 'stipends'} of ${formatCents(stipends.totalCents)}`;
  const isSame = seen.count === count && seen.totalCents === totalCents;
  const difference = isSame
    ? `They are still ${inWords(seen)}, but the facts behind some of them have changed.`
    : `You saw ${inWords(seen)}; now it is ${inWords({ count, totalCents })}.`;
  return new AppError(
    'stale',
    `Nothing was approved, because the week has changed since you opened the page. ${difference} ${named(differences)}Please look again.`,
  );
}

/** For example 'Different: Nadia Ng (now $600), Luc Late (denied) and 3 more. '. */
function named(differences: Difference[]): string {
  const [first] = differences;
  if (!first) return '';
  const names = differences.map((row) => `${row.name} (${standingOf(row)})`);
  const more = first.total - differences.length;
  return `Different: ${new Intl.ListFormat('en').format(more > 0 ? [...names, `${more.toLocaleString('en-US')} more`] : names)}. `;
}

function standingOf({ paymentStatus, overallEligible, amountCents, isNew }: Difference): string {
  if (paymentStatus !== 'pending') return paymentStatus;
  if (!overallEligible) return 'no longer eligible';
  return isNew ? `new, ${formatCents(amountCents)}` : `now ${formatCents(amountCents)}`;
}
