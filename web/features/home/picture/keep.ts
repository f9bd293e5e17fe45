import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readSession } from '#contract/accounts.ts';
import type { AskedRead } from '#contract/first-reads.ts';
import { useIsOffline } from '../../../api/connection.ts';
import { keysOfDeviceCopies, removeDeviceCopy, writeDeviceCopy } from '../../../api/device-copy.ts';
import { queryClient } from '../../../api/query-for.ts';
import { useSession } from '../../../api/session.ts';
import { isAtDashboard } from './place.ts';
import { boundTo, canKeep, picturePrefix, type Shown, sealPicture } from './seal.ts';

/** Then the dashboard has drawn what its answer brought. */
const settledAfterMs = 500;
/** What begins in sight is laid out by all of its parts. */
export const mostOfARowPx = 200;
/** In characters. What a person types needs the rest of what a browser keeps. */
const mostKept = 400_000;

let lastKept = '';

/**
 * Keeps how the dashboard looks, so that it stands there at once when it is opened again. What a dashboard shows of reads
 * of its own stands in an element with `data-own-reads`, their names. It is not kept.
 */
export function useKeptPicture(read: AskedRead, { data, isSuccess, isFetching }: UseQueryResult<object>): void {
  const session = useSession();
  const isOffline = useIsOffline();
  const isToKeep = isSuccess && !isFetching && !isOffline && Boolean(session.user && session.deviceKey);
  useEffect(() => {
    if (!isToKeep || !data || !canKeep()) return;
    const timer = setTimeout(() => void keepPicture([session, data], read), settledAfterMs);
    return () => clearTimeout(timer);
  }, [session, data, read, isToKeep]);
}

async function keepPicture(shown: Shown, read: AskedRead): Promise<void> {
  const [{ user }] = shown;
  const root = document.getElementById('root');
  const bound = boundTo(shown);
  if (!root || !user || bound === lastKept || !isAtDashboard() || isInUse() || showsOtherReads(read)) return;
  const html = pictureOf(root);
  if (html.length > mostKept) return;
  const kept = await sealPicture(html, shown);
  const key = picturePrefix + user.id;
  for (const other of keysOfDeviceCopies(picturePrefix)) if (other !== key) removeDeviceCopy(other);
  if (writeDeviceCopy(key, kept)) lastKept = bound;
}

/** What is typed, scrolled, or behind something open is not so when the dashboard is opened again. */
function isInUse(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>(
    '#root :is(input:not([type]), input[type="text"], textarea)',
  );
  const isTyped = [...fields].some(({ value }) => value !== '');
  return isTyped || scrollY > 0 || document.querySelector('main[inert], [role="dialog"]') !== null;
}

/** Nothing binds a picture to their answers. */
function showsOtherReads(read: AskedRead): boolean {
  const places = [...document.querySelectorAll<HTMLElement>('[data-own-reads]')];
  const notKept = places.flatMap(({ dataset }) => dataset.ownReads?.split(' ') ?? []);
  const harmless = ['part', readSession.name, read.name, ...notKept];
  const shown = queryClient.getQueryCache().findAll({ type: 'active' });
  return shown.some(({ queryKey: [name] }) => !harmless.includes(String(name)));
}

/** As HTML. What is out of sight at first, or not kept, has its height and nothing else. */
export function pictureOf(root: HTMLElement): string {
  const copy = root.cloneNode(true) as HTMLElement;
  emptyParts(Math.max(innerHeight, screen.height) + mostOfARowPx, root, copy);
  return copy.innerHTML;
}

function emptyParts(bottom: number, seen: Element, copy: Element): void {
  for (const [place, child] of [...copy.children].entries()) {
    const original = seen.children[place];
    if (!(child instanceof HTMLElement) || !original) continue;
    const { top, height } = original.getBoundingClientRect();
    if (top < bottom && child.dataset.ownReads === undefined) {
      emptyParts(bottom, original, child);
      continue;
    }
    child.replaceChildren();
    child.style.height = `${height}px`;
  }
}
