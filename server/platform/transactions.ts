import { setTimeout as pause } from 'node:timers/promises';
import { beforeCommitOf, type Db } from '#server/db/database.ts';
import { isOutdated } from '#server/db/named-statements.ts';
import { keepUnsaid } from './telling.ts';

const deadlockDetected = '40P01';
const mostTries = 3;
/** The pause is random, because two acts that begin anew at the same moment would meet again. */
const longestPauseInMs = 50;

/**
 * Runs an act in one transaction. Before the commit it derives what follows from the facts that the act changed, and
 * then tells what the act tells. If the database ends the transaction to resolve a deadlock, or because a statement of
 * it is outdated, none of it has happened and the act runs again from the start. So an act must do nothing outside of
 * the database that cannot be done twice.
 */
export async function inTransaction<Answer>(db: Db, act: (db: Db) => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(async (transaction) => {
        const close = beforeCommitOf(db);
        if (close) keepUnsaid(transaction);
        const answer = await act(transaction);
        await close?.(transaction);
        return answer;
      });
    } catch (error) {
      if (tries === mostTries || !(isDeadlock(error) || isOutdated(error))) throw error;
      await pause(Math.random() * longestPauseInMs);
    }
  }
}

/** PostgreSQL ended this transaction, so that another one goes on. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === deadlockDetected;
}
