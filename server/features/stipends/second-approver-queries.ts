import { type Expression, sql } from 'kysely';
import type { Actor } from '#server/platform/actor.ts';

interface StoredAskedOff {
  byId: string;
  byName: string;
  at: string;
}

/**
 * Who asked that one approver be enough for a cohort, a column of any query; null where nobody did who is still an
 * admin.
 */
export function askedOffOf(cohortId: Expression<string>) {
  return sql<StoredAskedOff | null>`(
    select jsonb_build_object('byId', asker.id, 'byName', asker.first_name || ' ' || asker.last_name,
      'at', asked.asked_off_at)
    from cohorts asked join profiles asker on asker.id = asked.asked_off_by
    where asked.id = ${cohortId} and asker.role = 'admin' and asker.deleted_at is null)`;
}

export function toAskedOff(askedOff: StoredAskedOff | null, actor: Pick<Actor, 'id'>) {
  if (!askedOff) return null;
  const { byId, byName, at } = askedOff;
  return { byName, at: new Date(at).toISOString(), isOwn: byId === actor.id };
}
