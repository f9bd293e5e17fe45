import { paths } from '../../../app/paths.ts';

/**
 * Returns the screen that asked for a session. `next` in the address names it, and it is never an address of another
 * site.
 */
export function placeAfterSignIn(search: string, origin: string): string {
  const next = new URLSearchParams(search).get('next');
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return paths.dashboard;
  const target = new URL(next, origin);
  const isOurs = target.origin === origin && !target.pathname.startsWith('//');
  return isOurs ? `${target.pathname}${target.search}${target.hash}` : paths.dashboard;
}
