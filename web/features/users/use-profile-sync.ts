import { useCallback, useEffect } from 'react';
import { syncAuthProfiles } from '#contract/functions.ts';
import { listUsers } from '#contract/user-management.ts';
import { call } from '../../api/call.ts';
import { refresh } from '../../api/query-for.ts';
import { showToast } from '../../ui/toast.tsx';
import { counted } from './user-words.ts';

/**
 * USER-21 to USER-24: with every load of the list, in the background, once the list is there: what is made while it is
 * on its way would be missing. Returns the way to do it once more.
 */
export function useProfileSync(isLoaded: boolean) {
  const sync = useCallback(() => {
    const done = ({ results: { createdProfiles } }: { results: { createdProfiles: number } }) => {
      if (createdProfiles === 0) return;
      const message = `${counted(createdProfiles, 'account')} had no profile and got one.`;
      showToast({ type: 'success', title: 'Users Synced', message });
      void refresh([listUsers]);
    };
    // USER-24: a sync that fails is nobody's concern; the next load tries again.
    call(syncAuthProfiles).then(done, () => undefined);
  }, []);
  useEffect(() => {
    if (isLoaded) sync();
  }, [isLoaded, sync]);
  return sync;
}
