import { useEffect } from 'react';
import { LiveChange, LiveNotice, listenLive } from '#contract/live.ts';
import { showToast, type Toast } from '../ui/toast.tsx';
import { queryClient, refresh } from './query-for.ts';

const toastTypes = ['success', 'error', 'warning', 'info'] as const;

/** While somebody is signed in: what changes for them on the server is read again here, and notices are shown. */
export function useLiveNews(userId: string | null): void {
  useEffect(() => {
    if (!userId) return;
    const source = new EventSource(listenLive.path);
    source.addEventListener('changed', (event) => {
      const { endpoints } = LiveChange.parse(JSON.parse(event.data));
      void refresh(endpoints.map((name) => ({ name })));
    });
    source.addEventListener('notice', (event) => {
      const { type, title, message } = LiveNotice.parse(JSON.parse(event.data));
      showToast({ type: toToastType(type), title, message });
    });
    source.addEventListener('resync', () => void queryClient.invalidateQueries());
    return () => source.close();
  }, [userId]);
}

function toToastType(type: string): Toast['type'] {
  return toastTypes.find((known) => known === type) ?? 'info';
}
