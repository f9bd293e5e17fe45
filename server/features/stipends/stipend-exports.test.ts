import { read } from 'hucre';
import { streamXlsxRows } from 'hucre/xlsx';
import { sql } from 'kysely';
import Papa from 'papaparse';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { houseZone } from '#contract/house-zone.ts';
import { exportOwnStipends, exportStipends, printOwnStatement } from '#contract/stipend-exports.ts';
import { listOwnStipendWeeks } from '#contract/stipend-weeks.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStipend, judgedWeek } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { sizeOf } from '#test/support/depth.ts';
import { countStatements } from '#test/support/statements.ts';
import { findExportedStipends, findYearTotals } from './stipend-export-queries.ts';

let server: TestApp;
let admin: Client;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.as(await buildAdmin(server.db, { firstName: 'Ada', lastName: 'Admin' }));
});
afterAll(() => server.close());

type Line = Record<string, string>;

async function csvOf(client: Client, query: string, path = exportStipends.path): Promise<Line[]> {
  const answer = await client.fetch(`${path}?format=csv&${query}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
  const { data, errors } = Papa.parse<Line>(bytes.toString().slice(1), { header: true, skipEmptyLines: true });
  expect(errors).toEqual([]);
  return data;
}

async function sheetOf(client: Client, query: string, path = exportStipends.path) {
  const answer = await client.fetch(`${path}?format=xlsx&${query}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="[a-z0-9-]+\.xlsx"$/);
  const rows: unknown[][] = [];
  for await (const { values } of streamXlsxRows(new Uint8Array(await answer.arrayBuffer()))) rows.push(values);
  const header = rows.shift() ?? [];
  return rows.map((row) => Object.fromEntries(header.map((name, place) => [String(name), row[place] ?? null])));
}

const nameOf = ({ participant }: Line) => participant;

test('a week is exported for one cohort or all, with its amounts, the decision and the payment', async () => {
  const cohort = await buildCohort(server.db, { name: 'Füchse, "Nord"' });
  const anna = await buildParticipant(server.db, { firstName: 'Änna', lastName: 'Öz' });
  const paid = await buildStipend(server.db, {
    cohortId: cohort.id,
    fellowId: anna.id,
    weekNumber: 2,
    paymentStatus: 'paid',
    stipendAmountCents: 45_050,
  });
  await buildStipend(server.db, { weekNumber: 2, performanceRating: 2.5 });
  await buildStipend(server.db, { cohortId: cohort.id, weekNumber: 3 });
  expect(await csvOf(admin, 'scope=week&week=2')).toHaveLength(2);
  const [line, ...others] = await csvOf(admin, `scope=week&week=2&cohort=${cohort.id}`);
  expect(others).toEqual([]);
  expect(line).toMatchObject({
    participant: 'Änna Öz',
    email: anna.email,
    cohort: 'Füchse, "Nord"',
    week: '2',
    amount_usd: '450.5',
    status: 'paid',
    paid_usd: '450.5',
    eligible: 'yes',
    stipend_id: paid.id,
    participant_id: anna.id,
  });
  const [row] = await sheetOf(admin, `scope=week&week=2&cohort=${cohort.id}`);
  expect(row).toMatchObject({ participant: 'Änna Öz', week: 2, amount_usd: 450.5, paid_usd: 450.5, rating: 4 });
  expect((await csvOf(admin, `scope=cohort&cohort=${cohort.id}`)).map(({ week }) => week)).toEqual(['2', '3']);
  expect((await csvOf(admin, `scope=person&person=${anna.id}`)).map(nameOf)).toEqual(['Änna Öz']);
});

