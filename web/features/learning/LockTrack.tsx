import { Button } from '@mantine/core';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { readMemberProgress } from '#contract/cohort-progress.ts';
import { lockTrack, readFellowship, type TrackSelection } from '#contract/fellowship.ts';
import { refresh } from '../../api/query-for.ts';
import { useAction } from '../../api/use-action.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';

const screens = [readFellowship, readMemberProgress];

/** TRACK-09, TRACK-10: confirmed, because nothing undoes it. */
export function LockTrack({ selection: { id, trackId, track } }: { selection: TrackSelection }) {
  const [isAsking, setAsking] = useState(false);
  const action = useAction(lockTrack, {
    refreshes: screens,
    success: () => ({ title: 'Track Locked', message: `${track.name} is now final.` }),
    failureTitle: 'Selection Failed',
    onSuccess: () => setAsking(false),
    onError: () => {
      setAsking(false);
      void refresh(screens);
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
