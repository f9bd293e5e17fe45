import { sql } from 'kysely';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import type {
  approveStipends as approveContract,
  denyStipends as denyContract,
  RefusedStipend,
} from '#contract/stipend-sets.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { type AppError, notFound } from '#server/platform/errors.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { approvalRefusal, denialRefusal } from './stipend-access.ts';
import { lockStipendsInFull, versionRefusal } from './stipend-lock-access.ts';
import { recordOutcome } from './stipend-notices.ts';
import { approveRows } from './week-approval.ts';
import { deriveUndecided } from './week-derivation.ts';

type Seen = ParsedInputOf<typeof approveContract>['body']['rows'];
type Locked = Awaited<ReturnType<typeof lockStipendsInFull>>[number];

/**
 * Approves the rows for which nothing stands against it (STIP-39). Sent twice, the second one finds each row decided.
 * The new facts stay stored even where they lead to a refusal.
 */
export async function approveStipends(db: Db, actor: Actor, rows: Seen): Promise<ReplyOf<typeof approveContract>> {
  await refresh(db, rows);
  return inTransaction(db, async (transaction) => {
    const { open, refused } = await judge(transaction, actor, rows, approvalRefusal);
    const ids = open.map(({ id }) => id);
    return { ...(await approveRows(transaction, actor, ids)), refused };
  });
}

/** Denies the rows for which nothing stands against it, with one reason for all of them. */
export async function denyStipends(
  db: Db,
  actor: Actor,
  { rows, reason }: ParsedInputOf<typeof denyContract>['body'],
): Promise<ReplyOf<typeof denyContract>> {
  await refresh(db, rows);
  return inTransaction(db, async (transaction) => {
    const { open, refused } = await judge(transaction, actor, rows, denialRefusal);
    await transaction
      .updateTable('stipendEligibility')
      .set((row) => ({
        paymentStatus: 'denied',
        approvedBy: actor.id,
        approvedAt: now(),
        denialReason: reason,
        updatedAt: now(),
        version: row('version', '+', 1),
      }))
      .where(sql<boolean>`id = any(${open.map(({ id }) => id)}::uuid[])`)
      .execute();
    await recordOutcome(transaction, actor, open, 'denied', reason);
    return { denied: open.length, refused };
  });
}

function refresh(db: Db, rows: Seen): Promise<unknown> {
  return inTransaction(db, (transaction) => deriveUndecided(transaction, isAmong(rows)));
}

/** Locks the rows, and parts those that can be decided from the others. A row that is named twice counts once. */
async function judge(
  db: Db,
  actor: Actor,
  seen: Seen,
  refusalOf: (row: Locked, actor: Actor) => AppError | null,
): Promise<{ open: Locked[]; refused: RefusedStipend[] }> {
  const versions = new Map(seen.map(({ id, version }) => [id, version]));
  const locked = await lockStipendsInFull(db, actor, isAmong(seen));
  if (locked.length < versions.size) {
    throw notFound('Some of these stipends no longer exist. Please look at the list again.');
  }
  const judged = locked.map((row) => ({
    row,
    refusal: refusalOf(row, actor) ?? versionRefusal(row, versions.get(row.id)),
  }));
  return {
    open: judged.flatMap(({ row, refusal }) => (refusal ? [] : [row])),
    refused: judged.flatMap(({ row: { id, participantName }, refusal }) =>
      refusal ? [{ id, participantName, reason: refusal.message }] : [],
    ),
  };
}

function isAmong(rows: Seen) {
  return sql<boolean>`stipends.id = any(${rows.map(({ id }) => id)}::uuid[])`;
}
