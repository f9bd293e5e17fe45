import { availableParallelism, loadavg } from 'node:os';

const mostBusy = 30;

/** How many times as long things take here as where nothing else runs. */
export function busyness(load = loadavg()[0] ?? 1): number {
  return Math.min(mostBusy, Math.max(1, Math.ceil(load / availableParallelism())));
}

/**
 * What ends waits in vain, for all tests. None says how fast anything has to be: whatever comes at last, comes long
 * before, also on a machine that sixty others use, and in seconds on one of its own.
 */
/** For a browser to show something. */
export const lookInMs = 60_000 * busyness();
export const waitInMs = 180_000 * busyness();
export const testInMs = 600_000 * busyness();
export const startInMs = 90_000 * busyness();
