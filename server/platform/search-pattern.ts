import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Makes a pattern for `ilike` that finds the typed text anywhere. % and _ mean themselves. */
export function patternOf(search: string): string {
  return `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`;
}

/** PostgreSQL knows the words when it plans, which it then does for each search. */
const foldedForThePlan = (pattern: string) => sql`folded_words(${pattern})`;

/**
 * PostgreSQL plans without the words, once for all searches. That is right where all that fits is read in any case, so
 * not for a list in the order of an index of which a page is shown.
 */
export const foldedAfterThePlan = (pattern: string) => sql`(select folded_words(${pattern}))`;

/** The typed words, each as a pattern. */
export function patternsOf(search: string): string[] {
  return search
    .split(/\s+/)
    .filter((word) => word !== '')
    .map(patternOf);
}

/**
 * Every search uses this. Each typed word must stand somewhere in the text, in any order, with or without accents and
 * capitals. `text` is what `folded_words` made of a text. Without it, people are found by their names and address.
 */
export function isFoundByWords(search: string, text?: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return hasPatterns(patternsOf(search), text);
}

export function hasPatterns(
  patterns: string[],
  text: RawBuilder<unknown> = sql`profiles.search_text`,
  folded = foldedForThePlan,
): RawBuilder<SqlBool> {
  if (patterns.length === 0) return sql<SqlBool>`true`;
  const found = patterns.map((pattern) => sql`${text} like ${folded(pattern)}`);
  return sql<SqlBool>`(${sql.join(found, sql` and `)})`;
}

/** Columns whose words count together in a search. */
export function foldedWordsOf(columns: readonly string[]): RawBuilder<string> {
  return sql<string>`folded_words(concat_ws(' ', ${sql.join(columns.map((column) => sql.ref(column)))}))`;
}
