import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { newKey } from '../../api/new-key.ts';

const AttachedFile = z.object({ id: z.string(), name: z.string(), size: z.number() });
export type AttachedFile = z.infer<typeof AttachedFile>;

const Outgoing = z.object({
  clientKey: z.string(),
  recipientId: z.string(),
  text: z.string(),
  file: AttachedFile.nullable(),
  writtenAt: z.string(),
  /** What the server said when it refused it. */
  failure: z.string().nullable(),
  /** It is stored on the server, and stays here until the conversation shows it. */
  isSent: z.boolean(),
});
export type Outgoing = z.infer<typeof Outgoing>;

const Draft = z.object({ text: z.string(), file: AttachedFile.nullable() });
export type Draft = z.infer<typeof Draft>;

/** What a person has written and not sent yet, kept on this device until they sign out. */
const Unsent = z.object({ outgoing: z.array(Outgoing), drafts: z.record(z.string(), Draft) });
type Unsent = z.infer<typeof Unsent>;

const nothing: Unsent = { outgoing: [], drafts: {} };
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

/** Kept in the page too, where the browser's storage is full or blocked. */
function changeUnsent(userId: string, change: (unsent: Unsent) => Unsent): void {
  const changed = change(unsentOf(userId));
  current.set(userId, changed);
  const isEmpty = changed.outgoing.length === 0 && Object.keys(changed.drafts).length === 0;
  isDone(() => {
    if (isEmpty) localStorage.removeItem(keyOf(userId));
    else localStorage.setItem(keyOf(userId), JSON.stringify(changed));
  });
  for (const listener of listeners) listener();
}

export function putOutgoing(userId: string, message: Pick<Outgoing, 'recipientId' | 'text' | 'file'>): void {
  const added = {
    ...message,
    clientKey: newKey(),
    writtenAt: new Date().toISOString(),
    failure: null,
    isSent: false,
  };
  changeUnsent(userId, (unsent) => ({ ...unsent, outgoing: [...unsent.outgoing, added] }));
}

export function changeOutgoing(userId: string, clientKey: string, changes: Partial<Outgoing>): void {
  changeUnsent(userId, (unsent) => ({
    ...unsent,
    outgoing: unsent.outgoing.map((message) =>
      message.clientKey === clientKey ? { ...message, ...changes } : message,
    ),
  }));
}

export function removeOutgoing(userId: string, clientKeys: string[]): void {
  changeUnsent(userId, (unsent) => ({
    ...unsent,
    outgoing: unsent.outgoing.filter(({ clientKey }) => !clientKeys.includes(clientKey)),
  }));
}

export function saveDraft(userId: string, personId: string, draft: Draft | null): void {
  changeUnsent(userId, (unsent) => {
    const { [personId]: _, ...others } = unsent.drafts;
    return { ...unsent, drafts: draft ? { ...others, [personId]: draft } : others };
  });
}

/** When the person signs out. */
export function forgetUnsent(userId: string): void {
  current.delete(userId);
  isDone(() => localStorage.removeItem(keyOf(userId)));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    // Another tab has changed it.
    for (const userId of current.keys()) if (key === keyOf(userId)) current.set(userId, readStored(userId));
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

function keyOf(userId: string): string {
  return `switchyard.unsent-messages.${userId}`;
}

function readStored(userId: string): Unsent {
  let stored: string | null = null;
  isDone(() => {
    stored = localStorage.getItem(keyOf(userId));
  });
  if (stored === null) return nothing;
  try {
    const unsent = Unsent.parse(JSON.parse(stored));
    return { ...unsent, outgoing: unsent.outgoing.filter(({ isSent }) => !isSent) };
  } catch (error) {
    // An entry of another version of this page, or one that somebody has changed by hand.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return nothing;
    throw error;
  }
}

/** False where the browser's storage is full or blocked. */
function isDone(access: () => void): boolean {
  try {
    access();
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}
