import { sql } from 'kysely';
import { argumentsOf, runCommand } from '#server/command.ts';
import { readConfig } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { openStorage } from '#server/platform/storage.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { demoAddresses } from '#server/sign-in/demo-accounts.ts';
import { hashPassword } from '#server/sign-in/password-hash.ts';
import { isCohortThere, seedCohort, seedProgramme } from './seed/cohort.ts';
import { planCohorts } from './seed/plan.ts';
import { withDatabase } from './with-database.ts';

const usage = `Usage: npm run seed -- --participants <number> [--seed <number>]
Fills an empty instance, or a demo, with a made-up programme: cohorts of up to 200 in all weeks, with everything that
their people did. For measuring and for looking. The same seed makes the same people. Cohorts that are there already
are left as they are, so that a run that was stopped goes on. It refuses an instance with other people: anybody who knows
the password of the seed can sign in as any of them.`;
const seedPassword = 'Power-Up-2026!';
const seedAddresses = '^seed[0-9]+-.*@seed\\.example$';
const counted = [
  'profiles',
  'cohorts',
  'training_activities',
  'content_assignments',
  'attendance_records',
  'content_ticks',
  'content_submissions',
  'submission_rounds',
  'performance_feedback',
  'coaching_sessions',
  'coach_messages',
  'notices',
  'deliveries',
  'stored_files',
  'audit_log',
  'participant_progress',
  'stipend_eligibility',
  'stipend_handovers',
  'stipend_payment_parts',
  'stipend_payment_reversals',
  'stipend_ledger',
];

await runCommand(async () => {
  const { participants, seed } = readArguments();
  await withDatabase(async (db) => {
    const startedAt = performance.now();
    await refuseRealPeople(db);
    await fill(db, participants, seed);
    await printTotals(db);
    console.log(`Done in ${secondsSince(startedAt)} s. Everybody's password is ${seedPassword}.`);
    console.log(
      `Sign in as seed${seed}-admin@seed.example, seed${seed}-coach-0001@seed.example or seed${seed}-000001@seed.example.`,
    );
  });
});

function readArguments() {
  const { values } = argumentsOf(usage, {
    options: { participants: { type: 'string' }, seed: { type: 'string', default: '1' } },
  });
  const participants = Number(values.participants);
  const seed = Number(values.seed);
  if (!Number.isInteger(participants) || participants < 1 || !Number.isInteger(seed) || seed < 1)
    throw new Error(usage);
  return { participants, seed };
}

async function refuseRealPeople(db: Db): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from profiles where email::text !~ ${seedAddresses} and email::text !~ ${demoAddresses}`.execute(
    db,
  );
  const others = rows[0]?.n ?? 0;
  if (others > 0)
    throw new Error(
      `This instance has ${others === 1 ? '1 person who was' : `${others} people who were`} not made up. Nothing was written.`,
    );
}

/** One transaction per cohort, so an interrupted run leaves only whole cohorts, and memory holds no more than one. */
async function fill(db: Db, participants: number, seed: number): Promise<void> {
  const passwordHash = await hashPassword(seedPassword);
  const storage = await openStorage(readConfig());
  const plans = planCohorts(participants, seed);
  const startedAt = performance.now();
  const tell = (text: string) => console.log(`${secondsSince(startedAt).padStart(7)} s  ${text}`);
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

async function printTotals(db: Db): Promise<void> {
  for (const table of counted) {
    const found = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db);
    console.log(`  ${table.padEnd(25)} ${String(found.rows[0]?.n ?? 0).padStart(9)}`);
  }
}

function secondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}
