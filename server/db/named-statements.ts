import { createHash } from 'node:crypto';
import pg from 'pg';

/** Names for the statements of a process. The same text has the same name on all its connections. */
export type StatementNames = ReturnType<typeof nameStatements>;

/** A connection that holds more is replaced, because PostgreSQL keeps each one's plan in the connection's memory. */
export const mostHeldStatements = 250;
const mostKnownTexts = 2_000;

/** What begins, ends and divides transactions has no plan. */
const hasPlan = /^\s*(select|with|insert|update|delete|merge|values)\b/i;

/** How to search best depends on the words: few find nobody, others everybody. One plan for all would read an index whole. */
const searches = /\bi?like (folded_words\()?\$\d/i;

/**
 * PostgreSQL plans a named statement once on a connection and an unnamed one each time. A name is made of the text, so
 * that behind a pooler two processes never mean different statements by one name.
 */
export function nameStatements() {
  const names = new Map<string, string>();
  let age = 0;
  return {
    nameOf: (text: string): string | undefined => {
      const known = names.get(text);
      if (known !== undefined || !hasPlan.test(text) || searches.test(text)) return known;
      if (names.size >= mostKnownTexts) names.clear();
      const name = `${createHash('sha256').update(text).digest('base64url').slice(0, 22)}_${age}`;
      names.set(text, name);
      return name;
    },
    /** Gives every text another name if the text still has this one. The connections then parse it anew. */
    outlive: (text: string, name: string): void => {
      if (names.get(text) !== name) return;
      age += 1;
      names.clear();
    },
  };
}

/**
 * The statement did not run: its columns have changed since the connection parsed it, or the connection no longer holds
 * it.
 */
export function isOutdated(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return error.code === '26000' || (error.code === '0A000' && error.routine === 'RevalidateCachedQuery');
}
