import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { dashboardReads } from '#contract/first-reads.ts';
import { keysOfDeviceCopies, removeDeviceCopy, writeDeviceCopy } from '../../api/device-copy.ts';
import { queryForAsked } from '../../api/query-for.ts';
import { useSession } from '../../api/session.ts';
import { canSeal, isAtDashboard, picturePrefix, type Shown, sealPicture } from './seal.ts';

/** Then the dashboard has drawn what its answer brought. */
const settledAfterMs = 1_000;

/** What begins in sight is laid out by all of its parts. */
export const mostOfARowPx = 200;

/** Keeps how the dashboard looks, so that it stands there at once when it is opened again. */
export function useKeptPicture(): void {
  const session = useSession();
  const read = dashboardReads[session.user?.role ?? 'participant'];
  const { data: dashboard } = useQuery({ ...queryForAsked(read), enabled: false });
  useEffect(() => {
    if (!canSeal() || !session.user || !session.deviceKey || !dashboard) return;
    const { id } = session.user;
    const timer = setTimeout(() => void keepPicture(id, [session, dashboard]), settledAfterMs);
    return () => clearTimeout(timer);
  }, [session, dashboard]);
}

async function keepPicture(personId: string, shown: Shown): Promise<void> {
  const root = document.getElementById('root');
  if (!root || !isAtDashboard() || isInUse()) return;
  const key = picturePrefix + personId;
  const kept = await sealPicture(pictureOf(root), shown);
  for (const other of keysOfDeviceCopies(picturePrefix)) if (other !== key) removeDeviceCopy(other);
  writeDeviceCopy(key, kept);
}

/** What is opened, typed or scrolled is not there when the dashboard is opened again. */
function isInUse(): boolean {
  return scrollY > 0 || document.activeElement?.matches('body, h1') === false;
}

/** As HTML. What is out of sight at first keeps its height, and nothing else. */
export function pictureOf(root: HTMLElement): string {
  const copy = root.cloneNode(true) as HTMLElement;
  emptyBelow(Math.max(innerHeight, screen.height) + mostOfARowPx, root, copy);
  return copy.innerHTML;
}

function emptyBelow(bottom: number, seen: Element, copy: Element): void {
  for (const [place, child] of [...copy.children].entries()) {
    const original = seen.children[place];
    if (!(child instanceof HTMLElement) || !original) continue;
    const { top, height } = original.getBoundingClientRect();
    if (top < bottom) {
      emptyBelow(bottom, original, child);
      continue;
    }
    child.replaceChildren();
    child.style.height = `${height}px`;
  }
}
