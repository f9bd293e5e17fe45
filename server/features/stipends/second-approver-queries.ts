import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Actor } from '#server/platform/actor.ts';
import type { AppError } from '#server/platform/errors.ts';
import { boundApprover, newAdminRefusal } from './stipend-access.ts';

/** From when somebody approves whom another admin made one; null once they do. A column of any query. */
export function approvesFrom(actor: Pick<Actor, 'id'>) {
  return sql<Date | null>`(select approves_from from new_admins where person_id = ${actor.id})`;
}

/**
 * Whether somebody may be second to whoever approved first and set the amount, or to the latter alone, and from when;
 * columns of a query over stipends of that name.
 */
export function secondOf(actor: Pick<Actor, 'id'>) {
  const setters = sql.ref('stipends.amount_setters');
  return [
    maySecond(actor, sql`stipends.first_approved_by || ${setters}`).as('mayBeSecond'),
    maySecond(actor, setters).as('mayApproveAmount'),
    approvesFrom(actor).as('approvesFrom'),
  ] as const;
}

/** The one rule for who may be the other of two admins is the database's. */
export function maySecond(actor: Pick<Actor, 'id'>, firstIds: RawBuilder<unknown>) {
  return sql<boolean>`may_be_second(${actor.id}, ${firstIds})`;
}

interface StoredAskedOff {
  byId: string;
  byName: string;
  at: string;
  mayBeSecond: boolean;
  approvesFrom: string | null;
}

/**
 * Who asked that one approver be enough for a cohort, and whether this admin may agree, a column of any query; null
 * where nobody did who is still an admin.
 */
export function askedOffOf(actor: Pick<Actor, 'id'>, cohortId: Expression<string>) {
  return sql<StoredAskedOff | null>`(
    select jsonb_build_object('byId', asker.id, 'byName', asker.full_name,
      'at', asked.asked_off_at, 'mayBeSecond', ${maySecond(actor, sql`array[asker.id]`)},
      'approvesFrom', ${approvesFrom(actor)})
    from cohorts asked join profiles asker on asker.id = asked.asked_off_by
    where asked.id = ${cohortId} and asker.role = 'admin' and asker.deleted_at is null)`;
}

export function toAskedOff(askedOff: StoredAskedOff | null, actor: Pick<Actor, 'id'>) {
  if (!askedOff) return null;
  const { byId, byName, at } = askedOff;
  const isOwn = byId === actor.id;
  const can = { agree: !isOwn && agreementRefusal(askedOff) === null };
  return { byName, at: new Date(at).toISOString(), isOwn, can };
}

/** Why somebody else's question can't be agreed to by this admin: they are no two who decide. */
export function agreementRefusal(askedOff: StoredAskedOff): AppError | null {
  return askedOff.mayBeSecond ? newAdminRefusal(askedOff) : boundApprover();
}
