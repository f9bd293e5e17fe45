/** What every browser has and jsdom lacks; here nothing is measured, matched or loaded. */
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

// What the tests of another file left in the browser that they share.
localStorage.clear();
sessionStorage.clear();
