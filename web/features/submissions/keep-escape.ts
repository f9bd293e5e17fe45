import type { SyntheticEvent } from 'react';

/** Escape closes the list that has the focus, and not the dialog below it. */
export function keepEscape({ target }: SyntheticEvent): void {
  if (target instanceof HTMLElement) target.dataset.mantineStopPropagation = 'true';
}
