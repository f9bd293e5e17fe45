import { useState } from 'react';
import { z } from 'zod';
import { readDeviceCopy, removeDeviceCopy, writeDeviceCopy } from './device-copy.ts';

const Draft = z.object({ text: z.string(), round: z.number().nullable() });
type Draft = z.infer<typeof Draft>;

interface DraftPlace {
  /** What is written. */
  kind: 'assignment' | 'review';
  userId: string;
  subjectId: string;
}

/**
 * Text that is not sent yet, kept on this device; it belongs to the round that the person saw while typing.
 * `isKept` is false where the browser has no room for it or refuses to keep anything.
 */
export function useTextDraft(place: DraftPlace) {
  const key = draftKey(place);
  const [draft, setDraft] = useState(() => readDeviceCopy(key, Draft));
  const [isKept, setKept] = useState(true);
  const save = (changed: Draft) => {
    setDraft(changed);
    setKept(writeDeviceCopy(key, changed));
  };
  const discard = () => {
    setDraft(null);
    removeDeviceCopy(key);
  };
  return { draft, isKept, save, discard };
}

export function draftKey({ kind, userId, subjectId }: DraftPlace): string {
  return `switchyard.draft.${kind}.${userId}.${subjectId}`;
}

export function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}
