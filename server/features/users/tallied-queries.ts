import { type RawBuilder, sql } from 'kysely';
import type { Role } from '#contract/roles.ts';

/** How many people there are of each role and kind, as a table (docs/decisions/0095). */
export const talliedPeople = sql`(
  select split_part(part, ' ', 1) as role, nullif(split_part(part, ' ', 2), '') as "trackType", sum(change) as count
  from tallies where what = 'people' group by part)`;

/** How many people there are of a role, or of all. */
export function talliedOf(role: Role | undefined): RawBuilder<number> {
  const isMeant = role ? sql`role = ${role}` : sql`true`;
  return sql<number>`(select coalesce(sum(count), 0) from ${talliedPeople} kind where ${isMeant})`;
}
