import type pg from 'pg';

/** Test servers send it before each commit, to learn what was written. The product does not. */
const isOfTests = /^\s*select pg_backend_pid/;

interface Sent {
  text: string;
  values: unknown[];
}

/** Runs the work and returns how many SQL statements the pool's connections sent meanwhile. */
export async function countStatements(pool: pg.Pool, work: () => Promise<unknown>): Promise<number> {
  const sent = await statementsSent(pool, work);
  return sent.filter(({ text }) => !isOfTests.test(text)).length;
}

/** Runs the work and returns what the pool's connections sent meanwhile. */
export async function statementsSent(pool: pg.Pool, work: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const restore = new Map<pg.PoolClient, pg.PoolClient['query']>();
  const listen = (client: pg.PoolClient) => {
    if (restore.has(client)) return;
    const send = client.query;
    restore.set(client, send);
    client.query = ((...args: Parameters<typeof send>) => {
      const [query, values] = args as unknown[];
      sent.push({ text: textOf(query), values: valuesOf(query) ?? valuesOf({ values }) ?? [] });
      return send.apply(client, args);
    }) as typeof send;
  };
  pool.on('acquire', listen);
  await work().finally(() => {
    pool.off('acquire', listen);
    for (const [client, send] of restore) client.query = send;
  });
  return sent;
}

function valuesOf(query: unknown): unknown[] | null {
  const values = typeof query === 'object' && query !== null && 'values' in query ? query.values : null;
  return Array.isArray(values) ? values : null;
}

export function textOf(query: unknown): string {
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : String(query);
}
