import { useEffect, useRef } from 'react';

/**
 * On a phone, one step replaces the other, with the element that had the focus. The new step's heading then takes it.
 */
export function useFocusInStep(isConversation: boolean) {
  const page = useRef<HTMLDivElement>(null);
  const former = useRef(isConversation);
  useEffect(() => {
    if (former.current === isConversation) return;
    former.current = isConversation;
    const focused = document.activeElement;
    if (focused && focused !== document.body && focused.checkVisibility()) return;
    const heading = page.current?.querySelector<HTMLElement>(isConversation ? 'h2' : 'h1');
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [isConversation]);
  return page;
}
