import { type Expression, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { type StipendFacts, stipendCriteria } from '#contract/stipend-rules.ts';
import type { listStipends, StipendRow } from '#contract/stipends.ts';
import { currentWeek, programmeWeek } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { coachNameOf } from '#server/features/coaching/coaching-access.ts';
import { now } from '#server/platform/clock.ts';
import { readCursor, writeCursor } from '#server/platform/cursors.ts';
import { notFound } from '#server/platform/errors.ts';
import { patternOf } from '#server/platform/search-pattern.ts';
import { stipendCan } from './stipend-access.ts';
import { membershipNote, StipendEvidence } from './stipend-evidence.ts';

type Filters = ParsedInputOf<typeof listStipends>['query'];

const pageSize = 50;

/** STIP-22: the first active cohort, oldest first, with more than one active participant, else the first active one. */
export async function findDocumentedCohort(db: Db) {
  const found = await sql<{ id: string; name: string; startDate: string }>`
    select cohorts.id, cohorts.name, cohorts.start_date
    from cohorts
    where cohorts.status = 'active'
    order by (current_enrollment > 1) desc, created_at, id
    limit 1`.execute(db);
  return found.rows[0] ?? null;
}

export async function findStipendWeek(db: Db) {
  const cohort = await findDocumentedCohort(db);
  if (!cohort) return { weekNumber: 1, cohortName: null, firstDay: null, lastDay: null };
  const weekNumber = currentWeek(cohort.startDate, now());
  const { firstDay, lastDay } = programmeWeek(cohort.startDate, weekNumber);
  return { weekNumber, cohortName: cohort.name, firstDay, lastDay };
}

/** Two statements: the page, and the figures of the week with the number of rows that match the filters. */
export async function findStipends(db: Db, filters: Filters) {
  const rows = await stipendRows(db)
    .where(matches(filters))
    .$if(filters.cursor !== undefined, (query) => query.where(comesAfter(filters.cursor ?? '')))
    .orderBy('stipends.overallEligible', 'desc')
    .orderBy(sql`date_trunc('milliseconds', stipends.created_at)`, 'desc')
    .orderBy('stipends.id', 'desc')
    .limit(pageSize + 1)
    .execute();
  const page = rows.slice(0, pageSize);
  const last = page.at(-1);
  return {
    rows: page.map(toRow),
    nextCursor: rows.length > pageSize && last ? writeCursor(placeOf(last)) : null,
    ...(await weekFigures(db, filters)),
  };
}

export async function findStipend(db: Db, stipendId: string): Promise<StipendRow> {
  const row = await stipendRows(db).where('stipends.id', '=', stipendId).executeTakeFirst();
  if (!row) throw notFound('This stipend was not found.');
  return toRow(row);
}

/** STIP-03 to STIP-06: the cards follow the week only; the count follows the filters. */
async function weekFigures(db: Db, filters: Filters) {
  const found = await db
    .selectFrom('stipendEligibility as stipends')
    .innerJoin('profiles as fellow', 'fellow.id', 'stipends.fellowId')
    .select([
      sql<number>`count(*)`.as('totalParticipants'),
      sql<number>`count(*) filter (where stipends.overall_eligible)`.as('eligible'),
      sql<number>`count(*) filter (where stipends.overall_eligible and stipends.payment_status = 'pending')`.as(
        'pendingApproval',
      ),
      sql<number>`coalesce(sum(stipends.stipend_amount_cents) filter (where stipends.payment_status in ('approved', 'paid')), 0)`.as(
        'approvedCents',
      ),
      sql<number>`count(*) filter (where ${matches(filters)})`.as('matching'),
    ])
    .where('stipends.weekNumber', '=', filters.week)
    .executeTakeFirstOrThrow();
  const { matching, ...summary } = found;
  return { matching, summary };
}

function stipendRows(db: Db) {
  return db
    .selectFrom('stipendEligibility as stipends')
    .innerJoin('profiles as fellow', 'fellow.id', 'stipends.fellowId')
    .leftJoin('cohorts', 'cohorts.id', 'stipends.cohortId')
    .leftJoin('profiles as decider', 'decider.id', 'stipends.approvedBy')
    .selectAll('stipends')
    .select([
      'fellow.firstName',
      'fellow.lastName',
      'fellow.email',
      'cohorts.name as cohortName',
      sql<string | null>`decider.first_name || ' ' || decider.last_name`.as('deciderName'),
      coachNameOf(db, sql.ref('stipends.fellowId')).as('coachName'),
      sql<StipendRow['handover']>`(
        select handovers.status from stipend_handover_rows handed
        join stipend_handovers handovers on handovers.id = handed.handover_id
        where handed.stipend_id = stipends.id order by handovers.created_at desc limit 1)`.as('handover'),
    ]);
}

type StoredRow = Awaited<ReturnType<ReturnType<typeof stipendRows>['execute']>>[number];

function toRow(row: StoredRow): StipendRow {
  const overallEligible = Boolean(row.overallEligible);
  return {
    id: row.id,
    fellowId: row.fellowId,
    participantName: `${row.firstName} ${row.lastName}`,
    participantEmail: row.email,
    coachName: row.coachName ?? 'No coach assigned',
    cohortName: row.cohortName ?? 'Unknown cohort',
    weekNumber: row.weekNumber,
    criteria: stipendCriteria(factsOf(row)),
    attendancePercentage: row.attendancePercentage,
    performanceRating: row.performanceRating,
    submissionCount: row.assignmentsSubmitted,
    requiredSubmissions: row.assignmentsTotal,
    overallEligible,
    membershipNote: membershipNote(StipendEvidence.nullable().parse(row.evidence), row.isMember),
    rulesVersion: row.rulesVersion,
    amountCents: row.stipendAmountCents,
    paymentStatus: row.paymentStatus as StipendRow['paymentStatus'],
    approvedByName: row.deciderName,
    approvedAt: row.approvedAt?.toISOString() ?? null,
    handover: row.handover,
    version: row.version,
    can: stipendCan({ overallEligible, paymentStatus: row.paymentStatus }),
  };
}

function factsOf(row: StoredRow): StipendFacts {
  const {
    activitiesTotal,
    activitiesAccessed,
    assignmentsTotal,
    assignmentsSubmitted,
    performanceRating: rating,
  } = row;
  return { activitiesTotal, activitiesAccessed, assignmentsTotal, assignmentsSubmitted, rating };
}

/** STIP-09 to STIP-12 */
function matches({ week, search, status, eligibility }: Filters): Expression<SqlBool> {
  const pattern = patternOf(search ?? '');
  const conditions = [
    sql<SqlBool>`stipends.week_number = ${week}`,
    ...(search?.trim()
      ? [
          sql<SqlBool>`(fellow.first_name || ' ' || fellow.last_name ilike ${pattern} or fellow.email::text ilike ${pattern})`,
        ]
      : []),
    ...(status ? [sql<SqlBool>`stipends.payment_status = ${status}`] : []),
    ...(eligibility ? [sql<SqlBool>`stipends.overall_eligible = ${eligibility === 'eligible'}`] : []),
  ];
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`;
}

const Place = z.tuple([z.boolean(), z.iso.datetime(), z.uuid()]);

function comesAfter(cursor: string): Expression<SqlBool> {
  const [eligible, at, id] = readCursor(cursor, Place);
  return sql<SqlBool>`(stipends.overall_eligible, date_trunc('milliseconds', stipends.created_at), stipends.id)
    < (${eligible}::boolean, ${at}::timestamptz, ${id}::uuid)`;
}

function placeOf({ overallEligible, createdAt, id }: StoredRow): z.input<typeof Place> {
  return [Boolean(overallEligible), createdAt.toISOString(), id];
}
