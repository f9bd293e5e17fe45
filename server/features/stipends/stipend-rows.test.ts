import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { specifiedRules } from '#contract/default-programme.ts';
import { markStipendPaid, takePaymentBack } from '#contract/payments.ts';
import { listStipendCohorts, setSecondApprover } from '#contract/stipend-cohorts.ts';
import { askAboutStipend } from '#contract/stipend-questions.ts';
import {
  approveStipend,
  approveStipendAmount,
  changeStipendAmount,
  denyStipend,
  listStipends,
  processStipends,
  readStipend,
  readStipendWeek,
  type StipendRow,
} from '#contract/stipends.ts';
import { takePaymentBack as takeBack } from '#server/features/payments/payment-reversals.ts';
import type { Actor } from '#server/platform/actor.ts';
import { newId } from '#server/platform/ids.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildProgramme } from '#test/factories/programmes.ts';
import { badlyRated, buildStipend, buildWeekActivities, judgedWeek } from '#test/factories/stipends.ts';
import type { Client, TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { startAppOfTwo } from '#test/support/two-admins.ts';
import { somebodyWaits } from '#test/support/waiting-statements.ts';

let app: TestApp;
let ada: BuiltPerson;
let bea: BuiltPerson;
let asAda: Client;
let asBea: Client;
let restoreClock = () => {};

beforeAll(async () => {
  ({ app, ada, bea, asAda, asBea } = await startAppOfTwo());
});
afterAll(() => app.close());
afterEach(() => restoreClock());

type Row = { id: string; version: number };
type Week = { id: string; cohortId: string; weekNumber: number };
const actorOf = (person: BuiltPerson) => ({ ...person, sessionId: 'none' }) as unknown as Actor;
const of = ({ id, version }: Row) => ({ params: { id }, body: { version } });
const priced = ({ id, version }: Row, amountCents: number) => ({ params: { id }, body: { version, amountCents } });

/** The row as it stands in the list of its cohort, for either admin. */
async function rowsOf({ id, cohortId, weekNumber }: Week) {
  const rowFor = async (client: Client): Promise<StipendRow> => {
    const { rows } = await client.call(listStipends, { query: { week: weekNumber, cohort: cohortId } });
    const row = rows.find((one) => one.id === id);
    if (!row) throw new Error('The list does not have the row.');
    return row;
  };
  return { ada: await rowFor(asAda), bea: await rowFor(asBea) };
}

test('a row shows everything of a week that nobody has decided, asked about or changed', async () => {
  restoreClock = stopClockAt('2025-09-14T16:00:00Z');
  const { id: programmeId } = await buildProgramme(app.db);
  const { id: cohortId } = await buildCohort(app.db, { name: 'Fall', programmeId });
  const coach = await buildCoach(app.db);
  const fellow = await buildParticipant(app.db, { firstName: 'Nadia', lastName: 'Ng', email: 'nadia@rows.example' });
  await enrol(app.db, { cohortId, participantId: fellow.id, coachId: coach.id });
  const counts = { activitiesTotal: 4, assignmentsTotal: 3, assignmentsSubmitted: 2 };
  const stipend = await buildStipend(app.db, { fellowId: fellow.id, cohortId, ...counts });
  const rows = await rowsOf(stipend);
  expect(rows.bea).toEqual(rows.ada);
  expect(rows.ada).toEqual({
    ...{ id: stipend.id, fellowId: fellow.id, participantName: 'Nadia Ng', participantEmail: 'nadia@rows.example' },
    ...{ coachName: 'Casey Cole', cohortName: 'Fall', weekNumber: 1, payPeriod: 'week' },
    ...{ firstDay: '2025-09-08', lastDay: '2025-09-12', today: '2025-09-14' },
    criteria: JSON.parse(judgedWeek(counts).criteria),
    ...{ attendancePercentage: 100, performanceRating: 4, submissionCount: 2, requiredSubmissions: 3 },
    ...{ overallEligible: false, isOutOfReach: false, lostCriteria: [], membershipNote: null, rulesVersion: 1 },
    ...{ amountCents: 50_000, ruleAmountCents: 50_000, amountLines: [], paymentStatus: 'pending' },
    ...{ approvedByName: null, approvedAt: null, payee: null, denialReason: null, firstApproval: null },
    ...{ amountAwaitsApproval: false, handover: null, handedCents: 0, payment: null, restWaits: false },
    own: { amount: false, amountApproval: false, decision: false },
    ...{ openQuestion: null, version: 1, dueCents: 50_000, needsReason: false },
    can: {
      ...{ approve: false, deny: false, changeAmount: true, approveAmount: false },
      ...{ markPaid: false, renewPayee: false, takePaymentBack: false },
    },
    approvalRefusal: null,
  });
});

test('a row tells each admin which of its last decisions, payments and amounts are theirs, and who decided first', async () => {
  restoreClock = stopClockAt('2025-10-08T14:00:00Z');
  const stipend = await buildStipend(app.db, { weekNumber: 2 });
  await asAda.call(setSecondApprover, { params: { id: stipend.cohortId }, body: { isNeeded: true } });
  const ownOf = async () => {
    const rows = await rowsOf(stipend);
    const made = ({ own }: StipendRow) => Object.entries(own).flatMap(([what, isOwn]) => (isOwn ? [what] : []));
    return { ada: made(rows.ada), bea: made(rows.bea) };
  };
  expect(await ownOf()).toEqual({ ada: [], bea: [] });
  const first = await asAda.call(approveStipend, of(stipend));
  expect(first).toMatchObject({
    ...{ paymentStatus: 'pending', approvedAt: null, approvedByName: null, payee: null },
    firstApproval: { byName: 'Ada Admin', at: '2025-10-08T14:00:00.000Z' },
    approvalRefusal: 'You approved this stipend first. Another admin has to approve it too.',
  });
  expect(await ownOf()).toEqual({ ada: ['decision'], bea: [] });
  const approved = await asBea.call(approveStipend, of(first));
  expect(approved).toMatchObject({
    ...{ approvedByName: 'Bea Board', approvedAt: '2025-10-08T14:00:00.000Z', firstApproval: null },
    ...{ payee: { name: 'Robin Reyes', isOutdated: false }, approvalRefusal: null },
  });
  expect(await ownOf()).toEqual({ ada: [], bea: ['decision'] });
  const raised = await asAda.call(changeStipendAmount, priced(approved, 60_000));
  expect(raised.approvalRefusal).toBe('You changed the amount of this stipend. Another admin has to approve it.');
  expect(await ownOf()).toEqual({ ada: ['amount'], bea: ['decision'] });
  const settled = await asBea.call(approveStipendAmount, of(raised));
  expect(settled.approvalRefusal).toBeNull();
  expect(await ownOf()).toEqual({ ada: ['amount'], bea: ['amountApproval', 'decision'] });

  const reference = 'CHK 7';
  const paid = await asAda.call(markStipendPaid, { ...of(settled), body: { version: settled.version, reference } });
  const at = '2025-10-08T14:00:00.000Z';
  expect(paid).toMatchObject({ paymentStatus: 'paid', dueCents: 0 });
  expect(paid.payment).toEqual({
    ...{ amountCents: 60_000, at, byName: 'Ada Admin', reference, parts: [{ amountCents: 60_000, at }] },
  });
  expect(await ownOf()).toEqual({ ada: ['amount', 'decision'], bea: ['amountApproval'] });
  const back = { ...of(paid), body: { version: paid.version, reason: 'The cheque came back.' } };
  expect(await asAda.call(takePaymentBack, back)).toMatchObject({ paymentStatus: 'approved', payment: null });
  expect(await ownOf()).toEqual({ ada: ['amount', 'decision'], bea: ['amountApproval'] });
});

test.each([
  { what: 'a row', read: async (row: Week) => asAda.call(readStipend, { params: { id: row.id } }) },
  { what: 'a list', read: async (row: Week) => (await rowsOf(row)).ada },
])('a payment that is taken back while $what is read is shown as a whole, or not at all', async ({ read }) => {
  const stipend = await buildStipend(app.db, { paymentStatus: 'approved' });
  const body = { version: stipend.version, reference: 'CHK 8' };
  const { version } = await asBea.call(markStipendPaid, { params: { id: stipend.id }, body });
  const reading = inTransaction(app.db, async (held) => {
    await sql`lock table stipend_payment_parts in access exclusive mode`.execute(held);
    const row = read(stipend);
    await somebodyWaits(app.db);
    await takeBack(held, actorOf(bea), stipend.id, { version, reason: 'The cheque came back.' });
    return { row };
  });
  const after = { paymentStatus: 'approved', payment: null, dueCents: 50_000, version: version + 1 };
  expect(await (await reading).row).toMatchObject(after);
});

test('a week that can no longer be met is said to be out of reach until it is decided, and never without rules', async () => {
  restoreClock = stopClockAt('2025-09-12T16:00:00Z');
  const { id: cohortId } = await buildCohort(app.db);
  const { id: participantId } = await buildParticipant(app.db);
  await enrol(app.db, { cohortId, participantId });
  await buildWeekActivities(app.db, 5, { cohortId, sessionDate: '2025-09-10' });
  await asAda.call(processStipends, { body: { weekNumber: 1, cohortId } });
  const stored = app.db.selectFrom('stipendEligibility').selectAll().where('fellowId', '=', participantId);
  const stipend = await stored.executeTakeFirstOrThrow();
  const reachOf = async (row: Parameters<typeof rowsOf>[0]) => {
    const { isOutOfReach, lostCriteria } = (await rowsOf(row)).ada;
    return { isOutOfReach, lostCriteria };
  };
  const within = { isOutOfReach: false, lostCriteria: [] };
  // The rating is still to come, so it decides nothing.
  expect(await reachOf(stipend)).toEqual({ isOutOfReach: true, lostCriteria: ['Attendance'] });
  await app.db
    .updateTable('stipendEligibility')
    .set({ paymentStatus: 'denied', denialReason: 'No.', approvedBy: ada.id, approvedAt: new Date() })
    .where('id', '=', stipend.id)
    .execute();
  expect(await reachOf(stipend)).toEqual(within);

  const { id: programmeId } = await buildProgramme(app.db);
  const early = await buildCohort(app.db, { programmeId, startDate: '1999-09-06' });
  const { evidence } = stipend;
  const before = await buildStipend(app.db, { cohortId: early.id, ...badlyRated, evidence: JSON.stringify(evidence) });
  expect(await reachOf(before)).toEqual(within);
});

test('what is still to come is weighed by all that the rules of the program count, such as hours', async () => {
  restoreClock = stopClockAt('2025-09-10T16:00:00Z');
  const criteria = [{ name: 'Hours', fact: 'hoursAttended' as const, limit: 2 }];
  const { id: programmeId } = await buildProgramme(app.db, { rules: { ...specifiedRules, criteria } });
  const { id: cohortId } = await buildCohort(app.db, { programmeId });
  const { id: participantId } = await buildParticipant(app.db);
  await enrol(app.db, { cohortId, participantId });
  const held = { cohortId, sessionDate: '2025-09-12', durationMinutes: 60 };
  const [first] = await buildWeekActivities(app.db, 2, held);
  const reach = async () => {
    await asAda.call(processStipends, { body: { weekNumber: 1, cohortId } });
    const { rows } = await asAda.call(listStipends, { query: { week: 1, cohort: cohortId } });
    return rows.map(({ isOutOfReach, lostCriteria }) => ({ isOutOfReach, lostCriteria }));
  };
  expect(await reach()).toEqual([{ isOutOfReach: false, lostCriteria: [] }]);
  const missed = app.db.updateTable('trainingActivities').set({ sessionDate: '2025-09-09' });
  await missed.where('id', '=', first?.id ?? '').execute();
  expect(await reach()).toEqual([{ isOutOfReach: true, lostCriteria: ['Hours'] }]);
});

test('a rest waits only while something is left to pay of what the payment system told otherwise', async () => {
  const stipend = await buildStipend(app.db, { weekNumber: 3, paymentStatus: 'paid' });
  const rest = async () => {
    const { restWaits, dueCents, needsReason, handover } = (await rowsOf(stipend)).ada;
    return { restWaits, dueCents, needsReason, handover };
  };
  const sent = { needsReason: true, handover: 'sent' };
  expect(await rest()).toEqual({ restWaits: false, dueCents: 0, needsReason: false, handover: null });
  const batch = { body: '{}', recipients: 1, totalCents: 50_000, createdBy: ada.id, weekNumber: 3 };
  const { id: handoverId } = await app.db
    .insertInto('stipendHandovers')
    .values({ ...batch, status: 'sent', sentAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const row = { stipendId: stipend.id, amountCents: 50_000 };
  await app.db
    .insertInto('stipendHandoverRows')
    .values({ ...row, handoverId })
    .execute();
  const told = { id: newId(), bodyHash: 'x', handoverId, reference: 'PAY-9' };
  await app.db.insertInto('stipendConfirmations').values(told).execute();
  await app.db
    .insertInto('stipendConfirmationRows')
    .values({ ...row, confirmationId: told.id, outcome: 'conflict' })
    .execute();
  expect(await rest()).toEqual({ ...sent, restWaits: false, dueCents: 0 });
  const owe = async (amountCents: number) => {
    const { version } = (await rowsOf(stipend)).ada;
    const body = { version, amountCents, reason: 'Counted anew.' };
    await asAda.call(changeStipendAmount, { params: { id: stipend.id }, body });
  };
  await owe(60_000);
  expect(await rest()).toEqual({ ...sent, restWaits: true, dueCents: 10_000 });
  await owe(40_000);
  expect(await rest()).toEqual({ ...sent, restWaits: false, dueCents: -10_000 });
});

test.each([
  { outcome: 'paid_twice', reference: 'PAY-1', amountCents: 50_000, restWaits: true },
  { outcome: 'paid_twice', reference: 'PAY-9', amountCents: 40_000, restWaits: true },
  { outcome: 'conflict', reference: 'PAY-1', amountCents: 50_000, restWaits: true },
  { outcome: 'paid_twice', reference: 'PAY-9', amountCents: 50_000, restWaits: false },
  { outcome: 'known', reference: 'PAY-1', amountCents: 50_000, restWaits: false },
])('a rest waits if the payment system told otherwise than is on record: %o', async ({ restWaits, ...given }) => {
  const approved = await buildStipend(app.db, { weekNumber: 4, paymentStatus: 'approved' });
  const { version } = approved;
  const params = { id: approved.id };
  const paid = await asAda.call(markStipendPaid, { params, body: { version, reference: 'PAY-9' } });
  const batch = { body: '{}', recipients: 1, totalCents: 50_000, createdBy: ada.id, weekNumber: 4 };
  const { id: handoverId } = await app.db
    .insertInto('stipendHandovers')
    .values({ ...batch, status: 'sent', sentAt: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const row = { stipendId: approved.id, amountCents: 50_000 };
  await app.db
    .insertInto('stipendHandoverRows')
    .values({ ...row, handoverId })
    .execute();
  const { reference, ...told } = given;
  const message = { id: newId(), bodyHash: 'x', handoverId, reference };
  await app.db.insertInto('stipendConfirmations').values(message).execute();
  await app.db
    .insertInto('stipendConfirmationRows')
    .values({ ...row, ...told, confirmationId: message.id })
    .execute();
  const body = { version: paid.version, amountCents: 60_000, reason: 'Counted anew.' };
  expect(await asAda.call(changeStipendAmount, { params, body })).toMatchObject({ restWaits, dueCents: 10_000 });
});

test('a row tells of a batch that is still open, also if a later one was accepted', async () => {
  const stipend = await buildStipend(app.db, { weekNumber: 5, paymentStatus: 'approved' });
  const batch = { body: '{}', recipients: 1, totalCents: 50_000, createdBy: ada.id, weekNumber: 5 };
  const handOver = async (part: number, facts: { status: string; createdAt: string; sentAt?: string }) => {
    const made = app.db.insertInto('stipendHandovers').values({ ...batch, ...facts });
    const { id: handoverId } = await made.returning('id').executeTakeFirstOrThrow();
    const row = { stipendId: stipend.id, amountCents: 50_000, handoverId, part };
    await app.db.insertInto('stipendHandoverRows').values(row).execute();
    return (await rowsOf(stipend)).ada.handover;
  };
  expect(await handOver(1, { status: 'failed', createdAt: '2025-10-08T12:00:00Z' })).toBe('failed');
  const sentAt = '2025-10-08T13:00:00Z';
  expect(await handOver(2, { status: 'sent', createdAt: sentAt, sentAt })).toBe('failed');
});

test('a row has the open question of its own week, in the words of who asked', async () => {
  const { id: cohortId } = await buildCohort(app.db);
  const fellow = await buildParticipant(app.db);
  await enrol(app.db, { cohortId, participantId: fellow.id });
  const week = { fellowId: fellow.id, cohortId };
  const [first, second] = [await buildStipend(app.db, week), await buildStipend(app.db, { ...week, weekNumber: 2 })];
  const asFellow = await app.as(fellow);
  await asFellow.call(askAboutStipend, { body: { cohortId, weekNumber: 2, question: 'Why less?' } });
  expect((await rowsOf(first)).ada.openQuestion).toBeNull();
  expect((await rowsOf(second)).ada.openQuestion).toBe('Why less?');
});

test('the screen opens with the week of a picked cohort, which has to be there', async () => {
  restoreClock = stopClockAt('2025-10-08T14:00:00Z');
  const cohort = await buildCohort(app.db, { status: 'planning', startDate: '2025-09-22' });
  expect(await asAda.call(readStipendWeek, { query: { cohort: cohort.id } })).toEqual({
    ...{ cohortId: cohort.id, cohortName: cohort.name, weekNumber: 3, payPeriod: 'week', weeks: 16 },
    ...{ firstDay: '2025-10-06', lastDay: '2025-10-10', today: '2025-10-08' },
  });
  expect(await asAda.refused(readStipendWeek, { query: { cohort: newId() } })).toMatchObject({
    status: 404,
    problem: { detail: 'This cohort was not found.' },
  });
});

test('a stipend that is not there is neither read nor decided', async () => {
  const params = { id: newId() };
  const gone = { status: 404, problem: { detail: 'This stipend was not found.' } };
  expect(await asAda.refused(readStipend, { params })).toMatchObject(gone);
  expect(await asAda.refused(denyStipend, { params, body: { version: 1, reason: 'No.' } })).toMatchObject(gone);
});

test('the cohorts to pick from are those that pay or have stipends: the documented one, then active ones, the newest first', async () => {
  await app.db.updateTable('cohorts').set({ status: 'cancelled', programType: 'self_learner' }).execute();
  await app.db.deleteFrom('stipendQuestions').execute();
  const build = (name: string, facts: Parameters<typeof buildCohort>[1] = {}) =>
    buildCohort(app.db, { name, ...facts });
  const paid = { programType: 'self_learner', status: 'completed', startDate: '2025-01-06' };
  const paying = await build('Paid once', paid);
  await buildStipend(app.db, { cohortId: paying.id });
  const none = await asAda.call(listStipendCohorts);
  expect(none.cohorts.filter(({ isDocumented }) => isDocumented)).toEqual([]);
  expect(none.cohorts.map(({ name }) => name)).toContain('Paid once');
  restoreClock = stopClockAt('2025-10-08T14:00:00Z');
  expect(await asAda.call(readStipendWeek, { query: {} })).toEqual({
    ...{ cohortId: null, cohortName: null, weekNumber: 1, payPeriod: 'week', weeks: 16 },
    ...{ firstDay: null, lastDay: null, today: '2025-10-08' },
  });
  await build('Planned', { status: 'planning', startDate: '2025-10-06' });
  await build('Newer', { startDate: '2025-09-15', createdAt: '2025-03-01T00:00:00Z' });
  await build('Newest', { startDate: '2025-09-22', createdAt: '2025-02-01T00:00:00Z' });
  await build('Oldest', { startDate: '2025-09-01', createdAt: '2025-01-01T00:00:00Z', needsSecondApprover: true });
  await build('Pays nobody', { programType: 'self_learner' });
  const { cohorts } = await asAda.call(listStipendCohorts);
  const listed = cohorts.filter(({ status }) => status !== 'cancelled');
  expect(listed.map(({ name, isDocumented }) => [name, isDocumented])).toEqual([
    ['Oldest', true],
    ['Newest', false],
    ['Newer', false],
    ['Planned', false],
    ['Paid once', false],
  ]);
  expect(listed[0]).toMatchObject({ status: 'active', needsSecondApprover: true, askedOff: null });
});
