import { type CSSProperties, useSyncExternalStore } from 'react';

/** The height that an on-screen keyboard leaves, as a variable for style sheets. */
export function useVisibleHeight(): CSSProperties {
  const height = useSyncExternalStore(subscribe, () => window.visualViewport?.height ?? window.innerHeight);
  return { '--visible-height': `${height}px` } as CSSProperties;
}

function subscribe(listener: () => void): () => void {
  const viewport = window.visualViewport ?? window;
  viewport.addEventListener('resize', listener);
  return () => viewport.removeEventListener('resize', listener);
}
