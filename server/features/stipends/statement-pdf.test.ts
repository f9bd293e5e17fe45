import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { expect, test } from 'vitest';
import { specifiedRules } from '#contract/default-programme.ts';
import { notCounted } from '#contract/stipend-facts.ts';
import { judge } from '#contract/stipend-rules.ts';
import type { StipendWeek } from '#contract/stipend-weeks.ts';
import { addDays } from '#contract/weeks.ts';
import { newId } from '#server/platform/ids.ts';
import { drawStatement, type Statement } from './statement-pdf.ts';

interface Text {
  text: string;
  font: string;
  page: number;
  left: number;
  right: number;
  /** Where the letters stand, in points from the foot of the page. */
  foot: number;
  size: number;
}

/** From its lower left to its upper right corner. */
interface Line {
  page: number;
  left: number;
  right: number;
  foot: number;
  top: number;
}

const cohortId = newId();
const done = { activitiesTotal: 5, activitiesAccessed: 5, assignmentsTotal: 2, assignmentsSubmitted: 2 };
const rated = (rating: number | null) =>
  judge({ ...notCounted, ...done, assignmentsUntouched: 0, rating }, specifiedRules);

/** An eligible week that nobody has decided, of a cohort that began on 8 September 2025. */
function weekOf(weekNumber: number, facts: Partial<StipendWeek> = {}): StipendWeek {
  const firstDay = addDays('2025-09-08', 7 * (weekNumber - 1));
  return {
    ...{ cohortId, cohortName: 'Cohort A', weekNumber, firstDay, lastDay: addDays(firstDay, 4), payPeriod: 'week' },
    ...{
      today: '2025-12-01',
      isWorkedOut: true,
      criteria: rated(4),
      isEligible: true,
      isOutOfReach: false,
      lostCriteria: [],
    },
    ...{ activities: { accessed: 5, total: 5 }, assignments: { submitted: 2, total: 2 }, rating: 4 },
    ...{ membershipNote: null, missing: [], amountCents: 50_000, amountLines: [], rulesVersion: 1 },
    ...{ amountAwaitsApproval: false, state: 'pending', decidedAt: null, denialReason: null, sentAt: null },
    ...{ payment: null, changes: [], corrections: [], questions: [] },
    ...facts,
  };
}

const statementOf = (facts: Partial<Statement> = {}): Statement => ({
  ...{ name: 'Nia Ng', email: 'nia@example.org', weeks: [], years: [], zone: 'America/New_York' },
  now: new Date('2025-12-01T03:00:00Z'),
  ...facts,
});

async function openPdf(statement: Statement) {
  const bytes: Buffer[] = await drawStatement(statement).toArray();
  return getDocumentProxy(new Uint8Array(Buffer.concat(bytes)));
}

/** The texts and lines in the order in which they are drawn. */
async function readPdf(statement: Statement) {
  const { OPS } = await getResolvedPDFJS();
  const pdf = await openPdf(statement);
  const texts: Text[] = [];
  const lines: Line[] = [];
  for (let page = 1; page <= pdf.numPages; page += 1) {
    const sheet = await pdf.getPage(page);
    const drawn = await sheet.getOperatorList();
    for (const [place, name] of drawn.fnArray.entries()) {
      if (name !== OPS.constructPath) continue;
      const [left, foot, right, top] = drawn.argsArray[place].at(-1);
      // The page is turned over, so that it is drawn from its head.
      lines.push({ page, left, right, foot: paper.height - top, top: paper.height - foot });
    }
    const { items } = await sheet.getTextContent();
    for (const item of items) {
      if (!('str' in item) || item.str.trim() === '') continue;
      const [size, , , , left, foot] = item.transform;
      const font = sheet.commonObjs.get(item.fontName).name.replace(/^.*\+/, '');
      texts.push({ text: item.str, font, page, left, right: left + item.width, foot, size });
    }
  }
  return { texts, lines };
}

/** Letter paper, in points. */
const paper = { width: 612, height: 792 };
const margin = 48;
const foot = margin + 36;

/** What the statement says, cell by cell, in the order in which it is drawn. */
async function wordsOf(statement: Statement): Promise<string> {
  const { texts } = await readPdf(statement);
  return texts.map(({ text }) => text).join(' ');
}

