import { useEffect, useState } from 'react';

/**
 * For a dialog that is rendered only while it is open. When it ends, the focus returns to the element that opened it,
 * or to the selected tab if that element is gone.
 */
export function useReturnFocus(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      requestAnimationFrame(() => focusUnlessElsewhere(opener));
    },
    [opener],
  );
}

/** For an act that replaces the part of the screen that was pressed. */
export function focusTab(): void {
  requestAnimationFrame(() => focusUnlessElsewhere(null));
}

function focusUnlessElsewhere(element: Element | null): void {
  const isLost = document.activeElement === null || document.activeElement === document.body;
  if (!isLost) return;
  const isThere = element instanceof HTMLElement && element.isConnected && element !== document.body;
  const target = isThere ? element : document.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]');
  target?.focus({ preventScroll: true });
}
