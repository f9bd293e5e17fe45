import { useEffect } from 'react';
import { readSession } from '#contract/accounts.ts';
import { LiveChange, LiveNotice, listenLive } from '#contract/live.ts';
import { showToast, type Toast } from '../ui/toast.tsx';
import { queryClient, refresh } from './query-for.ts';

const toastTypes = ['success', 'error', 'warning', 'info'] as const;
const firstDelayInMs = 1_000;
const longestDelayInMs = 30_000;
const longestReadInMs = 10_000;

/** While somebody is signed in: what changes for them on the server is read again here, and notices are shown. */
export function useLiveNews(userId: string | null): void {
  useEffect(() => (userId ? listen() : undefined), [userId]);
}

/**
 * Of many changes in a row the first is read at once, and what came during that read is read once after it: each change
 * that broke off the read of the one before would leave nothing on the screen until the last. A read that hangs is
 * waited for ten seconds.
 */
export function oneReadAtATime(read: (name: string) => Promise<unknown>): (name: string) => void {
  const underWay = new Set<string>();
  const missed = new Set<string>();
  const heard = async (name: string) => {
    if (underWay.has(name)) {
      missed.add(name);
      return;
    }
    underWay.add(name);
    await untilDone(read(name));
    underWay.delete(name);
    if (missed.delete(name)) await heard(name);
  };
  return (name) => void heard(name);
}

/** Returns the way to stop. A browser gives up for good after a refusal, so the stream is opened anew by ourselves. */
function listen(): () => void {
  let source: EventSource | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  const heard = oneReadAtATime((name) => refresh([{ name }]));
  const open = () => {
    source = new EventSource(listenLive.path);
    source.addEventListener('open', () => {
      // Whatever happened while nothing was heard is read again.
      if (failures > 0) void queryClient.invalidateQueries();
      failures = 0;
    });
    source.addEventListener('changed', ({ data }) => {
      const { endpoints } = LiveChange.parse(JSON.parse(data));
      for (const name of endpoints) heard(name);
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

/** `refresh` never rejects: a read that fails is said by the screen. */
async function untilDone(reading: Promise<unknown>): Promise<void> {
  let patience: ReturnType<typeof setTimeout> | undefined;
  const atLatest = new Promise((done) => {
    patience = setTimeout(done, longestReadInMs);
  });
  await Promise.race([reading, atLatest]);
  clearTimeout(patience);
}

function toToastType(type: string): Toast['type'] {
  return toastTypes.find((known) => known === type) ?? 'info';
}
