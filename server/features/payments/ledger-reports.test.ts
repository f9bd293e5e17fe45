import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { changed } from '#server/platform/telling.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { buildAdmin } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { somebodyWaits } from '#test/support/waiting-statements.ts';
import { verifyLedger } from './ledger.ts';
import { findLedgerEnd } from './ledger-queries.ts';
import { recordVerification } from './ledger-verification.ts';
import { writePayments } from './payments.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

test('the end of an empty ledger is no line and zeros', async () => {
  expect(await findLedgerEnd(app.db)).toEqual({ lines: 0, lastHash: '0'.repeat(64) });
});

test('a verification tells of one moment, even if a stipend is paid while it reads', async () => {
  const ada = await buildAdmin(app.db);
  const { id, fellowId } = await buildStipend(app.db, { paymentStatus: 'approved', approvedBy: ada.id });
  const { running } = await inTransaction(app.db, async (db) => {
    await sql`lock table stipend_eligibility`.execute(db);
    const running = verifyLedger(app.db);
    await Promise.race([running, somebodyWaits(app.db)]);
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

test('the end of the ledger is its last line, and each verification keeps what it found, for those who watch', async () => {
  await buildStipend(app.db, { paymentStatus: 'approved' });
  const report = await verifyLedger(app.db);
  expect(report.lines).toBeGreaterThan(1);
  const end = { lines: report.lines, lastHash: report.lastHash };
  expect(await findLedgerEnd(app.db)).toEqual(end);

  const admin = await buildAdmin(app.db);
  const told = await toldBy(app, () => recordVerification(app.db, report));
  expect(told(admin)).toEqual(['payments']);
  const problems = ['Line 1 is missing.', 'Line 2 was changed.'];
  await recordVerification(app.db, { ...report, problems, differences: [] });
  const kept = app.db
    .selectFrom('ledgerVerifications')
    .select(['lines', 'lastHash', 'problems', 'differences', 'firstProblem'])
    .orderBy('problems');
  expect(await kept.execute()).toEqual([
    { ...end, problems: 0, differences: 1, firstProblem: null },
    { ...end, problems: 2, differences: 0, firstProblem: 'Line 1 is missing.' },
  ]);
});
