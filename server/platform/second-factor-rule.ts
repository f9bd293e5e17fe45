import { type RawBuilder, sql } from 'kysely';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';

type Setting = Pick<Config, 'requireAdminSecondFactor'>;

/** Admins must have a second factor by the setting, as long as no admin has changed the rule; a part of a query. */
function isBySetting({ requireAdminSecondFactor }: Setting): RawBuilder<boolean> {
  return sql<boolean>`(${requireAdminSecondFactor}::boolean and policy.changed_by is null)`;
}

/** Which roles must have a second factor, of the one row `policy` of auth.sign_in_policy. */
export function secondFactorRolesOf(setting: Setting): RawBuilder<string[]> {
  return sql<string[]>`case when ${isBySetting(setting)} then '{admin}'::text[] else policy.second_factor_roles end`;
}

/** Whether the person of `profile` must have one by now: where the setting asks for it they have some days. */
export function mustHaveSecondFactor(setting: Setting): RawBuilder<boolean> {
  return sql<boolean>`(profile.role = any(${secondFactorRolesOf(setting)})
    and (not ${isBySetting(setting)} or coalesce(second_factor_due_at(profile.id) <= now(), false)))`;
}

/** At each start: from the first one on that asks admins for a second factor they have some days to set it up. */
export async function noteThatAdminsAreAsked(db: Db, { requireAdminSecondFactor }: Setting): Promise<void> {
  if (!requireAdminSecondFactor) return;
  await sql`
    update auth.sign_in_policy set admins_asked_since = now() where admins_asked_since is null`.execute(db);
}
