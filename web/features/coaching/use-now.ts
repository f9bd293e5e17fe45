import { useSyncExternalStore } from 'react';
import { serverNow } from '../../api/session.ts';

const tickInMs = 5_000;

/** The present, rounded down to five seconds. A component that uses it is drawn again as time passes. */
export function useNow(): Date {
  return new Date(useSyncExternalStore(tick, presentTick));
}

function tick(onTick: () => void): () => void {
  const timer = setInterval(onTick, tickInMs);
  return () => clearInterval(timer);
}

function presentTick(): number {
  return Math.floor(serverNow() / tickInMs) * tickInMs;
}
