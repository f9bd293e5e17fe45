import { type SqlBool, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { demoAddresses, demoPassword } from '#server/sign-in/demo-accounts.ts';
import { isPasswordOf } from '#server/sign-in/password-hash.ts';

/**
 * True if an account of a demo still has the published password, which lets everybody sign in. No other account has that
 * password (password-refusals.ts).
 */
export async function hasOpenDemoAccounts(db: Db): Promise<boolean> {
  // All demo passwords were hashed once, so this takes one hash, or none if there never was a demo.
  const { rows } = await sql<{ password: string }>`
    select distinct account.password
    from auth."user" sign_in
    join auth.account on account.user_id = sign_in.id and account.provider_id = 'credential'
    where ${isOfDemo} and account.password is not null`.execute(db);
  for (const { password } of rows) if (await isPasswordOf(password, demoPassword)) return true;
  return false;
}

/**
 * Finds them by the address that the account was made with. Its owner may have changed it, and the log has the former
 * one.
 */
export const isOfDemo = sql<SqlBool>`(sign_in.email ~ ${demoAddresses} or sign_in.id in (
  select subject_id from audit_log where action = 'email.change' and before ->> 'email' ~ ${demoAddresses}))`;
