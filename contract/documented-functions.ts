import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { attendedTypes, contentTypes } from './learning.ts';
import { personName } from './person-names.ts';

/** The four documented server functions keep their address, body and answer, because outside automations call them. */

export const bulkRecord = z.object({
  first_name: z.string().default(''),
  last_name: z.string().default(''),
  email: z.string().default(''),
  program: z.string().default(''),
  cohort: z.string().default(''),
  role: z.string().default(''),
  track_type: z.string().optional(),
  /** This goes beyond the specified record: the coach of a participant, who may be in the same file. */
  coach_email: z.string().optional(),
  /** This goes beyond the specified record. */
  phone: z.string().optional(),
  /** This goes beyond the specified record: the row of the file, if it is not one below the position in `records`. */
  row: z.number().int().min(1).max(10_000_000).optional(),
});
/** DATA1-17. Fields may be empty here. `errors` answers every rule of a row, for each row. */
export type BulkRecord = z.output<typeof bulkRecord>;

/** The upload has its own way to the server, which reads the answer with this. */
export const BulkInvitationsAnswer = z.object({
  success: z.boolean(),
  /** The history item that holds the result of every row. It is null if nothing was taken. */
  import_id: z.string().nullable(),
  /**
   * It is 'processing' if the upload is not done within some seconds. The counts are then those so far, and
   * readImport has the end.
   */
  status: z.enum(['processing', 'completed', 'failed']),
  successful_records: z.number().int(),
  failed_records: z.number().int(),
  total_records: z.number().int(),
  /** `row` is the position in `records`, from 1. */
  errors: z.array(z.object({ row: z.number().int(), email: z.string(), error: z.string() })),
  webhook_sent: z.boolean(),
  error: z.string().nullable(),
});

export const processBulkInvitations = endpoint({
  name: 'processBulkInvitations',
  method: 'POST',
  path: '/functions/v1/process-bulk-invitations',
  access: 'imports.manage',
  takesLong: true,
  summary: 'Takes up to 1,000 people; accounts are made by a job, whose progress the import history shows.',
  bodyLimit: 8 * 1024 * 1024,
  ownTransactions: true,
  body: z.object({ records: z.array(bulkRecord), filename: z.string().min(1).max(255) }),
  response: BulkInvitationsAnswer,
});

export const recordAttendance = endpoint({
  name: 'recordAttendance',
  method: 'POST',
  path: '/functions/v1/record-attendance',
  access: 'attendance.record',
  summary: 'Records that the signed-in participant completed an activity; a repeat changes nothing (ACT-17 to ACT-21).',
  body: z.object({
    fellow_id: z.uuid(),
    cohort_id: z.uuid(),
    week_number: z.number().int(),
    content_type: z.enum(
      attendedTypes,
      `The content_type must be live_session or a kind of content: ${contentTypes.join(', ')}`,
    ),
    content_id: z.uuid(),
    duration_minutes: z.number().int().min(1).max(1440),
  }),
  response: z.object({ success: z.boolean(), error: z.string().nullable() }),
});

export const createAdminUser = endpoint({
  name: 'createAdminUser',
  method: 'POST',
  path: '/functions/v1/create-admin-user',
  access: 'users.manage',
  needsFreshProof: true,
  summary:
    'Creates an admin account that can sign in at once (SUPER-09), to change the given password before anything else.',
  body: z.object({
    email: z.email().max(254),
    password: z.string().min(8).max(128),
    firstName: personName('Please enter a first name'),
    lastName: personName('Please enter a last name'),
  }),
  response: z.object({ success: z.boolean(), error: z.string().nullable() }),
});

export const syncAuthProfiles = endpoint({
  name: 'syncAuthProfiles',
  method: 'POST',
  path: '/functions/v1/sync-auth-profiles',
  access: 'users.manage',
  takesLong: true,
  summary: 'Makes the missing profiles of sign-ins.',
  response: z.object({
    success: z.boolean(),
    results: z.object({ createdProfiles: z.number().int() }),
    error: z.string().nullable(),
  }),
});
