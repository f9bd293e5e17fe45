import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';
import { waitInMs } from './patience.ts';

configure({ asyncUtilTimeout: waitInMs });
afterEach(cleanup);

/** Stand-ins for what every browser has and jsdom lacks. They measure, match and load nothing. */
Object.assign(globalThis, {
  matchMedia: (query: string) => Object.assign(new EventTarget(), { matches: false, media: query }),
  ResizeObserver: watchNothing,
  IntersectionObserver: watchNothing,
});
function watchNothing() {
  return { observe: () => undefined, unobserve: () => undefined, disconnect: () => undefined };
}

Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true, writable: true });
Element.prototype.scrollIntoView = () => undefined;

// Clears what another file's tests left in the browser that they share.
localStorage.clear();
sessionStorage.clear();
