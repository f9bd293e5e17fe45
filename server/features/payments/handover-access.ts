import { type SqlBool, sql } from 'kysely';
import { AppError } from '#server/platform/errors.ts';

/** True while a `batch` is being sent. */
export const isBatchBusy = sql<boolean>`coalesce(batch.claimed_until > now(), false)`;

export function isInHandover(handoverId: string) {
  return sql<SqlBool>`stipends.id in (select stipend_id from stipend_handover_rows where handover_id = ${handoverId})`;
}

/** The reason why a batch cannot be taken back. */
export function recallRefusal({ status, isBeingSent }: { status: string; isBeingSent: boolean }): AppError | null {
  if (status === 'recalled') return new AppError('stale', 'This batch was recalled already.');
  if (status === 'sent') return new AppError('conflict', 'The payment system has accepted this batch already.');
  if (!isBeingSent) return null;
  return new AppError('conflict', 'This batch is being sent at this moment. Please look again in a minute.');
}
