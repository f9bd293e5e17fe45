import { z } from 'zod';
import { keysOfDeviceCopies, readDeviceCopy } from '../../api/device-copy.ts';
import type { Assignment, OwnSubmission } from './assignment-state.ts';

const KeptFile = z.object({ id: z.string(), name: z.string(), size: z.number() });

/** This device's copy of a draft. */
export const DeviceDraft = z.object({
  text: z.string(),
  file: KeptFile.nullable(),
  /** The round that the person saw while writing. Null before the first submission. */
  round: z.number().nullable(),
  /** `updatedAt` of the server's draft that this one goes on from. */
  basedOn: z.string().nullable(),
  /** True if the server has exactly this. */
  isSaved: z.boolean(),
});
export type DeviceDraft = z.output<typeof DeviceDraft>;

interface DraftPlace {
  kind: 'assignment' | 'review';
  userId: string;
  subjectId: string;
}

export function draftKey({ kind, userId, subjectId }: DraftPlace): string {
  return `switchyard.draft.${kind}.${userId}.${subjectId}`;
}

/**
 * Counts a person's drafts that the server does not have in this state. A review without a copy here is on the server.
 */
export function unsavedDrafts(userId: string): number {
  const keysOf = (kind: DraftPlace['kind']) => keysOfDeviceCopies(draftKey({ kind, userId, subjectId: '' }));
  const assignments = keysOf('assignment').filter((key) => readDeviceCopy(key, DeviceDraft)?.isSaved === false);
  return assignments.length + keysOf('review').length;
}

export type ServerDraft = NonNullable<Assignment['draft']>;

interface Copies {
  device: DeviceDraft | null;
  server: ServerDraft | null;
  /** The submission that is handed in again. Null for a first submission. */
  earlier: Pick<OwnSubmission, 'roundNumber' | 'text' | 'file'> | null;
}

/**
 * Picks the form's draft. `other` is a different version that another device saved without this one knowing. The newer
 * copy wins only if nothing is lost by it. Otherwise the person chooses.
 */
export function presentDraft({ device, server, earlier }: Copies): { draft: DeviceDraft; other: ServerDraft | null } {
  const round = earlier?.roundNumber ?? null;
  const own = device?.round === round ? device : null;
  if (!server) return { draft: own ?? untouched(earlier), other: null };
  const known: DeviceDraft = { text: server.text, file: server.file, round, basedOn: server.updatedAt, isSaved: true };
  if (!own) return { draft: known, other: null };
  if (own.basedOn !== null && server.updatedAt <= own.basedOn) return { draft: own, other: null };
  if (own.isSaved || hasSameContent(own, server)) return { draft: known, other: null };
  return { draft: own, other: server };
}

export function hasSameContent(one: Content, other: Content): boolean {
  return one.text === other.text && (one.file?.id ?? null) === (other.file?.id ?? null);
}

interface Content {
  text: string;
  file: { id: string } | null;
}

function untouched(earlier: Copies['earlier']): DeviceDraft {
  const { text = null, file = null, roundNumber = null } = earlier ?? {};
  return { text: text ?? '', file, round: roundNumber, basedOn: null, isSaved: true };
}
