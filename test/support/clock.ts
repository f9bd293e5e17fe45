import { replaceClock } from '#server/platform/clock.ts';

type Clock = () => Date;

/** What stands in for the programme's clock. The last one shows the time. */
const stopped: Clock[] = [];
let letGoOn: () => void = () => undefined;

/** Stops the programme's clock at an instant until the returned function is called. */
export function stopClockAt(instant: string): () => void {
  return standIn(() => new Date(instant));
}

export interface StoppedClock {
  pass(seconds: number): void;
  restore(): void;
}

/** Stops the programme's clock now. Nothing that depends on the time changes until `pass` is called. */
export function stopClock(): StoppedClock {
  let moment = Date.now();
  const restore = standIn(() => new Date(moment));
  return {
    pass: (seconds) => {
      moment += seconds * 1000;
    },
    restore,
  };
}

/** Lets a stopped clock go on. Returns true if it was stopped. */
export function startClock(): boolean {
  const wasStopped = stopped.length > 0;
  for (const clock of [...stopped]) remove(clock);
  return wasStopped;
}

function standIn(clock: Clock): () => void {
  if (stopped.length === 0) letGoOn = replaceClock(() => (stopped.at(-1) ?? clock)());
  stopped.push(clock);
  return () => remove(clock);
}

function remove(clock: Clock): void {
  const place = stopped.indexOf(clock);
  if (place === -1) return;
  stopped.splice(place, 1);
  if (stopped.length === 0) letGoOn();
}
