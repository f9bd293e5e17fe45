import { vi } from 'vitest';
import { waitInMs } from './patience.ts';

/** By default Vitest ends a wait after a second. */
const { waitFor, waitUntil } = vi;
vi.waitFor = (look, options) => waitFor(look, patient(options));
vi.waitUntil = (look, options) => waitUntil(look, patient(options));

function patient(options: number | { interval?: number; timeout?: number } = {}) {
  const { interval } = typeof options === 'number' ? {} : options;
  return { timeout: waitInMs, ...(interval === undefined ? {} : { interval }) };
}
