import type { RefObject } from 'react';
import { useLetterKeys } from './use-letter-keys.ts';

const pressable = 'a[href], button:not(:disabled)';
const openDialog = '[role=dialog][aria-modal=true]';

/** j and k go from row to row of a table, to the first link or button of each. */
export function useRowKeys(frame: RefObject<HTMLElement | null>): void {
  const go = (step: 1 | -1) => () => {
    const table = frame.current;
    if (!table || tableInUse() !== table) return;
    const rows = [...table.querySelectorAll('tbody tr')].filter((row) => row.querySelector(pressable));
    const here = rows.findIndex((row) => row.contains(document.activeElement));
    const next = here === -1 ? rows.at(step === 1 ? 0 : -1) : rows[here + step];
    next?.querySelector<HTMLElement>(pressable)?.focus();
  };
  useLetterKeys([
    ['j', go(1)],
    ['k', go(-1)],
  ]);
}

/** Of several tables, the one with the focus, or the first. What lies behind a dialog cannot be reached. */
function tableInUse(): Element | undefined {
  const place = document.querySelector(openDialog) ?? document;
  const tables = [...place.querySelectorAll('[data-density]')];
  return tables.find((table) => table.contains(document.activeElement)) ?? tables[0];
}
