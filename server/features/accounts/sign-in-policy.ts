import { sql } from 'kysely';
import { readSession } from '#contract/accounts.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { readSecondFactor, readSignInPolicy, type SecondFactorRole } from '#contract/second-factor.ts';
import type { Db } from '#server/db/database.ts';
import { readPolicy } from '#server/features/accounts/sign-in-policy-queries.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { tellBrowsers } from '#server/platform/live.ts';

/** People whom it concerns are led to the set-up at once, also those who are signed in. */
export async function changePolicy(
  db: Db,
  actor: Actor,
  secondFactorRoles: SecondFactorRole[],
): Promise<ReplyOf<typeof readSignInPolicy>> {
  const wanted = [...new Set(secondFactorRoles)].sort();
  const kept = await sql<{ secondFactorRoles: SecondFactorRole[] }>`
    select second_factor_roles from auth.sign_in_policy for update`.execute(db);
  const before = kept.rows[0]?.secondFactorRoles ?? [];
  if (before.join() === wanted.join()) return readPolicy(db);
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
  await tellThoseConcerned(db);
  return readPolicy(db);
}

async function tellThoseConcerned(db: Db): Promise<void> {
  const found = await sql<{ id: string }>`
    select id from profiles where role in ('coach', 'admin') and deleted_at is null`.execute(db);
  await tellBrowsers(
    db,
    found.rows.map(({ id }) => id),
    { endpoints: [readSession, readSecondFactor, readSignInPolicy] },
  );
}
