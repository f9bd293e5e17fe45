import { listCoachSessions, updateSession } from '#contract/coach-sessions.ts';
import { readCoachDashboard } from '#contract/home.ts';
import { useAction } from '../../api/use-action.ts';

/** COACH-40 */
export function useSessionUpdate(onSuccess?: () => void) {
  return useAction(updateSession, {
    refreshes: [listCoachSessions, readCoachDashboard],
    success: 'Session Updated',
    failureTitle: 'Update Failed',
    ...(onSuccess ? { onSuccess } : {}),
  });
}
