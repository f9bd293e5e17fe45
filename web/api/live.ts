import { useEffect } from 'react';
import { readSession } from '#contract/accounts.ts';
import { LiveChange, LiveNotice, listenLive } from '#contract/live.ts';
import { showToast, type Toast } from '../ui/toast.tsx';
import { isOwnAct } from './call.ts';
import { queriesShowing, queryClient, readAgain, refresh } from './query-for.ts';

const toastTypes = ['success', 'error', 'warning', 'info'] as const;
const firstDelayInMs = 1_000;
const longestDelayInMs = 30_000;
const longestReadInMs = 10_000;
/** If much changes in a row, as on an admin's busy day, nothing is read more often. */
const paceInMs = 2_000;

/** While a person is signed in, reads again here what changes for them on the server, and shows notices. */
export function useLiveNews(userId: string | null): void {
  useEffect(() => (userId ? listen() : undefined), [userId]);
}

/**
 * If there are many changes in a row, the first is read at once. Changes during that read, or within two seconds, are
 * read once after them. If each change broke off the read before it, nothing would reach the screen until the last. A
 * read that hangs is waited for ten seconds.
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
    await Promise.all([untilDone(read(name)), pause(paceInMs)]);
    underWay.delete(name);
    if (missed.delete(name)) await heard(name);
  };
  return (name) => void heard(name);
}

/** Returns the way to stop. A browser gives up for good after a refusal, so this opens the stream anew. */
function listen(): () => void {
  let source: EventSource | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  const heard = oneReadAtATime(async (hash) => {
    const query = queryClient.getQueryCache().get(hash);
    if (query) await readAgain(query);
  });
  const open = () => {
    source = new EventSource(listenLive.path);
    source.addEventListener('open', () => {
      // Anything may have changed while nothing was heard, so everything is read again.
      if (failures > 0) void queryClient.invalidateQueries();
      failures = 0;
    });
    source.addEventListener('changed', ({ data }) => {
      const { facts, act } = LiveChange.parse(JSON.parse(data));
      if (act !== null && isOwnAct(act)) return;
      for (const { queryHash } of queriesShowing(new Set(facts))) heard(queryHash);
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

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** `readAgain` never rejects: the screen says if a read fails. */
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
