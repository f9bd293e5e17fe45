import { useCallback, useEffect, useRef, useState } from 'react';
import { syncAuthProfiles } from '#contract/documented-functions.ts';
import { messageOf } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { counted } from '../../ui/counted.ts';
import { showToast } from '../../ui/toast.tsx';

/**
 * USER-21 to USER-24: runs in the background with every load of the list. It waits for the list, because a list on its
 * way would lack the new profiles. `sync` runs it again, and `syncNow` is for an admin who asks for it.
 */
export function useProfileSync(isLoaded: boolean) {
  const [isSyncing, setSyncing] = useState(false);
  const sync = useCallback(() => {
    // USER-24: a failed sync concerns nobody, because the next load tries again.
    call(syncAuthProfiles).then(
      ({ results: { createdProfiles } }) => {
        if (createdProfiles > 0) tellSynced(createdProfiles);
      },
      () => undefined,
    );
  }, []);
  const syncNow = async () => {
    setSyncing(true);
    await call(syncAuthProfiles).then(
      ({ results }) => tellSynced(results.createdProfiles),
      (error: unknown) => showToast({ type: 'error', title: 'Sync Failed', message: messageOf(error) }),
    );
    setSyncing(false);
  };
  const hasBegun = useRef(false);
  useEffect(() => {
    // A list that is read again after a failure is not another load.
    if (!isLoaded || hasBegun.current) return;
    hasBegun.current = true;
    sync();
  }, [isLoaded, sync]);
  return { sync, syncNow, isSyncing };
}

function tellSynced(createdProfiles: number): void {
  const message =
    createdProfiles === 0
      ? 'Every account has a profile.'
      : `${counted(createdProfiles, 'account')} had no profile and got one.`;
  showToast({ type: 'success', title: 'Users Synced', message });
}
