import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { specifiedRules } from '#contract/default-programme.ts';
import { handOverWeek, markStipendPaid } from '#contract/payments.ts';
import { isAmountUnusual } from '#contract/stipend-rules.ts';
import { listStipendWeeksOf } from '#contract/stipend-weeks.ts';
import { approveStipend, approveStipendAmount, changeStipendAmount, readStipend } from '#contract/stipends.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import type { Client, TestApp } from '#test/support/app.ts';
import { startPayingApp } from '#test/support/paying-app.ts';
import type { PaymentSystem } from '#test/support/payment-system.ts';

const ruleCents = specifiedRules.amounts.perPeriodCents;
const unusualAboveCents = 2 * ruleCents;

let receiver: PaymentSystem;
let app: TestApp;
let ada: Client;
let bea: Client;

beforeAll(async () => {
  ({ app, receiver } = await startPayingApp());
  ada = await app.as(await buildAdmin(app.db, { firstName: 'Ada' }));
  bea = await app.as(await buildAdmin(app.db, { firstName: 'Bea' }));
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

/** Only Ada set and approved it, in a cohort that needs one approver. */
async function setAndApproved(amountCents: number, weekNumber: number) {
  const { id, version } = await buildStipend(app.db, { weekNumber });
  const params = { id };
  const changed = await ada.call(changeStipendAmount, { params, body: { version, amountCents } });
  const approved = await ada.call(approveStipend, { params, body: { version: changed.version } });
  return { params, approved };
}

test('an amount above twice the rule is neither sent nor paid before another admin approves it, in any cohort', async () => {
  const weekNumber = 2;
  const { params, approved } = await setAndApproved(unusualAboveCents + 1, weekNumber);
  expect(approved).toMatchObject({ paymentStatus: 'approved', amountAwaitsApproval: true });
  expect(approved.approvalRefusal).toBe('You changed the amount of this stipend. Another admin has to approve it.');
  const { version, fellowId } = approved;
  const { totals } = await ada.call(listStipendWeeksOf, { params: { id: fellowId }, query: {} });
  expect(totals.earnedCents).toBe(0);
  const paid = { params, body: { version, reference: 'CHK 1' } };
  expect((await ada.refused(markStipendPaid, paid)).problem.code).toBe('conflict');
  expect((await ada.refused(approveStipendAmount, { params, body: { version } })).problem.code).toBe('conflict');
  const held = await ada.call(handOverWeek, { body: { weekNumber } });
  expect(held).toMatchObject({ status: 'nothing_to_send', heldBack: 1 });

  const released = await bea.call(approveStipendAmount, { params, body: { version } });
  expect(released.amountAwaitsApproval).toBe(false);
  expect(await ada.call(handOverWeek, { body: { weekNumber } })).toMatchObject({ status: 'sent', recipients: 1 });
});

test('twice the rule itself takes one admin, and an amount that another admin approves waits for nobody', async () => {
  const weekNumber = 3;
  const { approved } = await setAndApproved(unusualAboveCents, weekNumber);
  expect(approved.amountAwaitsApproval).toBe(false);
  const { id, version } = await buildStipend(app.db, { weekNumber });
  const params = { id };
  const changed = await ada.call(changeStipendAmount, { params, body: { version, amountCents: 200_000 } });
  await bea.call(approveStipend, { params, body: { version: changed.version } });
  expect((await bea.call(readStipend, { params })).amountAwaitsApproval).toBe(false);
  expect(await ada.call(handOverWeek, { body: { weekNumber } })).toMatchObject({ status: 'sent', recipients: 2 });
});

test('the database has the same amounts as the contract, and one rule for who may be second', async () => {
  const { rows } = await sql<{ rule: number; at: boolean; above: boolean; second: boolean[] }>`
    select stipend_rule_cents() as rule, is_amount_unusual(${unusualAboveCents}, stipend_rule_cents()) as at,
      is_amount_unusual(${unusualAboveCents} + 1, stipend_rule_cents()) as above,
      array[may_be_second(one, array[two]), may_be_second(one, array[two, one]), may_be_second(one, array[null::uuid]),
        may_be_second(one, '{}')] as second
    from (select gen_random_uuid() as one, gen_random_uuid() as two) people`.execute(app.db);
  expect([0, 1].map((more) => isAmountUnusual(unusualAboveCents + more, ruleCents))).toEqual([false, true]);
  expect(rows).toEqual([{ rule: ruleCents, at: false, above: true, second: [true, false, true, true] }]);
});
