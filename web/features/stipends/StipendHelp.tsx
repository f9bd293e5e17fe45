import { Button } from '@mantine/core';
import { CircleHelp } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { partInTime } from '../../api/patience.ts';

const StipendHelpPopover = lazy(async () => ({
  default: (await partInTime(() => import('./StipendHelpPopover.tsx'))).StipendHelpPopover,
}));

/** Stands at a week's criteria, where people ask what counts. */
export function StipendHelp() {
  const [isOpen, setOpen] = useState(false);
  return (
    <span>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<CircleHelp size={15} aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        What counts?
      </Button>
      {isOpen ? (
        <Suspense>
          <StipendHelpPopover onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </span>
  );
}
