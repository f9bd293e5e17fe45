import { replaceClock } from '#server/platform/clock.ts';

/** Stops the programme's clock at an instant until the returned function is called. */
export function stopClockAt(instant: string): () => void {
  return replaceClock(() => new Date(instant));
}

export interface StoppedClock {
  pass(seconds: number): void;
  restore(): void;
}

/** Stops the programme's clock now. Nothing that depends on the time changes until `pass` is called. */
export function stopClock(): StoppedClock {
  let moment = Date.now();
  const restore = replaceClock(() => new Date(moment));
  return {
    pass: (seconds) => {
      moment += seconds * 1000;
    },
    restore,
  };
}
