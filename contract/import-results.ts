import { z } from 'zod';
import { bulkRecord } from './documented-functions.ts';
import { endpoint, Id, IdParams, Instant, pageOf, SearchText } from './endpoint.ts';
import { bulkLimits, ImportItem } from './imports.ts';
import { Role } from './roles.ts';

/** Says what became of a row. If the row is in, it says how far its invitation is. */
export const importRowStates = [
  'waiting',
  'failed',
  'not_delivered',
  'expired',
  'sent',
  'accepted',
  'undone',
  'deleted',
] as const;
export const ImportRowState = z.enum(importRowStates);
export type ImportRowState = z.infer<typeof ImportRowState>;
/** A resend that names no rows sends new invitations to rows of these states. */
export const overdueStates = ['expired', 'not_delivered'] as const satisfies ImportRowState[];
export const invitableStates = [...overdueStates, 'sent'] as const satisfies ImportRowState[];

const Count = z.number().int();

export const readImport = endpoint({
  name: 'readImport',
  method: 'GET',
  path: '/api/imports/:id',
  access: 'imports.manage',
  summary: 'One upload with its progress, its failures, and how far its invitations are.',
  shows: ['imports'],
  params: IdParams,
  response: ImportItem.extend({
    /** `row` is the position among the records of the upload, from 1. `fileRow` is the row that a spreadsheet shows. */
    errorReport: z.array(z.object({ row: Count, fileRow: Count, email: z.string(), error: z.string() })),
    rowsByState: z.array(z.object({ state: ImportRowState, rows: Count })),
    /** What an undo would take away. The screen says so before it happens. */
    undo: z.object({
      accounts: Count,
      participants: Count,
      coaches: Count,
      admins: Count,
      /** Counts the places in cohorts that become free. */
      places: Count,
      /** Counts the participants outside of the upload who would be without their coach. */
      leftWithoutCoach: Count,
      /** Why nobody can undo it. It is null if somebody can. */
      refusal: z.string().nullable(),
    }),
    can: z.object({ undo: z.boolean(), resendOverdue: z.boolean() }),
  }),
});

export const ImportRow = z.object({
  row: Count,
  fileRow: Count,
  state: ImportRowState,
  email: z.string(),
  /** It is empty if the row is not, or is no longer, a person. */
  firstName: z.string(),
  lastName: z.string(),
  role: Role.nullable(),
  userId: Id.nullable(),
  error: z.string().nullable(),
  invitation: z.object({ sentAt: Instant, expiresAt: Instant, acceptedAt: Instant.nullable() }).nullable(),
});

export const listImportRows = endpoint({
  name: 'listImportRows',
  method: 'GET',
  path: '/api/imports/:id/rows',
  access: 'imports.manage',
  summary: 'The rows of one upload in file order, each with its result.',
  shows: ['imports'],
  params: IdParams,
  query: z.object({
    state: ImportRowState.optional(),
    search: SearchText.optional(),
    cursor: z.coerce.number().int().min(0).max(1_000_000).optional(),
  }),
  response: pageOf(ImportRow),
});

export const checkImport = endpoint({
  name: 'checkImport',
  method: 'POST',
  path: '/api/imports/check',
  access: 'imports.manage',
  takesLong: true,
  summary: 'What would become of these people if they were sent now; writes nothing.',
  shows: ['people', 'cohorts', 'enrolments', 'coaches'],
  bodyLimit: 8 * 1024 * 1024,
  body: z.object({ records: z.array(bulkRecord).max(bulkLimits.records) }),
  response: z.object({
    /** `row` is the position in `records`, from 1. */
    leftOut: z.array(z.object({ row: Count, email: z.string(), error: z.string() })),
    cohorts: z.array(z.object({ name: z.string(), programType: z.string(), participants: Count, freePlaces: Count })),
  }),
});

export const undoImport = endpoint({
  name: 'undoImport',
  method: 'POST',
  path: '/api/imports/:id/undo',
  access: 'imports.manage',
  takesLong: true,
  needsFreshProof: true,
  summary: 'Takes everybody of an upload out again; refused with names once somebody of them has been here.',
  params: IdParams,
  response: z.object({ accounts: Count }),
});

export const resendImportInvitations = endpoint({
  name: 'resendImportInvitations',
  method: 'POST',
  path: '/api/imports/:id/invitations',
  access: 'imports.manage',
  summary: 'Mails new invitations: to these rows, or to all whose invitation expired or was not delivered.',
  params: IdParams,
  body: z.object({ rows: z.array(z.number().int().positive()).min(1).max(bulkLimits.records).optional() }),
  response: z.object({ sent: Count }),
});
