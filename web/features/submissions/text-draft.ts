import { useLocalStorage } from '@mantine/hooks';
import { z } from 'zod';

const Draft = z.object({ text: z.string(), round: z.number().nullable() });
type Draft = z.infer<typeof Draft>;

interface DraftPlace {
  /** What is written, as `assignment` or `review`. */
  kind: 'assignment' | 'review';
  userId: string;
  subjectId: string;
}

/** Text that is not sent yet, kept on this device; it belongs to the round that the person saw while typing. */
export function useTextDraft({ kind, userId, subjectId }: DraftPlace) {
  const [draft, setDraft, discard] = useLocalStorage<Draft | null>({
    key: `switchyard.draft.${kind}.${userId}.${subjectId}`,
    defaultValue: null,
    getInitialValueInEffect: false,
    deserialize: (stored) => (stored === undefined ? null : readDraft(stored)),
  });
  return { draft, save: setDraft, discard };
}

export function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

function readDraft(stored: string): Draft | null {
  try {
    return Draft.nullable().parse(JSON.parse(stored));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}
