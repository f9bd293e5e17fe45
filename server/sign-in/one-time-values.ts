import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { hashToken } from '#server/sign-in/password-links.ts';

/** A question that a person's device has to answer stays open this long. */
export const oneTimeSeconds = 600;

/** Keeps a value under a secret, and stores only the secret's hash. `kind` separates purposes and persons. */
export async function keepOneTimeValue(db: Db, kind: string, secret: string, value: string = ''): Promise<Date> {
  const kept = await sql<{ expiresAt: Date }>`
    insert into auth.verification (identifier, value, expires_at)
    values (${identifierOf(kind, secret)}, ${value}, now() + make_interval(secs => ${oneTimeSeconds}))
    returning expires_at`.execute(db);
  const row = kept.rows[0];
  if (!row) throw new Error('Keeping a one-time value returned no row.');
  return row.expiresAt;
}

/** Takes the value, so only one of two requests gets it. Null if it was taken, has ended or never was. */
export async function takeOneTimeValue(db: Db, kind: string, secret: string): Promise<string | null> {
  const taken = await sql<{ value: string }>`
    delete from auth.verification where identifier = ${identifierOf(kind, secret)} and expires_at > now()
    returning value`.execute(db);
  return taken.rows[0]?.value ?? null;
}

function identifierOf(kind: string, secret: string): string {
  return `${kind}:${hashToken(secret)}`;
}
