import { execFile } from 'node:child_process';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { handOverWeek, markStipendPaid } from '#contract/payments.ts';
import { setSecondApprover } from '#contract/stipend-cohorts.ts';
import { approveStipend, approveWeek, changeStipendAmount, denyStipend } from '#contract/stipends.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { sizeOf } from '#test/support/depth.ts';
import { figuresOf } from '#test/support/stipend-figures.ts';
import { verifyLedger, verifyLedgerOf } from './ledger.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof buildAdmin>>;
let bea: Awaited<ReturnType<typeof buildAdmin>>;
let admin: Client;
let other: Client;

beforeAll(async () => {
  app = await startTestApp();
  ada = await buildAdmin(app.db);
  bea = await buildAdmin(app.db, { firstName: 'Bea', lastName: 'Board' });
  admin = await app.as(ada);
  other = await app.as(bea);
});
afterAll(() => app.close());
beforeEach(async () => {
  expect((await verifyLedger(app.db)).problems).toEqual([]);
});

function linesOf(stipendId: string) {
  return app.db
    .selectFrom('stipendLedger')
    .select(['kind', 'actorId', 'owedCents', 'paidCents', 'reason'])
    .where('stipendId', '=', stipendId)
    .orderBy('position')
    .execute();
}

/** Writes a batch as the acts do. Its only line in the ledger is the last. */
async function buildSentBatch() {
  const casey = await buildParticipant(app.db, { firstName: 'Casey' });
  const { id: stipendId } = await buildStipend(app.db, {
    fellowId: casey.id,
    paymentStatus: 'approved',
    weekNumber: 8,
  });
  const { handoverId } = await admin.call(handOverWeek, { body: { weekNumber: 8 } });
  if (!handoverId) throw new Error('No batch was made.');
  await app.db
    .insertInto('stipendHandoverTries')
    .values({ handoverId, finishedAt: new Date(), responseStatus: 200 })
    .execute();
  await app.db
    .updateTable('stipendHandovers')
    .set({ status: 'sent', sentAt: new Date(), claimedUntil: null })
    .where('id', '=', handoverId)
    .execute();
  return { stipendId, handoverId };
}

/** A transaction that a failed test left open would keep the app from closing. */
async function rolledBack<Found>(act: (transaction: TestApp['db']) => Promise<Found>): Promise<Found> {
  const transaction = await app.db.startTransaction().execute();
  return act(transaction).finally(() => transaction.rollback().execute());
}

const guardedTables = ['ledger', 'eligibility', 'payment_parts', 'handovers', 'handover_rows', 'handover_tries'].map(
  (name) => `stipend_${name}`,
);
const of = (stipend: { id: string; version: number }) => ({
  params: { id: stipend.id },
  body: { version: stipend.version },
});

test('change, approval and payment are lines with who, before and after, and what is owed is their sum', async () => {
  const stipend = await buildStipend(app.db);
  const changed = await admin.call(changeStipendAmount, {
    params: { id: stipend.id },
    body: { version: 1, amountCents: 60_000 },
  });
  const approved = await other.call(approveStipend, of(changed));
  const adjusted = await admin.call(changeStipendAmount, {
    params: { id: stipend.id },
    body: { version: approved.version, amountCents: 55_000 },
  });
  const paid = await admin.call(markStipendPaid, {
    params: { id: stipend.id },
    body: { version: adjusted.version, reference: 'CHK 7' },
  });
  expect(paid).toMatchObject({
    paymentStatus: 'paid',
    payment: { amountCents: 55_000, byName: 'Ada Admin', reference: 'CHK 7' },
    can: { approve: false, deny: false, markPaid: false, changeAmount: true },
  });
  expect(await linesOf(stipend.id)).toEqual([
    { kind: 'amount', actorId: ada.id, owedCents: 0, paidCents: 0, reason: null },
    { kind: 'approval', actorId: bea.id, owedCents: 60_000, paidCents: 0, reason: null },
    { kind: 'amount', actorId: ada.id, owedCents: -5_000, paidCents: 0, reason: null },
    { kind: 'payment', actorId: ada.id, owedCents: 0, paidCents: 55_000, reason: null },
  ]);
  const balance = await app.db
    .selectFrom('stipendBalances')
    .select(['owedCents', 'paidCents'])
    .where('stipendId', '=', stipend.id)
    .executeTakeFirst();
  expect(balance).toEqual({ owedCents: 55_000, paidCents: 55_000 });
});

test('a denial is a line that adds nothing', async () => {
  const stipend = await buildStipend(app.db);
  await admin.call(denyStipend, { ...of(stipend), body: { ...of(stipend).body, reason: 'Not there' } });
  expect(await linesOf(stipend.id)).toMatchObject([
    { kind: 'denial', actorId: ada.id, owedCents: 0, reason: 'Not there' },
  ]);
});

