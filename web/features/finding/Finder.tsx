import { useHotkeys } from '@mantine/hooks';
import { Dialog } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { usePart } from '../../ui/use-part.ts';
import type { Screen } from './choices.ts';

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
  return (
    <Dialog opened={isOpen} onClose={onClose} title="Find" size="lg" centered={false} yOffset="10dvh">
      <LoadedFinder screens={screens} onClose={onClose} />
    </Dialog>
  );
}

function LoadedFinder({ screens, onClose }: Pick<FinderProps, 'screens' | 'onClose'>) {
  const part = usePart('finder', () => import('./FinderDialog.tsx'));
  return (
    <Loaded read={part} failure="This could not be read" loading={{ label: 'Loading', rows: 2 }}>
      {({ FinderDialog }) => <FinderDialog screens={screens} onClose={onClose} />}
    </Loaded>
  );
}
