import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Storage } from '#server/platform/storage-shape.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { hashPassword } from '#server/sign-in/password-hash.ts';
import { isCohortThere, seedCohort, seedProgramme } from './cohort.ts';
import { planCohorts } from './plan.ts';

export const seedPassword = 'Power-Up-2026!';

interface Asked {
  participants: number;
  /** The same seed makes the same people. */
  seed: number;
  /** Hears of each cohort when it is there. */
  tell: (text: string) => void;
}

/** One transaction per cohort, so an interrupted run leaves only whole cohorts, and memory holds no more than one. */
export async function fillWithSeed(db: Db, storage: Storage, { participants, seed, tell }: Asked): Promise<void> {
  const passwordHash = await hashPassword(seedPassword);
  const plans = planCohorts(participants, seed);
  const programme = await inTransaction(db, (transaction) => seedProgramme(transaction, seed, passwordHash));
  for (const plan of plans) {
    const name = `cohort ${plan.number} of ${plans.length}`;
    if (await isCohortThere(db, plan)) tell(`${name} is there already`);
    else {
      await inTransaction(db, (transaction) => seedCohort(transaction, storage, plan, programme));
      tell(`${name}: ${plan.size} participants, ${plan.state}`);
      if ([1, 3, 10, 30].includes(plan.number)) await analyzeRoughly(db);
    }
  }
  await sql`analyze`.execute(db);
}

/** Without statistics, PostgreSQL would go on planning for empty tables. A small sample says how large they are. */
function analyzeRoughly(db: Db): Promise<void> {
  return inTransaction(db, async (transaction) => {
    await sql`set local default_statistics_target = 10`.execute(transaction);
    await sql`analyze`.execute(transaction);
  });
}
