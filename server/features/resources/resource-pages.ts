import { type RawBuilder, sql } from 'kysely';
import type { ResourceOrder } from '#contract/resources.ts';
import { byId, byInstant, byText, descending, exactly, pagesBy } from '#server/platform/pages.ts';

const pageSize = 100;

const created = sql`resources.created_at`;
const title = sql`lower(resources.title)`;
const id = byId(sql`resources.id`);

export const pagesIn: Record<ResourceOrder, ReturnType<typeof pagesBy>> = {
  newest: pagesBy(pageSize, [descending(byInstant(created)), descending(id)], 'newest'),
  oldest: pagesBy(pageSize, [byInstant(created), id], 'oldest'),
  title: pagesBy(pageSize, [byText(title), id], 'title'),
};

/** The part of a row that a cursor holds beside its id. */
export function keyOf(order: ResourceOrder): RawBuilder<string> {
  return order === 'title' ? sql<string>`${title}` : exactly(created);
}
