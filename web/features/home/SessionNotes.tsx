import { Button } from '@mantine/core';
import { useState } from 'react';
import type { CoachSession } from '#contract/coach-sessions.ts';
import { usePart } from '../../ui/use-part.ts';

/** COACH-36, COACH-37: a coach writes the notes of a session where they see that it is over. The dialog loads then. */
export function SessionNotes({ session }: { session: CoachSession }) {
  const [isOpen, setOpen] = useState(false);
  if (!session.can.writeNotes) return null;
  const label = session.notes ? 'Edit notes' : 'Add notes';
  return (
    <>
      <Button
        variant="default"
        size="sm"
        aria-label={`${label}, session with ${session.firstName} ${session.lastName}`}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      {isOpen ? <Dialog session={session} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function Dialog(props: { session: CoachSession; onClose: () => void }) {
  const { data } = usePart('dialogs of sessions', () => import('../coaching/SessionDialogs.tsx'));
  return data ? <data.NotesDialog {...props} /> : null;
}
