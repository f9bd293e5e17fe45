import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { readProofWays } from '#contract/second-factor.ts';
import { askForProofBy } from '../../../api/fresh-proof.ts';
import { queryFor } from '../../../api/query-for.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Loaded } from '../../../ui/Loaded.tsx';
import { usePart } from '../../../ui/use-part.ts';

/** The data layer opens this for every call that needs a fresh proof, and repeats the call afterwards. */
export function FreshProofDialog() {
  const answer = useRef<((isGiven: boolean) => void) | null>(null);
  const [isOpen, setOpen] = useState(false);
  const close = useCallback((isGiven: boolean) => {
    setOpen(false);
    answer.current?.(isGiven);
    answer.current = null;
  }, []);
  useEffect(() => {
    const takeBack = askForProofBy(() => {
      setOpen(true);
      return new Promise((resolve) => {
        answer.current = resolve;
      });
    });
    return () => {
      takeBack();
      answer.current?.(false);
    };
  }, []);
  useEscapeFirst(() => close(false), isOpen);
  const ways = useQuery({ ...queryFor(readProofWays), enabled: isOpen, staleTime: 0 });
  const form = usePart('fresh proof', () => import('./FreshProofForm.tsx'), { isNeeded: isOpen });
  return (
    <Dialog
      opened={isOpen}
      onClose={() => close(false)}
      title="Please confirm that it is you"
      zIndex={400}
      closeOnEscape={false}
    >
      <Loaded read={ways} failure="This could not be loaded" loading={{ label: 'Loading', rows: 2 }}>
        {(data) => (
          <Loaded read={form} failure="This could not be loaded" loading={{ label: 'Loading', rows: 2 }}>
            {({ FreshProofForm }) => (
              <FreshProofForm ways={data} onGiven={() => close(true)} onCancel={() => close(false)} />
            )}
          </Loaded>
        )}
      </Loaded>
    </Dialog>
  );
}

/** Esc closes only this dialog, not the one below it that started the act. */
function useEscapeFirst(onEscape: () => void, isOpen: boolean): void {
  const current = useRef<(() => void) | null>(null);
  current.current = isOpen ? onEscape : null;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !current.current) return;
      event.stopImmediatePropagation();
      current.current();
    };
    window.addEventListener('keydown', listen, { capture: true });
    return () => window.removeEventListener('keydown', listen, { capture: true });
  }, []);
}
