import { vi } from 'vitest';

/**
 * Runs work whose limit of time is over once `meanwhile` has ended, however long that takes. A limit of some
 * milliseconds may be over before the work has come so far.
 */
export async function timesOutAfter<Result>(
  meanwhile: () => Promise<unknown>,
  work: () => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const limits = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  try {
    const over = meanwhile();
    const ending = over.finally(() => limit.abort(new DOMException('The time is over.', 'TimeoutError')));
    const [result] = await Promise.all([work(), ending]);
    return result;
  } finally {
    limits.mockRestore();
  }
}
