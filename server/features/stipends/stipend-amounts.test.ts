import { afterAll, beforeAll, expect, test } from 'vitest';
import { handOverWeek } from '#contract/payments.ts';
import { approveStipend, approveStipendAmount, changeStipendAmount } from '#contract/stipends.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildAdmin } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import type { Client, TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { startPayingAppOfAda } from '#test/support/paying-app.ts';

let app: TestApp;
let ada: BuiltPerson;
let bea: BuiltPerson;
let asAda: Client;
let asBea: Client;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ app, ada, admin: asAda, close } = await startPayingAppOfAda());
  bea = await buildAdmin(app.db, { firstName: 'Bea' });
  asBea = await app.as(bea);
});
afterAll(() => close());

type Row = { id: string; version: number };
const of = ({ id, version }: Row) => ({ params: { id }, body: { version } });
const priced = ({ id, version }: Row, amountCents: number, reason?: string) => ({
  params: { id },
  body: { version, amountCents, reason },
});
const stored = (id: string) =>
  app.db.selectFrom('stipendEligibility').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const trailOf = (id: string) =>
  app.db
    .selectFrom('auditLog')
    .select(['action', 'actorId', 'subjectType', 'before', 'after', 'reason'])
    .where('subjectId', '=', id)
    .orderBy('at')
    .execute();

/** A stipend of a cohort that needs two, which Ada approved first and then Bea. */
async function approvedByTwo(weekNumber: number) {
  const { id: cohortId } = await buildCohort(app.db, { needsSecondApprover: true });
  const first = await asAda.call(approveStipend, of(await buildStipend(app.db, { weekNumber, cohortId })));
  return asBea.call(approveStipend, of(first));
}

test('nobody sets the amount of their own stipend or of one that is not there, and it stays as it is', async () => {
  const own = await buildStipend(app.db, { fellowId: ada.id });
  expect(await asAda.refused(changeStipendAmount, priced(own, 90_000))).toMatchObject({
    status: 403,
    problem: { detail: 'This is your own. Somebody else has to decide about it.' },
  });
  expect(await stored(own.id)).toEqual(own);
  const gone = { id: newId(), version: 1 };
  for (const cents of [0, 90_000]) {
    const { status, problem } = await asAda.refused(changeStipendAmount, priced(gone, cents));
    expect([status, problem.detail]).toEqual([404, 'This stipend was not found.']);
  }
});

test('an amount above the rule asks for a fresh proof, and one up to the rule does not', async () => {
  const old = await buildAdmin(app.db, { firstName: 'Olga' });
  const asOld = await app.as(old);
  const longAgo = new Date(Date.now() - 24 * 3_600_000);
  const sessions = app.db.updateTable('auth.session').set({ createdAt: longAgo, provedAt: longAgo });
  await sessions.where('userId', '=', old.id).execute();
  const stipend = await buildStipend(app.db, { stipendAmountCents: 40_000 });
  const { problem } = await asOld.refused(changeStipendAmount, priced(stipend, 50_001));
  expect(problem.code).toBe('proof_required');
  expect((await asOld.call(changeStipendAmount, priced(stipend, 50_000))).amountCents).toBe(50_000);
});

test('a new amount of a pending stipend ends its first approval, and of an approved one it does not', async () => {
  const { id: cohortId } = await buildCohort(app.db, { needsSecondApprover: true });
  const pending = await asAda.call(approveStipend, of(await buildStipend(app.db, { cohortId })));
  await asBea.call(changeStipendAmount, priced(pending, 40_000));
  expect(await stored(pending.id)).toMatchObject({ firstApprovedBy: null, firstApprovedAt: null, amountSetBy: bea.id });
  const approved = await approvedByTwo(2);
  const { firstApprovedAt } = await stored(approved.id);
  expect(firstApprovedAt).not.toBeNull();
  await asBea.call(changeStipendAmount, priced(approved, 40_000));
  expect(await stored(approved.id)).toMatchObject({ firstApprovedBy: ada.id, firstApprovedAt, amountReason: null });
});

test('a new amount is on record with its reason, and the participant sees it at once', async () => {
  const stipend = await buildStipend(app.db);
  const told = await toldBy(app, () => asAda.call(changeStipendAmount, priced(stipend, 40_000, 'Half a week')));
  expect(told({ id: stipend.fellowId })).toEqual(['stipends']);
  const changed = await stored(stipend.id);
  expect(changed).toMatchObject({ amountReason: 'Half a week', isAmountSetByHand: true, version: 2 });
  const change = {
    action: 'stipend.change_amount',
    actorId: ada.id,
    subjectType: 'stipend',
    before: { amountCents: 50_000 },
    after: { amountCents: 40_000 },
    reason: 'Half a week',
  };
  expect(await trailOf(stipend.id)).toEqual([change]);
  expect((await asBea.refused(changeStipendAmount, priced(stipend, 30_000))).problem.code).toBe('stale');
  expect((await asBea.call(changeStipendAmount, priced(changed, 40_000))).amountCents).toBe(40_000);
  expect(await stored(stipend.id)).toEqual(changed);
  const without = await asAda.call(changeStipendAmount, priced({ ...stipend, version: 2 }, 30_000));
  expect(without.amountCents).toBe(30_000);
  expect((await trailOf(stipend.id)).at(-1)).toMatchObject({ action: 'stipend.change_amount', reason: null });
});

test('after it was sent, an amount changes only with a reason, as an adjustment', async () => {
  const weekNumber = 3;
  const { id } = await buildStipend(app.db, { weekNumber, paymentStatus: 'approved', approvedBy: ada.id });
  await asAda.call(handOverWeek, { body: { weekNumber } });
  const sent = await stored(id);
  const detail = 'This stipend was already sent for payment. Please say why its amount changes.';
  expect(await asAda.refused(changeStipendAmount, priced(sent, 40_000))).toMatchObject({
    status: 422,
    problem: { detail, errors: [{ path: 'reason', message: detail }] },
  });
  expect(await stored(id)).toEqual(sent);
  await asAda.call(changeStipendAmount, priced(sent, 40_000, 'Counted anew'));
  expect((await trailOf(id)).at(-1)).toMatchObject({
    action: 'stipend.adjust_amount',
    before: { amountCents: 50_000 },
    after: { amountCents: 40_000 },
    reason: 'Counted anew',
  });
});

test('the approval of an amount is on record, once, by one who may, on what they saw', async () => {
  const row = await approvedByTwo(4);
  const raised = await asBea.call(changeStipendAmount, priced(row, 60_000));
  expect((await asAda.refused(approveStipendAmount, of(row))).problem.code).toBe('stale');
  expect((await asBea.refused(approveStipendAmount, of(raised))).problem.code).toBe('conflict');
  const told = await toldBy(app, () => asAda.call(approveStipendAmount, of(raised)));
  const { fellowId, version, amountApprovedBy, amountApprovedAt } = await stored(row.id);
  expect(told({ id: fellowId })).toEqual(['stipends']);
  expect({ version, amountApprovedBy, amountApprovedAt }).toEqual({
    version: raised.version + 1,
    amountApprovedBy: ada.id,
    amountApprovedAt: expect.any(Date),
  });
  const amount = { paymentStatus: 'approved', amountCents: 60_000 };
  expect((await trailOf(row.id)).at(-1)).toEqual({
    action: 'stipend.approve_amount',
    actorId: ada.id,
    subjectType: 'stipend',
    before: amount,
    after: amount,
    reason: null,
  });
});