test('what a spreadsheet program would run is text in both formats', async () => {
  const firstName = '=HYPERLINK("http://evil.example")';
  const fellow = await buildParticipant(server.db, { firstName, lastName: 'X' });
  await buildStipend(server.db, { fellowId: fellow.id });
  expect((await csvOf(admin, `scope=person&person=${fellow.id}`)).map(nameOf)).toEqual([`'${firstName} X`]);
  const answer = await admin.fetch(`${exportStipends.path}?format=xlsx&scope=person&person=${fellow.id}`);
  const { sheets } = await read(new Uint8Array(await answer.arrayBuffer()));
  expect(sheets[0]?.rows[1]?.[0]).toBe(`${firstName} X`);
  expect([...(sheets[0]?.cells?.values() ?? [])].filter(({ formula }) => formula !== undefined)).toEqual([]);
});

test('the totals of a year are the sums of the ledger by the dates of the programme zone', async () => {
  const fellow = await buildParticipant(server.db, { firstName: 'Yara', lastName: 'Year' });
  const facts = { fellowId: fellow.id, paymentStatus: 'approved' };
  await buildStipend(server.db, { ...facts, weekNumber: 1, approvedAt: new Date('2024-01-01T04:59:00Z') });
  await buildStipend(server.db, {
    ...facts,
    weekNumber: 2,
    approvedAt: new Date('2024-01-01T05:00:00Z'),
    stipendAmountCents: 30_025,
  });
  await buildStipend(server.db, { ...facts, weekNumber: 3, approvedAt: new Date('2025-01-01T04:59:00Z') });
  const ofYear = async (year: number) =>
    (await sheetOf(admin, `scope=year&year=${year}`)).filter((row) => row.participant_id === fellow.id);
  expect(await ofYear(2023)).toMatchObject([{ weeks_approved: 1, approved_usd: 500, paid_usd: 0 }]);
  expect(await ofYear(2024)).toMatchObject([{ weeks_approved: 2, approved_usd: 800.25, email: fellow.email }]);
  expect(await ofYear(2022)).toEqual([]);
  // Nothing came in 2025, but the export does not forget what is open.
  expect(await ofYear(2025)).toMatchObject([{ weeks_approved: 0, approved_usd: 0, unpaid_at_end_usd: 1300.25 }]);
});

test('the statement has the totals of the year export, with an adjustment and a rest in the years in which they came', async () => {
  const fellow = await buildParticipant(server.db, { firstName: 'Rita', lastName: 'Rest' });
  const { id } = await buildStipend(server.db, {
    fellowId: fellow.id,
    paymentStatus: 'approved',
    approvedAt: new Date('2023-12-28T15:00:00Z'),
  });
  const pay = (part: number, amountCents: number, paidAt: string) =>
    server.db
      .insertInto('stipendPaymentParts')
      .values({ stipendId: id, part, amountCents, paidAt, source: 'import' })
      .execute();
  const change = (facts: { paymentStatus?: string; stipendAmountCents?: number; updatedAt: string }) =>
    server.db.updateTable('stipendEligibility').set(facts).where('id', '=', id).execute();
  await pay(1, 50_000, '2023-12-30T15:00:00Z');
  await change({ paymentStatus: 'paid', updatedAt: '2023-12-30T15:00:00Z' });
  await change({ stipendAmountCents: 62_000, updatedAt: '2024-01-02T15:00:00Z' });
  await pay(2, 12_000, '2024-01-05T15:00:00Z');

  const answer = await (await server.as(fellow)).fetch(printOwnStatement.path);
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(await answer.arrayBuffer())), {
    mergePages: true,
  });
  expect(text.replace(/\s+/g, ' ')).toContain('2024 $120 $120 $0 2023 $500 $500 $0 All years $620 $620 $0');
  for (const [year, dollars] of [
    [2024, 120],
    [2023, 500],
  ]) {
    const rows = await sheetOf(admin, `scope=year&year=${year}`);
    expect(rows.filter((row) => row.participant_id === fellow.id)).toMatchObject([
      { approved_usd: dollars, paid_usd: dollars },
    ]);
  }
});

