import { type SqlBool, sql } from 'kysely';
import type { PayPeriod } from '#contract/pay-periods.ts';
import { type MoreFacts, notCounted, type WeekFacts } from '#contract/stipend-facts.ts';
import type { AmountLine, Criteria, RuleSet } from '#contract/stipend-rules.ts';
import type { StipendRow } from '#contract/stipends.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { coachNameOf } from '#server/features/coaching/coaching-access.ts';
import { todayIn } from '#server/features/programmes/calendar-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { notFound } from '#server/platform/errors.ts';
import { isAsItOpens } from '#server/platform/pages.ts';
import { loadRuleSets } from './rule-sets.ts';
import { secondOf } from './second-approver-queries.ts';
import { amountApprovalRefusal, approvalRefusal, decisionRefusal, dueCents, stipendCan } from './stipend-access.ts';
import { lostColumnsOf, membershipFacts, membershipNote, nothingLost, outOfReach } from './stipend-evidence.ts';
import { stipendPagesIn } from './stipend-pages.ts';
import {
  findStandings,
  isPayeeOutdated,
  isPayeeSettled,
  neverSent,
  type PaymentBy,
  type Standing,
} from './stipend-standing-queries.ts';
import { periodFirstDay, periodLastDay, rulesOn } from './week-facts-queries.ts';
import { type Filters, findWeekFigures, matches } from './week-figure-queries.ts';

interface Period {
  firstDay: string;
  lastDay: string;
  today: string;
  ruleSetId: string | null;
}

/** The days of a row, and the rules on the first of them. Because of the offset, it is found once for each cohort. */
const periodOfRow = sql<Period>`(
  select dated.*, rules.id as rule_set_id
  from (
    select ${periodFirstDay(sql`stipends.week_number`)} as first_day, ${periodLastDay(sql`stipends.week_number`)} as last_day,
      ${todayIn(sql`calendar.zone`)} as today) dated
  left join lateral ${rulesOn(sql`calendar.programme_id`, sql`dated.first_day`)} rules on true
  offset 0)`;

/**
 * Takes two statements at once: one for the page, one for the week's figures with the number of rows that match the
 * filters. Two more, at once too, say what was handed over and paid, if anything was. If only the figures cannot be
 * read, the page comes without them (STIP-07), and `onFailure` hears of it. The figures come with the first page only.
 */
export async function findStipends(db: Db, actor: Actor, filters: Filters, onFailure: (error: unknown) => void) {
  const pages = stipendPagesIn(filters.order);
  const [page, figures] = await Promise.all([findRows(), findFigures()]);
  return { ...page, ...figures };

  async function findRows() {
    const { rows, nextCursor } = pages.cut(await findPage(db, actor, filters), ({ place }) => place);
    return { rows: await toRows(db, rows, actor), nextCursor };
  }

  function findFigures() {
    if (filters.cursor) return withoutFigures;
    return findWeekFigures(db, actor, filters).catch((error: unknown) => {
      onFailure(error);
      return withoutFigures;
    });
  }
}

function findPage(db: Db, actor: Pick<Actor, 'id'>, filters: Filters) {
  const { week, cohort = null, order, ...others } = filters;
  // Stryker disable next-line ConditionalExpression,LogicalOperator: Whatever is built anew has the same rows.
  return order === 'eligible' && isAsItOpens(others)
    ? weekAsItOpens(db, { actorId: actor.id, week, cohort })
    : pageRows(db, actor, filters).execute();
}

function pageRows(db: Db, actor: Pick<Actor, 'id'>, filters: Filters) {
  const pages = stipendPagesIn(filters.order);
  const isShown = sql<SqlBool>`${matches(filters)} and ${pages.comesAfter(filters.cursor)}`;
  const rows = stipendRows(db, actor).select(pages.place.as('place')).orderBy(pages.inOrder);
  // An index has the rows in this order, so only those of the page are put together.
  if (filters.order === 'eligible') return rows.where(isShown).limit(pages.most);
  const page = db
    .selectFrom('stipendEligibility as stipends')
    .innerJoin('profiles as fellow', 'fellow.id', 'stipends.fellowId')
    .innerJoin('cohorts', 'cohorts.id', 'stipends.cohortId')
    .select('stipends.id')
    .where(isShown)
    .orderBy(pages.inOrder)
    .limit(pages.most);
  return rows.where(sql<SqlBool>`stipends.id = any(array(${page}))`);
}

/** The list as it opens. Other choices leave out what is not asked for, so their text differs. */
interface OpenedWeek {
  actorId: string;
  week: number;
  cohort: string | null;
}
const weekAsItOpens = builtOnce((db, { actorId, week, cohort }: OpenedWeek) =>
  pageRows(db, { id: actorId }, { order: 'eligible', week, cohort: cohort ?? undefined }),
);

const withoutFigures = { matching: null, matchingCents: null, matchingEligibleCents: null, summary: null };

export async function findStipend(db: Db, actor: Actor, stipendId: string): Promise<StipendRow> {
  const [found] = await toRows(db, await stipendOf(db, { actorId: actor.id, stipendId }), actor);
  if (!found) throw notFound('This stipend was not found.');
  return found;
}

