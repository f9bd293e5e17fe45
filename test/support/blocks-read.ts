import pg from 'pg';
import type { TestApp } from './app.ts';
import { statementsSent } from './statements.ts';

const reads = /^\s*(select|with)\b/i;
const writes = /\b(insert into|delete from|for update|for no key update)\b/i;

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'CTE Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}
interface Step {
  type: string;
  table: string | null;
  /** The rows that it passed on, in all its loops. */
  rows: number;
  /** The rows that it read and did not pass on. */
  removed: number;
}

/**
 * Returns how many blocks of the database the reads of this work touch. Statements that write or lock do not count.
 * Tables of a test are so small that PostgreSQL would rather scan them whole, so it is asked to do that only where no
 * index serves.
 */
export async function countBlocksRead(server: TestApp, work: () => Promise<unknown>): Promise<number> {
  const plans = await plansOf(server, work, 'set enable_seqscan = off');
  return plans.reduce((sum, plan) => sum + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], 0);
}

/** Returns every step of the plans of this work's reads, for data that is large enough to be planned as in use. */
export async function findSteps(server: TestApp, work: () => Promise<unknown>): Promise<Step[]> {
  const withParts = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(withParts)];
  const plans = await plansOf(server, work, 'set random_page_cost = 1.1');
  return plans.flatMap(withParts).map((plan) => ({
    type: plan['Node Type'],
    table: plan['Relation Name'] ?? plan['CTE Name'] ?? null,
    rows: plan['Actual Rows'] * plan['Actual Loops'],
    removed: (plan['Rows Removed by Filter'] ?? 0) * plan['Actual Loops'],
  }));
}

async function plansOf(server: TestApp, work: () => Promise<unknown>, setting: string): Promise<Plan[]> {
  const sent = await statementsSent(server.app.pool, work);
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  try {
    await client.query(setting);
    const plans: Plan[] = [];
    for (const { text, values } of sent) {
      if (!reads.test(text) || writes.test(text)) continue;
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, buffers, timing off, format json) ${text}`,
        values,
      );
      plans.push(...rows.flatMap((row) => row['QUERY PLAN'].map(({ Plan: plan }) => plan)));
    }
    return plans;
  } finally {
    await client.end();
  }
}
