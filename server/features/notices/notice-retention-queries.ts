import { sql } from 'kysely';
import type { RetentionRule } from '#server/platform/retention.ts';

/** A notice that another one has replaced goes with it, or before it. The person's history keeps what was sent. */
export const retainedNotices: RetentionRule = {
  kind: 'notices',
  what: 'Notices that were read',
  setting: 'RETAIN_NOTICES_DAYS',
  rows: (before) => sql`
    select id as key, created_at as at from notices
    where created_at < ${before} and (read_at < ${before} or replaced_by is not null)
      and not exists (select from notices earlier where earlier.replaced_by = notices.id)`,
  remove: (part) => sql`delete from notices where id in (${part})`,
};
