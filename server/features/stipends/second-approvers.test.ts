import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readParticipantDashboard } from '#contract/home.ts';
import { handOverWeek, markStipendPaid } from '#contract/payments.ts';
import { listStipendCohorts, setSecondApprover } from '#contract/stipend-cohorts.ts';
import { listOwnStipendWeeks } from '#contract/stipend-weeks.ts';
import {
  approveStipend,
  approveStipendAmount,
  approveWeek,
  changeStipendAmount,
  listStipends,
} from '#contract/stipends.ts';
import { verifyLedger } from '#server/features/payments/ledger.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import type { Client, TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { startPayingApp } from '#test/support/paying-app.ts';
import type { PaymentSystem } from '#test/support/payment-system.ts';
import { figuresOf } from '#test/support/stipend-figures.ts';

let receiver: PaymentSystem;
let app: TestApp;
let ada: Awaited<ReturnType<typeof buildAdmin>>;
let bea: Awaited<ReturnType<typeof buildAdmin>>;
let asAda: Client;
let asBea: Client;
let asCarol: Client;

beforeAll(async () => {
  ({ app, receiver } = await startPayingApp());
  ada = await buildAdmin(app.db);
  bea = await buildAdmin(app.db, { firstName: 'Bea', lastName: 'Board' });
  asAda = await app.as(ada);
  asBea = await app.as(bea);
  asCarol = await app.as(await buildAdmin(app.db, { firstName: 'Carol' }));
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

type Row = { id: string; version: number };
const of = ({ id, version }: Row) => ({ params: { id }, body: { version } });
const paying = ({ id, version }: Row) => ({ params: { id }, body: { version, reference: 'CHK 1' } });
const priced = ({ id, version }: Row, amountCents: number, reason?: string) => ({
  params: { id },
  body: { version, amountCents, ...(reason ? { reason } : {}) },
});

/** A stipend of a cohort that needs two. Ada approved it first, then Bea. */
async function approvedByTwo(weekNumber: number) {
  const stipend = await buildStipend(app.db, { weekNumber });
  await asAda.call(setSecondApprover, { params: { id: stipend.cohortId }, body: { isNeeded: true } });
  const first = await asAda.call(approveStipend, of(stipend));
  const row = await asBea.call(approveStipend, of(first));
  return { row, cohortId: stipend.cohortId, fellowId: stipend.fellowId };
}

function linesOf(stipendId: string) {
  return app.db
    .selectFrom('stipendLedger')
    .select(['kind', 'actorId', 'owedCents'])
    .where('stipendId', '=', stipendId)
    .orderBy('position')
    .execute();
}

test('an amount that is changed after both approvals is not sent, nor paid, before another admin has approved it', async () => {
  const weekNumber = 1;
  const { row } = await approvedByTwo(weekNumber);
  const untouched = await buildStipend(app.db, { weekNumber, paymentStatus: 'approved' });
  const changed = await asBea.call(changeStipendAmount, priced(row, 900_000));
  expect(changed).toMatchObject({
    paymentStatus: 'approved',
    amountAwaitsApproval: true,
    can: { approveAmount: false, markPaid: false, changeAmount: true },
    approvalRefusal: 'You changed the amount of this stipend. Another admin has to approve it.',
  });
  const sent = await asBea.call(handOverWeek, { body: { weekNumber } });
  expect(sent).toMatchObject({ status: 'sent', recipients: 1, heldBack: 1 });
  expect(receiver.received.at(-1)?.body).not.toContain('"stipend_amount":9000');
  expect((await asBea.refused(markStipendPaid, paying(changed))).problem.detail).toContain('amount was changed');
  expect((await asBea.refused(approveStipendAmount, of(changed))).problem).toMatchObject({
    code: 'conflict',
    detail: 'You changed the amount of this stipend. Another admin has to approve it.',
  });
  await expect(
    sql`insert into stipend_handover_rows (handover_id, stipend_id, amount_cents, is_first)
      select handover_id, ${row.id}, 900000, true from stipend_handover_rows where stipend_id = ${untouched.id}`.execute(
      app.db,
    ),
  ).rejects.toThrow(/amount of this stipend has to be approved/);

  expect((await asAda.refused(approveStipendAmount, of(row))).problem.code).toBe('stale');
  const settled = await asAda.call(approveStipendAmount, of(changed));
  expect(settled).toMatchObject({ amountCents: 900_000, amountAwaitsApproval: false, can: { markPaid: true } });
  expect((await asCarol.refused(approveStipendAmount, of(settled))).problem.code).toBe('stale');
  expect(await asBea.call(handOverWeek, { body: { weekNumber } })).toMatchObject({ recipients: 1, heldBack: 0 });
  expect(await linesOf(row.id)).toMatchObject([
    { kind: 'first_approval', actorId: ada.id },
    { kind: 'approval', actorId: bea.id, owedCents: 50_000 },
    { kind: 'amount', actorId: bea.id, owedCents: 850_000 },
    { kind: 'amount_approval', actorId: ada.id, owedCents: 0 },
    { kind: 'handover', actorId: bea.id },
  ]);
  const audited = await app.db
    .selectFrom('auditLog')
    .select(['actorId', 'before', 'after'])
    .where('subjectId', '=', row.id)
    .where('action', '=', 'stipend.approve_amount')
    .executeTakeFirst();
  expect(audited).toMatchObject({ actorId: ada.id, after: { amountCents: 900_000 } });
  expect((await verifyLedger(app.db)).problems).toEqual([]);
});

test('what was handed over is not sent again with a new amount that nobody else has approved', async () => {
  const weekNumber = 2;
  const { row } = await approvedByTwo(weekNumber);
  await asAda.call(handOverWeek, { body: { weekNumber } });
  const { rows } = await asCarol.call(listStipends, { query: { week: weekNumber } });
  const handed = rows.find(({ id }) => id === row.id) ?? row;
  await asCarol.call(changeStipendAmount, priced(handed, 80_000, 'More'));
  const seen = (await figuresOf(asCarol, { week: weekNumber })).sentUnpaid;
  const again = await asCarol.call(handOverWeek, { body: { weekNumber, again: true, seen } });
  expect(again).toMatchObject({ status: 'nothing_to_send', heldBack: 1 });
});

test('the setter of the amount that stands stays so when others save the same after them, until one sets another', async () => {
  const stipend = await buildStipend(app.db, { weekNumber: 3 });
  await asAda.call(setSecondApprover, { params: { id: stipend.cohortId }, body: { isNeeded: true } });
  const raised = await asAda.call(changeStipendAmount, priced(stipend, 90_000));
  const saved = await asBea.call(changeStipendAmount, priced(raised, 90_000));
  expect(saved.version, 'saving the same amount changes nothing').toBe(raised.version);
  const first = await asBea.call(approveStipend, of(saved));
  expect((await asAda.refused(approveStipend, of(first))).problem.detail).toContain('You changed the amount');

  const once = await asBea.call(changeStipendAmount, priced(first, 90_100));
  const again = await asAda.call(approveStipend, of(once));
  expect((await asBea.refused(approveStipend, of(again))).problem.detail).toContain('You changed the amount');
  const approved = await asCarol.call(approveStipend, of(again));
  expect(approved).toMatchObject({ paymentStatus: 'approved', amountAwaitsApproval: false });
  // No other path works either. Without a new amount, nobody else becomes its setter.
  await app.db.updateTable('stipendEligibility').set({ amountSetBy: null }).where('id', '=', again.id).execute();
  const { amountSetBy } = await app.db
    .selectFrom('stipendEligibility')
    .select('amountSetBy')
    .where('id', '=', again.id)
    .executeTakeFirstOrThrow();
  expect(amountSetBy).toBe(bea.id);
});

test('of two admins who both changed an amount, the one whose amount does not stand approves the other one', async () => {
  const { row, cohortId } = await approvedByTwo(5);
  const raised = await asAda.call(changeStipendAmount, priced(row, 90_000));
  const lowered = await asBea.call(changeStipendAmount, priced(raised, 60_000));
  const asParticipant = await app.as({ id: row.fellowId });
  await enrol(app.db, { cohortId, participantId: row.fellowId });
  const onDashboard = async () => (await asParticipant.call(readParticipantDashboard)).stipend?.totalEarnedCents;
  expect(await onDashboard()).toBe(50_000);
  expect(await asParticipant.call(listOwnStipendWeeks)).toMatchObject({
    rows: expect.arrayContaining([expect.objectContaining({ amountCents: 60_000, amountAwaitsApproval: true })]),
    totals: { earnedCents: 50_000 },
  });
  expect((await asBea.refused(approveStipendAmount, of(lowered))).problem.code).toBe('conflict');
  const approve = async () =>
    expect(await asAda.call(approveStipendAmount, of(lowered))).toMatchObject({
      amountCents: 60_000,
      amountAwaitsApproval: false,
    });
  const told = await toldBy(app, approve);
  expect(told({ id: row.fellowId })).toEqual(['stipends']);
  expect(await onDashboard()).toBe(60_000);
  expect((await asParticipant.call(listOwnStipendWeeks)).totals.earnedCents).toBe(60_000);
});

test('an admin who decides while the second approver is switched on waits for that, and needs one', async () => {
  const weekNumber = 6;
  const pending = await buildStipend(app.db, { weekNumber });
  const { cohortId } = pending;
  const alone = await buildStipend(app.db, { weekNumber, cohortId });
  const raised = await asAda.call(
    changeStipendAmount,
    priced(await buildStipend(app.db, { weekNumber, cohortId, paymentStatus: 'approved' }), 60_000),
  );
  const summary = await figuresOf(asBea, { week: weekNumber, cohort: cohortId });
  const switching = await app.db.startTransaction().execute();
  await switching.updateTable('cohorts').set({ needsSecondApprover: true }).where('id', '=', cohortId).execute();
  const acts = [
    asBea.call(approveStipend, of(pending)),
    asBea.refused(markStipendPaid, paying(raised)),
    asBea.call(handOverWeek, { body: { weekNumber, cohortId } }),
  ] as const;
  await vi.waitFor(async () => {
    const waiting = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
    expect(waiting.rows.length).toBe(acts.length);
  });
  await switching.commit().execute();
  const [approved, refused, sent] = await Promise.all(acts);
  expect(approved).toMatchObject({ paymentStatus: 'pending', firstApproval: { byName: 'Bea Board' } });
  expect(refused.problem).toMatchObject({ code: 'conflict', detail: expect.stringContaining('Another admin') });
  expect(sent).toMatchObject({ status: 'nothing_to_send', heldBack: 1 });

  // In whatever order they meet, nobody gets an error of the database.
  const seen = (await figuresOf(asBea, { week: weekNumber, cohort: cohortId })).pending;
  expect(seen.versions).not.toBe(summary.pending.versions);
  await app.db.updateTable('cohorts').set({ needsSecondApprover: false }).where('id', '=', cohortId).execute();
  const [, week] = await Promise.all([
    asAda.call(setSecondApprover, { params: { id: cohortId }, body: { isNeeded: true } }),
    asBea.call(approveWeek, { body: { weekNumber, cohortId, seen } }),
  ]);
  expect(week.approved + week.firstApproved + week.skipped).toBe(2);
  expect(await linesOf(alone.id)).toHaveLength(1);
});

test('no path approves a stipend of such a cohort with one person', async () => {
  const { id, cohortId } = await buildStipend(app.db, { weekNumber: 4 });
  await app.db.updateTable('cohorts').set({ needsSecondApprover: true }).where('id', '=', cohortId).execute();
  const change = app.db
    .updateTable('stipendEligibility')
    .set({ paymentStatus: 'approved', approvedBy: ada.id, approvedAt: new Date() })
    .where('id', '=', id);
  await expect(change.execute()).rejects.toThrow(/two admins/);
});

test('one admin who switches the second approver off only asks for it; another one has to agree', async () => {
  const { id } = await buildCohort(app.db);
  const params = { id };
  expect(await asAda.call(setSecondApprover, { params, body: { isNeeded: true } })).toEqual({
    isNeeded: true,
    askedOff: null,
  });
  const asked = await asAda.call(setSecondApprover, { params, body: { isNeeded: false } });
  expect(asked).toMatchObject({ isNeeded: true, askedOff: { byName: 'Ada Admin', isOwn: true } });
  // She asks again, and once as if to confirm it. It is still only hers.
  for (const confirms of [false, true]) {
    expect(await asAda.call(setSecondApprover, { params, body: { isNeeded: false, confirms } })).toMatchObject({
      isNeeded: true,
    });
  }
  expect((await asBea.refused(setSecondApprover, { params, body: { isNeeded: false } })).problem.code).toBe('stale');
  const { cohorts } = await asBea.call(listStipendCohorts);
  expect(cohorts.find((cohort) => cohort.id === id)).toMatchObject({
    needsSecondApprover: true,
    askedOff: { byName: 'Ada Admin', isOwn: false },
  });
  const told = await app.db.selectFrom('notices').select('title').where('userId', '=', bea.id).execute();
  expect(told.map(({ title }) => title)).toContain('Ada Admin asks for only one approver');

  // Keeping it takes the question back, and nobody can agree to it any more.
  expect(await asBea.call(setSecondApprover, { params, body: { isNeeded: true } })).toEqual({
    isNeeded: true,
    askedOff: null,
  });
  expect(
    (await asBea.refused(setSecondApprover, { params, body: { isNeeded: false, confirms: true } })).problem.code,
  ).toBe('stale');
  await asAda.call(setSecondApprover, { params, body: { isNeeded: false } });
  expect(await asBea.call(setSecondApprover, { params, body: { isNeeded: false, confirms: true } })).toEqual({
    isNeeded: false,
    askedOff: null,
  });
  const audited = await app.db
    .selectFrom('auditLog')
    .select(['action', 'actorId'])
    .where('subjectId', '=', id)
    .orderBy('at')
    .orderBy('id')
    .execute();
  expect(audited.map(({ action, actorId }) => `${action} ${actorId === ada.id ? 'Ada' : 'Bea'}`)).toEqual([
    'cohort.set_second_approver Ada',
    'cohort.ask_one_approver Ada',
    'cohort.keep_second_approver Bea',
    'cohort.ask_one_approver Ada',
    'cohort.set_second_approver Bea',
  ]);
});

test('what was asked by somebody who is no admin any more cannot be agreed to', async () => {
  const { id } = await buildCohort(app.db, { needsSecondApprover: true });
  const gone = await buildAdmin(app.db, { firstName: 'Gwen' });
  await (await app.as(gone)).call(setSecondApprover, { params: { id }, body: { isNeeded: false } });
  await app.db.updateTable('profiles').set({ role: 'coach' }).where('id', '=', gone.id).execute();
  const refusal = await asBea.refused(setSecondApprover, { params: { id }, body: { isNeeded: false, confirms: true } });
  expect(refusal.problem.code).toBe('stale');
  expect(await asBea.call(setSecondApprover, { params: { id }, body: { isNeeded: false } })).toMatchObject({
    isNeeded: true,
    askedOff: { byName: 'Bea Board' },
  });
});

test('switching asks for a fresh proof', async () => {
  const { id } = await buildCohort(app.db, { needsSecondApprover: true });
  const old = await app.as(ada);
  const longAgo = new Date(Date.now() - 24 * 3_600_000);
  await app.db
    .updateTable('auth.session')
    .set({ createdAt: longAgo, provedAt: longAgo })
    .where('userId', '=', ada.id)
    .execute();
  expect((await old.refused(setSecondApprover, { params: { id }, body: { isNeeded: false } })).problem.code).toBe(
    'proof_required',
  );
  expect((await asBea.call(listStipends, { query: { week: 1 } })).rows.length).toBeGreaterThan(0);
});
