import { sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { readProofWays, readSecondFactor } from '#contract/second-factor.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import type { App } from '#server/platform/app-parts.ts';
import { signsOf } from '#server/platform/secret-box.ts';
import { secondFactorRolesOf } from '#server/sign-in/second-factor-rule.ts';

type SecondFactorView = ReplyOf<typeof readSecondFactor>;

export async function readSecondFactorView(
  { db, config, secrets }: Pick<App, 'db' | 'config' | 'secrets'>,
  actor: Actor,
): Promise<SecondFactorView> {
  const found = await sql<Omit<SecondFactorView, 'confirmedAt'> & { confirmedAt: Date | null }>`
    select factor.confirmed_at, ${actor.role}::text = any(${secondFactorRolesOf(config)}) as is_required,
      (select count(*)::int from auth.recovery_code
        where user_id = ${actor.id} and used_at is null
          and (secret_sign is null or secret_sign = any(${signsOf(secrets)}::text[]))) as recovery_codes_left,
      (select count(*)::int from auth.device
        where user_id = ${actor.id} and remembered_until > now()) as remembered_devices
    from auth.sign_in_policy policy
    left join auth.second_factor factor on factor.user_id = ${actor.id}`.execute(db);
  const row = found.rows[0];
  if (!row) throw new Error('There is no sign-in policy.');
  return { ...row, confirmedAt: row.confirmedAt?.toISOString() ?? null };
}

export async function readProofWaysOf(db: Db, actor: Actor): Promise<ReplyOf<typeof readProofWays>> {
  const found = await sql<{ hasPassword: boolean; hasSecondFactor: boolean }>`
    select
      exists (select from auth.account
        where user_id = ${actor.id} and provider_id = 'credential' and password is not null) as has_password,
      exists (select from auth.second_factor
        where user_id = ${actor.id} and confirmed_at is not null) as has_second_factor`.execute(db);
  return { hasPassword: false, hasSecondFactor: false, ...found.rows[0], email: actor.email };
}
