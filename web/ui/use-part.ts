import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { partInTime } from '../api/patience.ts';

/**
 * Loads a part of the app that no screen shows at first. A part that is not needed yet comes beside the first thing that
 * the person does on the page. So the first screen is light, and the part is mostly there when it is needed, also without
 * a network. `Loaded` says so if it is not.
 */
export function usePart<Part>(name: string, load: () => Promise<Part>, { isNeeded = true } = {}) {
  const isInUse = useSyncExternalStore(listenToUse, () => inUse);
  return useQuery({
    queryKey: ['part', name],
    queryFn: () => partInTime(load),
    enabled: isInUse || isNeeded,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}

const firstActs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'];
const listeners = new Set<() => void>();
let inUse = false;
for (const act of firstActs) window.addEventListener(act, noticeAct, { capture: true, passive: true });

/** A browser says where a still mouse is once a page has appeared below it. Nobody has done anything then. */
function noticeAct({ movementX, movementY, type }: Event & Partial<MouseEvent>): void {
  if (type !== 'pointermove' || movementX !== 0 || movementY !== 0) loadParts();
}

/** Loads the parts of the screen that is there, as the first thing that a person does would. */
export function loadParts(): void {
  if (inUse) return;
  inUse = true;
  for (const act of firstActs) window.removeEventListener(act, noticeAct, { capture: true });
  for (const listener of listeners) listener();
}

function listenToUse(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
