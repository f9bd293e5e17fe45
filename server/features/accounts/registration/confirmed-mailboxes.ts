import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { AuditEntry } from '#server/platform/audit.ts';
import { sessionsEnded } from '#server/platform/live.ts';
import { changed } from '#server/platform/telling.ts';

export interface ConfirmedMailbox {
  isPasswordRemoved: boolean;
  /** The audit log gets this. */
  entry: AuditEntry;
}

/**
 * Enables an account whose person came by a way that proves the mailbox, and accepts its invitation. An earlier
 * password may belong to a stranger who registered with somebody else's address. So it goes, and its sessions too. A
 * requested role stays a request.
 */
export async function confirmMailbox(db: Db, userId: string, by: string): Promise<ConfirmedMailbox> {
  const done = await sql<{ isPasswordRemoved: boolean }>`
    with accepted as (
      update invitations set accepted_at = now() where user_id = ${userId} and accepted_at is null
    ), confirmed as (
      update auth."user" set email_verified = true, updated_at = now() where id = ${userId}
    ), removed as (
      delete from auth.account where user_id = ${userId} and provider_id = 'credential' returning id
    ), ended as (
      delete from auth.session where user_id = ${userId}
    ), unlinked as (
      delete from auth.password_link where user_id = ${userId}
    )
    select exists (select from removed) as is_password_removed, ${sessionsEnded(userId)}`.execute(db);
  await changed(db, ['people', 'ways-in'], [userId]);
  const isPasswordRemoved = done.rows[0]?.isPasswordRemoved ?? false;
  const entry: AuditEntry = {
    action: 'email.confirm',
    subjectType: 'user',
    subjectId: userId,
    after: { by, isPasswordRemoved },
  };
  return { isPasswordRemoved, entry };
}
