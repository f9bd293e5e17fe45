import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { UserOrder } from '#contract/user-management.ts';
import { readCursor, writeCursor } from '#server/platform/cursors.ts';

export type Direction = 'after' | 'before';

interface Order {
  /** The key as its index has it. */
  key: RawBuilder<unknown>;
  type: RawBuilder<unknown>;
  isDescending: boolean;
  /** The person as the same index has them. */
  id: RawBuilder<unknown>;
  /** The place of the key if it is beside the profile. */
  source?: RawBuilder<unknown>;
}

const instant = sql`timestamptz`;
const id = sql`profiles.id`;
const orders: Record<UserOrder, Order> = {
  newest: { key: sql`profiles.created_at`, type: instant, isDescending: true, id },
  oldest: { key: sql`profiles.created_at`, type: instant, isDescending: false, id },
  name: {
    key: sql`lower(profiles.full_name)`,
    type: sql`text`,
    isDescending: false,
    id,
  },
  email: { key: sql`profiles.email`, type: sql`citext`, isDescending: false, id },
  lastSignIn: {
    key: sql`last_sign_ins.signed_in_at`,
    type: instant,
    isDescending: true,
    id: sql`last_sign_ins.user_id`,
    source: sql`join last_sign_ins on last_sign_ins.user_id = profiles.id`,
  },
};

export function sourceOf(order: UserOrder): RawBuilder<unknown> {
  return orders[order].source ?? sql``;
}

/** The key is text, because a time rounded to milliseconds would skip rows. */
export function keyOf(order: UserOrder): RawBuilder<string> {
  return sql<string>`(${orders[order].key})::text`;
}

/** The page before another one is read backwards from there. */
export function inOrder(order: UserOrder, direction: Direction): RawBuilder<unknown> {
  const isDescending = orders[order].isDescending === (direction === 'after');
  const word = isDescending ? sql`desc` : sql`asc`;
  return sql`${orders[order].key} ${word}, ${orders[order].id} ${word}`;
}

const Place = z.tuple([z.string(), z.enum(['after', 'before']), z.string().max(500), z.uuid()]);

export function directionOf(cursor: string | undefined): Direction {
  return cursor === undefined ? 'after' : readCursor(cursor, Place)[1];
}

export function isBeyond(order: UserOrder, cursor: string): RawBuilder<SqlBool> {
  const [, direction, key, lastId] = readCursor(cursor, placeIn(order));
  const { key: column, id: idColumn, type, isDescending } = orders[order];
  const sign = isDescending === (direction === 'after') ? sql`<` : sql`>`;
  return sql<SqlBool>`(${column}, ${idColumn}) ${sign} (${key}::${type}, ${lastId}::uuid)`;
}

export function cursorAt(order: UserOrder, direction: Direction, row: { key: string; id: string }): string {
  return writeCursor([order, direction, row.key, row.id]);
}

function placeIn(order: UserOrder) {
  const isTime = order !== 'name' && order !== 'email';
  const key = isTime
    ? z.string().regex(/^(-infinity|\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d)?)$/)
    : z.string().max(500);
  return z.tuple([z.literal(order), z.enum(['after', 'before']), key, z.uuid()]);
}
