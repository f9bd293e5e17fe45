import { useEffect } from 'react';

let isHeadingExpected = false;

/** Somebody went to another screen: its heading gets the focus as soon as it is there. */
export function expectHeading(): void {
  isHeadingExpected = true;
}

/** Nothing happens where nobody went anywhere, or while the heading is out of reach. */
export function focusExpectedHeading(): void {
  const heading = isHeadingExpected ? document.querySelector('h1') : null;
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  if (document.activeElement === heading) isHeadingExpected = false;
}

/** The title of the browser's tab, while the screen is shown. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Switchyard`;
    focusExpectedHeading();
  }, [title]);
}
