import pg from 'pg';
import type { TestApp } from './app.ts';
import { statementsSent } from './statements.ts';

const reads = /^\s*(select|with)\b/i;
const writes = /\b(insert into|delete from|for update|for no key update)\b/i;

/**
 * Returns how many blocks of the database the reads of this work touch. Statements that write or lock do not count.
 * Tables of a test are so small that PostgreSQL would rather scan them whole, so it is asked to do that only where no
 * index serves.
 */
export async function countBlocksRead(server: TestApp, work: () => Promise<unknown>): Promise<number> {
  const sent = await statementsSent(server.app.pool, work);
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    await client.query('set enable_seqscan = off');
    let blocks = 0;
    for (const { text, values } of sent) {
      if (!reads.test(text) || writes.test(text)) continue;
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `explain (analyze, buffers, timing off, format json) ${text}`,
        values,
      );
      const { Plan: plan } = rows[0]?.['QUERY PLAN'][0] ?? {};
      blocks += (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
    }
    return blocks;
  } finally {
    await client.end();
  }
}
