import { useRouter } from '@tanstack/react-router';
import { signOut } from '#contract/accounts.ts';
import { endPasswordHold, leaveSession } from '../../../api/session.ts';
import { useAction } from '../../../api/use-action.ts';

interface LeaveOptions {
  /** Where to, when nobody is signed in any more. */
  goOn?: () => Promise<unknown>;
  /** Other tabs ask to sign in again, and keep what was typed. */
  otherTabsAsk: boolean;
}

/** Ends the session of whoever is signed in, and with it the hold of a page that a password link opened. */
export function useLeaveOfSession({ goOn, otherTabsAsk }: LeaveOptions) {
  const router = useRouter();
  const action = useAction(signOut, {
    failureTitle: 'Sign Out Failed',
    onSuccess: () => {
      endPasswordHold();
      const leadAway = async () => {
        await goOn?.();
        await router.invalidate();
      };
      void leaveSession(leadAway, { otherTabsAsk });
    },
  });
  return { run: () => action.run({}), isRunning: action.isRunning };
}
