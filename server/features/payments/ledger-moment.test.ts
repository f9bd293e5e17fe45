import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changed } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { somebodyWaits } from '#test/support/waiting-statements.ts';
import { verifyLedger } from './ledger.ts';
import { writePayments } from './payments.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('a verification tells of one moment, even if a stipend is paid while it reads', async () => {
  const ada = await buildAdmin(app.db);
  const { id, fellowId } = await buildStipend(app.db, { paymentStatus: 'approved', approvedBy: ada.id });
  const { running } = await inTransaction(app.db, async (db) => {
    await sql`lock table stipend_eligibility`.execute(db);
    const running = verifyLedger(app.db);
    await somebodyWaits(app.db);
    const paid = [{ id, part: 1, paidCents: 40_000 }];
    await writePayments(db, paid, { at: new Date(), source: 'admin', recordedBy: ada.id, reference: 'CHK 1' });
    await changed(db, ['payments', 'stipends'], [fellowId]);
    return { running };
  });
  expect(await running).toMatchObject({ lines: 1, problems: [], differences: [] });
  expect(await verifyLedger(app.db)).toMatchObject({
    lines: 2,
    problems: [],
    differences: [`Stipend ${id} was paid 40000 cents; 50000 are owed.`],
  });
});