test('no line can be changed or removed, not by the owner of the table either', async () => {
  await buildStipend(app.db, { paymentStatus: 'approved' });
  for (const statement of [
    sql`update stipend_ledger set owed_cents = 1`,
    sql`delete from stipend_ledger`,
    sql`truncate stipend_ledger`,
    sql`truncate stipend_eligibility cascade`,
    sql`update stipend_payment_parts set amount_cents = 1`,
    sql`delete from stipend_payment_parts`,
    sql`delete from stipend_payment_reversals`,
    sql`delete from stipend_handovers`,
    sql`truncate stipend_handovers cascade`,
    sql`delete from stipend_handover_rows`,
    sql`delete from stipend_handover_tries`,
  ]) {
    await expect(statement.execute(app.db)).rejects.toThrow(/append-only/);
  }
  const granted = await sql<{ privilege: string }>`
    select privilege_type as privilege from information_schema.table_privileges
    where (table_name in ('stipend_ledger', 'stipend_confirmations', 'stipend_confirmation_rows')
        and privilege_type in ('UPDATE', 'DELETE', 'TRUNCATE'))
      or (table_name in ('stipend_handovers', 'stipend_handover_rows', 'stipend_handover_tries')
        and privilege_type in ('DELETE', 'TRUNCATE'))`.execute(app.db);
  expect(granted.rows).toEqual([]);
});

test('what a batch holds does not change, nor does a batch that was sent, also for a session that skips triggers', async () => {
  const { stipendId, handoverId } = await buildSentBatch();
  for (const replays of [false, true]) {
    for (const { by, refused } of [
      { by: sql`update stipend_handovers set body = 'other' where id = ${handoverId}`, refused: /what a batch holds/ },
      { by: sql`update stipend_handovers set total_cents = 1 where id = ${handoverId}`, refused: /what a batch holds/ },
      {
        by: sql`update stipend_handovers set status = 'queued', sent_at = null where id = ${handoverId}`,
        refused: /a batch that was sent stays so/,
      },
      {
        by: sql`update stipend_handover_rows set amount_cents = 1 where handover_id = ${handoverId}`,
        refused: /what was handed over/,
      },
      { by: sql`delete from stipend_handover_rows where handover_id = ${handoverId}`, refused: /append-only/ },
    ]) {
      await rolledBack(async (transaction) => {
        if (replays) await sql`set local session_replication_role = replica`.execute(transaction);
        await expect(by.execute(transaction)).rejects.toThrow(refused);
      });
    }
  }
  await rolledBack(async (skipping) => {
    await sql`set local session_replication_role = replica`.execute(skipping);
    const less = sql`update stipend_eligibility set stipend_amount_cents = 99, amount_reason = 'Less' where id = ${stipendId}`;
    await less.execute(skipping);
    expect((await verifyLedgerOf(skipping)).problems, 'the line is written all the same').toEqual([]);
  });
});

test('a decision cannot be taken back behind the ledger', async () => {
  for (const [from, to] of [
    ['approved', 'pending'],
    ['approved', 'denied'],
    ['denied', 'approved'],
    ['paid', 'approved'],
  ] as const) {
    const { id } = await buildStipend(app.db, { paymentStatus: from });
    const decision = to === 'pending' ? { approvedBy: null, approvedAt: null } : { denialReason: null };
    const change = app.db
      .updateTable('stipendEligibility')
      .set({ paymentStatus: to, ...decision })
      .where('id', '=', id);
    await expect(change.execute()).rejects.toThrow(`a stipend that is ${from} does not become ${to}`);
  }
});

