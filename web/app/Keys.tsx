import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Dialog } from '../ui/Dialog.tsx';
import { Loaded } from '../ui/Loaded.tsx';
import { usePart } from '../ui/use-part.ts';

/** '?' lists the keys. */
export function Keys() {
  const [isOpen, { open, close }] = useDisclosure(false);
  // Most keyboards need Shift for it.
  useHotkeys([
    ['?', open],
    ['shift+?', open],
  ]);
  return (
    <Dialog opened={isOpen} onClose={close} title="Keys">
      <LoadedKeys />
    </Dialog>
  );
}

function LoadedKeys() {
  const part = usePart('keys', () => import('./KeysTable.tsx'));
  return (
    <Loaded read={part} failure="This could not be read" loading={{ label: 'Loading', rows: 4 }}>
      {({ KeysTable }) => <KeysTable />}
    </Loaded>
  );
}
