import { createHash } from 'node:crypto';
import pg from 'pg';
import { asOnEveryServer } from '#server/db/database.ts';
import type { Statement } from './record-statements.ts';

/** Of those that read or write. What begins and ends a transaction is none of them. */
export function withoutTransactions(statements: Statement[]): Statement[] {
  return statements.filter(({ text }) => !/^\s*(begin|start transaction|commit|rollback|set |savepoint)/i.test(text));
}

/** A connection of the driver itself, with the settings of the server's connections, so that the plans are the same. */
export async function connectBare(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await asOnEveryServer(client);
  return client;
}

/** How many blocks of 8 kB the statements read, from memory or from disk. What they write is taken back. */
export async function countBlocks(bare: pg.Client, statements: Statement[]): Promise<number> {
  let blocks = 0;
  await bare.query('begin');
  try {
    for (const { text, values } of statements) {
      const { rows } = await bare.query(`explain (analyze, buffers, timing off, format json) ${text}`, values);
      const plan = rows[0]?.['QUERY PLAN']?.[0]?.Plan ?? {};
      blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    }
  } finally {
    await bare.query('rollback');
  }
  return blocks;
}

export type Bare = Awaited<ReturnType<typeof openBare>>;

/** Opens connections of the bare driver that run these statements, named. Each has planned them for good. */
export async function openBare(connectionString: string, atOnce: number, statements: Statement[]) {
  const named = statements.map(({ text, values }) => ({ name: nameOf(text), text, values }));
  const clients = await Promise.all(Array.from({ length: atOnce }, () => connectBare(connectionString)));
  const once = async (client: pg.Client) => {
    for (const statement of named) await client.query(statement);
  };
  const close = () => Promise.all(clients.map((client) => client.end()));
  try {
    // A name is planned anew for its first five runs.
    for (let run = 0; run < 6; run += 1) await Promise.all(clients.map(once));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    /** Resolves with how often all of them ran, and how long that took. */
    run: async (seconds: number) => {
      const start = performance.now();
      const counts = await Promise.all(
        clients.map(async (client) => {
          let count = 0;
          for (; count === 0 || performance.now() - start < seconds * 1000; count += 1) await once(client);
          return count;
        }),
      );
      return { runs: counts.reduce((sum, count) => sum + count, 0), seconds: (performance.now() - start) / 1000 };
    },
    close,
  };
}

function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