const stipendOf = builtOnce((db, { actorId, stipendId }: { actorId: string; stipendId: string }) =>
  stipendRows(db, { id: actorId }).where('stipends.id', '=', stipendId),
);

/** All but the evidence and what only the documents name. */
const columns = [
  'stipends.id',
  'stipends.fellowId',
  'stipends.weekNumber',
  'stipends.rulesVersion',
  'stipends.isMember',
  'stipends.attendancePercentage',
  'stipends.performanceRating',
  'stipends.assignmentsSubmitted',
  'stipends.assignmentsTotal',
  'stipends.activitiesAccessed',
  'stipends.activitiesTotal',
  'stipends.stipendAmountCents',
  'stipends.ruleAmountCents',
  'stipends.amountSetBy',
  'stipends.amountSetters',
  'stipends.amountApprovedBy',
  'stipends.paymentStatus',
  'stipends.firstApprovedBy',
  'stipends.firstApprovedAt',
  'stipends.approvedBy',
  'stipends.approvedAt',
  'stipends.denialReason',
  'stipends.payeeName',
  'stipends.payeeEmail',
  'stipends.version',
] as const;

/**
 * Hand-overs and payments all have their line in the ledger, because triggers write it. What became of them is looked up
 * only for the rows whose lines tell of any (`findStandings`).
 */
function stipendRows(db: Db, actor: Pick<Actor, 'id'>) {
  return db
    .selectFrom('stipendEligibility as stipends')
    .innerJoin('profiles as fellow', 'fellow.id', 'stipends.fellowId')
    .innerJoin('cohorts', 'cohorts.id', 'stipends.cohortId')
    .innerJoin('cohortCalendars as calendar', 'calendar.id', 'stipends.cohortId')
    .leftJoin('profiles as decider', 'decider.id', 'stipends.approvedBy')
    .leftJoin('profiles as first', 'first.id', 'stipends.firstApprovedBy')
    .innerJoinLateral(periodOfRow.as('period'), (join) => join.onTrue())
    .select(columns)
    .select([
      sql<boolean>`coalesce(stipends.overall_eligible, false)`.as('overallEligible'),
      sql<Criteria>`stipends.criteria`.as('criteria'),
      membership.ended.as('ended'),
      membership.countsFrom.as('countsFrom'),
      lostColumns.lost.as('lost'),
      lostColumns.hasLostNothing.as('hasLostNothing'),
      sql<MoreFacts | null>`case when ${mayBeOutOfReach} then stipends.more_facts end`.as('moreFacts'),
      sql<AmountLine[] | null>`stipends.amount_lines`.as('amountLines'),
      sql<PayPeriod>`calendar.pay_period`.as('payPeriod'),
      'period.firstDay',
      'period.lastDay',
      'period.today',
      'period.ruleSetId',
      'fellow.fullName',
      'fellow.email',
      'cohorts.name as cohortName',
      'decider.fullName as deciderName',
      coachNameOf(db, sql.ref('stipends.fellowId')).as('coachName'),
      'cohorts.needsSecondApprover',
      'first.fullName as firstApproverName',
      sql<string | null>`(select asked.question from stipend_questions asked
        where asked.participant_id = stipends.fellow_id and asked.cohort_id = stipends.cohort_id
          and asked.week_number = stipends.week_number and asked.status = 'open')`.as('openQuestion'),
      sql<boolean>`coalesce(amount_awaits_approval(stipends), false)`.as('amountAwaitsApproval'),
      isPayeeOutdated.as('isPayeeOutdated'),
      isPayeeSettled.as('isPayeeSettled'),
      ...secondOf(actor),
      wasSentOrPaid.as('wasSentOrPaid'),
    ]);
}

const membership = membershipFacts(sql`stipends`);

/** "offset 0" keeps PostgreSQL from reading the whole ledger for one page of a list. */
const wasSentOrPaid = sql<boolean>`exists (select from stipend_ledger line
  where line.stipend_id = stipends.id and line.kind in ('handover', 'payment') offset 0)`;

/** A week that meets everything is within reach, whatever it has lost. */
const mayBeOutOfReach = sql<boolean>`(stipends.payment_status = 'pending' and not coalesce(stipends.overall_eligible, false))`;
const lostColumns = lostColumnsOf(sql`stipends`, sql`period.today`, mayBeOutOfReach);

type StoredRow = Awaited<ReturnType<ReturnType<typeof stipendRows>['execute']>>[number];
type StandingRow = StoredRow & Standing;

async function toRows(db: Db, found: StoredRow[], actor: Actor): Promise<StipendRow[]> {
  const rows = await withStandings(db, found, actor);
  const ruleSets = await loadRuleSets(db, new Set(rows.flatMap(({ ruleSetId }) => ruleSetId ?? [])));
  return rows.map((row) => toRow(row, actor, row.ruleSetId === null ? null : ruleSets(row.ruleSetId)));
}

/**
 * A row whose version changed between the two statements would show what never was: a week that is paid, and no payment.
 * Then both are read again, as of one moment.
 */
