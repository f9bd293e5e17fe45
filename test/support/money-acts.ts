import fc from 'fast-check';
import { sql } from 'kysely';
import {
  handOverWeek,
  listReconciliation,
  markStipendPaid,
  recallHandover,
  takePaymentBack,
} from '#contract/payments.ts';
import { setSecondApprover } from '#contract/stipend-cohorts.ts';
import {
  approveStipend,
  approveStipendAmount,
  approveWeek,
  changeStipendAmount,
  denyStipend,
  listStipends,
  type StipendRow,
} from '#contract/stipends.ts';
import { tryHandover } from '#server/features/payments/handover-tries.ts';
import { newId } from '#server/platform/ids.ts';
import type { Client, TestApp } from './app.ts';
import { type PaymentAnswer, sendConfirmation, type startPaymentSystem } from './payment-system.ts';
import { figuresOf } from './stipend-figures.ts';

/** A cohort's week, and everybody who acts on its money. */
export interface MoneyWeek {
  app: TestApp;
  receiver: Awaited<ReturnType<typeof startPaymentSystem>>;
  secret: string;
  admins: { ada: Client; bea: Client; cleo: Client };
  cohortId: string;
  weekNumber: number;
  stipendIds: string[];
  /** Messages that the payment system sent before. */
  messages: Message[];
}

interface Message {
  messageId: string;
  body: { handover_id: string; reference: string; payments?: { participant_email: string; amount: number }[] };
}

const acts = [
  'approve',
  'approve second',
  'deny',
  'approve week',
  'lower',
  'raise',
  'set to nothing',
  'approve amount',
  'send',
  'send again',
  'retry',
  'recall',
  'confirm',
  'confirm under another name',
  'confirm one person',
  'confirm a part',
  'replay',
  'mark',
  'take back',
  'two approvers',
] as const;
export type Act = (typeof acts)[number];

/** After these, the payment system may learn of more than is owed, because an admin decided so. */
export const deliberate: Act[] = ['lower', 'set to nothing', 'send again', 'recall', 'mark', 'take back'];

const answer = fc.constantFrom<PaymentAnswer>({ status: 200 }, { status: 200 }, { status: 500 }, 'cut');
const step = fc.record({
  // Acts that lead further come up more often.
  act: fc.constantFrom<Act>(...acts, 'raise', 'raise', 'send', 'recall', 'confirm', 'take back', 'take back'),
  stipend: fc.nat(1),
  batch: fc.nat(1),
  answer,
});
type Step = typeof step extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Turns happen one after the other. The steps within a turn happen at once. */
export const schedules = fc.record({
  needsTwo: fc.constantFrom(false, false, true),
  begins: fc.constantFrom('pending', 'approved', 'handed over', 'handed over', 'marked'),
  answer,
  turns: fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
});
type Schedule = typeof schedules extends fc.Arbitrary<infer Drawn> ? Drawn : never;

const alone = { stipend: 0, batch: 0, answer: { status: 200 } } as const;
/** A whole run may miss this, because it is drawn so rarely: more is owed after a payment, and is paid too. */
export const furtherPart: Schedule = {
  needsTwo: false,
  begins: 'marked',
  answer: { status: 200 },
  turns: [[{ ...alone, act: 'raise' }], [{ ...alone, act: 'send' }], [{ ...alone, act: 'confirm' }]],
};

export async function runSchedule(week: MoneyWeek, { begins, answer: first, turns }: Schedule): Promise<void> {
  const begin = { stipend: 0, batch: 0, answer: first };
  if (begins === 'handed over') await runTurn(week, [{ ...begin, act: 'send' }]);
  if (begins === 'marked') await runTurn(week, [{ ...begin, act: 'mark' }]);
  for (const turn of turns) await runTurn(week, turn);
}

/** Refusals are answers like others. Only what stands afterwards counts. */
async function runTurn(week: MoneyWeek, steps: Step[]): Promise<void> {
  const { answers } = week.receiver;
  answers.splice(0, answers.length, ...steps.map(({ answer }) => answer));
  await Promise.allSettled(steps.map((one) => run(week, one)));
}

async function run(week: MoneyWeek, { act, stipend, batch }: Step): Promise<unknown> {
  const { admins, weekNumber, cohortId } = week;
  const { ada, bea, cleo } = admins;
  const params = { id: week.stipendIds[stipend] ?? '' };
  const where = { weekNumber, cohortId };
  if (act === 'send') return ada.call(handOverWeek, { body: where });
  if (act === 'confirm') return confirm(week, batch, 'PAY');
  if (act === 'confirm under another name') return confirm(week, batch, `PAY ${newId()}`);
  if (act === 'confirm one person') return confirmOne(week, batch, { stipendId: params.id, share: 1 });
  if (act === 'confirm a part') return confirmOne(week, batch, { stipendId: params.id, share: 0.5 });
  if (act === 'replay') return replay(week, batch);
  if (act === 'retry') return tryHandover(week.app.app, await batchAt(week, batch));
  if (act === 'recall') {
    return bea.call(recallHandover, { params: { id: await batchAt(week, batch) }, body: { reason: 'Out of order' } });
  }
  if (act === 'two approvers') {
    return cleo.call(setSecondApprover, { params: { id: cohortId }, body: { isNeeded: true } });
  }
  if (act === 'send again' || act === 'approve week') {
    const summary = await figuresOf(bea, { week: weekNumber, cohort: cohortId });
    if (act === 'approve week') return ada.call(approveWeek, { body: { ...where, seen: summary.pending } });
    return bea.call(handOverWeek, { body: { ...where, again: true, seen: summary.sentUnpaid } });
  }
  return decide(week, act, { params, version: await versionOf(week, params.id) });
}

