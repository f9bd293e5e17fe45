import type { Db } from '#server/db/database.ts';
import { changed } from '#server/platform/telling.ts';
import type { LedgerReport } from './ledger.ts';

/** Keeps what a verification found, for the status page and the metrics. */
export async function recordVerification(
  db: Db,
  { lines, lastHash, problems, differences }: LedgerReport,
): Promise<void> {
  await db
    .insertInto('ledgerVerifications')
    .values({
      lines,
      lastHash,
      problems: problems.length,
      differences: differences.length,
      firstProblem: problems[0] ?? null,
    })
    .execute();
  await changed(db, 'payments', []);
}
