import { type RawBuilder, sql } from 'kysely';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';

type Setting = Pick<Config, 'requireAdminSecondFactor'>;

/** A part of a query. The setting makes admins have a second factor, as long as no admin has changed the rule. */
function isBySetting({ requireAdminSecondFactor }: Setting): RawBuilder<boolean> {
  return sql<boolean>`(${requireAdminSecondFactor}::boolean and policy.changed_by is null)`;
}

/** The roles that must have a second factor, by the one row `policy` of auth.sign_in_policy. */
export function secondFactorRolesOf(setting: Setting): RawBuilder<string[]> {
  return sql<string[]>`case when ${isBySetting(setting)} then '{admin}'::text[] else policy.second_factor_roles end`;
}

/**
 * True if the person of `profile` must have a second factor by now. If the setting asks admins for it, they have some
 * days. A change of the rule for others does not take those days from them.
 */
export function mustHaveSecondFactor(setting: Setting): RawBuilder<boolean> {
  const hasDaysLeft = sql`(profile.role = 'admin' and ${setting.requireAdminSecondFactor}::boolean
    and coalesce(second_factor_due_at(profile.id) > now(), ${isBySetting(setting)}))`;
  return sql<boolean>`(profile.role = any(${secondFactorRolesOf(setting)}) and not ${hasDaysLeft})`;
}

/**
 * The end of the days that the person of `profile` still has. Null if the rule asks nothing of the person, or asks it
 * by now.
 */
export function secondFactorDueAt(setting: Setting): RawBuilder<Date | null> {
  const isAsked = sql`profile.role = 'admin' and profile.role = any(${secondFactorRolesOf(setting)})
    and ${setting.requireAdminSecondFactor}::boolean and second_factor_due_at(profile.id) > now()`;
  return sql<Date | null>`(case when ${isAsked} then second_factor_due_at(profile.id) end)`;
}

/**
 * Every start calls this. The first start that asks admins for a second factor begins the days that they have to set it
 * up.
 */
export async function noteThatAdminsAreAsked(db: Db, { requireAdminSecondFactor }: Setting): Promise<void> {
  if (!requireAdminSecondFactor) return;
  await sql`
    update auth.sign_in_policy set admins_asked_since = now() where admins_asked_since is null`.execute(db);
}
