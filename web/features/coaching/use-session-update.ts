import { updateSession } from '#contract/coach-sessions.ts';
import { useAction } from '../../api/use-action.ts';

/** COACH-40 */
export function useSessionUpdate(onSuccess?: () => void) {
  return useAction(updateSession, {
    success: 'Session Updated',
    failureTitle: 'Update Failed',
    ...(onSuccess ? { onSuccess } : {}),
  });
}
