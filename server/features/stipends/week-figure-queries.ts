import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { listStipends } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { isFoundByWords } from '#server/platform/search-pattern.ts';
import { isReadyToGoAgain, paidCentsOf } from './stipend-standing-queries.ts';

export type Filters = ParsedInputOf<typeof listStipends>['query'];

/** STIP-03 to STIP-06: the cards follow only week and cohort. The count follows the filters. */
export async function findWeekFigures(db: Db, actor: Pick<Actor, 'id'>, filters: Omit<Filters, 'order'>) {
  const isWaiting = sql`stipends.overall_eligible and stipends.payment_status = 'pending'`;
  const waits = sql`${isWaiting} and stipends.fellow_id <> ${actor.id}`;
  const isReady = sql`${isReadyToGoAgain} and stipends.fellow_id <> ${actor.id}`;
  const isApproved = sql`stipends.payment_status in ('approved', 'paid')`;
  const isMatching = matches(filters, searchTextOfFellow);
  const found = await db
    .selectFrom('stipendEligibility as stipends')
    .select([
      sql<number>`count(*)`.as('totalParticipants'),
      sql<number>`count(*) filter (where stipends.overall_eligible)`.as('eligible'),
      sql<number>`count(*) filter (where ${isWaiting})`.as('pendingApproval'),
      sql<number>`count(*) filter (where ${waits})`.as('pendingCount'),
      sql<number>`coalesce(sum(stipends.stipend_amount_cents) filter (where ${waits}), 0)`.as('pendingCents'),
      versionsOf(waits).as('versions'),
      sql<number>`count(*) filter (where ${isReady})`.as('sentCount'),
      sql<number>`coalesce(sum(stipends.stipend_amount_cents - coalesce(${paidCentsOf(sql.ref('stipends.id'))}, 0))
        filter (where ${isReady}), 0)`.as('sentCents'),
      versionsOf(isReady).as('sentVersions'),
      sql<number>`count(*) filter (where ${isApproved})`.as('approvedStipends'),
      sql<number>`coalesce(sum(stipends.stipend_amount_cents) filter (where ${isApproved}), 0)`.as('approvedCents'),
      sql<number>`count(*) filter (where ${isMatching})`.as('matching'),
      sql<number>`coalesce(sum(stipends.stipend_amount_cents) filter (where ${isMatching}), 0)`.as('matchingCents'),
    ])
    .where(isOfWeek({ weekNumber: filters.week, cohortId: filters.cohort }))
    .executeTakeFirstOrThrow();
  const {
    matching,
    matchingCents,
    versions,
    pendingCount,
    pendingCents,
    sentCount,
    sentCents,
    sentVersions,
    ...summary
  } = found;
  const pending = { count: pendingCount, totalCents: pendingCents, versions };
  const sentUnpaid = { count: sentCount, totalCents: sentCents, versions: sentVersions };
  return { matching, matchingCents, summary: { weekNumber: filters.week, ...summary, pending, sentUnpaid } };
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

/** Reads the person only where somebody searches. */
const searchTextOfFellow = sql`(select search_text from profiles where profiles.id = stipends.fellow_id)`;

/** STIP-09 to STIP-12 */
export function matches(
  { week, cohort, search, status, eligibility }: Omit<Filters, 'order'>,
  searchText = sql`fellow.search_text`,
): Expression<SqlBool> {
  const conditions = [
    isOfWeek({ weekNumber: week, cohortId: cohort }),
    isFoundByWords(search ?? '', searchText),
    ...(status ? [sql<SqlBool>`stipends.payment_status = ${status}`] : []),
    ...(eligibility ? [sql<SqlBool>`stipends.overall_eligible = ${eligibility === 'eligible'}`] : []),
  ];
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}
