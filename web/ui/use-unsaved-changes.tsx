import { useBlocker } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { ConfirmDialog } from './ConfirmDialog.tsx';

interface Place {
  pathname: string;
  search: object;
}

interface UnsavedOptions {
  /** The words of the question. */
  loss?: string;
  /** True for a move that keeps what is typed. Nobody is asked then. */
  isKept?: (from: Place, to: Place) => boolean;
}

/**
 * Asks before a person leaves what they typed, for another screen, filter or row. If they close the tab, the browser
 * asks.
 */
export function useUnsavedChanges(isDirty: boolean, { loss, isKept = () => false }: UnsavedOptions = {}) {
  const [waiting, setWaiting] = useState<(() => void) | null>(null);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && !isKept(current, next),
    enableBeforeUnload: () => isDirty,
    disabled: !isDirty,
    withResolver: true,
  });
  const isAsking = waiting !== null || blocker.status === 'blocked';
  const stay = () => {
    setWaiting(null);
    blocker.reset?.();
  };
  const leave = () => {
    setWaiting(null);
    waiting?.();
    blocker.proceed?.();
  };
  const afterAsking = (act: () => void) => (isDirty ? setWaiting(() => act) : act());
  return {
    /** Acts now, or after the person has agreed to lose what they typed. */
    afterAsking,
    /**
     * Props for a Modal, so that it never closes without the question. The Modal's own Escape is off meanwhile.
     * Otherwise the same key press would reach the question and close it as it opens.
     */
    closing: (onClose: () => void) => ({
      onClose: () => afterAsking(onClose),
      closeOnEscape: !isDirty,
      onKeyDown: ({ key, target }: KeyboardEvent) => {
        const isOfList = (target as Element).getAttribute('data-mantine-stop-propagation') === 'true';
        if (key === 'Escape' && isDirty && !isOfList) afterAsking(onClose);
      },
    }),
    question: (
      <ConfirmDialog
        isOpen={isAsking}
        title="Discard your changes?"
        confirmLabel="Discard changes"
        isDestructive
        onConfirm={leave}
        onClose={stay}
      >
        {loss ?? 'What you have typed is not saved yet.'}
      </ConfirmDialog>
    ),
  };
}
