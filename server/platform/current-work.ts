import { AsyncLocalStorage } from 'node:async_hooks';

interface Log {
  warn(facts: object, message: string): void;
}

/** The log of the request or job that runs. Its lines carry the request's id, or the job's name. */
const current = new AsyncLocalStorage<Log>();

const slowInMs = 1_000;
const longestText = 300;

export function withLog<Result>(log: Log, work: () => Result): Result {
  return current.run(log, work);
}

/** Writes a statement down if somebody waited long for it. Its text has places for values, and no values. */
export function noteStatement(text: string, ms: number): void {
  if (ms >= slowInMs) current.getStore()?.warn({ statement: shorten(text), ms: Math.round(ms) }, 'a slow statement');
}

/** Writes a statement down whose failure is no answer to what a person asked for. */
export function noteFailedStatement(text: string, error: unknown): void {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null;
  if (code !== null && isRefusal.test(code)) return;
  current.getStore()?.warn({ statement: shorten(text), code }, 'a statement failed');
}

/** Values, broken rules, transactions that begin anew, locks, and refusals of our own triggers. */
const isRefusal = /^(22|23|40|55|P0|54)/;

function shorten(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, longestText);
}
