import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { houseZone } from '#contract/house-zone.ts';

type Part = RawBuilder<unknown> | string;

/** A number from 0 to 999. It is the same in every run for the same seed, purpose and row. `columns` name the row. */
export function drawn(seed: number, purpose: string, ...columns: string[]): RawBuilder<number> {
  return drawnBelow(1000, seed, purpose, ...columns);
}

export function drawnBelow(limit: number, seed: number, purpose: string, ...columns: string[]): RawBuilder<number> {
  const key = sql.join(columns.map((column) => sql.ref(column)));
  return sql<number>`abs(hashtextextended(concat_ws(':', ${purpose}::text, ${key}), ${seed}) % ${sql.lit(limit)})::integer`;
}

/** One entry of a list of texts. */
export function picked(texts: string[], seed: number, purpose: string, ...columns: string[]): RawBuilder<string> {
  return sql<string>`(${texts}::text[])[1 + ${drawnBelow(texts.length, seed, purpose, ...columns)}]`;
}

/** The same as `idOf`, in SQL. */
export function sqlIdOf(...parts: Part[]): RawBuilder<string> {
  const name = sql.join(parts.map((part) => (typeof part === 'string' ? sql`${part}::text` : part)));
  return sql<string>`overlay(overlay(left(encode(sha256(convert_to(concat_ws(':', ${name}), 'UTF8')), 'hex'), 32)
    placing '8' from 13) placing '8' from 17)::uuid`;
}

/** Makes a UUID of version 8 from a name. */
export function idOf(...parts: string[]): string {
  const digest = createHash('sha256').update(parts.join(':')).digest('hex');
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
}

/** The instant of a wall-clock time of the programme. Both are SQL. */
export function easternAt(day: RawBuilder<unknown>, time: RawBuilder<unknown>): RawBuilder<Date> {
  return sql<Date>`((${day} + ${time}) at time zone ${houseZone})`;
}

/** As `formatCents` says it. */
export function dollars(column: string) {
  const cents = sql.ref(column);
  return sql<string>`to_char(${cents} / 100.0, case when ${cents} % 100 = 0 then 'FM$999,999,990' else 'FM$999,999,990.00' end)`;
}
