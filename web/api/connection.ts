import { useSyncExternalStore } from 'react';

let isAnswered = true;
const listeners = new Set<() => void>();

/** Every call says here whether the server answered it, whatever the answer was. */
export function noteAnswer(isNowAnswered: boolean): void {
  if (isAnswered === isNowAnswered) return;
  isAnswered = isNowAnswered;
  for (const listener of listeners) listener();
}

/** Whether the browser says that it has no network, or the last call did not reach the server. */
export function useIsOffline(): boolean {
  return useSyncExternalStore(subscribe, () => !navigator.onLine || !isAnswered);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