async function versionOf({ app }: MoneyWeek, id: string): Promise<number> {
  const stipend = app.db.selectFrom('stipendEligibility').select('version').where('id', '=', id);
  return (await stipend.executeTakeFirstOrThrow()).version;
}

function decide({ admins }: MoneyWeek, act: Act, { params, version }: { params: { id: string }; version: number }) {
  const { ada, bea, cleo } = admins;
  const amounts: Partial<Record<Act, number>> = { lower: 45_000, raise: 62_500, 'set to nothing': 0 };
  const amountCents = amounts[act];
  if (amountCents !== undefined) {
    return ada.call(changeStipendAmount, { params, body: { version, amountCents, reason: 'Counted anew' } });
  }
  if (act === 'approve') return bea.call(approveStipend, { params, body: { version } });
  if (act === 'approve second') return cleo.call(approveStipend, { params, body: { version } });
  if (act === 'approve amount') return cleo.call(approveStipendAmount, { params, body: { version } });
  if (act === 'deny') return ada.call(denyStipend, { params, body: { version, reason: 'Not there' } });
  if (act === 'mark') return ada.call(markStipendPaid, { params, body: { version, reference: 'By hand' } });
  return bea.call(takePaymentBack, { params, body: { version, reason: 'Another person' } });
}

/** One of the week's batches, the youngest first. */
async function batchAt({ app, cohortId }: MoneyWeek, index: number): Promise<string> {
  const batches = await app.db
    .selectFrom('stipendHandovers')
    .select('id')
    .where('cohortId', '=', cohortId)
    .orderBy('id', 'desc')
    .execute();
  return batches[index % Math.max(batches.length, 1)]?.id ?? newId();
}

async function confirm(week: MoneyWeek, batch: number, reference: string): Promise<unknown> {
  const handoverId = await batchAt(week, batch);
  return tell(week, { messageId: newId(), body: { handover_id: handoverId, reference } });
}

async function confirmOne(week: MoneyWeek, batch: number, of: { stipendId: string; share: number }): Promise<unknown> {
  const handoverId = await batchAt(week, batch);
  const row = await week.app.db
    .selectFrom('stipendHandoverRows')
    .select(['participantEmail', 'amountCents'])
    .where('handoverId', '=', handoverId)
    .where('stipendId', '=', of.stipendId)
    .executeTakeFirst();
  if (!row?.participantEmail) return null;
  const payments = [{ participant_email: row.participantEmail, amount: (row.amountCents * of.share) / 100 }];
  return tell(week, { messageId: newId(), body: { handover_id: handoverId, reference: 'PAY', payments } });
}

function replay(week: MoneyWeek, index: number): Promise<unknown> | null {
  const message = week.messages[index % Math.max(week.messages.length, 1)];
  return message ? tell(week, message) : null;
}

function tell({ app, secret, messages }: MoneyWeek, message: Message): Promise<Response> {
  messages.push(message);
  return sendConfirmation(app.url, { ...message, secret });
}

/**
 * Does what people do about the rest when it is quiet again. They approve amounts, send, and take back what is stuck,
 * and the payment system pays what it has. Returns how many rounds it took. Throws after too many.
 */
export async function settle(week: MoneyWeek): Promise<number> {
  const { receiver, admins, weekNumber, cohortId } = week;
  receiver.answers.length = 0;
  for (let round = 1; round <= 6; round += 1) {
    if (!(await isAnyApproved(week))) return round;
    const { rows } = await admins.ada.call(listStipends, { query: { week: weekNumber, cohort: cohortId } });
    for (const row of rows) if (row.amountAwaitsApproval) await approveAmountBySomebody(week, row);
    const sent = await admins.ada.call(handOverWeek, { body: { weekNumber, cohortId } });
    if (sent.status === 'failed') await recallStuck(week);
    const batches = await sql<{ id: string }>`
      select id from stipend_handovers batch where cohort_id = ${cohortId} and (status = 'sent'
        or exists (select from stipend_confirmations told where told.handover_id = batch.id))`.execute(week.app.db);
    for (const { id } of batches.rows) {
      await tell(week, { messageId: newId(), body: { handover_id: id, reference: `SETTLED ${id}` } });
    }
  }
  throw new Error('Stipends stay approved although everything was done about them.');
}

async function isAnyApproved({ app, cohortId }: MoneyWeek): Promise<boolean> {
  const stipends = app.db.selectFrom('stipendEligibility').select('id').where('cohortId', '=', cohortId);
  return (await stipends.where('paymentStatus', '=', 'approved').executeTakeFirst()) !== undefined;
}

async function approveAmountBySomebody({ admins }: MoneyWeek, { id, version }: StipendRow): Promise<void> {
  const [first, second] = [admins.bea, admins.cleo];
  const input = { params: { id }, body: { version } };
  await first.call(approveStipendAmount, input).catch(() => second.call(approveStipendAmount, input));
}

async function recallStuck({ admins, cohortId }: MoneyWeek): Promise<void> {
  for (const kind of ['approved_not_sent', 'sent_not_paid'] as const) {
    const { rows } = await admins.ada.call(listReconciliation, { query: { kind, cohort: cohortId } });
    const stuck = new Set(rows.flatMap(({ handover, can }) => (can.recall && handover ? [handover.id] : [])));
    for (const id of stuck) {
      await admins.ada.call(recallHandover, { params: { id }, body: { reason: 'Nobody has it' } });
    }
  }
}
