import { useEffect } from 'react';
import { readSession } from '#contract/accounts.ts';
import { listContacts, readConversation, sendMessage } from '#contract/messages.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { useIsOffline } from '../../api/connection.ts';
import { queryClient, queryFor, refresh } from '../../api/query-for.ts';
import { showToast } from '../../ui/toast.tsx';
import type { Thread } from './thread-data.ts';
import { changeOutgoing, type Outgoing, removeOutgoing, unsentOf, useUnsent } from './unsent.ts';
import { threadKey } from './use-thread.ts';

const nextTryInMs = 3_000;

/** While somebody is signed in, on whatever screen: what they wrote is sent in its order, once the server answers. */
export function useOutbox(userId: string): void {
  const { outgoing } = useUnsent(userId);
  const isOffline = useIsOffline();
  const isWaiting = outgoing.some(isToBeSent);
  useEffect(() => {
    if (!isWaiting) return;
    const send = () => void sendAll(userId);
    if (!isOffline) send();
    const timer = setInterval(send, nextTryInMs);
    window.addEventListener('online', send);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', send);
    };
  }, [userId, isWaiting, isOffline]);
}

export function isToBeSent({ failure, isSent }: Outgoing): boolean {
  return failure === null && !isSent;
}

let isSending = false;

/** One after the other: the next one goes when the server has the one before. */
async function sendAll(userId: string): Promise<void> {
  if (isSending || !navigator.onLine) return;
  isSending = true;
  try {
    for (;;) {
      const next = unsentOf(userId).outgoing.find(isToBeSent);
      if (!next || !isSignedIn(userId) || !(await isSettled(userId, next))) return;
    }
  } finally {
    isSending = false;
  }
}

/** False where nobody answered or could just then, or nobody is signed in any more: it is tried again by the same key. */
async function isSettled(userId: string, { clientKey, recipientId, text, file }: Outgoing): Promise<boolean> {
  try {
    await call(sendMessage, { params: { id: recipientId }, body: { clientKey, text, fileId: file?.id ?? null } });
  } catch (error) {
    if (error instanceof ApiError && isPassing(error)) return false;
    if (error instanceof ApiError && error.code === 'not_authenticated') {
      await refresh([readSession]);
      return false;
    }
    changeOutgoing(userId, clientKey, { failure: messageOf(error) });
    showToast({ type: 'error', title: 'Send Failed', message: messageOf(error) });
    return true;
  }
  changeOutgoing(userId, clientKey, { isSent: true });
  showToast({ type: 'success', title: 'Message Sent' });
  void refresh([readConversation, listContacts]).then(() => {
    const thread = queryClient.getQueryData<Thread>(threadKey(readConversation, recipientId));
    // An open conversation lets go of it when it shows it.
    if (!thread || thread.messages.some((message) => message.clientKey === clientKey)) {
      removeOutgoing(userId, [clientKey]);
    }
  });
  return true;
}

/** Whatever was sent: a lost network, a server that is away or restarting, or one that was asked too often. */
function isPassing({ code, status }: ApiError): boolean {
  return code === 'network' || status >= 500 || status === 429;
}

/** On a shared device somebody else may have signed in meanwhile. */
function isSignedIn(userId: string): boolean {
  return queryClient.getQueryData(queryFor(readSession).queryKey)?.user?.id === userId;
}
