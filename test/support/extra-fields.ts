import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Sample } from './sample-body.ts';

export const smuggled = '00000000-0000-7000-8000-0000000000ff';
/** Stands in every extra text, day and number, so that it is found wherever it was written. */
export const smuggledMarks = [smuggled, 'mallory', '99999999', '1987-06-05'];

/**
 * Fields that an attacker who knows the tables would try to set. An endpoint keeps its own value for a field that it
 * takes.
 */
export const extras: Record<string, Sample> = {
  id: smuggled,
  role: 'admin',
  requestedRole: 'admin',
  email: 'mallory@people.example',
  emailVerified: true,
  userId: smuggled,
  user_id: smuggled,
  actorId: smuggled,
  participantId: smuggled,
  participant_id: smuggled,
  fellowId: smuggled,
  coachId: smuggled,
  coach_id: smuggled,
  senderId: smuggled,
  ownerId: smuggled,
  createdBy: smuggled,
  uploadedBy: smuggled,
  status: 'approved',
  paymentStatus: 'paid',
  payment_status: 'paid',
  stipendAmountCents: 99_999_999,
  amountCents: 99_999_999,
  amount: 99_999,
  overallEligible: true,
  approvedBy: smuggled,
  approved_by: smuggled,
  approvedAt: '1987-06-05T00:00:00Z',
  reviewedBy: smuggled,
  reviewedAt: '1987-06-05T00:00:00Z',
  submittedAt: '1987-06-05T00:00:00Z',
  createdAt: '1987-06-05T00:00:00Z',
  deletedAt: '1987-06-05T00:00:00Z',
  passwordHash: 'mallory',
  password_hash: 'mallory',
  can: { approve: true },
  isAdmin: true,
};

const valueOfType: Record<string, Sample> = {
  uuid: smuggled,
  boolean: true,
  integer: 99_999_999,
  smallint: 9999,
  bigint: 99_999_999,
  numeric: 99_999_999,
  date: '1987-06-05',
  'timestamp with time zone': '1987-06-05T00:00:00Z',
  jsonb: { mallory: true },
  ARRAY: ['mallory'],
};

/** The extras above, and every column of every table under both of its names. */
export async function extrasOfColumns(db: Db): Promise<Record<string, Sample>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select distinct column_name as name, data_type as type from information_schema.columns
    where table_schema in ('public', 'auth')`.execute(db);
  const ofColumns = rows.flatMap(({ name, type }) => {
    const value = valueOfType[type] ?? 'mallory';
    return [name, name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())].map((one) => [one, value]);
  });
  return { ...(Object.fromEntries(ofColumns) as Record<string, Sample>), ...extras };
}

/** Adds the extras at every depth. An existing field keeps its own value. */
export function withExtras(value: Sample, openPart?: string, more = extras): Sample {
  if (Array.isArray(value)) return value.map((part) => withExtras(part, openPart, more));
  if (typeof value !== 'object' || value === null) return value;
  const own = Object.entries(value).map(([name, part]) => [
    name,
    name === openPart ? part : withExtras(part as Sample, openPart, more),
  ]);
  return { ...more, ...Object.fromEntries(own) };
}

/**
 * Parts that take no extras. The answers of a browser's passkeys are read by the WebAuthn library, and the server writes
 * nothing of them but the key.
 */
export const openParts: Record<string, string> = {
  addPasskey: 'response',
  signInByPasskey: 'response',
  // Its names are the kinds of participants, a closed list, and another name is refused.
  updateProgramme: 'kindLabels',
};
