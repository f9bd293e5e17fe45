import { replaceClock } from '#server/platform/clock.ts';

/** Stops the programme's clock at an instant until the returned function is called. */
export function stopClockAt(instant: string): () => void {
  return replaceClock(() => new Date(instant));
}
