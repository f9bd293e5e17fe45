import pg from 'pg';
import { AppError, storageIsFull } from './errors.ts';

const retryAfterSeconds = 5;
const diskFull = '53100';

/**
 * The refusal while the database is away. If the last answer of a write was lost, the write may have been saved or not.
 * So the words leave that open.
 */
export function databaseIsAway(cause: unknown): AppError {
  const detail = 'Switchyard is not available right now. Please try again in a moment.';
  return new AppError('unavailable', detail, { retryAfter: retryAfterSeconds, cause });
}

/**
 * PostgreSQL's errors for connections that ended (08, 57P01 to 57P05), for missing resources (53), and for a server
 * that gives way to another one or whose disk fails (25006, 58030).
 */
const namesOfAway = /^(08...|53...|57P0[1-5]|25006|58030)$/;

/**
 * The refusal for a statement that failed because the database is away or full. Null if its own content made it fail.
 */
export function refusalOfStatement(error: unknown, isConnectionLost: boolean): AppError | null {
  if (error instanceof pg.DatabaseError && error.code === diskFull) return storageIsFull(error);
  if (error instanceof pg.DatabaseError && error.code && namesOfAway.test(error.code)) return databaseIsAway(error);
  return isConnectionLost ? databaseIsAway(error) : null;
}
