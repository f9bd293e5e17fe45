import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { readCursor, writeCursor } from './cursors.ts';

/** A part of a list's order, as its index has it. */
export interface KeyPart {
  column: RawBuilder<unknown>;
  type: RawBuilder<unknown>;
  /** The schema of the part's value in a cursor. */
  value: z.ZodType<z.core.util.JSONType>;
  isDescending: boolean;
}

type Column = RawBuilder<unknown>;
const ascending = (column: Column, type: RawBuilder<unknown>, value: KeyPart['value']): KeyPart => ({
  column,
  type,
  value,
  isDescending: false,
});

export const byText = (column: Column) => ascending(column, sql`text`, z.string());
export const byNumber = (column: Column) => ascending(column, sql`numeric`, z.number());
/** An index over integers answers a place of integers, and none of numerics. */
export const byInteger = (column: Column) => ascending(column, sql`integer`, z.int());
export const byYesOrNo = (column: Column) => ascending(column, sql`boolean`, z.boolean());
export const byDay = (column: Column) => ascending(column, sql`date`, z.iso.date());
/** A cursor has the instant as `exactly` reads it. One rounded to milliseconds would skip rows. */
export const byInstant = (column: Column) => ascending(column, sql`timestamptz`, z.iso.datetime({ offset: true }));
export const byId = (column: Column) => ascending(column, sql`uuid`, z.uuid());
export const descending = (part: KeyPart): KeyPart => ({ ...part, isDescending: true });

export function exactly(instant: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`to_json(${instant}) #>> '{}'`;
}

/** The values of an order's parts in one row. */
export type Place = z.core.util.JSONType[];

/**
 * The pages of a list in this order. Together the parts name one row. If a list has several orders, each has a name, so
 * that one order refuses a cursor of another.
 */
export function pagesBy(size: number, parts: [KeyPart, ...KeyPart[]], name?: string) {
  const placeIn = (cursor: string): Place => {
    const [first, ...others] = parts.map(({ value }) => value) as [KeyPart['value'], ...KeyPart['value'][]];
    if (name === undefined) return readCursor(cursor, z.tuple([first, ...others]));
    return readCursor(cursor, z.tuple([z.literal(name), first, ...others])).slice(1);
  };
  return {
    placeIn,
    /** One row more than a page shows whether there is another page. */
    most: size + 1,
    /** The place of a row, as a column. JSON has an instant to the microsecond. */
    place: sql<Place>`jsonb_build_array(${sql.join(parts.map(({ column }) => column))})`,
    inOrder: sql.join(parts.map(({ column, isDescending }) => (isDescending ? sql`${column} desc` : column))),
    comesAfter: (cursor: string | undefined): RawBuilder<SqlBool> =>
      cursor === undefined ? sql<SqlBool>`true` : isBeyond(parts, placeIn(cursor)),
    cut: <Row>(found: readonly Row[], placeOf: (row: Row) => Place) =>
      cutPage(size, found, (row) => writeCursor([...(name === undefined ? [] : [name]), ...placeOf(row)])),
  };
}

/** True for a list as it opens: nothing is searched, filtered or turned to another page. */
export function isAsItOpens(filters: Record<string, unknown>): boolean {
  return Object.values(filters).every((filter) => filter === undefined || filter === '');
}

/** Returns the page's rows, and the next page's cursor if one more row was found. */
export function cutPage<Row>(size: number, found: readonly Row[], cursorOf: (last: Row) => string) {
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  return { rows, nextCursor: found.length > size && last !== undefined ? cursorOf(last) : null };
}

/** Parts of one direction are compared as one row, because an index over them answers that. */
function isBeyond(parts: readonly KeyPart[], place: readonly unknown[]): RawBuilder<SqlBool> {
  const isDescending = parts[0]?.isDescending ?? false;
  const turn = parts.findIndex((part) => part.isDescending !== isDescending);
  const length = turn === -1 ? parts.length : turn;
  const same = parts.slice(0, length);
  const key = sql`(${sql.join(same.map(({ column }) => column))})`;
  const given = sql`(${sql.join(same.map(({ type }, index) => sql`${place[index]}::${type}`))})`;
  const isAfter = sql<SqlBool>`${key} ${isDescending ? sql`<` : sql`>`} ${given}`;
  if (turn === -1) return isAfter;
  return sql<SqlBool>`(${isAfter} or (${key} = ${given} and ${isBeyond(parts.slice(length), place.slice(length))}))`;
}
