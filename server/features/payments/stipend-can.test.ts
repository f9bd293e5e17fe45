import { afterAll, beforeAll, expect, test } from 'vitest';
import { listReconciliation, reconciliationKinds } from '#contract/payments.ts';
import { readStipend, type StipendRow } from '#contract/stipends.ts';
import type { Db } from '#server/db/database.ts';
import { approveAmount, changeAmount } from '#server/features/stipends/stipend-amounts.ts';
import { decideStipend } from '#server/features/stipends/stipends.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError } from '#server/platform/errors.ts';
import { newId } from '#server/platform/ids.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { badlyRated, buildStipend } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { recallHandover } from './handover-recalls.ts';
import { renewPayee } from './payees.ts';
import { takePaymentBack } from './payment-reversals.ts';
import { markPaid } from './payments.ts';

let app: TestApp;
const admins: { actor: Actor; client: Client }[] = [];

beforeAll(async () => {
  app = await startTestApp();
  for (const firstName of ['Ada', 'Bea']) {
    const admin = await buildAdmin(app.db, { firstName });
    const actor: Actor = { ...admin, role: 'admin', trackType: null, sessionId: newId() };
    admins.push({ actor, client: await app.as(admin) });
  }
});
afterAll(() => app.close());

type Facts = Parameters<typeof buildStipend>[1];
type Make = () => Promise<string>;

const stipend = async (facts: Facts = {}) => (await buildStipend(app.db, facts)).id;
const approved = (facts: Facts = {}) => stipend({ paymentStatus: 'approved', ...facts });

async function ofTwo(id: string): Promise<string> {
  await app.db
    .updateTable('cohorts')
    .set({ needsSecondApprover: true })
    .where('id', 'in', (eb) => eb.selectFrom('stipendEligibility').select('cohortId').where('id', '=', id))
    .execute();
  return id;
}

function adminAt(index: number) {
  const admin = admins[index];
  if (!admin) throw new Error(`There is no admin ${index}.`);
  return admin;
}
const actorAt = (index: number) => adminAt(index).actor;

const versionOf = async (db: Db, id: string) =>
  (await db.selectFrom('stipendEligibility').select('version').where('id', '=', id).executeTakeFirstOrThrow()).version;

async function priced(id: string, amountCents: number): Promise<string> {
  await changeAmount(app.db, actorAt(0), id, { amountCents, version: await versionOf(app.db, id), reason: 'Anew' });
  return id;
}

async function noted(id: string, amountCents?: number): Promise<string> {
  const facts = { version: await versionOf(app.db, id), reference: 'CHK', amountCents };
  await markPaid(app.db, actorAt(0), id, facts);
  return id;
}

interface Batch {
  status: 'queued' | 'sent' | 'failed' | 'given_up' | 'recalled';
  part?: number;
  isBusy?: boolean;
  /** The payment system's message about it. */
  told?: { amountCents: number; outcome: string };
}

/** Makes a batch that holds only this stipend. */
async function inBatch(id: string, { status, part = 1, isBusy = false, told }: Batch): Promise<string> {
  const handoverId = newId();
  await app.db
    .insertInto('stipendHandovers')
    .values({
      id: handoverId,
      weekNumber: 1,
      body: '{"total_amount":500}',
      recipients: 1,
      totalCents: 50_000,
      status,
      createdBy: actorAt(0).id,
      sentAt: status === 'sent' ? new Date() : null,
      recallReason: status === 'recalled' ? 'Out of order' : null,
      claimedUntil: isBusy ? new Date(Date.now() + 3_600_000) : null,
    })
    .execute();
  await app.db
    .insertInto('stipendHandoverRows')
    .values({ handoverId, stipendId: id, amountCents: 50_000, part, isFirst: status !== 'recalled' })
    .execute();
  if (told) {
    const confirmationId = newId();
    await app.db
      .insertInto('stipendConfirmations')
      .values({ id: confirmationId, bodyHash: '', handoverId, reference: 'PAY' })
      .execute();
    await app.db
      .insertInto('stipendConfirmationRows')
      .values({ confirmationId, stipendId: id, ...told })
      .execute();
  }
  return id;
}

