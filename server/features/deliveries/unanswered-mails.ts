import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { deliveriesTried } from '#server/platform/metrics.ts';
import { type Claim, waitingStatuses } from './delivery-state.ts';

/** Writes this before the line that ends the mail is sent. Throws if another try has taken the delivery over. */
export async function noteAwaitingAnswer(db: Db, claim: Claim): Promise<void> {
  const { numUpdatedRows } = await ofThisTry(db, claim)
    .set({ awaitingAnswerSince: sql<Date>`clock_timestamp()` })
    .where('triedUntil', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Error('Another try took this delivery over.');
}

/** An admin sees it in a list, and can ask the person and send it again. */
export async function giveUpUnanswered(db: Db, claim: Claim, how: string): Promise<void> {
  await ofThisTry(db, claim)
    .set({
      status: 'given_up',
      givenUpAt: sql<Date>`now()`,
      triedUntil: null,
      lastError: `It may have arrived: the mail server had all of it, and its answer was lost. ${how}`,
    })
    .execute();
  deliveriesTried.inc({ channel: 'mail', outcome: 'given_up' });
}

function ofThisTry(db: Db, { id, attempts }: Claim) {
  return db
    .updateTable('deliveries')
    .where('id', '=', id)
    .where('status', 'in', waitingStatuses)
    .where('attempts', '=', attempts);
}