test('a statement says whose it is, of which day of their program, and that there are no weeks yet', async () => {
  expect(await wordsOf(statementOf())).toBe(
    'Stipend statement Nia Ng nia@example.org As of Nov 30, 2025, US Eastern Totals ' +
      'Year Approved Paid Unpaid at year end All years $0 $0 $0 There are no weeks yet. ' +
      'Switchyard · Nia Ng Page 1 of 1',
  );
  expect(await wordsOf(statementOf({ zone: 'Pacific/Auckland' }))).toContain('As of Dec 1, 2025, New Zealand Time');
});

test('a reader is told the title, the language and who made the statement', async () => {
  const pdf = await openPdf(statementOf());
  expect((await pdf.getMetadata()).info).toMatchObject({
    ...{ Title: 'Stipend statement for Nia Ng', Author: 'Switchyard', Language: 'en-US' },
  });
  expect(await pdf.getViewerPreferences()).toMatchObject({ DisplayDocTitle: true });
  expect((await pdf.getPage(1)).view).toEqual([0, 0, paper.width, paper.height]);
});

test('the totals have a line for each year and one for all, and what waits only if something does', async () => {
  const older = { year: 2024, approvedCents: 120_000, awaitingCents: 0, paidCents: 70_000, unpaidCents: 50_000 };
  const newer = { year: 2025, approvedCents: 30_050, awaitingCents: 0, paidCents: 10_000, unpaidCents: 70_050 };
  expect(await wordsOf(statementOf({ years: [newer, older] }))).toContain(
    'Totals Year Approved Paid Unpaid at year end 2025 $300.50 $100 $700.50 2024 $1,200 $700 $500 ' +
      'All years $1,500.50 $800 $700.50 There',
  );
  const waiting = [
    { ...newer, awaitingCents: -2_500 },
    { ...older, awaitingCents: -4_000 },
  ];
  expect(await wordsOf(statementOf({ years: waiting }))).toContain(
    'Totals Year Approved Paid Unpaid at year end Waiting for approval 2025 $300.50 $100 $700.50 -$25 ' +
      '2024 $1,200 $700 $500 -$40 All years $1,500.50 $800 $700.50 -$65 There',
  );
});

test('a week has its dates, criteria, amount and state, the last with its day in the zone of the program', async () => {
  const lateAtNight = '2025-10-02T03:00:00.000Z';
  const at = { decidedAt: '2025-09-30T12:00:00.000Z', sentAt: '2025-09-30T16:00:00.000Z' };
  const paid = { at: lateAtNight, amountCents: 45_050 };
  const weeks = [
    weekOf(7, { ...at, state: 'paid', payment: { ...paid, parts: [paid] } }),
    weekOf(6, { ...at, state: 'sent', sentAt: lateAtNight }),
    weekOf(5, { ...at, state: 'denied' }),
    weekOf(4, { state: 'approved', decidedAt: lateAtNight }),
    weekOf(3, { isEligible: false, criteria: rated(2) }),
    weekOf(2, { isEligible: false, criteria: rated(null) }),
    weekOf(1),
  ];
  const [, table = ''] = (await wordsOf(statementOf({ weeks }))).split(
    'Cohort A Week Dates Criteria Eligible Amount State ',
  );
  const done = 'Attendance 5 of 5, Assignments 2 of 2, Performance';
  expect(table.split(/ (?=\d+ \w+ \d+, 2025 to|Switchyard)/)).toEqual([
    `7 Oct 20, 2025 to Oct 24, 2025 ${done} 4.0 of 5 Yes $500 Paid Oct 1, 2025, $450.50`,
    `6 Oct 13, 2025 to Oct 17, 2025 ${done} 4.0 of 5 Yes $500 Sent to the payment system, Oct 1, 2025`,
    `5 Oct 6, 2025 to Oct 10, 2025 ${done} 4.0 of 5 Yes $500 Denied, Sep 30, 2025`,
    `4 Sep 29, 2025 to Oct 3, 2025 ${done} 4.0 of 5 Yes $500 Approved, Oct 1, 2025`,
    `3 Sep 22, 2025 to Sep 26, 2025 ${done} 2.0 of 5 No $500 Not decided yet`,
    `2 Sep 15, 2025 to Sep 19, 2025 ${done} Not rated yet Not yet $500 Not decided yet`,
    `1 Sep 8, 2025 to Sep 12, 2025 ${done} 4.0 of 5 Yes $500 Not decided yet`,
    'Switchyard · Nia Ng Page 1 of 1',
  ]);
});

