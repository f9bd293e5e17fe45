import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';

export const resetSeconds = 3600;
export const invitationSeconds = 7 * 24 * 3600;

export interface NewPasswordLink {
  userId: string;
  /** Null for a reset. */
  invitationId: string | null;
}

export interface PasswordLink {
  userId: string;
  kind: 'reset' | 'invitation';
  /** Null if the person was deleted after the link was sent. */
  email: string | null;
  firstName: string;
  lastName: string;
}

/** Makes links and returns their addresses in the given order. It takes one statement for any number. */
export async function issuePasswordLinks(db: Db, publicUrl: string, links: NewPasswordLink[]): Promise<string[]> {
  if (links.length === 0) return [];
  const tokens = links.map(() => randomBytes(32).toString('base64url'));
  const rows = links.map((link, index) => ({ ...link, tokenHash: hashToken(tokens[index] ?? '') }));
  await sql`
    insert into auth.password_link (token_hash, user_id, kind, invitation_id, expires_at)
    select "tokenHash", "userId", case when "invitationId" is null then 'reset' else 'invitation' end, "invitationId",
      now() + make_interval(secs => case when "invitationId" is null then ${resetSeconds}::int else ${invitationSeconds}::int end)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given
      ("tokenHash" text, "userId" uuid, "invitationId" uuid)`.execute(db);
  return tokens.map((token) => linkAddress(publicUrl, token));
}

export async function findPasswordLink(db: Db, token: string): Promise<PasswordLink | undefined> {
  const found = await sql<PasswordLink>`
    select link.user_id, link.kind, sign_in.email, coalesce(sign_in.first_name, '') as first_name,
      coalesce(sign_in.last_name, '') as last_name
    from auth.password_link link
    left join auth."user" sign_in on sign_in.id = link.user_id
    where link.token_hash = ${hashToken(token)} and link.expires_at > now()`.execute(db);
  return found.rows[0];
}

/** Uses up the link, so only one of two requests with the same link gets it. */
export async function takePasswordLink(db: Db, token: string): Promise<PasswordLink | undefined> {
  const taken = await sql<PasswordLink>`
    with link as (
      delete from auth.password_link where token_hash = ${hashToken(token)} and expires_at > now()
      returning user_id, kind
    )
    select link.user_id, link.kind, sign_in.email, coalesce(sign_in.first_name, '') as first_name,
      coalesce(sign_in.last_name, '') as last_name
    from link left join auth."user" sign_in on sign_in.id = link.user_id`.execute(db);
  return taken.rows[0];
}

/**
 * All links of a person die when the password or the email address changes. So do sign-in links, an asked-for change
 * of address and a mailed code.
 */
export async function dropPasswordLinks(db: Db, userId: string): Promise<void> {
  await sql`
    with change as (
      delete from auth.verification
      where starts_with(identifier, ${emailChangeOf(userId)}) or identifier = ${mailSignInOf(userId)}
    ), code as (delete from auth.mailed_code where user_id = ${userId})
    delete from auth.password_link where user_id = ${userId}`.execute(db);
}

/** The identifier of a person's mailed sign-in. There is at most one. */
export function mailSignInOf(userId: string): string {
  return `mail-sign-in:${userId}`;
}

/** The identifier of the code that was texted to a person. Its value names the number. */
export function phoneCodeOf(userId: string): string {
  return `phone-code:${userId}`;
}

/** The start of the identifiers of a person's asked-for changes of address. */
export function emailChangeOf(userId: string): string {
  return `email-change:${userId}:`;
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Links keep the form that the hosted back end gave them. The part behind # never reaches a server's log. */
function linkAddress(publicUrl: string, token: string): string {
  return `${publicUrl}/set-password#access_token=${token}&refresh_token=${token}&type=recovery`;
}
