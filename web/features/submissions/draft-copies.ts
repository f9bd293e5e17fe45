import { z } from 'zod';
import { keysOfDeviceCopies, readDeviceCopy } from '../../api/device-copy.ts';
import type { Assignment, OwnSubmission } from './assignment-state.ts';

const KeptFile = z.object({ id: z.string(), name: z.string(), size: z.number() });

/** What this device holds of a draft. */
export const DeviceDraft = z.object({
  text: z.string(),
  file: KeptFile.nullable(),
  /** The round that the person saw while writing: null before the first submission. */
  round: z.number().nullable(),
  /** `updatedAt` of the server's draft that this one goes on from. */
  basedOn: z.string().nullable(),
  /** Whether the server has exactly this. */
  isSaved: z.boolean(),
});
export type DeviceDraft = z.output<typeof DeviceDraft>;

interface DraftPlace {
  /** What is written. */
  kind: 'assignment' | 'review';
  userId: string;
  subjectId: string;
}

/** The name under which this device keeps a draft. */
export function draftKey({ kind, userId, subjectId }: DraftPlace): string {
  return `switchyard.draft.${kind}.${userId}.${subjectId}`;
}

/** How many drafts of a person the server does not have as they stand here. It has a review that has no copy here. */
export function unsavedDrafts(userId: string): number {
  const keysOf = (kind: DraftPlace['kind']) => keysOfDeviceCopies(draftKey({ kind, userId, subjectId: '' }));
  const assignments = keysOf('assignment').filter((key) => readDeviceCopy(key, DeviceDraft)?.isSaved === false);
  return assignments.length + keysOf('review').length;
}

export type ServerDraft = NonNullable<Assignment['draft']>;

interface Copies {
  device: DeviceDraft | null;
  server: ServerDraft | null;
  /** What is handed in again; null for a first submission. */
  earlier: Pick<OwnSubmission, 'roundNumber' | 'text' | 'file'> | null;
}

/**
 * What the form shows, and what another device has saved meanwhile without this one knowing, if it differs. The newer
 * copy wins only where nothing is lost by it: otherwise the person chooses.
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
