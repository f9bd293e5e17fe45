import { type Expression, sql } from 'kysely';
import type { Actor } from '#server/platform/actor.ts';
import type { AppError } from '#server/platform/errors.ts';
import { boundApprover, type NewAdmins, newAdminRefusal } from './stipend-access.ts';

/** What an approval by two people rests on, of a row `stipends`, by what its columns are called there. */
export function approverFactsOf(stipends: string) {
  const row = sql.id(stipends);
  return [
    // With whom each of them makes no two: who set the amount that stands, who approved it first.
    sql<string[]>`bound_admins(${row}.amount_setters)`.as('boundToAmountSetters'),
    sql<string[]>`bound_admins(array[${row}.first_approved_by])`.as('boundToFirstApprover'),
    newAdmins.as('newAdmins'),
  ] as const;
}

/** Who was made an admin in the last days, and from when they approve; a column of any query. */
export const newAdmins = sql<NewAdmins>`(
  select coalesce(jsonb_object_agg(person_id, approves_from), '{}') from new_admins)`;

interface StoredAskedOff {
  byId: string;
  byName: string;
  at: string;
  /** Who made them an admin, or was made one by them. */
  boundIds: string[];
  newAdmins: NewAdmins;
}

/**
 * Who asked that one approver be enough for a cohort, a column of any query; null where nobody did who is still an
 * admin.
 */
export function askedOffOf(cohortId: Expression<string>) {
  return sql<StoredAskedOff | null>`(
    select jsonb_build_object('byId', asker.id, 'byName', asker.first_name || ' ' || asker.last_name,
      'at', asked.asked_off_at, 'boundIds', bound_admins(array[asker.id]), 'newAdmins', ${newAdmins})
    from cohorts asked join profiles asker on asker.id = asked.asked_off_by
    where asked.id = ${cohortId} and asker.role = 'admin' and asker.deleted_at is null)`;
}

export function toAskedOff(askedOff: StoredAskedOff | null, actor: Pick<Actor, 'id'>) {
  if (!askedOff) return null;
  const { byId, byName, at } = askedOff;
  const isOwn = byId === actor.id;
  const can = { agree: !isOwn && agreementRefusal(askedOff, actor) === null };
  return { byName, at: new Date(at).toISOString(), isOwn, can };
}

/** Why somebody else's question can't be agreed to by this admin: they are no two who decide. */
export function agreementRefusal(
  { boundIds, newAdmins }: Pick<StoredAskedOff, 'boundIds' | 'newAdmins'>,
  actor: Pick<Actor, 'id'>,
): AppError | null {
  return boundIds.includes(actor.id) ? boundApprover() : newAdminRefusal(newAdmins, actor);
}
