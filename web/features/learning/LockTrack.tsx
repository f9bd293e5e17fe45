import { Button } from '@mantine/core';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { lockTrack, type TrackSelection } from '#contract/fellowship.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';

/** TRACK-09, TRACK-10: asks for confirmation, because nothing undoes it. */
export function LockTrack({ selection: { id, trackId, track } }: { selection: TrackSelection }) {
  const [isAsking, setAsking] = useState(false);
  const action = useAction(lockTrack, {
    success: () => ({ title: 'Track Locked', message: `${track.name} is now final.` }),
    failureTitle: 'Selection Failed',
    onSuccess: () => setAsking(false),
    onError: () => {
      setAsking(false);
    },
  });
  return (
    <>
      <Button leftSection={<Lock size={15} aria-hidden />} onClick={() => setAsking(true)}>
        Confirm and lock
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title="Lock this track"
        confirmLabel="Lock track"
        isRunning={action.isRunning}
        onConfirm={() => action.run({ params: { id }, body: { trackId } })}
        onClose={() => setAsking(false)}
      >
        <b>{track.name}</b> will be final: nobody can change or unlock it afterwards.
      </ConfirmDialog>
    </>
  );
}
