import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { type listStipends, paymentStatuses, type SeenRows } from '#contract/stipends.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { isAsItOpens } from '#server/platform/pages.ts';
import { isFoundByWords } from '#server/platform/search-pattern.ts';
import { isReadyToGoAgain, mayBePayableInWeek, paidCentsOf } from './stipend-standing-queries.ts';

export type Filters = ParsedInputOf<typeof listStipends>['query'];

interface Figures {
  totalParticipants: number;
  eligible: number;
  pendingApproval: number;
  approvedStipends: number;
  approvedCents: number;
  pending: SeenRows;
  matching: number;
  matchingCents: number;
  matchingEligibleCents: number;
}

/**
 * STIP-03 to STIP-06: the cards follow only week and cohort. The count follows the filters. The figures of all cohorts
 * are summed up from the tallies. Only what waits for approval or payment is listed, because its versions are wanted.
 * What was sent and not paid is looked for only in a week of which anything is approved.
 */
export async function findWeekFigures(db: Db, actor: Pick<Actor, 'id'>, filters: Omit<Filters, 'order'>) {
  const { week, cohort = null, status = null, search, eligibility } = filters;
  // Stryker disable next-line ConditionalExpression: Whatever is built anew has the same figures.
  const [figures] = isAsItOpens({ search, eligibility })
    ? await figuresAsListed(db, { actorId: actor.id, week, cohort, status })
    : (await figuresOf(actor, filters).execute(db)).rows;
  // Stryker disable next-line ConditionalExpression,StringLiteral,CallExpression: There always is one, as it says.
  if (!figures) throw new Error('A select of counts answered no row.');
  const { matching, matchingCents, matchingEligibleCents, ...cards } = figures;
  const sentUnpaid = await findSentUnpaid(db, actor, { week, cohort, approved: cards.approvedStipends });
  return {
    matching,
    matchingCents,
    matchingEligibleCents,
    summary: { weekNumber: week, ...cards, sentUnpaid },
  };
}

interface Listed {
  actorId: string;
  week: number;
  cohort: string | null;
  status: NonNullable<Filters['status']> | null;
}
const figuresAsListed = builtOnce((_, { actorId, week, cohort, status }: Listed) =>
  figuresOf({ id: actorId }, { week, cohort: cohort ?? undefined, status: status ?? undefined }),
);

function figuresOf(actor: Pick<Actor, 'id'>, filters: Omit<Filters, 'order'>) {
  const week = { weekNumber: filters.week, cohortId: filters.cohort };
  return sql<Figures>`
    with standings as (${filters.cohort ? countedStandings(week) : talliedStandings(filters.week)}),
    pending as (
      select id, version, stipend_amount_cents as cents from stipend_eligibility stipends
      where ${isOfWeek(week)} and stipends.overall_eligible and stipends.payment_status = 'pending' and ${isOfOthers(actor)}
    ), matching as (${matchingOf(filters)})
    select (select coalesce(sum(rows), 0) from standings) as total_participants,
      (select coalesce(sum(rows), 0) from standings where overall_eligible) as eligible,
      (select coalesce(sum(rows), 0) from standings where overall_eligible and payment_status = 'pending')
        as pending_approval,
      (select coalesce(sum(rows), 0) from standings where ${isApproved}) as approved_stipends,
      (select coalesce(sum(cents), 0) from standings where ${isApproved}) as approved_cents,
      ${seenRows(sql`pending`)} as pending,
      matching.rows as matching, matching.cents as matching_cents,
      matching.eligible_cents as matching_eligible_cents
    from matching`;
}

interface Approved {
  week: number;
  cohort: string | null;
  /** How many of them are approved or paid. */
  approved: number;
}

async function findSentUnpaid(db: Db, { id: actorId }: Pick<Actor, 'id'>, { approved, ...where }: Approved) {
  const [found] = approved === 0 ? [] : await sentUnpaidOf(db, { actorId, ...where });
  return found?.sentUnpaid ?? noneSeen;
}

const noneSeen: SeenRows = { count: 0, totalCents: 0, versions: '' };

