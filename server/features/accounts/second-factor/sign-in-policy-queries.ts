import { sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { readSignInPolicy, SecondFactorRole } from '#contract/second-factor.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { secondFactorRolesOf } from '#server/sign-in/second-factor-rule.ts';

export async function readPolicy(db: Db, config: Config): Promise<ReplyOf<typeof readSignInPolicy>> {
  const found = await sql<{ secondFactorRoles: SecondFactorRole[]; coaches: number; admins: number }>`
    select ${secondFactorRolesOf(config)} as second_factor_roles,
      count(*) filter (where person.role = 'coach')::int as coaches,
      count(*) filter (where person.role = 'admin')::int as admins
    from auth.sign_in_policy policy
    left join profiles person on person.role in ('coach', 'admin') and person.deleted_at is null
      and not exists (
        select from auth.second_factor factor where factor.user_id = person.id and factor.confirmed_at is not null
      )
    group by policy.is_only_row`.execute(db);
  const row = found.rows[0];
  if (!row) throw new Error('There is no sign-in policy.');
  return { secondFactorRoles: row.secondFactorRoles, without: { coach: row.coaches, admin: row.admins } };
}
