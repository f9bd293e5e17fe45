import type { KeyboardEvent } from 'react';

/**
 * Up and Down go to the same field of the next row that takes input. Enter goes down, too. In a text of several lines
 * the arrow keys move within it first. Right at the end of a rating goes to its comment, and Left at the start of a
 * comment goes to its rating. Returns whether the focus moved.
 */
export function moveInGrid(event: KeyboardEvent<HTMLElement>): boolean {
  const field = event.target;
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return false;
  if (event.altKey || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return false;
  const next = nextField(field, event);
  if (!next) return false;
  event.preventDefault();
  next.focus();
  return true;
}

type Field = HTMLInputElement | HTMLTextAreaElement;

function nextField(field: Field, { key, shiftKey }: KeyboardEvent): HTMLElement | null {
  const isAtStart = field.selectionStart === 0;
  const isAtEnd = field.selectionEnd === field.value.length;
  const isWhole = isAtStart && isAtEnd;
  const isOneLine = field instanceof HTMLInputElement;
  if (key === 'Enter' && !shiftKey) return isOneLine ? besides(field, 1) : null;
  if (shiftKey) return null;
  if (key === 'ArrowDown' && (isOneLine || isAtEnd)) return besides(field, 1);
  if (key === 'ArrowUp' && (isOneLine || isAtStart)) return besides(field, -1);
  if (key === 'ArrowRight' && isOneLine && (isWhole || isAtEnd)) return inRow(field, 'comment');
  if (key === 'ArrowLeft' && !isOneLine && isAtStart) return inRow(field, 'rating');
  return null;
}

/** The same field of the next row in that direction, past rows whose field is disabled. */
function besides(field: Field, step: 1 | -1): HTMLElement | null {
  const column = field.dataset.gridColumn ?? '';
  let row = field.closest('tr');
  while (row) {
    const sibling: Element | null = step === 1 ? row.nextElementSibling : row.previousElementSibling;
    row = sibling instanceof HTMLTableRowElement ? sibling : null;
    const found = row && fieldOf(row, column);
    if (found) return found;
  }
  return null;
}

function inRow(field: Field, column: string): HTMLElement | null {
  const row = field.closest('tr');
  return row && fieldOf(row, column);
}

function fieldOf(row: Element, column: string): HTMLElement | null {
  return row.querySelector<HTMLElement>(`[data-grid-column="${column}"]:not(:disabled)`);
}
