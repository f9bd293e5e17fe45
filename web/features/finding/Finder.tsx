import { useHotkeys } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { Dialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { usePart } from '../../ui/use-part.ts';
import type { FinderDialogProps, Screen } from './choices.ts';
import { useEarlyKeys } from './use-early-keys.ts';

interface FinderProps {
  /** Those that the person may open. */
  screens: Screen[];
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
}

/** Finds people, work and screens from everywhere. Ctrl+K opens it, also while something is typed elsewhere. */
export function Finder({ screens, isOpen, onOpen, onClose }: FinderProps) {
  useHotkeys([['mod+K', onOpen]], [], true);
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEarlyKeys({ isWaiting: isOpen, field, onType: setTyped });
  const close = () => {
    setTyped('');
    onClose();
  };
  return (
    <Dialog opened={isOpen} onClose={close} title="Find" size="lg" centered={false} yOffset="10dvh">
      <LoadedFinder screens={screens} onClose={close} typed={typed} onType={setTyped} field={field} />
    </Dialog>
  );
}

function LoadedFinder(props: FinderDialogProps) {
  const part = usePart('finder', () => import('./FinderDialog.tsx'));
  return (
    <Loaded read={part} failure="This could not be loaded" loading={{ label: 'Loading', rows: 2 }}>
      {({ FinderDialog }) => <FinderDialog {...props} />}
    </Loaded>
  );
}
