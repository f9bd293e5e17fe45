import { useSyncExternalStore } from 'react';

let isAnswered = true;
const listeners = new Set<() => void>();

/** Every call says here whether the server answered it, whatever the answer was. */
export function noteAnswer(isNowAnswered: boolean): void {
  if (isAnswered === isNowAnswered) return;
  isAnswered = isNowAnswered;
  for (const listener of listeners) listener();
}

/** 'offline': the browser says that it has no network; 'unanswered': it has, but the last call reached no server. */
export function useConnection(): 'online' | 'offline' | 'unanswered' {
  return useSyncExternalStore(subscribe, () => {
    if (!navigator.onLine) return 'offline';
    return isAnswered ? 'online' : 'unanswered';
  });
}

/** Whether calls are of no use now, whatever the cause. */
export function useIsOffline(): boolean {
  return useConnection() !== 'online';
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
