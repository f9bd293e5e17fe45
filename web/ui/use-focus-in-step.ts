import { useEffect, useRef } from 'react';

/**
 * On a phone, one step replaces the other, with the element that had the focus. The new step's heading then takes it,
 * which is the page's own while the second step has none.
 */
export function useFocusInStep(isSecond: boolean) {
  const page = useRef<HTMLDivElement>(null);
  const former = useRef(isSecond);
  useEffect(() => {
    if (former.current === isSecond) return;
    former.current = isSecond;
    const focused = document.activeElement;
    if (focused && focused !== document.body && focused.checkVisibility()) return;
    const own = isSecond ? page.current?.querySelector<HTMLElement>('h2') : null;
    const heading = own ?? page.current?.querySelector<HTMLElement>('h1');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [isSecond]);
  return page;
}
