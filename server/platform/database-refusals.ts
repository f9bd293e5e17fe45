import pg from 'pg';
import { AppError, storageIsFull } from './errors.ts';

const retryAfterSeconds = 5;
const diskFull = '53100';

/**
 * The refusal while the database is away. A write whose last answer was lost may have been saved or not, so the words
 * leave that open.
 */
export function databaseIsAway(cause: unknown): AppError {
  const detail = 'Switchyard is not available right now. Please try again in a moment.';
  return new AppError('unavailable', detail, { retryAfter: retryAfterSeconds, cause });
}

/**
 * Of the errors that PostgreSQL names: connections that ended (08, 57P01 to 57P05), ones that it has no resources for
 * (53), and what a server can't do that gives way to another one or whose disk fails (25006, 58030).
 */
const namesOfAway = /^(08...|53...|57P0[1-5]|25006|58030)$/;

/** The refusal for a statement that failed because the database is away or full; null where it failed by what it says. */
export function refusalOfStatement(error: unknown, isConnectionLost: boolean): AppError | null {
  if (error instanceof pg.DatabaseError && error.code === diskFull) return storageIsFull(error);
  if (error instanceof pg.DatabaseError && error.code && namesOfAway.test(error.code)) return databaseIsAway(error);
  return isConnectionLost ? databaseIsAway(error) : null;
}
