import { useWindowEvent } from '@mantine/hooks';
import type { RefObject } from 'react';

interface EarlyKeys {
  isWaiting: boolean;
  field: RefObject<HTMLInputElement | null>;
  onType: (change: (typed: string) => string) => void;
}

/** Takes what somebody types for a field that is not drawn yet, so that it is not lost and presses nothing else. */
export function useEarlyKeys({ isWaiting, field, onType }: EarlyKeys): void {
  useWindowEvent(
    'keydown',
    (event) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (!isWaiting || field.current || ctrlKey || metaKey || altKey) return;
      const change = changeOf(key);
      if (!change) return;
      event.preventDefault();
      event.stopPropagation();
      onType(change);
    },
    { capture: true },
  );
}

function changeOf(key: string): ((typed: string) => string) | null {
  if (key === 'Backspace') return (typed) => typed.slice(0, -1);
  // Other keys have names, such as 'Enter'.
  return [...key].length === 1 ? (typed) => typed + key : null;
}
