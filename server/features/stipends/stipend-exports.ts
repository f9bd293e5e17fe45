import type { FastifyReply } from 'fastify';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { houseZone } from '#contract/house-zone.ts';
import type { ExportFormat, exportStipends } from '#contract/stipend-exports.ts';
import type { StipendWeek } from '#contract/stipend-weeks.ts';
import { weekPhase } from '#contract/week-standing.ts';
import { dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { now } from '#server/platform/clock.ts';
import { type SpreadsheetColumn, sendSpreadsheet } from '#server/platform/spreadsheets.ts';
import {
  type ExportedStipend,
  findExportedStipends,
  findYearTotals,
  type YearTotals,
} from './stipend-export-queries.ts';
import { findAllStipendWeeks } from './stipend-week-queries.ts';
import { criterionInWords } from './stipend-week-words.ts';

type Wish = ParsedInputOf<typeof exportStipends>['query'];

const money = '#,##0.00';
const wide = 28;
const idWidth = 38;

/** The fields that participants can export too. */
type OwnLine = Pick<
  ExportedStipend,
  | 'cohortName'
  | 'weekNumber'
  | 'firstDay'
  | 'lastDay'
  | 'today'
  | 'activitiesAccessed'
  | 'activitiesTotal'
  | 'assignmentsSubmitted'
  | 'assignmentsTotal'
  | 'performanceRating'
  | 'criteria'
  | 'overallEligible'
  | 'stipendAmountCents'
  | 'amountAwaitsApproval'
  | 'paymentStatus'
  | 'approvedAt'
  | 'paidCents'
  | 'paidAt'
> & {
  /** Those that the running week can no longer meet, where that is known. */
  lostCriteria?: string[];
};

const ownColumns: SpreadsheetColumn<OwnLine>[] = [
  { header: 'cohort', width: wide, value: ({ cohortName }) => cohortName },
  { header: 'week', width: 8, value: ({ weekNumber }) => weekNumber },
  { header: 'activities_attended', value: ({ activitiesAccessed }) => activitiesAccessed },
  { header: 'activities', value: ({ activitiesTotal }) => activitiesTotal },
  { header: 'assignments_submitted', value: ({ assignmentsSubmitted }) => assignmentsSubmitted },
  { header: 'assignments', value: ({ assignmentsTotal }) => assignmentsTotal },
  { header: 'rating', value: ({ performanceRating }) => performanceRating },
  { header: 'criteria', width: wide, value: criteriaInWords },
  { header: 'eligible', value: ({ overallEligible }) => (overallEligible ? 'yes' : 'no') },
  { header: 'amount_usd', numberFormat: money, value: ({ stipendAmountCents }) => dollars(stipendAmountCents) },
  { header: 'amount_awaits_approval', value: ({ amountAwaitsApproval }) => (amountAwaitsApproval ? 'yes' : 'no') },
  { header: 'status', value: ({ paymentStatus }) => paymentStatus },
  { header: 'decided_at', width: wide, value: ({ approvedAt }) => approvedAt?.toISOString() ?? null },
  {
    header: 'paid_usd',
    numberFormat: money,
    value: ({ paidCents }) => (paidCents === null ? null : dollars(paidCents)),
  },
  { header: 'paid_at', width: wide, value: ({ paidAt }) => paidAt?.toISOString() ?? null },
];

const columns: SpreadsheetColumn<ExportedStipend>[] = [
  { header: 'participant', width: wide, value: ({ participantName }) => participantName },
  { header: 'email', width: wide, value: ({ email }) => email },
  ...ownColumns,
  { header: 'decided_by', width: wide, value: ({ deciderName }) => deciderName },
  { header: 'payee', width: wide, value: ({ payeeName }) => payeeName },
  { header: 'payee_email', width: wide, value: ({ payeeEmail }) => payeeEmail },
  { header: 'handover', value: ({ handover }) => handover },
  { header: 'handed_over_usd', numberFormat: money, value: ({ handedCents }) => dollars(handedCents) },
  { header: 'payment_reference', width: wide, value: ({ paymentReference }) => paymentReference },
  { header: 'stipend_id', width: idWidth, value: ({ id }) => id },
  { header: 'participant_id', width: idWidth, value: ({ fellowId }) => fellowId },
];

const yearColumns: SpreadsheetColumn<YearTotals>[] = [
  { header: 'participant', width: wide, value: ({ participantName }) => participantName },
  { header: 'email', width: wide, value: ({ email }) => email },
  { header: 'weeks_approved', value: ({ weeksApproved }) => weeksApproved },
  { header: 'approved_usd', numberFormat: money, value: ({ approvedCents }) => dollars(approvedCents) },
  { header: 'awaiting_approval_usd', numberFormat: money, value: ({ awaitingCents }) => dollars(awaitingCents) },
  { header: 'handed_over_usd', numberFormat: money, value: ({ handedCents }) => dollars(handedCents) },
  { header: 'paid_usd', numberFormat: money, value: ({ paidCents }) => dollars(paidCents) },
  { header: 'unpaid_at_end_usd', numberFormat: money, value: ({ unpaidCents }) => dollars(unpaidCents) },
  { header: 'participant_id', width: idWidth, value: ({ fellowId }) => fellowId },
];

/** Sends the rows while it reads them. The log records who took the figures out of the product. */
export async function sendStipendExport(db: Db, actor: Actor, wish: Wish, reply: FastifyReply) {
  const { format, scope, year, week, cohort, person } = wish;
  await audit(db, actor.id, { action: 'stipend.export', subjectType: 'user', subjectId: actor.id, after: wish });
  const fileName = `stipends-${nameOf(wish)}-${dayAt(now(), houseZone)}`;
  if (scope === 'year') {
    // The contract asks for the year where this is the scope.
    const batches = findYearTotals(db, Number(year));
    return sendSpreadsheet(reply, format, { fileName, sheetName: `Stipends ${year}`, columns: yearColumns, batches });
  }
  const which = { week: { week, cohort }, cohort: { cohort }, person: { person } }[scope];
  const batches = findExportedStipends(db, which);
  return sendSpreadsheet(reply, format, { fileName, sheetName: 'Stipends', columns, batches });
}

export function sendOwnStipends(db: Db, actor: Actor, format: ExportFormat, reply: FastifyReply) {
  return sendSpreadsheet(reply, format, {
    fileName: `my-stipends-${dayAt(now(), houseZone)}`,
    sheetName: 'My stipends',
    columns: ownColumns,
    batches: findOwnLines(db, actor.id),
  });
}

/** The weeks of the participant's page and statement, the first one first. */
async function* findOwnLines(db: Db, participantId: string): AsyncGenerator<OwnLine[]> {
  const weeks = await findAllStipendWeeks(db, participantId);
  yield weeks.toReversed().map(toOwnLine);
}

function toOwnLine(week: StipendWeek): OwnLine {
  const { cohortName, weekNumber, firstDay, lastDay, today, activities, assignments, rating } = week;
  const { state, decidedAt, payment } = week;
  return {
    cohortName,
    weekNumber,
    firstDay,
    lastDay,
    today,
    activitiesAccessed: activities.accessed,
    activitiesTotal: activities.total,
    assignmentsSubmitted: assignments.submitted,
    assignmentsTotal: assignments.total,
    performanceRating: rating,
    criteria: week.criteria,
    lostCriteria: week.lostCriteria,
    overallEligible: week.isEligible,
    stipendAmountCents: week.amountCents,
    amountAwaitsApproval: week.amountAwaitsApproval,
    paymentStatus: state === 'sent' ? 'approved' : state,
    approvedAt: decidedAt === null ? null : new Date(decidedAt),
    paidCents: payment?.amountCents ?? null,
    paidAt: payment === null ? null : new Date(payment.at),
  };
}

function criteriaInWords({ criteria, lostCriteria, paymentStatus, ...days }: OwnLine): string {
  const phase = weekPhase(days, days.today, paymentStatus);
  return criteria.map((criterion) => criterionInWords(criterion, phase, lostCriteria)).join('; ');
}

function nameOf({ scope, week, year }: Wish): string {
  if (scope === 'week') return `week-${week}`;
  return scope === 'year' ? `year-${year}` : scope;
}

function dollars(cents: number): number {
  return cents / 100;
}
