import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type pg from 'pg';
import type { App } from '#server/platform/serve.ts';
import { watchShapes } from './statement-shapes.ts';

/** The most statements that one request may send to the database. */
export const statementLimit = 10;

/**
 * Some requests ask for a job's state until it ends, or send batch after batch. Opening the link of a new address first
 * removes what a stranger may have registered with it.
 */
const withoutLimit = [
  '/functions/v1/process-bulk-invitations',
  '/api/stipends/handover',
  '/api/audit-log/export',
  '/api/stipends/export',
  '/api/email-changes/confirmation',
];

/**
 * Statements that begin and end transactions do not count. Nor do news that leaves with the end, a test's look for facts
 * that nobody said, and the lookup of a job queue, which a process makes once.
 */
const isFree =
  /^\s*(select pg_backend_pid|select pg_notify|begin|start transaction|commit|rollback|savepoint|release|select\s+q\.name,\s+q\.policy)\b/i;
/** The statement that closes a transaction does not count either. */
const closes = /^\s*with taken as \(\s*delete from fact_changes\b/i;

interface Watched {
  request: string;
  statements: string[];
  /** The number of statements when its last transaction began. */
  begunAt: number;
  hasClosed: boolean;
  /** PostgreSQL ended that transaction to free another one. Its statements count once, when it begins again. */
  isEndedForAnother: boolean;
}

const deadlockDetected = '40P01';

/**
 * Counts the statements of every request to the app, and looks at their shapes. The returned function throws if a
 * request sent too many, or one that is no good with a name.
 */
export function watchStatements({ http, pool }: Pick<App, 'http' | 'pool'>): () => void {
  const current = new AsyncLocalStorage<Watched>();
  const excessive: Watched[] = [];
  const shapes = watchShapes();
  pool.on('connect', (client) => countOn(client, current));

  const { server } = http;
  const emit = server.emit.bind(server);
  server.emit = (event: string, ...rest: unknown[]) => {
    if (event !== 'request') return emit(event, ...rest);
    const { method, url = '' } = rest[0] as IncomingMessage;
    const watched = {
      request: `${method} ${url}`,
      statements: [],
      begunAt: 0,
      hasClosed: false,
      isEndedForAnother: false,
    };
    (rest[1] as NodeJS.EventEmitter).once('close', () => {
      for (const statement of watched.statements) shapes.see(statement);
      if (watched.statements.length > statementLimit && !withoutLimit.some((path) => url.startsWith(path))) {
        excessive.push(watched);
      }
    });
    return current.run(watched, () => emit(event, ...rest));
  };
  return () => {
    shapes.require();
    const [worst] = excessive.toSorted((left, right) => right.statements.length - left.statements.length);
    if (!worst) return;
    const list = worst.statements.map((statement) => `  ${statement.replace(/\s+/g, ' ').slice(0, 90)}`).join('\n');
    throw new Error(
      `${worst.request} sent ${worst.statements.length} statements, more than ${statementLimit}:\n${list}`,
    );
  };
}

function countOn(client: pg.PoolClient, current: AsyncLocalStorage<Watched>): void {
  const send = client.query;
  client.query = ((...args: Parameters<typeof send>) => {
    const text = textOf(args[0]);
    const watched = current.getStore();
    if (watched && /^\s*(begin|start transaction)\b/i.test(text)) {
      if (watched.isEndedForAnother) watched.statements.length = watched.begunAt;
      watched.begunAt = watched.statements.length;
      watched.hasClosed = false;
      watched.isEndedForAnother = false;
    } else if (watched && closes.test(text) && !watched.hasClosed) {
      watched.hasClosed = true;
    } else if (!isFree.test(text)) watched?.statements.push(text);
    const answer: unknown = send.apply(client, args);
    if (watched && answer instanceof Promise) {
      answer.catch(({ code }: { code?: string }) => {
        if (code === deadlockDetected) watched.isEndedForAnother = true;
      });
    }
    return answer;
  }) as typeof send;
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : '';
}
