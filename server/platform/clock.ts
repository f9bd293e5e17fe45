let readClock = (): Date => new Date();

/**
 * The present instant. The rules of the training program ask here, never `new Date()`, so that a test can stand in
 * another week.
 */
export function now(): Date {
  return readClock();
}

/** The present instant as a value of a statement. It is read when the statement is sent. */
export const presentInstant = { toPostgres: () => now().toISOString() };

/** Replaces the clock and returns the way back. Only test/support/clock.ts and the filling of the demo call it. */
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