test('a stipend for more than a week is named by its weeks, or by its month', async () => {
  const twoWeeks = weekOf(2, { payPeriod: 'two_weeks', firstDay: '2025-09-22', lastDay: '2025-10-03' });
  const month = weekOf(2, { cohortId: newId(), payPeriod: 'month', firstDay: '2025-10-01', lastDay: '2025-10-31' });
  const words = await wordsOf(statementOf({ weeks: [twoWeeks, month] }));
  expect(words).toContain('Weeks Dates Criteria Eligible Amount State 3–4 Sep 22, 2025 to Oct 3, 2025 ');
  expect(words).toContain('Month Dates Criteria Eligible Amount State Oct Oct 1, 2025 to Oct 31, 2025 ');
});

test('below a week stand the changes of its amount, and first that another admin has to approve it', async () => {
  const changes = [
    { at: '2025-10-03T02:00:00.000Z', fromCents: 45_000, toCents: 40_050, isAdjustment: true },
    { at: '2025-09-20T12:00:00.000Z', fromCents: 50_000, toCents: 45_000, isAdjustment: false },
  ];
  const weeks = [weekOf(2, { changes, amountAwaitsApproval: true }), weekOf(1, { changes })];
  const words = await wordsOf(statementOf({ weeks }));
  const inTurn = 'Adjusted on Oct 2, 2025 from $450 to $400.50 Changed on Sep 20, 2025 from $500 to $450';
  expect(words).toContain(`Not decided yet Another admin has to approve the new amount ${inTurn} 1 Sep 8`);
  expect(words).toContain(`Not decided yet ${inTurn} Switchyard`);
});

test('each cohort has a table of its own, also if two have one name', async () => {
  const other = { cohortId: newId(), cohortName: 'Cohort A' };
  const words = await wordsOf(statementOf({ weeks: [weekOf(3, other), weekOf(2), weekOf(1, other)] }));
  const tables = words.split('Cohort A Week Dates Criteria Eligible Amount State ').slice(1);
  expect(tables.map((table) => table.match(/\d+(?= Sep \d+, 2025 to)/g))).toEqual([['3', '1'], ['2']]);
});

/** Of many cohorts, whose tables come to lie elsewhere on their pages the more years there are. */
function longStatement(years: number): Statement {
  const change = { at: '2025-10-03T02:00:00.000Z', fromCents: 45_000, toCents: 40_000, isAdjustment: true };
  const weeksOf = (cohort: number) => {
    const own = { cohortId: newId(), cohortName: `Cohort ${cohort}`, changes: Array(cohort % 5).fill(change) };
    return Array.from({ length: (cohort % 4) + 1 }, (_, index) => weekOf(30 - index, own));
  };
  return statementOf({
    name: `Wilhelmina ${'Featherstonehaugh '.repeat(8)}`.trim(),
    years: Array.from({ length: years }, (_, index) => ({
      ...{ year: 2025 - index, approvedCents: 8_888_800, awaitingCents: 200, paidCents: 1_111_100, unpaidCents: 100 },
    })),
    weeks: Array.from({ length: 12 }, (_, index) => weeksOf(index + 1)).flat(),
  });
}

const isFooter = ({ text }: Text) => /^Switchyard · |^Page \d/.test(text);

