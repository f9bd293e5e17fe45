import { type RawBuilder, sql } from 'kysely';
import type { User, UserChanges } from '#contract/user-management.ts';
import type { Db } from '#server/db/database.ts';
import { memberChangedQueue } from '#server/features/cohorts/cohort-queue.ts';
import { notingAdminGrant } from '#server/features/users/admin-grants.ts';
import type { Actor } from '#server/platform/actor.ts';
import { audit } from '#server/platform/audit.ts';
import { AppError } from '#server/platform/errors.ts';
import { enqueue } from '#server/platform/jobs.ts';
import { changed } from '#server/platform/telling.ts';
import { tellRoleChangeQueue } from './role-change-queue.ts';
import { settleRole } from './role-changes.ts';
import { lockPerson, requireAnotherAdmin, roleRefusal } from './user-access.ts';
import { findUser } from './user-list-queries.ts';

const editable = ['firstName', 'lastName', 'role', 'trackType'] as const;

/** USER-08 to USER-15. Does not overwrite unseen what somebody else has written meanwhile. */
export async function updateUser(
  db: Db,
  actor: Actor,
  id: string,
  { version, ...changes }: UserChanges & { version: number },
  requireProof: () => void,
): Promise<User> {
  const before = await lockPerson(db, id);
  if (before.version !== version) {
    throw new AppError(
      'stale',
      'Somebody else has changed this person since you opened them. Both versions are shown.',
    );
  }
  const after = { ...factsOf(before), ...given(changes) };
  const fields = editable.filter((field) => after[field] !== before[field]);
  if (fields.length === 0) return findUser(db, actor, id);
  const isNewRole = after.role !== before.role;
  if (isNewRole) {
    const refusal = roleRefusal(actor, before);
    if (refusal) throw new AppError('conflict', refusal);
    requireAnotherAdmin(before);
    requireProof();
  }
  await write(
    db,
    id,
    after,
    isNewRole ? notingAdminGrant({ personId: id, role: after.role, givenBy: actor.id }) : sql`select`,
  );
  const entry = { subjectType: 'user', subjectId: id, before: pick(before, fields), after: pick(after, fields) };
  if (isNewRole) {
    const roleChange = { from: before.role, to: after.role };
    await settleRole(db, actor, id, roleChange, [{ action: 'user.change_role', ...entry }]);
    await enqueue(db, tellRoleChangeQueue, { personId: id, role: after.role });
  } else {
    await audit(db, actor.id, { action: 'user.update', ...entry });
    await changed(db, 'people', [id]);
  }
  if (fields.includes('trackType') && after.role === 'participant')
    await enqueue(db, memberChangedQueue, { participantId: id });
  return findUser(db, actor, id);
}

type Facts = Pick<User, (typeof editable)[number]>;

/**
 * Also writes the sign-in, from which a lost profile would be made again. A requested role that is given no longer
 * waits.
 */
async function write(
  db: Db,
  id: string,
  { firstName, lastName, role, trackType }: Facts,
  granting: RawBuilder<unknown>,
): Promise<void> {
  const isAnswered = sql`(${role} = 'admin' or requested_role = ${role})`;
  await sql`
    with sign_in as (
      update auth."user" set first_name = ${firstName}, last_name = ${lastName},
        name = trim(${`${firstName} ${lastName}`}), track_type = ${trackType},
        requested_role = case when ${isAnswered} then null else requested_role end, updated_at = now()
      where id = ${id}
    ), granted as (${granting})
    update profiles set first_name = ${firstName}, last_name = ${lastName}, role = ${role}, track_type = ${trackType},
      requested_role = case when ${isAnswered} then null else requested_role end
    where id = ${id}`.execute(db);
}

function factsOf({ firstName, lastName, role, trackType }: Facts): Facts {
  return { firstName, lastName, role, trackType };
}

/** In a PATCH, an absent field leaves the value. */
function given(changes: UserChanges): Partial<Facts> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function pick(facts: Facts, fields: readonly (keyof Facts)[]): Partial<Facts> {
  return Object.fromEntries(fields.map((field) => [field, facts[field]]));
}
