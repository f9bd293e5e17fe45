import type pg from 'pg';

/** Test servers send it before each commit, to learn what was written. The product does not. */
const isOfTests = /^\s*select pg_backend_pid/;

/** Runs the work and returns how many SQL statements the pool's connections sent meanwhile. */
export async function countStatements(pool: pg.Pool, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const restore = new Map<pg.PoolClient, pg.PoolClient['query']>();
  const listen = (client: pg.PoolClient) => {
    if (restore.has(client)) return;
    const send = client.query;
    restore.set(client, send);
    client.query = ((...args: Parameters<typeof send>) => {
      if (!isOfTests.test(textOf(args[0]))) count += 1;
      return send.apply(client, args);
    }) as typeof send;
  };
  pool.on('acquire', listen);
  await work().finally(() => {
    pool.off('acquire', listen);
    for (const [client, send] of restore) client.query = send;
  });
  return count;
}

export function textOf(query: unknown): string {
  return typeof query === 'object' && query !== null && 'text' in query ? String(query.text) : String(query);
}
