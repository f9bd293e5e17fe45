import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { AppError } from '#server/platform/errors.ts';

type Ordered = 'course_modules' | 'weekly_requirements' | 'content_items' | 'content_assignments';

/** Gives the item its neighbor's place among these rows. Returns its new place, counted from 1. */
export async function moveAmong(
  db: Db,
  table: Ordered,
  rows: { id: string }[],
  { id, direction }: { id: string; direction: 'up' | 'down' },
): Promise<number> {
  const order = rows.map((row) => row.id);
  const from = order.indexOf(id);
  const to = direction === 'up' ? from - 1 : from + 1;
  if (from < 0 || to < 0 || to >= order.length) {
    throw new AppError('conflict', 'It cannot move further. Somebody may have changed the order.');
  }
  await writeOrder(db, table, order.toSpliced(from, 1).toSpliced(to, 0, id));
  return to + 1;
}

/** Writes an order that a person gives as a whole. Throws `stale` unless it holds the present rows, each once. */
export async function orderAnew(
  db: Db,
  table: Ordered,
  { before, ids }: { before: string[]; ids: string[] },
  also?: RawBuilder<unknown>,
): Promise<void> {
  const isSame = ids.length === before.length && before.every((id) => ids.includes(id));
  if (!isSame) throw new AppError('stale', 'Somebody has just added or removed one of these. Please look again.');
  await writeOrder(db, table, ids, also);
}

/** Leaves the rows that have their place already. */
async function writeOrder(db: Db, table: Ordered, ids: string[], also = sql``): Promise<void> {
  await sql`
    update ${sql.table(table)} as ordered set order_index = given.place ${also}
    from unnest(${ids}::uuid[]) with ordinality as given (id, place)
    where ordered.id = given.id and ordered.order_index <> given.place`.execute(db);
}