test('totals say what was paid and, apart from it, what is still to be paid and what waits for approval', async () => {
  const fellow = await buildParticipant(server.db, { firstName: 'Wanda', lastName: 'Waits' });
  const cohort = await buildCohort(server.db);
  const facts = { fellowId: fellow.id, cohortId: cohort.id, approvedAt: new Date('2021-12-28T15:00:00Z') };
  await buildStipend(server.db, { ...facts, weekNumber: 1, paymentStatus: 'paid', updatedAt: '2021-12-30T15:00:00Z' });
  const { id } = await buildStipend(server.db, { ...facts, weekNumber: 2, paymentStatus: 'approved' });
  await server.db.updateTable('cohorts').set({ needsSecondApprover: true }).where('id', '=', cohort.id).execute();
  const { id: amountSetBy } = await buildAdmin(server.db);
  const change = { stipendAmountCents: 62_000, amountSetBy, updatedAt: '2022-01-05T15:00:00Z' };
  await server.db.updateTable('stipendEligibility').set(change).where('id', '=', id).execute();

  const ofYear = async (year: number) =>
    (await sheetOf(admin, `scope=year&year=${year}`)).filter((row) => row.participant_id === fellow.id);
  expect(await ofYear(2021)).toMatchObject([
    { approved_usd: 1000, awaiting_approval_usd: 0, paid_usd: 500, unpaid_at_end_usd: 500 },
  ]);
  const open = { approved_usd: 0, paid_usd: 0, unpaid_at_end_usd: 500 };
  expect(await ofYear(2022)).toMatchObject([{ ...open, weeks_approved: 0, awaiting_approval_usd: 120 }]);
  expect(await ofYear(2023)).toMatchObject([{ ...open, awaiting_approval_usd: 0 }]);
  const waiting = (await csvOf(admin, `scope=person&person=${fellow.id}`)).map((line) => line.amount_awaits_approval);
  expect(waiting).toEqual(['no', 'yes']);

  const answer = await (await server.as(fellow)).fetch(printOwnStatement.path);
  const pdf = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()));
  const text = (await extractText(pdf, { mergePages: true })).text.replace(/\s+/g, ' ');
  expect(text).toContain('Year Approved Paid Unpaid at year end Waiting for approval');
  expect(text).toContain('2022 $0 $0 $500 $120 2021 $1,000 $500 $500 $0 All years $1,000 $500 $500 $120');
  expect(text).toContain('Another admin has to approve the new amount');
});

test('many rows leave whole, each once, as CSV and as XLSX, and so do the totals of many people', async () => {
  const count = sizeOf({ usual: 5_001, deep: 20_000 });
  const atOnce = 2_000;
  const { id } = await buildCohort(server.db);
  const { id: decider } = await buildAdmin(server.db);
  // Each line of the ledger is written by itself, so all of them at once take longer than a statement may.
  for (let from = 1; from <= count; from += atOnce) {
    await sql`
      with people as (
        insert into profiles (id, email, first_name, last_name, role, track_type)
        select time_ordered_id(), 'many' || n || '@example.org', 'Fellow', n::text, 'participant', 'fellowship'
        from generate_series(${from}::integer, ${Math.min(count, from + atOnce - 1)}::integer) n returning id
      )
      insert into stipend_eligibility (fellow_id, cohort_id, week_number, criteria, rules_version, attendance_percentage,
        activities_total, activities_accessed, assignments_total, assignments_submitted, payment_status, approved_at,
        approved_by)
      select id, ${id}, 9, ${judgedWeek().criteria}::jsonb, 1, 100, 5, 5, 2, 2, 'approved', '2019-05-01', ${decider}
      from people`.execute(server.db);
  }
  const lines = await csvOf(admin, `scope=cohort&cohort=${id}`);
  expect(lines).toHaveLength(count);
  expect(new Set(lines.map(({ stipend_id }) => stipend_id)).size).toBe(count);
  const rows = await sheetOf(admin, `scope=cohort&cohort=${id}`);
  expect(rows.map(({ stipend_id }) => stipend_id)).toEqual(lines.map(({ stipend_id }) => stipend_id));
  const totals = await csvOf(admin, 'scope=year&year=2019');
  expect(totals).toHaveLength(count);
  expect(new Set(totals.map(({ participant_id }) => participant_id)).size).toBe(count);
});

