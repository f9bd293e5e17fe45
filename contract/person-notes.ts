import { z } from 'zod';
import { Cursor, Done, endpoint, Id, IdParams, Instant, pageOf } from './endpoint.ts';

/** A note for staff is read at once. Each reading of a restricted one is on record, with a reason. */
export const noteKinds = ['staff', 'restricted'] as const;
export const NoteKind = z.enum(noteKinds);
export type NoteKind = z.infer<typeof NoteKind>;

export const PersonNote = z.object({
  id: Id,
  kind: NoteKind,
  /** It is null for a restricted note, which is opened on its own. */
  text: z.string().nullable(),
  author: z.object({ id: Id, name: z.string() }),
  writtenAt: Instant,
  can: z.object({ remove: z.boolean() }),
});
export type PersonNote = z.infer<typeof PersonNote>;

export const NewPersonNote = z.object({
  kind: NoteKind,
  text: z.string().trim().min(1, 'Please write a note.').max(4000),
});

export const listPersonNotes = endpoint({
  name: 'listPersonNotes',
  method: 'GET',
  path: '/api/people/:id/notes',
  access: 'people.read',
  mayReadReplica: true,
  summary: 'What staff noted about a person, latest first. Nobody reads what is noted about themself.',
  shows: ['notes', 'people'],
  params: IdParams,
  query: z.object({ cursor: Cursor.optional() }),
  response: pageOf(PersonNote),
});

export const writePersonNote = endpoint({
  name: 'writePersonNote',
  method: 'POST',
  path: '/api/people/:id/notes',
  access: 'people.read',
  summary: 'The coach of a participant, or an admin, notes something about a person for other staff.',
  params: IdParams,
  body: NewPersonNote,
  response: PersonNote,
});

export const openPersonNote = endpoint({
  name: 'openPersonNote',
  method: 'POST',
  path: '/api/person-notes/:id/openings',
  access: 'people.read',
  summary: 'Reads a restricted note. Who read it, when and why is on record.',
  params: IdParams,
  body: z.object({ reason: z.string().trim().min(1, 'Please say why you read it.').max(500) }),
  response: z.object({ text: z.string() }),
});

export const removePersonNote = endpoint({
  name: 'removePersonNote',
  method: 'DELETE',
  path: '/api/person-notes/:id',
  access: 'people.read',
  summary: 'The author, or an admin, removes a note. That it was there stays on record, without its text.',
  params: IdParams,
  response: Done,
});
