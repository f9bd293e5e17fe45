import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import { formatCents } from '#contract/money.ts';
import { type PayPeriod, periodMark } from '#contract/pay-periods.ts';
import type { StipendWeek } from '#contract/stipend-weeks.ts';
import { decisionLooks, type EligibilityState } from '#contract/week-standing.ts';
import { dayAt } from '#contract/weeks.ts';
import { zoneInWords } from '#contract/zones.ts';
import type { OwnYearTotals } from './stipend-export-queries.ts';
import { eligibilityOf, inWords } from './stipend-week-words.ts';

export interface Statement {
  name: string;
  email: string;
  /** The newest week comes first. */
  weeks: StipendWeek[];
  /** The newest year comes first. */
  years: OwnYearTotals[];
  /** The zone of the person's program, in which days are meant. */
  zone: string;
  now: Date;
}

type Page = InstanceType<typeof PDFDocument>;

interface Column<Row> {
  label: string;
  width: number;
  align?: 'right';
  value: (row: Row) => string;
}

// Stryker disable StringLiteral: The statement says the same in other colors.
const ink = '#1b2030';
const quiet = '#525b70';
const rule = '#c9cfdb';
// Stryker restore StringLiteral
const margin = 48;
const footerHeight = 36;
const cellGap = 6;
const noteHeight = 14;
/** The room that a title takes with the heading of its table. */
const titleHeight = 64;

const { resolve } = createRequire(import.meta.url);
// These fonts have the letters of Latin, Greek and Cyrillic names. A PDF's own fonts have only Western Europe's.
const fonts = {
  plain: resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  strong: resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
};

/** Returns a stream of bytes on Letter paper, which PDFKit takes if none is named. The table's heading is on every page. */
export function drawStatement(statement: Statement): Page {
  const { name, email, weeks, years, zone, now } = statement;
  const day = dayAt(now, zone);
  const page = new PDFDocument({
    margin,
    bufferPages: true,
    font: fonts.plain,
    lang: 'en-US',
    displayTitle: true,
    info: { Title: `Stipend statement for ${name}`, Author: 'Switchyard' },
  });
  page.registerFont('plain', fonts.plain).registerFont('strong', fonts.strong);
  page.font('strong').fontSize(20).fillColor(ink).text('Stipend statement');
  page.moveDown(0.4).fontSize(12).text(name);
  page
    .font('plain')
    .fontSize(10)
    .fillColor(quiet)
    .text(email)
    .text(`As of ${inWords(day)}, ${zoneInWords(zone, now)}`);
  drawTotals(page, years);
  if (weeks.length === 0) page.moveDown(1).fontSize(10).fillColor(ink).text('There are no weeks yet.');
  const look: Look<StipendWeek> = {
    titleOf: ({ cohortName }) => cohortName,
    columnsOf: ({ payPeriod }) => weekColumnsOf(payPeriod, zone),
    notesOf: (week) => changesInWords(week, zone),
  };
  for (const cohort of byCohort(weeks)) drawTable(page, cohort, look);
  drawFooters(page, name);
  page.end();
  return page;
}

type TotalsLine = Omit<OwnYearTotals, 'year'> & { year: number | string };

const yearColumns: Column<TotalsLine>[] = [
  { label: 'Year', width: 84, value: ({ year }) => String(year) },
  { label: 'Approved', width: 79, align: 'right', value: ({ approvedCents }) => formatCents(approvedCents) },
  { label: 'Paid', width: 79, align: 'right', value: ({ paidCents }) => formatCents(paidCents) },
  { label: 'Unpaid at year end', width: 104, align: 'right', value: ({ unpaidCents }) => formatCents(unpaidCents) },
];

const awaitingColumn: Column<TotalsLine> = {
  label: 'Waiting for approval',
  width: 104,
  align: 'right',
  value: ({ awaitingCents }) => formatCents(awaitingCents),
};

const eligibleWords: Record<EligibilityState, string> = { eligible: 'Yes', not_yet: 'Not yet', not_eligible: 'No' };

const periodLabels: Record<PayPeriod, string> = { week: 'Week', two_weeks: 'Weeks', month: 'Month' };

const weekColumnsOf = (payPeriod: PayPeriod, zone: string): Column<StipendWeek>[] => [
  { label: periodLabels[payPeriod], width: 28, value: periodMark },
  { label: 'Dates', width: 98, value: ({ firstDay, lastDay }) => `${inWords(firstDay)} to ${inWords(lastDay)}` },
  {
    label: 'Criteria',
    width: 140,
    value: ({ criteria }) => criteria.map(({ name, standing }) => `${name} ${standing}`).join(', '),
  },
  { label: 'Eligible', width: 40, value: (week) => eligibleWords[eligibilityOf(week).state] },
  { label: 'Amount', width: 54, align: 'right', value: ({ amountCents }) => formatCents(amountCents) },
  { label: 'State', width: 120, value: (week) => stateOf(week, zone) },
];

