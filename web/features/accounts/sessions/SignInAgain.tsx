import { useEffect, useState } from 'react';
import { signInAgainBy } from '../../../api/sign-in-again.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { usePart } from '../../../ui/use-part.ts';

/**
 * Stands over the screen whose session has ended. The screen keeps everything typed, and goes on after the sign-in. A
 * different person who signs in here starts on the dashboard.
 */
export function SignInAgain() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => signInAgainBy(setOpen), []);
  const steps = usePart('sign in again', () => import('./SignInSteps.tsx'), { isNeeded: isOpen });
  return (
    <Dialog
      opened={isOpen}
      onClose={() => undefined}
      title="Authentication Required"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      overlayProps={{ blur: 12, backgroundOpacity: 0.6 }}
      zIndex={500}
    >
      <Loaded read={steps} failure="This could not be loaded" loading={{ label: 'Loading', rows: 3 }}>
        {({ SignInSteps }) => <SignInSteps />}
      </Loaded>
    </Dialog>
  );
}