test('a person who changes a line, cuts one out or off, or changes a stipend behind it, is found out', async () => {
  await buildStipend(app.db, { paymentStatus: 'approved', weekNumber: 9 });
  await buildStipend(app.db, { paymentStatus: 'denied', weekNumber: 9 });
  const last = await buildStipend(app.db, { paymentStatus: 'approved', weekNumber: 9 });
  const noted = await buildStipend(app.db, { paymentStatus: 'approved', weekNumber: 9 });
  const paid = await admin.call(markStipendPaid, {
    params: { id: noted.id },
    body: { version: noted.version, reference: 'CHK 9' },
  });
  const { stipendId: handedId, handoverId } = await buildSentBatch();
  const { lines } = await verifyLedger(app.db);
  const tampering = [
    {
      by: sql`update stipend_ledger set owed_cents = 1 where position = ${lines - 2}`,
      problem: /was changed after it/,
    },
    {
      by: sql`update stipend_ledger set actor_id = ${bea.id} where position = ${lines}`,
      problem: /was changed after it/,
    },
    {
      by: sql`update stipend_ledger set previous_hash = repeat('f', 64) where position = ${lines}`,
      problem: new RegExp(`Line ${lines} does not follow the line before it`),
    },
    { by: sql`delete from stipend_ledger where position = ${lines - 1}`, problem: /is missing/ },
    {
      by: sql`delete from stipend_ledger where position = ${lines}`,
      problem: new RegExp(`Batch ${handoverId} holds 50000 cents for stipend .*; the ledger has no line`),
    },
    {
      by: sql`update stipend_eligibility set stipend_amount_cents = 99 where id = ${last.id}`,
      problem: new RegExp(`Stipend ${last.id} is approved with 99 cents; the ledger has 50000 owed`),
    },
    {
      by: sql`update stipend_handover_rows set amount_cents = 99 where handover_id = ${handoverId}`,
      problem: new RegExp(`Batch ${handoverId} holds 99 cents for stipend .*; the ledger has 50000 cents`),
    },
    {
      by: sql`update stipend_handovers set total_cents = 99 where id = ${handoverId}`,
      problem: new RegExp(
        `Batch ${handoverId} says 1 rows of 99 cents; it holds 1 of 50000[^]*The body of batch ${handoverId} was`,
      ),
    },
    {
      by: sql`update stipend_handovers set body = replace(body, 'Casey', 'Carey') where id = ${handoverId}`,
      problem: new RegExp(`The body of batch ${handoverId} was changed`),
    },
    {
      by: sql`update stipend_handovers set body = '{}' where id = ${handoverId}`,
      problem: new RegExp(`The body of batch ${handoverId} was changed`),
    },
    {
      by: sql`update stipend_eligibility set approved_by = ${bea.id} where id = ${last.id}`,
      problem: new RegExp(`Stipend ${last.id} names another approver or time of the decision than the ledger`),
    },
    {
      by: sql`update stipend_eligibility set amount_set_by = ${bea.id} where id = ${last.id}`,
      problem: new RegExp(`Stipend ${last.id} names another person who set the amount than the ledger`),
    },
    {
      by: sql`update stipend_eligibility set amount_approved_by = ${bea.id}, amount_approved_at = now()
        where id = ${last.id}`,
      problem: new RegExp(`Stipend ${last.id} names another approver of the amount than the ledger`),
    },
    {
      by: sql`update stipend_eligibility set first_approved_by = ${bea.id}, first_approved_at = now()
        where id = ${last.id}`,
      problem: new RegExp(`Stipend ${last.id} names another first approver than the ledger`),
    },
    {
      by: sql`update stipend_payment_parts set reference = 'CHK 10' where stipend_id = ${paid.id}`,
      problem: new RegExp(
        `Stipend ${paid.id}: a payment of 50000 cents is in the ledger, and not on record[^]*is on record, and the ledger`,
      ),
    },
    {
      by: sql`insert into stipend_payment_parts (stipend_id, part, amount_cents, source, reference, handover_id)
        values (${handedId}, 1, 50000, 'confirmation', 'PAY 1', ${handoverId})`,
      problem: new RegExp(
        `Stipend ${handedId}: its payment of 50000 cents by the payment system comes from no message`,
      ),
    },
    {
      by: sql`with message as (
          insert into stipend_confirmations (id, body_hash, handover_id, reference)
          values ('msg-1', '', ${handoverId}, 'PAY 1') returning id)
        insert into stipend_confirmation_rows (confirmation_id, stipend_id, amount_cents, outcome)
        select id, ${handedId}, 50000, 'paid' from message`,
      problem: new RegExp(`Stipend ${handedId}: message msg-1 .* its payment of 50000 cents, which is not on record`),
    },
    {
      by: sql`update stipend_handovers set status = 'recalled', sent_at = null, recall_reason = 'Out of order'
        where id = ${handoverId}`,
      problem: new RegExp(`Batch ${handoverId} is recalled; the ledger has 0 of its 1 rows as recalled`),
    },
    {
      by: sql`update stipend_handover_tries set response_status = 500 where handover_id = ${handoverId}`,
      problem: new RegExp(`Batch ${handoverId} counts as accepted, and no answer`),
    },
  ];
  for (const { by, problem } of tampering) {
    const problems = await rolledBack(async (transaction) => {
      await sql`set local session_replication_role = replica`.execute(transaction);
      for (const table of guardedTables) {
        await sql`alter table ${sql.table(table)} disable trigger all`.execute(transaction);
      }
      await sql`grant all on stipend_ledger to current_user`.execute(transaction);
      await by.execute(transaction);
      return (await verifyLedgerOf(transaction)).problems;
    });
    expect(problems.join('\n')).toMatch(problem);
  }
});

