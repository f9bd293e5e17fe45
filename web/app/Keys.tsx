import { Dialog } from '../ui/Dialog.tsx';
import { Loaded } from '../ui/Loaded.tsx';
import { useLetterKeys } from '../ui/use-letter-keys.ts';
import { usePart } from '../ui/use-part.ts';

interface KeysProps {
  isOpen: boolean;
  onOpen: () => void;
  onClose: () => void;
}

/** '?' lists the keys, and so does an entry of the sidebar. */
export function Keys({ isOpen, onOpen, onClose }: KeysProps) {
  // Most keyboards need Shift for it.
  useLetterKeys([
    ['?', onOpen],
    ['shift+?', onOpen],
  ]);
  return (
    <Dialog opened={isOpen} onClose={onClose} title="Keys">
      <LoadedKeys />
    </Dialog>
  );
}

function LoadedKeys() {
  const part = usePart('keys', () => import('./KeysTable.tsx'));
  return (
    <Loaded read={part} failure="This could not be loaded" loading={{ label: 'Loading', rows: 4 }}>
      {({ KeysTable }) => <KeysTable />}
    </Loaded>
  );
}
