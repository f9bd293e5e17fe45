import { z } from 'zod';
import { endpoint, Id, IdParams, Instant } from './endpoint.ts';

export const saveAssignmentDraft = endpoint({
  name: 'saveAssignmentDraft',
  method: 'PUT',
  path: '/api/assignments/:id/draft',
  access: 'assignments.submit',
  summary:
    'Keeps what is written but not handed in; refused as stale when another device has saved something else meanwhile.',
  params: IdParams,
  body: z.object({
    text: z.string().max(200_000),
    fileId: Id.nullable(),
    /** The round that the person saw. It is null before a first submission. */
    basedOnRound: z.number().int().min(1).nullable(),
    /** The `updatedAt` of the draft that this one goes on from. It is null if the person saw none. */
    basedOn: Instant.nullable(),
  }),
  response: z.object({ updatedAt: Instant }),
});

export const discardAssignmentDraft = endpoint({
  name: 'discardAssignmentDraft',
  method: 'DELETE',
  path: '/api/assignments/:id/draft',
  access: 'assignments.submit',
  summary: 'Throws away the own draft of an assignment; without one nothing happens.',
  params: IdParams,
  response: z.object({ discarded: z.boolean() }),
});
