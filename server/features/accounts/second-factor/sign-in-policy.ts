import { sql } from 'kysely';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { readSignInPolicy, SecondFactorRole } from '#contract/second-factor.ts';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { readPolicy } from '#server/features/accounts/second-factor/sign-in-policy-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError } from '#server/platform/errors.ts';
import { changed } from '#server/platform/telling.ts';
import { secondFactorRolesOf } from '#server/sign-in/second-factor-rule.ts';

/**
 * Tells people who are signed in at once. Their next step leads to the set-up. Throws 'stale' if another admin has
 * changed the rule since it was seen.
 */
export async function changePolicy(
  db: Db,
  actor: Actor,
  { secondFactorRoles, seen }: { secondFactorRoles: SecondFactorRole[]; seen: SecondFactorRole[] },
  config: Config,
): Promise<ReplyOf<typeof readSignInPolicy>> {
  const wanted = asSet(secondFactorRoles);
  const kept = await sql<{ secondFactorRoles: SecondFactorRole[] }>`
    select ${secondFactorRolesOf(config)} as second_factor_roles
    from auth.sign_in_policy policy for update`.execute(db);
  const before = kept.rows[0]?.secondFactorRoles ?? [];
  if (before.join() === wanted.join()) return readPolicy(db, config);
  if (before.join() !== asSet(seen).join()) {
    throw new AppError('stale', 'Another admin has just changed this rule. Please look at it again.');
  }
  await sql`
    update auth.sign_in_policy
    set second_factor_roles = ${wanted}::text[], changed_at = now(), changed_by = ${actor.id}`.execute(db);
  await audit(db, actor.id, {
    action: 'sign_in_policy.change',
    subjectType: 'sign_in_policy',
    subjectId: actor.id,
    before: { secondFactorRoles: before },
    after: { secondFactorRoles: wanted },
  });
  await changed(db, 'ways-in', 'everybody');
  return readPolicy(db, config);
}

function asSet(roles: SecondFactorRole[]): SecondFactorRole[] {
  return [...new Set(roles)].sort();
}