/** Does what `npm run ledger:verify` does. */
function runVerify(...given: string[]) {
  const env = { PATH: process.env.PATH, DATABASE_URL: app.connectionString, DATA_DIR: app.app.config.dataDir };
  return new Promise<{ code: number; output: string; errors: string }>((resolve) => {
    execFile(process.execPath, ['scripts/ledger-verify.ts', ...given], { env }, (error, output, errors) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output, errors });
    });
  });
}

test('npm run ledger:verify ends well, with a hash to keep, or badly, with the first row that disagrees', async () => {
  const { id } = await buildStipend(app.db, { paymentStatus: 'approved', approvedBy: ada.id, weekNumber: 14 });
  const { lines, lastHash } = await verifyLedger(app.db);
  const right = await runVerify();
  expect(right).toMatchObject({ code: 0, errors: '' });
  expect(right.output).toContain(`${lines} lines, 0 problems, 0 paid otherwise than owed.`);
  expect(right.output).toContain(`Keep this elsewhere: ${lines}:${lastHash}`);

  const approvedBy = (by: string) =>
    app.db.updateTable('stipendEligibility').set({ approvedBy: by }).where('id', '=', id).execute();
  await approvedBy(bea.id);
  const wrong = await runVerify(`${lines}:${'0'.repeat(64)}`).finally(() => approvedBy(ada.id));
  expect(wrong.code).toBe(1);
  expect(wrong.errors).toContain(`Line ${lines} is not the one whose hash was kept`);
  expect(wrong.errors).toContain(`Stipend ${id} names another approver or time of the decision than the ledger.`);
  expect(wrong.output).toContain(`${lines} lines, 2 problems`);

  const odd = await runVerify('yesterday');
  expect(odd.code).toBe(1);
  expect(odd.errors).toContain('Expected <line>:<hash> of an earlier run');
});

test('a person who writes the whole ledger anew is found out by a hash that was kept elsewhere', async () => {
  const { lines, lastHash } = await verifyLedger(app.db);
  expect((await verifyLedger(app.db, { line: lines, hash: lastHash })).problems).toEqual([]);
  const [another] = (await verifyLedger(app.db, { line: lines, hash: '0'.repeat(64) })).problems;
  expect(another).toBe(`Line ${lines} is not the one whose hash was kept: the ledger was written anew.`);
  const [missing] = (await verifyLedger(app.db, { line: lines + 1, hash: lastHash })).problems;
  expect(missing).toBe(`Line ${lines + 1}, whose hash was kept, is not there.`);
});

test('different stipends approved at once are as many lines of one chain', async () => {
  const count = sizeOf({ usual: 10, deep: 50 });
  const stipends = [];
  for (let index = 0; index < count; index += 1) stipends.push(await buildStipend(app.db, { weekNumber: 10 }));
  await Promise.all(stipends.map((stipend, index) => (index % 2 ? admin : other).call(approveStipend, of(stipend))));
  const { problems } = await verifyLedger(app.db);
  expect(problems).toEqual([]);
  const lines = await app.db
    .selectFrom('stipendLedger')
    .select('kind')
    .where(
      'stipendId',
      'in',
      stipends.map(({ id }) => id),
    )
    .execute();
  expect(lines.map(({ kind }) => kind)).toEqual(Array.from({ length: count }, () => 'approval'));
});

test('a cohort that needs two approvers gets two people, the second not the one who changed the amount', async () => {
  const stipend = await buildStipend(app.db, { weekNumber: 11 });
  await admin.call(setSecondApprover, { params: { id: stipend.cohortId }, body: { isNeeded: true } });
  const first = await admin.call(approveStipend, of(stipend));
  expect(first).toMatchObject({
    paymentStatus: 'pending',
    firstApproval: { byName: 'Ada Admin' },
    can: { approve: false, deny: true },
    approvalRefusal: 'You approved this stipend first. Another admin has to approve it too.',
  });
  expect((await admin.refused(approveStipend, of(first))).problem.code).toBe('conflict');

  const changed = await other.call(changeStipendAmount, {
    params: { id: stipend.id },
    body: { version: first.version, amountCents: 70_000 },
  });
  expect(changed.firstApproval).toBeNull();
  const again = await admin.call(approveStipend, of(changed));
  expect((await other.refused(approveStipend, of(again))).problem.detail).toContain('You changed the amount');
  const seen = (await figuresOf(other, { week: 11 })).pending;
  expect(await other.call(approveWeek, { body: { weekNumber: 11, seen } })).toEqual({
    approved: 0,
    firstApproved: 0,
    skipped: 1,
    own: 0,
  });
  const carol = await app.as(await buildAdmin(app.db, { firstName: 'Carol' }));
  expect(await carol.call(approveStipend, of(again))).toMatchObject({ paymentStatus: 'approved', firstApproval: null });
  expect((await linesOf(stipend.id)).map(({ kind }) => kind)).toEqual([
    'first_approval',
    'amount',
    'first_approval',
    'approval',
  ]);
});