/** The totals agree with the year's export. An adjustment and a rest count in the year in which they came. */
function drawTotals(page: Page, years: OwnYearTotals[]): void {
  const sumOf = (value: (year: OwnYearTotals) => number) => years.reduce((sum, year) => sum + value(year), 0);
  const allYears = {
    year: 'All years',
    approvedCents: sumOf(({ approvedCents }) => approvedCents),
    awaitingCents: sumOf(({ awaitingCents }) => awaitingCents),
    paidCents: sumOf(({ paidCents }) => paidCents),
    unpaidCents: years[0]?.unpaidCents ?? 0,
  };
  const isAnyAwaiting = years.some(({ awaitingCents }) => awaitingCents !== 0);
  const columns = isAnyAwaiting ? [...yearColumns, awaitingColumn] : yearColumns;
  drawTable(page, [...years, allYears], { titleOf: () => 'Totals', columnsOf: () => columns, notesOf: () => [] });
}

function byCohort(weeks: StipendWeek[]): StipendWeek[][] {
  return [...Map.groupBy(weeks, ({ cohortId }) => cohortId).values()];
}

function stateOf({ state, decidedAt, sentAt, payment }: StipendWeek, zone: string): string {
  if (payment) return `${decisionLooks.paid.label} ${dayOf(payment.at, zone)}, ${formatCents(payment.amountCents)}`;
  const at = state === 'sent' ? sentAt : decidedAt;
  const { label } = decisionLooks[state];
  return at ? `${label}, ${dayOf(at, zone)}` : label;
}

function changesInWords({ changes, amountAwaitsApproval }: StipendWeek, zone: string): string[] {
  const inTurn = changes.map(
    ({ at, fromCents, toCents, isAdjustment }) =>
      `${isAdjustment ? 'Adjusted' : 'Changed'} on ${dayOf(at, zone)} from ${formatCents(fromCents)} to ${formatCents(toCents)}`,
  );
  return amountAwaitsApproval ? ['Another admin has to approve the new amount', ...inTurn] : inTurn;
}

interface Look<Row> {
  titleOf: (row: Row) => string;
  columnsOf: (row: Row) => Column<Row>[];
  notesOf: (row: Row) => string[];
}

/** The title and the heading stand on one page with the first row, and each row with its notes. */
function drawTable<Row>(page: Page, rows: Row[], { titleOf, columnsOf, notesOf }: Look<Row>): void {
  for (const [place, row] of rows.entries()) {
    const columns = columnsOf(row);
    const cells = columns.map((column) => ({ ...column, text: column.value(row) }));
    const notes = notesOf(row);
    const isFirst = place === 0;
    const height = heightOf(page, cells) + notes.length * noteHeight + (isFirst ? titleHeight : 0);
    // Stryker disable next-line EqualityOperator: What ends exactly at the end may stand there or on the next page.
    const isFull = page.y + height > endOf(page);
    if (isFull) page.addPage();
    if (isFirst) drawTitle(page, titleOf(row));
    if (isFirst || isFull) {
      drawCells(
        page,
        columns.map((column) => ({ ...column, text: column.label })),
        { font: 'strong', color: quiet },
      );
    }
    drawCells(page, cells, { font: 'plain', color: ink });
    drawNotes(page, notes);
  }
}

function drawTitle(page: Page, title: string): void {
  page.font('strong').fontSize(13).fillColor(ink).moveDown(1.2).text(title, margin).moveDown(0.4);
}

function drawNotes(page: Page, notes: string[]): void {
  page.font('plain').fontSize(8.5).fillColor(quiet);
  for (const note of notes) page.text(note, margin + 12).moveDown(0.2);
}

interface Cell {
  text: string;
  width: number;
  align?: 'right';
}

function drawCells(page: Page, cells: Cell[], { font, color }: { font: string; color: string }) {
  const top = page.y;
  const height = heightOf(page, cells);
  page.font(font).fontSize(8.5).fillColor(color);
  let left = margin;
  for (const { text, width, align } of cells) {
    page.text(text, left, top + 4, { width, align, features: ['tnum'] });
    left += width + cellGap;
  }
  page
    .moveTo(margin, top + height)
    .lineTo(left - cellGap, top + height)
    .lineWidth(0.5)
    .strokeColor(rule)
    .stroke();
  page.x = margin;
  page.y = top + height;
}

function heightOf(page: Page, cells: Cell[]): number {
  page.font('plain').fontSize(8.5);
  return Math.max(...cells.map(({ text, width }) => page.heightOfString(text, { width }))) + 8;
}

function drawFooters(page: Page, name: string): void {
  const { start, count } = page.bufferedPageRange();
  for (let number = start; number < start + count; number += 1) {
    page.switchToPage(number);
    // Text within the margin would begin another page.
    page.page.margins.bottom = 0;
    page.font('plain').fontSize(8).fillColor(quiet);
    const top = page.page.height - margin;
    page.text(`Switchyard · ${name}`, margin, top, { width: 400, height: page.currentLineHeight(), ellipsis: true });
    page.text(`Page ${number + 1} of ${count}`, page.page.width - margin - 100, top, { width: 100, align: 'right' });
  }
}

function endOf(page: Page): number {
  return page.page.height - margin - footerHeight;
}

function dayOf(at: string, zone: string): string {
  return inWords(dayAt(new Date(at), zone));
}
