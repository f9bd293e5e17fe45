import { AsyncLocalStorage } from 'node:async_hooks';

let readClock = (): Date => new Date();
const pastInstant = new AsyncLocalStorage<Date>();

/**
 * The present instant. The rules of the training program ask here, never `new Date()`, so that a test can stand in
 * another week.
 */
export function now(): Date {
  return pastInstant.getStore() ?? readClock();
}

/**
 * Runs an act as if it happened at an earlier instant. Only the act stands there, and what it opens, such as a connection:
 * so it is given an open one. What the process does beside it has its own clock. The filling of the demo and the seed
 * call it.
 */
export function standingAt<Result>(instant: Date, act: () => Promise<Result>): Promise<Result> {
  return pastInstant.run(instant, act);
}

/** The present instant as a value of a statement. It is read when the statement is sent. */
export const presentInstant = { toPostgres: () => now().toISOString() };

/** Replaces the clock and returns the way back. Only tests call it. */
export function replaceClock(read: () => Date): () => void {
  const previous = readClock;
  readClock = read;
  return () => {
    readClock = previous;
  };
}

/**
 * The machine's clock, for which nothing stands in. What the database or another machine compares with its own clock asks
 * here: ends of sessions and tokens, signatures, times at which jobs begin, ids in their order.
 */
export function machineTime(): Date {
  return new Date();
}

/**
 * Milliseconds that go on evenly, also if somebody sets the machine's clock meanwhile. What waits for its turn asks here:
 * by a clock that was set back an hour, its turn would come an hour late.
 */
export function steadyTime(): number {
  return performance.timeOrigin + performance.now();
}
