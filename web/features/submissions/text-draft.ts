import { useState } from 'react';
import { z } from 'zod';

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
export function useTextDraft({ kind, userId, subjectId }: DraftPlace) {
  const key = `switchyard.draft.${kind}.${userId}.${subjectId}`;
  const [draft, setDraft] = useState(() => readDraft(key));
  const [isKept, setKept] = useState(true);
  const save = (changed: Draft) => {
    setDraft(changed);
    setKept(isDone(() => localStorage.setItem(key, JSON.stringify(changed))));
  };
  const discard = () => {
    setDraft(null);
    isDone(() => localStorage.removeItem(key));
  };
  return { draft, isKept, save, discard };
}

export function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

function readDraft(key: string): Draft | null {
  let stored: string | null = null;
  isDone(() => {
    stored = localStorage.getItem(key);
  });
  if (stored === null) return null;
  try {
    return Draft.parse(JSON.parse(stored));
  } catch (error) {
    // An entry of another version of this page, or one that somebody has changed by hand.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
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
