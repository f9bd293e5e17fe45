import { useEffect } from 'react';

/** going: the former screen still stands. arrived: the new screen has its heading, which waits for the focus. */
let standing: 'nobody moved' | 'going' | 'arrived' = 'nobody moved';

/** The person moved to another screen. Its heading gets the focus as soon as it is there. */
export function expectHeading(): void {
  standing = 'going';
}

/** Does nothing if nobody moved, if the new screen is not there yet, or while its heading is out of reach. */
export function focusExpectedHeading(): void {
  const heading = standing === 'arrived' ? document.querySelector('h1') : null;
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  if (document.activeElement === heading) standing = 'nobody moved';
}

/** Sets the title of the browser's tab while the screen is shown. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Switchyard`;
    if (standing === 'going') standing = 'arrived';
    focusExpectedHeading();
  }, [title]);
}
