import { useEffect } from 'react';
import { readSession } from '#contract/accounts.ts';
import { LiveChange, LiveNotice, listenLive } from '#contract/live.ts';
import { showToast, type Toast } from '../ui/toast.tsx';
import { queryClient, refresh } from './query-for.ts';

const toastTypes = ['success', 'error', 'warning', 'info'] as const;
const firstDelayInMs = 1_000;
const longestDelayInMs = 30_000;

/** While somebody is signed in: what changes for them on the server is read again here, and notices are shown. */
export function useLiveNews(userId: string | null): void {
  useEffect(() => (userId ? listen() : undefined), [userId]);
}

/** Returns the way to stop. A browser gives up for good after a refusal, so the stream is opened anew by ourselves. */
function listen(): () => void {
  let source: EventSource | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  const open = () => {
    source = new EventSource(listenLive.path);
    source.addEventListener('open', () => {
      // Whatever happened while nothing was heard is read again.
      if (failures > 0) void queryClient.invalidateQueries();
      failures = 0;
    });
    source.addEventListener('changed', ({ data }) => {
      const { endpoints } = LiveChange.parse(JSON.parse(data));
      void refresh(endpoints.map((name) => ({ name })));
    });
    source.addEventListener('notice', ({ data }) => {
      const { type, title, message } = LiveNotice.parse(JSON.parse(data));
      showToast({ type: toToastType(type), title, message });
    });
    source.addEventListener('resync', () => void queryClient.invalidateQueries());
    source.addEventListener('error', () => {
      source?.close();
      failures += 1;
      void refresh([readSession]);
      waiting = setTimeout(open, Math.min(longestDelayInMs, firstDelayInMs * 2 ** (failures - 1)));
    });
  };
  const openNow = () => {
    clearTimeout(waiting);
    source?.close();
    failures += 1;
    open();
  };
  open();
  window.addEventListener('online', openNow);
  return () => {
    clearTimeout(waiting);
    window.removeEventListener('online', openNow);
    source?.close();
  };
}

function toToastType(type: string): Toast['type'] {
  return toastTypes.find((known) => known === type) ?? 'info';
}
