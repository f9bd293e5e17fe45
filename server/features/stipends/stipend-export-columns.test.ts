import { read } from 'hucre';
import { sql } from 'kysely';
import Papa from 'papaparse';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { exportOwnStipends, exportStipends } from '#contract/stipend-exports.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { badlyRated, buildStipend } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';

let app: TestApp;
let ada: BuiltPerson;
let admin: Client;
let restoreClock = () => {};

beforeAll(async () => {
  app = await startTestApp();
  ada = await buildAdmin(app.db);
  admin = await app.as(ada);
});
afterAll(() => app.close());
afterEach(() => restoreClock());

async function exported(client: Client, path: string, query: string) {
  const answer = await client.fetch(`${path}?format=csv&${query}`);
  expect(answer.status).toBe(200);
  const { data } = Papa.parse<Record<string, string>>((await answer.text()).replace(/^\ufeff/, ''), {
    header: true,
    skipEmptyLines: true,
  });
  return { fileName: answer.headers.get('content-disposition'), lines: data };
}

const named = (fileName: string) => `attachment; filename="${fileName}.csv"`;

/** A paid week and one that is not eligible, of one person, on the Wednesday of week 5. */
async function twoWeeks() {
  restoreClock = stopClockAt('2025-10-08T14:00:00Z');
  const { id: cohortId, name: cohort } = await buildCohort(app.db);
  const fellow = await buildParticipant(app.db, { firstName: 'Nia', lastName: 'Ng' });
  const own = { fellowId: fellow.id, cohortId };
  const paid = await buildStipend(app.db, {
    ...{ ...own, weekNumber: 1, activitiesAccessed: 4, stipendAmountCents: 45_050 },
    ...{ paymentStatus: 'paid', approvedBy: ada.id, approvedAt: new Date('2025-09-15T12:00:00Z') },
    updatedAt: new Date('2025-09-20T12:00:00Z'),
  });
  const open = await buildStipend(app.db, { ...own, weekNumber: 2, ...badlyRated });
  return { cohort, cohortId, fellow, paid, open };
}

const ownLine = {
  ...{ week: '1', activities_attended: '4', activities: '5', assignments_submitted: '2' },
  ...{ assignments: '2', rating: '4' },
  criteria:
    'Attendance: 4 of 5 activities attended (80%) (met); Assignments: 2 of 2 handed in (met); Performance: Rated 4.0 of 5 (met)',
  ...{ eligible: 'yes', amount_usd: '450.5', amount_awaits_approval: 'no', status: 'paid' },
  ...{ decided_at: '2025-09-15T12:00:00.000Z', paid_usd: '450.5' },
};
const openLine = {
  ...{ week: '2', activities_attended: '5', activities: '5', assignments_submitted: '2' },
  ...{ assignments: '2', rating: '2.5' },
  criteria:
    'Attendance: 5 of 5 activities attended (100%) (met); Assignments: 2 of 2 handed in (met); Performance: Rated 2.5 of 5, 3.0 needed (not met)',
  ...{ eligible: 'no', amount_usd: '500', amount_awaits_approval: 'no', status: 'pending' },
  ...{ decided_at: '', paid_usd: '', paid_at: '' },
};

test('an export of stipends has every figure of a week, its decision, hand-over and payment, and is named after what it has', async () => {
  const { cohort, cohortId, fellow, paid, open } = await twoWeeks();
  const { fileName, lines } = await exported(admin, exportStipends.path, `scope=cohort&cohort=${cohortId}`);
  expect(fileName).toBe(named('stipends-cohort-2025-10-08'));
  const ids = { participant_id: fellow.id, payment_reference: '', handed_over_usd: '0', handover: '' };
  const person = { participant: 'Nia Ng', email: fellow.email, cohort };
  const paidAt = lines[0]?.paid_at;
  expect(paidAt).toMatch(/Z$/);
  expect(lines).toEqual([
    {
      ...{ ...person, ...ids, ...ownLine, paid_at: paidAt, stipend_id: paid.id },
      ...{ decided_by: 'Ada Admin', payee: 'Nia Ng', payee_email: fellow.email },
    },
    { ...person, ...ids, ...openLine, stipend_id: open.id, decided_by: '', payee: '', payee_email: '' },
  ]);
  const nameFor = async (query: string) => (await exported(admin, exportStipends.path, query)).fileName;
  expect(await nameFor('scope=week&week=2')).toBe(named('stipends-week-2-2025-10-08'));
  expect(await nameFor(`scope=person&person=${fellow.id}`)).toBe(named('stipends-person-2025-10-08'));
  expect(await nameFor('scope=year&year=2025')).toBe(named('stipends-year-2025-2025-10-08'));
});

