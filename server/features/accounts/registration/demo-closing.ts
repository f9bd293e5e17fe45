import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { audit } from '#server/platform/audit.ts';
import { tellSessionsEnded } from '#server/platform/live.ts';
import { changed } from '#server/platform/telling.ts';
import { isOfDemo } from './open-demo-queries.ts';

/**
 * Takes every way in from all people whom the demo made, whatever password or passkey they have now. Ends their
 * sessions. What they did stays. Returns how many accounts were open.
 */
export async function closeDemoAccounts(db: Db): Promise<number> {
  const { rows } = await sql<{ id: string; wasSignedIn: boolean }>`
    with demo as (
      select id, email from auth."user" sign_in where ${isOfDemo} for update
    ), ways as (
      delete from auth.account using demo where user_id = demo.id returning user_id
    ), passkeys as (
      delete from auth.passkey using demo where user_id = demo.id returning user_id
    ), ended as (
      delete from auth.session using demo where user_id = demo.id returning user_id
    ), links as (
      delete from auth.password_link using demo where user_id = demo.id
    ), questions as (
      delete from auth.verification using demo where strpos(identifier, demo.id::text) > 0
    ), silenced as (
      delete from push_subscriptions using demo where user_id = demo.id
    ), calendars as (
      delete from calendar_feeds using demo where user_id = demo.id
    ), unconfirmed as (
      update auth."user" set email_verified = false, updated_at = now() from demo where "user".id = demo.id
    )
    select id, id in (select user_id from ended) as was_signed_in from demo
    where id in (select user_id from ways union all select user_id from passkeys union all select user_id from ended)
    order by id`.execute(db);
  await tellSessionsEnded(db, ...rows.flatMap(({ id, wasSignedIn }) => (wasSignedIn ? [id] : [])));
  await changed(db, ['people', 'ways-in'], []);
  await audit(
    db,
    null,
    rows.map(({ id }) => ({ action: 'demo_account.close', subjectType: 'user', subjectId: id })),
  );
  return rows.length;
}
