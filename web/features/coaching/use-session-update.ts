import { reopenSession, updateSession } from '#contract/coach-sessions.ts';
import { useAction } from '../../api/use-action.ts';
import { sessionLooks } from './session-looks.ts';

const undoInMs = 10_000;

/** COACH-40: what completed a session, or marked it as missed, can be undone for ten seconds. */
export function useSessionUpdate(onSuccess?: () => void) {
  const undo = useAction(reopenSession, {
    success: { title: 'Session Updated', message: 'It is scheduled again.' },
    failureTitle: 'Update Failed',
  });
  return useAction(updateSession, {
    success: ({ id, firstName, lastName, status, can }, { body }) => {
      const title = 'Session Updated';
      const hasClosed = body.status !== undefined || (body.notes !== undefined && can.reopen);
      if (!can.reopen || !hasClosed) return { title };
      const message = `${firstName} ${lastName}: ${sessionLooks[status].word}`;
      return { title, message, duration: undoInMs, action: { label: 'Undo', run: () => undo.run({ params: { id } }) } };
    },
    failureTitle: 'Update Failed',
    ...(onSuccess ? { onSuccess } : {}),
  });
}
