import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { lastHandoverOf } from './stipend-queries.ts';

/** Nobody else decides on the row, nor do its facts change, before the caller's transaction ends. */
export async function lockStipend(db: Db, stipendId: string) {
  // First the lock, then the look: in one statement what hangs on the row would be read as it was before the wait.
  await db
    .selectFrom('stipendEligibility')
    .select('id')
    .where('id', '=', stipendId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const stipend = await db
    .selectFrom('stipendEligibility')
    .innerJoin('cohorts', 'cohorts.id', 'stipendEligibility.cohortId')
    .selectAll('stipendEligibility')
    .select((eb) => [
      'cohorts.needsSecondApprover',
      sql<boolean>`amount_awaits_approval(stipend_eligibility)`.as('amountAwaitsApproval'),
      lastHandoverOf(eb.ref('stipendEligibility.id')).as('handover'),
    ])
    .where('stipendEligibility.id', '=', stipendId)
    .executeTakeFirst();
  if (!stipend) throw notFound('This stipend was not found.');
  return { ...stipend, overallEligible: Boolean(stipend.overallEligible) };
}

export function requireVersion(stipend: { version: number }, seen: number): void {
  if (stipend.version === seen) return;
  throw new AppError(
    'stale',
    'This row has changed since you opened the page. It now shows the new facts; please decide again.',
  );
}
