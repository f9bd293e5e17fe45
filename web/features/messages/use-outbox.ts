import { useEffect } from 'react';
import { readSession } from '#contract/accounts.ts';
import { readConversation, sendMessage } from '#contract/messages.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { send as sendCall } from '../../api/call.ts';
import { useIsOffline } from '../../api/connection.ts';
import { queryClient, queryFor, refresh } from '../../api/query-for.ts';
import { showToast } from '../../ui/toast.tsx';
import type { Thread } from './thread-data.ts';
import { changeOutgoing, type Outgoing, removeOutgoing, unsentOf, useUnsent } from './unsent.ts';
import { threadKey } from './use-thread.ts';

const nextTryInMs = 3_000;
/** If the server fails on a message this often, its author gets it back, a minute and a half after the first try. */
export const mostTries = 6;
const longestWaitInMs = 600_000;

/** While a person is signed in, on any screen, sends what they wrote in its order as soon as the server answers. */
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
/** The time of each message's next try, after the server failed on it. */
const nextTryAt = new Map<string, number>();

/**
 * Sends each conversation's messages one after the other. The next one goes when the server has or has refused the one
 * before.
 */
async function sendAll(userId: string): Promise<void> {
  if (isSending || !navigator.onLine) return;
  isSending = true;
  const waiting = new Set<string>();
  try {
    for (;;) {
      const next = unsentOf(userId).outgoing.find((one) => isToBeSent(one) && !waiting.has(one.recipientId));
      if (!next || !isSignedIn(userId)) return;
      const outcome = isDue(next) ? await send(userId, next) : 'later';
      if (outcome === 'unreached') return;
      if (outcome === 'later') waiting.add(next.recipientId);
    }
  } finally {
    isSending = false;
  }
}

/** 'unreached' means that nobody answered, or nobody is signed in any more. Each try has the same key. */
async function send(userId: string, message: Outgoing): Promise<'settled' | 'later' | 'unreached'> {
  const { clientKey, recipientId, text, file } = message;
  let readAgain: () => Promise<unknown>;
  try {
    const body = { clientKey, text, fileId: file?.id ?? null };
    ({ readAgain } = await sendCall(sendMessage, { params: { id: recipientId }, body }));
  } catch (error) {
    if (error instanceof ApiError && error.code === 'network') return 'unreached';
    if (error instanceof ApiError && error.code === 'not_authenticated') {
      await refresh([readSession]);
      return 'unreached';
    }
    return failed(userId, message, error);
  }
  nextTryAt.delete(clientKey);
  changeOutgoing(userId, clientKey, { isSent: true });
  showToast({ type: 'success', title: 'Message Sent' });
  void readAgain().then(() => {
    const thread = queryClient.getQueryData<Thread>(threadKey(readConversation, recipientId));
    // An open conversation drops it when it shows it.
    if (!thread || thread.messages.some((message) => message.clientKey === clientKey)) {
      removeOutgoing(userId, [clientKey]);
    }
  });
  return 'settled';
}

/** A server that fails is asked again, later each time, but not for ever. A refusal is final. */
function failed(userId: string, message: Outgoing, error: unknown): 'settled' | 'later' {
  const { clientKey } = message;
  const tries = message.tries + 1;
  if (error instanceof ApiError && isPassing(error) && tries < mostTries) {
    const wait = Math.min(longestWaitInMs, Math.max(nextTryInMs * 2 ** message.tries, error.retryAfterInMs));
    nextTryAt.set(clientKey, Date.now() + wait);
    changeOutgoing(userId, clientKey, { tries });
    return 'later';
  }
  nextTryAt.delete(clientKey);
  changeOutgoing(userId, clientKey, { failure: messageOf(error), tries });
  showToast({ type: 'error', title: 'Send Failed', message: messageOf(error) });
  return 'settled';
}

/** Full storage waits for a person. The next try does not help. */
function isPassing({ code, status }: ApiError): boolean {
  return status >= 500 && code !== 'storage_full';
}

function isDue({ clientKey }: Outgoing): boolean {
  return Date.now() >= (nextTryAt.get(clientKey) ?? 0);
}

/** On a shared device, somebody else may have signed in meanwhile. */
function isSignedIn(userId: string): boolean {
  return queryClient.getQueryData(queryFor(readSession).queryKey)?.user?.id === userId;
}
