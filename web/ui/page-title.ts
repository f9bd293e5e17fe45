import { useEffect } from 'react';

/** going: the screen that one left still stands. arrived: the new one has its heading, which waits for the focus. */
let standing: 'nobody moved' | 'going' | 'arrived' = 'nobody moved';

/** Somebody went to another screen: its heading gets the focus as soon as it is there. */
export function expectHeading(): void {
  standing = 'going';
}

/** Nothing happens where nobody went anywhere, before the new screen is there, and while its heading is out of reach. */
export function focusExpectedHeading(): void {
  const heading = standing === 'arrived' ? document.querySelector('h1') : null;
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  if (document.activeElement === heading) standing = 'nobody moved';
}

/** The title of the browser's tab, while the screen is shown. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Switchyard`;
    if (standing === 'going') standing = 'arrived';
    focusExpectedHeading();
  }, [title]);
}
