import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { ResourceOrder } from '#contract/resources.ts';
import { readCursor, writeCursor } from '#server/platform/cursors.ts';

export const pageSize = 100;

const keys: Record<ResourceOrder, RawBuilder<string>> = {
  newest: sql`resources.created_at`,
  oldest: sql`resources.created_at`,
  title: sql`lower(resources.title)`,
};

/** As text: a time rounded to milliseconds would skip rows. */
export function keyOf(order: ResourceOrder): RawBuilder<string> {
  return order === 'title' ? keys.title : sql`to_json(${keys[order]}) #>> '{}'`;
}

export function inOrder(order: ResourceOrder): RawBuilder<unknown> {
  const direction = order === 'newest' ? sql`desc` : sql`asc`;
  return sql`${keys[order]} ${direction}, resources.id ${direction}`;
}

export function comesAfter(order: ResourceOrder, cursor: string): RawBuilder<SqlBool> {
  const [, key, id] = readCursor(cursor, placeOf(order));
  const sign = order === 'newest' ? sql`<` : sql`>`;
  const value = order === 'title' ? sql`${key}` : sql`${key}::timestamptz`;
  return sql`(${keys[order]}, resources.id) ${sign} (${value}, ${id}::uuid)`;
}

export function cursorAfter(order: ResourceOrder, { key, id }: { key: string; id: string }): string {
  return writeCursor([order, key, id]);
}

function placeOf(order: ResourceOrder) {
  const key = order === 'title' ? z.string() : z.iso.datetime({ offset: true });
  return z.tuple([z.literal(order), key, z.uuid()]);
}