test('a week that the payment system has is handed over for the admins, and still approved for its participant', async () => {
  const { fellow, cohortId } = await twoWeeks();
  await enrol(app.db, { cohortId, participantId: fellow.id });
  const decided = { approvedBy: ada.id, approvedAt: new Date('2025-09-29T12:00:00Z') };
  const sent = await buildStipend(app.db, {
    ...{ fellowId: fellow.id, cohortId, weekNumber: 3, paymentStatus: 'approved', ...decided },
  });
  const batch = { weekNumber: 3, body: '{}', recipients: 1, totalCents: 50_000, createdBy: ada.id };
  const { id: handoverId } = await app.db
    .insertInto('stipendHandovers')
    .values({ ...batch, status: 'sent', sentAt: new Date('2025-10-01T12:00:00Z') })
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.db
    .insertInto('stipendHandoverRows')
    .values({ handoverId, stipendId: sent.id, amountCents: 50_000 })
    .execute();
  const ofWeekThree = async (client: Client, path: string, query: string) =>
    (await exported(client, path, query)).lines.filter(({ week }) => week === '3');
  const scope = `scope=person&person=${fellow.id}`;
  expect(await ofWeekThree(admin, exportStipends.path, scope)).toMatchObject([
    { status: 'approved', handover: 'sent', handed_over_usd: '500', payment_reference: '', paid_usd: '' },
  ]);
  const own = { status: 'approved', decided_at: '2025-09-29T12:00:00.000Z', paid_usd: '' };
  expect(await ofWeekThree(await app.as(fellow), exportOwnStipends.path, '')).toMatchObject([own]);

  const payment = { stipendId: sent.id, amountCents: 50_000, source: 'confirmation', reference: 'PAY-7', handoverId };
  await app.db.insertInto('stipendPaymentParts').values(payment).execute();
  await app.db.updateTable('stipendEligibility').set({ paymentStatus: 'paid' }).where('id', '=', sent.id).execute();
  expect(await ofWeekThree(admin, exportStipends.path, scope)).toMatchObject([
    { status: 'paid', handover: 'sent', payment_reference: 'PAY-7', paid_usd: '500' },
  ]);
});

test('participants export the figures of their own weeks, the first one first, and not who decided', async () => {
  const { cohort, cohortId, fellow } = await twoWeeks();
  await enrol(app.db, { cohortId, participantId: fellow.id });
  const { fileName, lines } = await exported(await app.as(fellow), exportOwnStipends.path, '');
  expect(fileName).toBe(named('my-stipends-2025-10-08'));
  expect(lines.map(({ week }) => week)).toEqual(['1', '2', '3', '4', '5']);
  expect(lines[0]).toEqual({ ...ownLine, cohort, paid_at: lines[0]?.paid_at });
  expect(lines[0]?.paid_at).toMatch(/Z$/);
  expect(lines[1]).toEqual({ ...openLine, cohort });
});

test('the totals of a year have a line for each person, with what was approved, handed over, paid and left', async () => {
  const { fellow } = await twoWeeks();
  const { lines } = await exported(admin, exportStipends.path, 'scope=year&year=2025');
  expect(lines.filter((line) => line.participant_id === fellow.id)).toEqual([
    {
      ...{ participant: 'Nia Ng', email: fellow.email, participant_id: fellow.id, weeks_approved: '1' },
      ...{ approved_usd: '450.5', awaiting_approval_usd: '0', handed_over_usd: '0', paid_usd: '450.5' },
      unpaid_at_end_usd: '0',
    },
  ]);
});

