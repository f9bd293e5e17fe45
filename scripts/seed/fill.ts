import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { Storage } from '#server/platform/storage-shape.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { hashPassword } from '#server/sign-in/password-hash.ts';
import { isCohortThere, seedCohort, seedProgramme } from './cohort.ts';
import { type CohortPlan, planCohorts } from './plan.ts';

export const seedPassword = 'Power-Up-2026!';

interface Asked {
  participants: number;
  /** The same seed makes the same people. */
  seed: number;
  /** Hears of each cohort when it is there. */
  tell: (text: string) => void;
}

/** The ledger of stipends takes one transaction at a time. So while one cohort is paid, others are taught. */
export const cohortsAtOnce = 3;

/** One transaction per cohort, so an interrupted run leaves only whole cohorts. */
export async function fillWithSeed(db: Db, storage: Storage, { participants, seed, tell }: Asked): Promise<void> {
  const passwordHash = await hashPassword(seedPassword);
  const plans = planCohorts(participants, seed);
  const programme = await inTransaction(db, (transaction) => seedProgramme(transaction, seed, passwordHash));
  const make = async (plan: CohortPlan) => {
    const name = `cohort ${plan.number} of ${plans.length}`;
    if (await isCohortThere(db, plan)) return tell(`${name} is there already`);
    await inTransaction(db, (transaction) => seedCohort(transaction, storage, plan, programme));
    tell(`${name}: ${plan.size} participants, ${plan.state}`);
    if ([1, 3, 10, 30].includes(plan.number)) await analyzeRoughly(db);
  };
  const [first, ...others] = plans;
  if (first) await make(first);
  await inLanes(others, make);
  await sql`analyze`.execute(db);
}

/** Without statistics, PostgreSQL would go on planning for empty tables. A small sample says how large they are. */
function analyzeRoughly(db: Db): Promise<void> {
  return inTransaction(db, async (transaction) => {
    await sql`set local default_statistics_target = 10`.execute(transaction);
    await sql`analyze`.execute(transaction);
  });
}

/** If one cannot be made, no other is begun. */
async function inLanes(plans: CohortPlan[], make: (plan: CohortPlan) => Promise<void>): Promise<void> {
  const left = [...plans];
  const lanes = Array.from({ length: cohortsAtOnce }, async () => {
    try {
      for (let plan = left.shift(); plan; plan = left.shift()) await make(plan);
    } finally {
      left.length = 0;
    }
  });
  for (const ended of await Promise.allSettled(lanes)) if (ended.status === 'rejected') throw ended.reason;
}
