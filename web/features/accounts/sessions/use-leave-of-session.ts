import { useRouter } from '@tanstack/react-router';
import { signOut } from '#contract/accounts.ts';
import { endPasswordHold } from '../../../api/password-hold.ts';
import { leaveSession } from '../../../api/session.ts';
import { useAction } from '../../../api/use-action.ts';

interface LeaveOptions {
  /** Runs when nobody is signed in any more. */
  goOn?: () => Promise<unknown>;
  /** True if other tabs ask to sign in again, and keep what was typed. */
  otherTabsAsk: boolean;
}

/** Ends the session of the signed-in person. Also ends the hold of a page that a password link opened. */
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
