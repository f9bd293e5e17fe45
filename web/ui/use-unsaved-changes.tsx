import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { ConfirmDialog } from './ConfirmDialog.tsx';

/** Whoever would leave what is typed is asked first: on other screens, filters, rows, and by the browser itself. */
export function useUnsavedChanges(isDirty: boolean, loss = 'What you have typed is not saved yet.') {
  const [waiting, setWaiting] = useState<(() => void) | null>(null);
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty,
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
  return {
    /** Does it now, or after the person has agreed to lose what they typed. */
    afterAsking: (act: () => void) => (isDirty ? setWaiting(() => act) : act()),
    question: (
      <ConfirmDialog
        isOpen={isAsking}
        title="Discard your changes?"
        confirmLabel="Discard changes"
        isDestructive
        onConfirm={leave}
        onClose={stay}
      >
        {loss}
      </ConfirmDialog>
    ),
  };
}
