import type { Db } from '#server/db/database.ts';

/** How many lines the ledger has, and the hash of the last one. An empty ledger has no hash but zeros. */
export async function findLedgerEnd(db: Db): Promise<{ lines: number; lastHash: string }> {
  const last = await db
    .selectFrom('stipendLedger')
    .select(['position', 'hash'])
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { lines: last?.position ?? 0, lastHash: last?.hash ?? '0'.repeat(64) };
}
