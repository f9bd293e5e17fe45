import pg from 'pg';
import { openTestServer } from '#test/support/test-server.ts';

const lookEveryMs = 60_000;
/** A changed program may leave a transaction open, or wait for its lock. Then its pool would not close either. */
const limits = '-c idle_in_transaction_session_timeout=30s -c lock_timeout=30s';

/**
 * One server for all changes. Stryker ends a process of its own that hangs, and could not take down a server within it.
 * Each change leaves databases, which go as soon as two looks find them unused.
 */
export async function openMutationServer(): Promise<{ close(): Promise<void> }> {
  const { connectionString, close } = await openTestServer();
  const limited = new URL(connectionString);
  limited.searchParams.set('options', limits);
  process.env.TEST_DATABASE_URL = limited.href;
  const client = new pg.Client({ connectionString });
  await client.connect();
  let unused: string[] = [];
  let looking = Promise.resolve();
  const looks = setInterval(() => {
    looking = looking.then(async () => {
      const before = new Set(unused);
      unused = await findUnused(client);
      for (const name of unused.filter((one) => before.has(one))) await client.query(`drop database if exists ${name}`);
    });
  }, lookEveryMs);
  return {
    close: async () => {
      clearInterval(looks);
      await looking;
      await client.end();
      await close();
    },
  };
}

async function findUnused(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select datname as name from pg_stat_database where datname ~ '^test_[0-9a-f]{16}$' and numbackends = 0",
  );
  return rows.map(({ name }) => name);
}
