import { messageOf } from '../../../api/api-error.ts';
import { showToast } from '../../../ui/toast.tsx';

/** The person still stands at the form where what follows a sign-in fails, and would wait for it without a word. */
export function tellWhenStuck(way: () => Promise<void>): () => void {
  return () =>
    void way().catch((error: unknown) =>
      showToast({ type: 'error', title: 'Sign In Failed', message: messageOf(error) }),
    );
}