async function withStandings(db: Db, rows: StoredRow[], actor: Actor): Promise<StandingRow[]> {
  const ids = rows.flatMap(({ id, wasSentOrPaid }) => (wasSentOrPaid ? [id] : []));
  const standings = await findStandings(db, ids);
  if (rows.some(({ id, version, wasSentOrPaid }) => wasSentOrPaid && standings.get(id)?.version !== version)) {
    const all = rows.map(({ id }) => id);
    const atOneMoment = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
    return atOneMoment.execute(async (moment) => withStandings(moment, await rowsOf(moment, actor, all), actor));
  }
  return rows.map((row) => Object.assign(row, standings.get(row.id) ?? neverSent));
}

/** In the order of the ids. */
async function rowsOf(db: Db, actor: Actor, ids: string[]): Promise<StoredRow[]> {
  const wanted = sql<SqlBool>`stipends.id = any(array(select unnest(${ids}::uuid[])))`;
  const found = new Map((await stipendRows(db, actor).where(wanted).execute()).map((row) => [row.id, row]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

function toRow(row: StandingRow, actor: Actor, rules: RuleSet | null): StipendRow {
  const lostSoFar = row.hasLostNothing ? nothingLost : row.lost;
  const lostCriteria = lostSoFar === null ? [] : outOfReach(factsOf(row), lostSoFar, rules);
  const isWaiting = decisionRefusal(row) === null || row.amountAwaitsApproval;
  const refusal = row.amountAwaitsApproval ? amountApprovalRefusal : approvalRefusal;
  return {
    id: row.id,
    fellowId: row.fellowId,
    participantName: row.fullName,
    participantEmail: row.email,
    coachName: row.coachName ?? 'No coach assigned',
    cohortName: row.cohortName,
    weekNumber: row.weekNumber,
    payPeriod: row.payPeriod,
    firstDay: row.firstDay,
    lastDay: row.lastDay,
    today: row.today,
    criteria: row.criteria,
    attendancePercentage: row.attendancePercentage,
    performanceRating: row.performanceRating,
    submissionCount: row.assignmentsSubmitted,
    requiredSubmissions: row.assignmentsTotal,
    overallEligible: row.overallEligible,
    isOutOfReach: lostCriteria.length > 0,
    lostCriteria,
    membershipNote: membershipNote(row, row.isMember),
    rulesVersion: row.rulesVersion,
    amountCents: row.stipendAmountCents,
    ruleAmountCents: row.ruleAmountCents,
    amountLines: row.amountLines ?? [],
    paymentStatus: row.paymentStatus as StipendRow['paymentStatus'],
    approvedByName: row.deciderName,
    approvedAt: row.approvedAt?.toISOString() ?? null,
    payee: payeeOf(row),
    denialReason: row.denialReason,
    firstApproval: row.paymentStatus === 'pending' ? firstApprovalOf(row) : null,
    amountAwaitsApproval: row.amountAwaitsApproval,
    handover: row.handover,
    handedCents: row.handedCents,
    payment: row.payment && withoutId(row.payment),
    restWaits: row.restWaits,
    own: {
      amount: row.amountSetBy === actor.id,
      amountApproval: row.amountApprovedBy === actor.id,
      decision: lastDeciderOf(row) === actor.id,
    },
    openQuestion: row.openQuestion,
    version: row.version,
    needsReason: row.handover !== null,
    dueCents: dueCents(row),
    can: stipendCan(row, actor),
    approvalRefusal: isWaiting ? (refusal(row, actor)?.message ?? null) : null,
  };
}

/** What was never handed in is in the evidence only. */
function factsOf(row: StoredRow): WeekFacts {
  const { activitiesTotal, activitiesAccessed, assignmentsTotal, assignmentsSubmitted, moreFacts } = row;
  return {
    activitiesTotal,
    activitiesAccessed,
    assignmentsTotal,
    assignmentsSubmitted,
    assignmentsUntouched: 0,
    rating: row.performanceRating,
    ...(moreFacts ?? notCounted),
  };
}

function payeeOf({ payeeName: name, payeeEmail: email, isPayeeOutdated: isOutdated }: StoredRow): StipendRow['payee'] {
  // Stryker disable next-line ConditionalExpression,LogicalOperator: The database has both or neither.
  return name === null || email === null ? null : { name, email, isOutdated };
}

function firstApprovalOf({ firstApproverName: byName, firstApprovedAt: at }: StoredRow): StipendRow['firstApproval'] {
  // Stryker disable next-line ConditionalExpression,LogicalOperator: The database has both or neither.
  return byName === null || at === null ? null : { byName, at: at.toISOString() };
}

function lastDeciderOf({
  paymentStatus,
  payment,
  reverserId,
  approvedBy,
  firstApprovedBy,
}: StandingRow): string | null {
  if (paymentStatus === 'paid') return payment?.byId ?? null;
  return reverserId ?? approvedBy ?? firstApprovedBy;
}

function withoutId({ byId: _, ...paid }: PaymentBy): StipendRow['payment'] {
  return paid;
}