test.each([0, 1, 2])('a long statement stays within its pages, with %i years above the weeks', async (years) => {
  const { texts, lines } = await readPdf(longStatement(years));
  const body = texts.filter((text) => !isFooter(text));
  for (const { text, left, right, foot: at, size } of body) {
    expect([left >= margin - 0.01, right <= paper.width - margin + 0.01], text).toEqual([true, true]);
    expect([at + 0.75 * size <= paper.height - margin, at >= foot], text).toEqual([true, true]);
  }
  expect(texts.filter((one) => texts.some((other) => one !== other && covers(one, other)))).toEqual([]);
  for (const { left, right, foot: at, top } of lines) {
    expect([left, right <= paper.width - margin, top]).toEqual([margin, true, at]);
  }
  expect(texts.filter((text) => lines.some((line) => crosses(line, text)))).toEqual([]);

  // A cohort's name stands above its first week, and a week below the heading of its table, with its changes.
  let rows = 0;
  for (const [place, { text, page }] of body.entries()) {
    if (text.startsWith('Cohort ')) {
      expect(new Set(body.slice(place, place + 8).map((after) => after.page)), text).toEqual(new Set([page]));
    }
    if (text.startsWith('Adjusted')) expect(body[place - 1]?.page).toBe(page);
    if (text !== 'Not decided yet') continue;
    rows += 1;
    const above = body.slice(0, place).filter((other) => other.page === page);
    expect(above.map((other) => other.text)).toContain('Dates');
  }
  expect(rows).toBe(30);

  const pages = Math.max(...texts.map(({ page }) => page));
  const footers = texts.filter(isFooter);
  for (const { foot: at } of footers) expect(at > margin / 2 && at < margin).toBe(true);
  const [names, numbers] = [0, 1].map((first) => footers.filter((_, place) => place % 2 === first));
  expect(numbers?.map(({ text }) => text)).toEqual(
    Array.from({ length: pages }, (_, index) => `Page ${index + 1} of ${pages}`),
  );
  for (const { right } of numbers ?? []) expect(right).toBeCloseTo(paper.width - margin, 3);
  for (const { text, left } of names ?? []) {
    expect(text).toMatch(/^Switchyard · Wilhelmina Featherstonehaugh .*…$/);
    expect(left).toBe(margin);
  }
});

const covers = (one: Text, other: Text) =>
  one.page === other.page &&
  one.left < other.right &&
  other.left < one.right &&
  one.foot < other.foot + 0.75 * other.size &&
  other.foot < one.foot + 0.75 * one.size;

const crosses = (line: Line, { page, foot: at, size }: Text) =>
  line.page === page && line.foot > at - 0.25 * size && line.foot < at + 0.75 * size;

test('headings are strong, amounts end below the end of their heading, and all else begins below its begin', async () => {
  const { texts } = await readPdf({ ...longStatement(1), weeks: [weekOf(1)] });
  const find = (wanted: string) => texts.find(({ text }) => text === wanted);
  for (const heading of ['Stipend statement', 'Totals', 'Cohort A', 'Year', 'Paid', 'Week', 'State']) {
    expect(find(heading)?.font, heading).toBe('Inter-SemiBold');
  }
  for (const plain of ['nia@example.org', '2025', 'All years', '1', '$500', 'Yes', 'Not decided yet']) {
    expect(find(plain)?.font, plain).toBe('Inter-Regular');
  }
  for (const [heading, amount] of [
    ['Approved', '$88,888'],
    ['Paid', '$11,111'],
    ['Unpaid at year end', '$1'],
    ['Waiting for approval', '$2'],
    ['Amount', '$500'],
  ] as const) {
    expect(find(amount)?.right, heading).toBeCloseTo(find(heading)?.right ?? 0, 3);
  }
  for (const words of ['Stipend statement', 'nia@example.org', 'Totals', 'Cohort A']) {
    expect(find(words)?.left, words).toBe(margin);
  }
  for (const [heading, words] of [
    ['Year', '2025'],
    ['Week', '1'],
    ['Eligible', 'Yes'],
    ['State', 'Not decided yet'],
  ] as const) {
    expect(find(words)?.left, heading).toBe(find(heading)?.left);
  }
  // Each digit takes as much room, so that amounts can be compared line by line.
  const [eights, ones] = [find('$88,888'), find('$11,111')].map((text) => (text ? text.right - text.left : 0));
  expect(eights).toBeCloseTo(ones ?? 0, 3);
  expect(find('There are no weeks yet.')).toBeUndefined();
  const empty = await readPdf(statementOf());
  expect(empty.texts.find(({ text }) => text === 'There are no weeks yet.')?.left).toBe(margin);
});
