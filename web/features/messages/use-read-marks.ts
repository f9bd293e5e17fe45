import { useEffect, useRef, useSyncExternalStore } from 'react';
import { markConversationRead } from '#contract/messages.ts';
import { useAction } from '../../api/use-action.ts';
import type { Thread } from './thread-data.ts';

interface Seen {
  personId: string;
  /** Null from the opening of the conversation until the server answers. */
  thread: Thread | null;
  /** The time of the server's last answer. A mark that failed is tried again after the next answer. */
  answeredAt: number;
  isEndShown: boolean;
}

/**
 * MSG-13: opening the conversation marks the loaded messages as read. Later messages are marked when the end of the
 * list shows, in a window that the person can see.
 */
export function useReadMarks({ personId, thread, answeredAt, isEndShown }: Seen): void {
  const isVisible = useIsPageVisible();
  const markedId = useRef<string | null>(null);
  const failedAt = useRef(0);
  const { run, isRunning } = useAction(markConversationRead, {
    onError: () => {
      markedId.current = null;
      failedAt.current = answeredAt;
    },
  });
  const newest = thread?.messages.findLast(({ senderId, isRead }) => senderId === personId && !isRead);
  const isSeen = isVisible && (isEndShown || markedId.current === null);
  useEffect(() => {
    if (!newest || !isSeen || isRunning) return;
    if (markedId.current === newest.id || failedAt.current === answeredAt) return;
    markedId.current = newest.id;
    run({ params: { id: personId }, body: { upToId: newest.id } });
  });
}

function useIsPageVisible(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
