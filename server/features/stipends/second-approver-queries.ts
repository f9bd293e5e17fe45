import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Actor } from '#server/platform/actor.ts';
import type { AppError } from '#server/platform/errors.ts';
import { boundApprover, newAdminRefusal } from './stipend-access.ts';

/**
 * A column of any query: the instant from which a person may approve, if another admin made them an admin lately. Null
 * once they may.
 */
export function approvesFrom(actor: Pick<Actor, 'id'>) {
  return sql<Date | null>`(select approves_from from new_admins where person_id = ${actor.id})`;
}

/**
 * Columns of a query over stipends of that name. They say whether a person may be second to those who approved first
 * and set the amount, or only to those who set it, and from when.
 */
export function secondOf(actor: Pick<Actor, 'id'>) {
  const setters = sql.ref('stipends.amount_setters');
  return [
    maySecond(actor, sql`stipends.first_approved_by || ${setters}`).as('mayBeSecond'),
    maySecond(actor, setters).as('mayApproveAmount'),
    approvesFrom(actor).as('approvesFrom'),
  ] as const;
}

/** The database has the one rule for who may be the other of two admins. */
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
 * A column of any query. It names the person who asked that one approver be enough for a cohort, and tells whether this
 * admin may agree. Null if nobody asked, or the one who did is no admin any more.
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

/**
 * The reason why this admin cannot agree to somebody else's question: the two may not decide together, or this admin is
 * too new.
 */
export function agreementRefusal(askedOff: StoredAskedOff): AppError | null {
  return askedOff.mayBeSecond ? newAdminRefusal(askedOff) : boundApprover();
}
