import { type RawBuilder, sql } from 'kysely';
import type { Role } from '#contract/roles.ts';

interface GivenRole {
  personId: string;
  role: Role;
  givenBy: string;
}

/** Notes who made somebody an admin, as a part of the statement that gives them a role. It notes no other role. */
export function notingAdminGrant({ personId, role, givenBy }: GivenRole): RawBuilder<unknown> {
  return sql`
    insert into admin_grants (person_id, granted_by)
    select ${personId}::uuid, ${givenBy}::uuid where ${role === 'admin'}`;
}