const sentUnpaidOf = builtOnce(
  (_, { actorId, week, cohort }: Pick<Listed, 'actorId' | 'week' | 'cohort'>) => sql<{ sentUnpaid: SeenRows }>`
    with sent_unpaid as (
      select id, version, stipend_amount_cents - coalesce(${paidCentsOf(sql.ref('stipends.id'))}, 0) as cents
      from stipend_eligibility stipends
      where ${isOfWeek({ weekNumber: week, cohortId: cohort ?? undefined })} and ${mayBePayableInWeek(week)}
        and ${isReadyToGoAgain} and ${isOfOthers({ id: actorId })}
    ) select ${seenRows(sql`sent_unpaid`)} as sent_unpaid`,
);

function isOfOthers({ id }: Pick<Actor, 'id'>) {
  return sql<SqlBool>`stipends.fellow_id <> ${id}`;
}

const isApproved = sql`payment_status in ('approved', 'paid')`;

/** How many stipends of a week are of each standing, and the sum of their amounts. */
function talliedStandings(week: number) {
  return sql`
    select payment_status, overall_eligible, sum(change) filter (where what = 'stipends') as rows,
      sum(change) filter (where what = 'stipend cents') as cents
    from unnest(${paymentStatuses}::text[]) payment_status
    cross join (values (true), (false)) eligibility (overall_eligible)
    join tallies on what in ('stipends', 'stipend cents') and part = part_of_week(${week}, payment_status, overall_eligible)
    group by 1, 2`;
}

function countedStandings(week: Parameters<typeof isOfWeek>[0]) {
  return sql`
    select payment_status, overall_eligible, count(*) as rows, sum(stipend_amount_cents) as cents
    from stipend_eligibility stipends where ${isOfWeek(week)} group by 1, 2`;
}

function seenRows(seen: RawBuilder<unknown>) {
  return sql`(select jsonb_build_object('count', count(*), 'totalCents', coalesce(sum(cents), 0),
    'versions', ${versionsOf(sql`true`)}) from ${seen} as stipends)`;
}

/** Only a search looks at people. Everything else is a standing of the week. */
function matchingOf(filters: Omit<Filters, 'order'>) {
  if (filters.search) {
    const isFound = sql<SqlBool>`stipends.fellow_id in (
      select id from profiles where ${isFoundByWords(filters.search)})`;
    return sql`
      select count(*) as rows, coalesce(sum(stipend_amount_cents), 0) as cents,
        coalesce(sum(stipend_amount_cents) filter (where overall_eligible), 0) as eligible_cents
      from stipend_eligibility stipends where ${matches(filters, isFound)}`;
  }
  return sql`
    select coalesce(sum(rows), 0) as rows, coalesce(sum(cents), 0) as cents,
      coalesce(sum(cents) filter (where overall_eligible), 0) as eligible_cents
    from standings stipends where ${sql.join([sql`true`, ...standingsOf(filters)], sql` and `)}`;
}

/** Names rows with their versions. Two sets of rows have the same text only if they are the same. */
export function versionsOf(condition: RawBuilder<unknown>) {
  return sql<string>`coalesce(
    string_agg(${versionOf}, ',' order by stipends.id) filter (where ${condition}), '')`;
}

export const versionOf = sql<string>`right(stipends.id::text, 12) || '.' || stipends.version`;

/** The rows of `stipends` in a week, of one cohort or of all. */
export function isOfWeek({ weekNumber, cohortId }: { weekNumber: number; cohortId?: string | undefined }) {
  return cohortId
    ? sql<SqlBool>`stipends.week_number = ${weekNumber} and stipends.cohort_id = ${cohortId}`
    : sql<SqlBool>`stipends.week_number = ${weekNumber}`;
}

/** STIP-09 to STIP-12. Without `isFound` the words are searched in a `fellow`. */
export function matches(
  filters: Omit<Filters, 'order'>,
  isFound = isFoundByWords(filters.search ?? '', sql`fellow.search_text`),
): Expression<SqlBool> {
  const ofWeek = isOfWeek({ weekNumber: filters.week, cohortId: filters.cohort });
  return sql<SqlBool>`(${sql.join([ofWeek, isFound, ...standingsOf(filters)], sql` and `)})`;
}

function standingsOf({ status, eligibility }: Omit<Filters, 'order'>): RawBuilder<SqlBool>[] {
  return [
    ...(status ? [sql<SqlBool>`stipends.payment_status = ${status}`] : []),
    ...(eligibility ? [sql<SqlBool>`stipends.overall_eligible = ${eligibility === 'eligible'}`] : []),
  ];
}