const states: Record<string, Make> = {
  'eligible, pending': () => stipend(),
  'not eligible': () => stipend(badlyRated),
  'no member any more': () => stipend({ isMember: false }),
  denied: () => stipend({ paymentStatus: 'denied' }),
  'two needed, nobody approved': async () => ofTwo(await stipend()),
  'two needed, the first approved': async () =>
    ofTwo(await stipend({ firstApprovedBy: actorAt(0).id, firstApprovedAt: new Date() })),
  'two needed, the amount set by the first, approved first by the second': async () => {
    const id = await priced(await ofTwo(await stipend()), 60_000);
    await decideStipend(app.db, actorAt(1), id, { decision: 'approved', version: await versionOf(app.db, id) });
    return id;
  },
  approved: () => approved(),
  'approved, of nothing': () => approved({ stipendAmountCents: 0 }),
  'approved, the amount changed where two are needed': async () => priced(await ofTwo(await approved()), 60_000),
  'in a queued batch': async () => inBatch(await approved(), { status: 'queued' }),
  'in a batch that is being sent': async () => inBatch(await approved(), { status: 'failed', isBusy: true }),
  'in a batch that failed': async () => inBatch(await approved(), { status: 'failed' }),
  'in a batch that was given up': async () => inBatch(await approved(), { status: 'given_up' }),
  'in a batch that was accepted': async () => inBatch(await approved(), { status: 'sent' }),
  'in a batch that was recalled': async () => inBatch(await approved(), { status: 'recalled' }),
  'in a batch that was recalled and accepted after all': async () =>
    inBatch(await approved(), { status: 'recalled', told: { amountCents: 1, outcome: 'conflict' } }),
  'paid elsewhere': () => stipend({ paymentStatus: 'paid' }),
  'noted as paid': async () => noted(await approved()),
  'noted as paid, after it was accepted': async () => noted(await inBatch(await approved(), { status: 'sent' })),
  'noted as paid, and told of the same amount': async () =>
    noted(await inBatch(await approved(), { status: 'sent', told: { amountCents: 50_000, outcome: 'paid_twice' } })),
  'noted as paid, and told of another amount': async () =>
    noted(await inBatch(await approved(), { status: 'sent', told: { amountCents: 45_000, outcome: 'paid_twice' } })),
  'noted as paid in part': async () => noted(await approved(), 45_000),
  'noted as paid too much': async () => noted(await approved(), 60_000),
  'raised after it was noted as paid': async () => priced(await noted(await approved()), 60_000),
  'raised after it was noted as paid, where two are needed': async () =>
    priced(await ofTwo(await noted(await approved())), 60_000),
  'the rest is on its way': async () =>
    inBatch(await priced(await noted(await approved()), 100_000), { status: 'failed', part: 2 }),
  'the rest was accepted': async () =>
    inBatch(await priced(await noted(await approved()), 100_000), { status: 'sent', part: 2 }),
  'the rest was recalled': async () =>
    inBatch(await priced(await noted(await approved()), 100_000), { status: 'recalled', part: 2 }),
  'the rest is noted too': async () => noted(await priced(await noted(await approved()), 60_000)),
  'taken back': async () => {
    const id = await noted(await approved());
    await takePaymentBack(app.db, actorAt(1), id, { version: await versionOf(app.db, id), reason: 'Another person' });
    return id;
  },
};

/** In each of these states, the person may have another name by now than the approved one. */
const renamable = [
  'eligible, pending',
  'denied',
  'approved',
  'in a batch that failed',
  'in a batch that was accepted',
  'in a batch that was recalled',
  'in a batch that was recalled and accepted after all',
  'noted as paid',
  'raised after it was noted as paid',
  'the rest was accepted',
  'the rest was recalled',
  'taken back',
];
const statesWithNames: Record<string, Make> = {
  ...states,
  ...Object.fromEntries(
    Object.entries(states)
      .filter(([state]) => renamable.includes(state))
      .map(([state, make]) => [`${state}, renamed since`, async () => renamed(await make())]),
  ),
};

async function renamed(id: string): Promise<string> {
  await app.db
    .updateTable('profiles')
    .set({ lastName: 'Renamed' })
    .where('id', 'in', (eb) => eb.selectFrom('stipendEligibility').select('fellowId').where('id', '=', id))
    .execute();
  return id;
}

type Act = (db: Db, actor: Actor, row: StipendRow) => Promise<unknown>;

/** The acts of an admin who sees a row. */
const acts: Record<keyof StipendRow['can'], Act> = {
  approve: (db, actor, { id, version }) => decideStipend(db, actor, id, { decision: 'approved', version }),
  deny: (db, actor, { id, version }) =>
    decideStipend(db, actor, id, { decision: 'denied', version, reason: 'Not there' }),
  changeAmount: (db, actor, { id, version }) =>
    changeAmount(db, actor, id, { amountCents: 12_300, version, reason: 'Counted anew' }),
  approveAmount: (db, actor, { id, version }) => approveAmount(db, actor, id, version),
  markPaid: (db, actor, { id, version }) => markPaid(db, actor, id, { version, reference: 'CHK 2' }),
  renewPayee: (db, actor, { id, version }) => renewPayee(db, actor, id, version),
  takePaymentBack: (db, actor, { id, version }) => takePaymentBack(db, actor, id, { version, reason: 'By mistake' }),
};

/** True if the act succeeds, in a transaction that is rolled back. Any error except a refusal fails the test. */
async function isDone(act: (db: Db) => Promise<unknown>): Promise<boolean> {
  const transaction = await app.db.startTransaction().execute();
  try {
    await act(transaction);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  } finally {
    await transaction.rollback().execute();
  }
}

test('STIP-39 what a row says that an admin can do is what the server does, in every state and for each of two admins', async () => {
  const seen = new Set<string>();
  for (const [state, make] of Object.entries(statesWithNames)) {
    const id = await make();
    for (const { actor, client } of admins) {
      const row = await client.call(readStipend, { params: { id } });
      const done: Record<string, boolean> = {};
      for (const [name, act] of Object.entries(acts)) {
        done[name] = await isDone((db) => act(db, actor, row));
        seen.add(`${name} ${done[name]}`);
      }
      expect({ state, by: actor.firstName, ...row.can }).toEqual({ state, by: actor.firstName, ...done });
    }
  }
  // Each act must be refused somewhere and done somewhere, or the comparison would say little.
  const names = Object.keys(acts).filter((name) => name !== 'changeAmount');
  expect(names.filter((name) => !seen.has(`${name} true`) || !seen.has(`${name} false`))).toEqual([]);

  const { actor, client } = adminAt(0);
  const recallWhileSent = new Set<boolean>();
  for (const kind of reconciliationKinds) {
    const { rows } = await client.call(listReconciliation, { query: { kind } });
    for (const { stipendId: id, version, handover, can } of rows) {
      const pay = (db: Db) => markPaid(db, actor, id, { version, reference: 'CHK 2' });
      expect(can.markPaid, `${kind} ${id}`).toBe(await isDone(pay));
      const recall = (db: Db) => recallHandover(db, actor, handover?.id ?? newId(), 'Out of order');
      expect(can.recall, `${kind} ${handover?.status}`).toBe(await isDone(recall));
      if (handover?.isBeingSent) recallWhileSent.add(can.recall);
    }
  }
  expect([...recallWhileSent]).toEqual([false]);
});
