import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { keysOfDeviceCopies, readDeviceCopy, removeDeviceCopy, writeDeviceCopy } from '../../api/device-copy.ts';
import { newKey } from '../../api/new-key.ts';

const AttachedFile = z.object({ id: z.string(), name: z.string(), size: z.number() });
export type AttachedFile = z.infer<typeof AttachedFile>;

const Outgoing = z.object({
  clientKey: z.string(),
  recipientId: z.string(),
  text: z.string(),
  file: AttachedFile.nullable(),
  writtenAt: z.string(),
  /** The server's words when it refused the message, or failed on it once too often. */
  failure: z.string().nullable(),
  /** How often the server has failed on it. */
  tries: z.number(),
  /** The server has stored it. It stays here until the conversation shows it. */
  isSent: z.boolean(),
});
export type Outgoing = z.infer<typeof Outgoing>;

const Draft = z.object({ text: z.string(), file: AttachedFile.nullable() });
export type Draft = z.infer<typeof Draft>;

/** Messages and drafts that a person has not sent yet. This device keeps them until they sign out. */
type Unsent = { outgoing: Outgoing[]; drafts: Record<string, Draft> };

const current = new Map<string, Unsent>();
const listeners = new Set<() => void>();

export function useUnsent(userId: string): Unsent {
  return useSyncExternalStore(subscribe, () => unsentOf(userId));
}

export function unsentOf(userId: string): Unsent {
  const known = current.get(userId);
  if (known) return known;
  const stored = readStored(userId);
  current.set(userId, stored);
  return stored;
}

export function putOutgoing(userId: string, message: Pick<Outgoing, 'recipientId' | 'text' | 'file'>): void {
  const clientKey = newKey();
  const writtenAt = new Date().toISOString();
  keepOutgoing(userId, { ...message, clientKey, writtenAt, failure: null, tries: 0, isSent: false });
}

/** The person asks for this. */
export function tryAgain(userId: string, clientKey: string): void {
  changeOutgoing(userId, clientKey, { failure: null, tries: 0 });
}

export function changeOutgoing(userId: string, clientKey: string, changes: Partial<Outgoing>): void {
  const message = unsentOf(userId).outgoing.find((known) => known.clientKey === clientKey);
  if (message) keepOutgoing(userId, { ...message, ...changes });
}

export function removeOutgoing(userId: string, clientKeys: string[]): void {
  for (const clientKey of clientKeys) {
    removeDeviceCopy(keysOf(userId).outgoing + clientKey);
    remember(userId, (unsent) => withOutgoing(unsent, clientKey, null));
  }
}

export function saveDraft(userId: string, personId: string, draft: Draft | null): void {
  const key = keysOf(userId).draft + personId;
  if (draft) writeDeviceCopy(key, draft);
  else removeDeviceCopy(key);
  remember(userId, (unsent) => withDraft(unsent, personId, draft));
}

/** Counts a person's messages, begun or on their way, that only this device has. */
export function unsentMessages(userId: string): number {
  const { outgoing, drafts } = unsentOf(userId);
  return outgoing.filter(({ isSent }) => !isSent).length + Object.keys(drafts).length;
}

/** The sign-out calls this. */
export function forgetUnsent(userId: string): void {
  current.delete(userId);
  for (const key of keysOfDeviceCopies(keysOf(userId).all)) removeDeviceCopy(key);
  for (const listener of listeners) listener();
}

/** Each message has its own key, so that another tab's write at the same moment does not replace it. */
function keepOutgoing(userId: string, message: Outgoing): void {
  writeDeviceCopy(keysOf(userId).outgoing + message.clientKey, message);
  remember(userId, (unsent) => withOutgoing(unsent, message.clientKey, message));
}

/** The page keeps it too, because the browser's storage may be full or blocked. */
function remember(userId: string, change: (unsent: Unsent) => Unsent): void {
  current.set(userId, change(unsentOf(userId)));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== null) for (const userId of current.keys()) takeFromOtherTab(userId, key);
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

function takeFromOtherTab(userId: string, key: string): void {
  const { outgoing, draft } = keysOf(userId);
  const unsent = unsentOf(userId);
  if (key.startsWith(outgoing)) {
    current.set(userId, withOutgoing(unsent, key.slice(outgoing.length), readDeviceCopy(key, Outgoing)));
  } else if (key.startsWith(draft)) {
    current.set(userId, withDraft(unsent, key.slice(draft.length), readDeviceCopy(key, Draft)));
  }
}

function withOutgoing({ outgoing, drafts }: Unsent, clientKey: string, message: Outgoing | null): Unsent {
  const isKnown = outgoing.some((known) => known.clientKey === clientKey);
  const changed = isKnown
    ? outgoing.flatMap((known) => (known.clientKey === clientKey ? (message ?? []) : known))
    : [...outgoing, ...(message ? [message] : [])];
  return { drafts, outgoing: changed.sort((one, other) => one.writtenAt.localeCompare(other.writtenAt)) };
}

function withDraft({ outgoing, drafts }: Unsent, personId: string, draft: Draft | null): Unsent {
  const { [personId]: _, ...others } = drafts;
  return { outgoing, drafts: draft ? { ...others, [personId]: draft } : others };
}

function keysOf(userId: string) {
  const all = `switchyard.unsent-messages.${userId}`;
  return { all, outgoing: `${all}.message.`, draft: `${all}.draft.` };
}

function readStored(userId: string): Unsent {
  const keys = keysOf(userId);
  let unsent: Unsent = { outgoing: [], drafts: {} };
  for (const key of keysOfDeviceCopies(keys.outgoing)) {
    const message = readDeviceCopy(key, Outgoing);
    if (message?.isSent) removeDeviceCopy(key);
    else unsent = withOutgoing(unsent, key.slice(keys.outgoing.length), message);
  }
  for (const key of keysOfDeviceCopies(keys.draft)) {
    unsent = withDraft(unsent, key.slice(keys.draft.length), readDeviceCopy(key, Draft));
  }
  return unsent;
}
