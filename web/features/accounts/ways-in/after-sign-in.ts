import { messageOf } from '../../../api/api-error.ts';
import { showToast } from '../../../ui/toast.tsx';

/**
 * If the step after a sign-in fails, the person still stands at the form. Without this they would wait without a word.
 */
export function tellWhenStuck(way: () => Promise<void>): () => void {
  return () =>
    void way().catch((error: unknown) =>
      showToast({ type: 'error', title: 'Sign In Failed', message: messageOf(error) }),
    );
}
