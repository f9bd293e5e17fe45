import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { lostByLeaving } from '../../../api/session.ts';
import { paths } from '../../../app/paths.ts';
import { ReadFailure } from '../../../ui/Loaded.tsx';
import { usePart } from '../../../ui/use-part.ts';
import { useLeaveOfSession } from './use-leave-of-session.ts';

/** Signs out at the person's wish. Data that only this browser has goes too, so `question` asks about that first. */
export function useSignOut() {
  const navigate = useNavigate();
  const leave = useLeaveOfSession({ goOn: () => navigate({ to: paths.login }), otherTabsAsk: false });
  const [isAsking, setAsking] = useState(false);
  const [lost, setLost] = useState<string[]>([]);
  const begin = () => {
    const found = lostByLeaving();
    if (found.length === 0) return leave.run();
    setLost(found);
    setAsking(true);
  };
  const dialog = usePart('confirm dialog', () => import('../../../ui/ConfirmDialog.tsx'), { isNeeded: isAsking });
  const question = dialog.data ? (
    <dialog.data.ConfirmDialog
      isOpen={isAsking}
      title="Sign out and lose unsaved work?"
      confirmLabel="Delete and sign out"
      isDestructive
      isRunning={leave.isRunning}
      onConfirm={leave.run}
      onClose={() => setAsking(false)}
    >
      You have {lost.join(' and ')} in this browser only. If you sign out, we delete this work here, so nobody else can
      read it.
    </dialog.data.ConfirmDialog>
  ) : isAsking ? (
    <ReadFailure read={dialog} failure="This could not be loaded" />
  ) : null;
  return { begin, question, isRunning: leave.isRunning };
}