/** The name of the sheet, and of each column how wide it is and how its numbers are shown. */
async function sheetOf(client: Client, path: string, query: string) {
  const answer = await client.fetch(`${path}?format=xlsx&${query}`);
  const { sheets } = await read(new Uint8Array(await answer.arrayBuffer()), { readStyles: true });
  const { name, rows = [], columns = [], cells } = sheets[0] ?? {};
  const looks = (rows[0] ?? []).map((header, place) => [
    header,
    columns[place]?.width,
    cells?.get(`1,${place}`)?.style?.numFmt,
  ]);
  return { name, looks };
}

test('columns are as wide as what stands in them, and amounts of money have cents', async () => {
  const { cohortId, fellow } = await twoWeeks();
  await enrol(app.db, { cohortId, participantId: fellow.id });
  const column = (header: string) => [header, 16, undefined];
  const wide = (header: string) => [header, 28, undefined];
  const ofIds = (header: string) => [header, 38, undefined];
  const ofMoney = (header: string) => [header, 16, '#,##0.00'];
  const person = ['participant', 'email'].map(wide);
  const own = [
    ...[wide('cohort'), ['week', 8, undefined]],
    ...['activities_attended', 'activities', 'assignments_submitted', 'assignments', 'rating'].map(column),
    ...[wide('criteria'), column('eligible'), ofMoney('amount_usd'), column('amount_awaits_approval')],
    ...[column('status'), wide('decided_at'), ofMoney('paid_usd'), wide('paid_at')],
  ];
  expect(await sheetOf(await app.as(fellow), exportOwnStipends.path, '')).toEqual({ name: 'My stipends', looks: own });
  expect(await sheetOf(admin, exportStipends.path, `scope=person&person=${fellow.id}`)).toEqual({
    name: 'Stipends',
    looks: [
      ...[...person, ...own, ...['decided_by', 'payee', 'payee_email'].map(wide), column('handover')],
      ...[ofMoney('handed_over_usd'), wide('payment_reference'), ...['stipend_id', 'participant_id'].map(ofIds)],
    ],
  });
  const sums = ['approved_usd', 'awaiting_approval_usd', 'handed_over_usd', 'paid_usd', 'unpaid_at_end_usd'];
  expect(await sheetOf(admin, exportStipends.path, 'scope=year&year=2025')).toEqual({
    name: 'Stipends 2025',
    looks: [...person, column('weeks_approved'), ...sums.map(ofMoney), ofIds('participant_id')],
  });
});

test('an export goes by its scope alone, whatever else was chosen', async () => {
  const { cohortId, fellow, paid, open } = await twoWeeks();
  const other = await buildStipend(app.db, { cohortId, weekNumber: 2 });
  const everything = `week=2&cohort=${cohortId}&person=${fellow.id}&year=2025`;
  const idsOf = async (scope: string) =>
    (await exported(admin, exportStipends.path, `scope=${scope}&${everything}`)).lines.map((line) => line.stipend_id);
  expect((await idsOf('week')).toSorted()).toEqual([open.id, other.id].toSorted());
  expect((await idsOf('cohort')).toSorted()).toEqual([paid.id, open.id, other.id].toSorted());
  expect((await idsOf('person')).toSorted()).toEqual([paid.id, open.id].toSorted());
});

test('an export is on record with what was chosen, and by whom', async () => {
  const { fellow } = await twoWeeks();
  await exported(admin, exportStipends.path, `scope=person&person=${fellow.id}`);
  const trail = app.db
    .selectFrom('auditLog')
    .select(['actorId', 'subjectType', 'subjectId', 'before', 'after'])
    .where('action', '=', 'stipend.export')
    .where(sql<boolean>`after->>'person' = ${fellow.id}`);
  expect(await trail.execute()).toEqual([
    {
      ...{ actorId: ada.id, subjectType: 'user', subjectId: ada.id, before: null },
      after: { scope: 'person', format: 'csv', person: fellow.id },
    },
  ]);
});
