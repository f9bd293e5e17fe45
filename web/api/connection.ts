import { useSyncExternalStore } from 'react';

/** 'unavailable': the server answered that it can do nothing just now. 'unanswered': the call reached no server. */
type Answer = 'answered' | 'unavailable' | 'unanswered';

let last: Answer = 'answered';
const listeners = new Set<() => void>();

/** Every call reports here how it was answered. A refusal counts as an answer. */
export function noteAnswer(answer: Answer): void {
  if (last === answer) return;
  last = answer;
  for (const listener of listeners) listener();
}

/** 'offline': the browser says that it has no network. The other values tell how the last call went. */
export function useConnection(): 'online' | 'offline' | Exclude<Answer, 'answered'> {
  return useSyncExternalStore(subscribe, () => {
    if (!navigator.onLine) return 'offline';
    return last === 'answered' ? 'online' : last;
  });
}

/** True if calls are of no use now, whatever the cause. */
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
