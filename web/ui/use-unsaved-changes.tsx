import { useBlocker } from '@tanstack/react-router';
import { type KeyboardEvent, useState } from 'react';
import { ConfirmDialog } from './ConfirmDialog.tsx';

/** Where somebody is, or would go. */
interface Place {
  pathname: string;
  search: object;
}

interface UnsavedOptions {
  /** What the question says. */
  loss?: string;
  /** What is typed stays on such a way, and nobody is asked. */
  isKept?: (from: Place, to: Place) => boolean;
}

/** Whoever would leave what is typed is asked first: on other screens, filters, rows, and by the browser itself. */
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
    /** Does it now, or after the person has agreed to lose what they typed. */
    afterAsking,
    /**
     * What a Modal is given, so that it is not closed unasked. Its own Escape is off meanwhile: the question would take
     * the same one, and be closed as it opens.
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