test('what fits into one batch takes one statement', async () => {
  const { fellowId: person } = await buildStipend(server.db, { paymentStatus: 'approved', approvedAt: '2018-05-01' });
  const takes = async (batches: AsyncGenerator<unknown[]>) => {
    const sizes: number[] = [];
    const statements = await countStatements(server.app.pool, async () => {
      for await (const rows of batches) sizes.push(rows.length);
    });
    return { statements, sizes };
  };
  const once = { statements: 1, sizes: [1] };
  expect(await takes(findExportedStipends(server.db, { person }))).toEqual(once);
  expect(await takes(findYearTotals(server.db, 2018))).toEqual(once);
});

test('STIP0-06 participants export the own rows only; the admins’ export is on record and for nobody else', async () => {
  const own = await buildParticipant(server.db);
  await buildStipend(server.db, { fellowId: own.id, weekNumber: 5, paymentStatus: 'approved' });
  await buildStipend(server.db, { weekNumber: 5 });
  const client = await server.as(own);
  const lines = await csvOf(client, '', exportOwnStipends.path);
  expect(lines.map(({ week, status, amount_usd }) => [week, status, amount_usd])).toEqual([['5', 'approved', '500']]);
  expect(await sheetOf(client, '', exportOwnStipends.path)).toMatchObject([{ week: 5, amount_usd: 500 }]);
  // The export has the weeks of the page: those that have begun, even without a row, and none that an admin only looked
  // at ahead.
  const cohort = await buildCohort(server.db, { startDate: addDays(dayAt(new Date(), houseZone), -7) });
  await enrol(server.db, { cohortId: cohort.id, participantId: own.id });
  await buildStipend(server.db, { fellowId: own.id, cohortId: cohort.id, weekNumber: 2 });
  await buildStipend(server.db, { fellowId: own.id, cohortId: cohort.id, weekNumber: 10 });
  const page = await client.call(listOwnStipendWeeks);
  const onPage = page.rows.map(({ cohortName, weekNumber }) => `${cohortName} ${weekNumber}`);
  const exported = await csvOf(client, '', exportOwnStipends.path);
  expect(exported.map(({ cohort: name, week }) => `${name} ${week}`)).toEqual(onPage.toReversed());
  expect(exported.map(({ week, status }) => [week, status])).toEqual([
    ['5', 'approved'],
    ['1', 'pending'],
    ['2', 'pending'],
  ]);
  expect(Object.keys(lines[0] ?? {})).not.toContain('decided_by');
  const asked = `${exportStipends.path}?format=csv&scope=person&person=${own.id}`;
  for (const other of [own, await buildCoach(server.db)]) {
    expect((await (await server.as(other)).fetch(asked)).status).toBe(403);
  }
  expect((await (await server.as(null)).fetch(asked)).status).toBe(401);
  for (const query of [
    'scope=week',
    'scope=cohort',
    'scope=person',
    'scope=year',
    'scope=all',
    'scope=week&week=105',
  ]) {
    expect((await admin.fetch(`${exportStipends.path}?format=csv&${query}`)).status).toBe(422);
  }
  await csvOf(admin, `scope=person&person=${own.id}`);
  const noted = await server.db
    .selectFrom('auditLog')
    .select('after')
    .where('action', '=', 'stipend.export')
    .where(sql`after->>'person'`, '=', own.id)
    .execute();
  expect(noted).toEqual([{ after: { scope: 'person', format: 'csv', person: own.id } }]);
});
