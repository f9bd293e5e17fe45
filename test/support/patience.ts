import { availableParallelism, loadavg } from 'node:os';

const mostBusy = 30;
/** A program that was changed on purpose often waits for what never comes. */
const haste = process.env.MUTATION_TESTS ? 15 : 1;

/** How many times as long things take here as on an idle machine. */
export function busyness(load = loadavg()[0] ?? 1): number {
  return Math.min(mostBusy, Math.max(1, Math.ceil(load / availableParallelism())));
}

/**
 * Limits that end a hopeless wait, for all tests. No limit says how fast anything must be. What succeeds does so long
 * before: even on a machine that sixty others use, and within seconds on an idle one.
 */
/** The limit for a browser to show something. */
export const lookInMs = 60_000 * busyness();
export const waitInMs = (180_000 * busyness()) / haste;
export const testInMs = (600_000 * busyness()) / haste;
export const startInMs = 90_000 * busyness();
