import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { SealedColumn } from '#server/platform/sealed-columns.ts';
import { type Secrets, signsOf } from '#server/platform/secret-box.ts';

export const sealedFactors: SealedColumn = {
  what: 'second factors',
  table: 'auth.second_factor',
  key: 'user_id',
  column: 'encrypted_secret',
  purposeOf: factorPurposeOf,
};

export function factorPurposeOf(userId: string): string {
  return `second-factor:${userId}`;
}

/** Codes are kept as hashes, so none can be hashed anew. While one secret alone is accepted, it made them all. */
export async function signRecoveryCodes(db: Db, secrets: Secrets): Promise<void> {
  if (secrets.length > 1) return;
  await sql`update auth.recovery_code set secret_sign = ${signsOf(secrets)[0]} where secret_sign is null`.execute(db);
}

/** Counts the people with recovery codes that work for no longer than the former secret is accepted. */
export async function countPeopleWithFormerCodes(db: Db, secrets: Secrets): Promise<number> {
  const found = await sql<{ people: number }>`
    select count(distinct user_id)::int as people from auth.recovery_code
    where used_at is null and secret_sign is distinct from ${signsOf(secrets)[0]}`.execute(db);
  return found.rows[0]?.people ?? 0;
}
