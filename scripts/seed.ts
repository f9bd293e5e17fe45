import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { addDays, easternDay } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { isEmbeddedDatabaseInUse } from '#server/platform/embedded-database-processes.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { hashPassword } from '#server/sign-in/password-hash.ts';
import {
  cohortSize,
  deriveProgress,
  isCohortThere,
  type SeededCohort,
  seedCohort,
  seedCourse,
  seedPassword,
} from './seed-cohort.ts';
import { withDatabase } from './with-database.ts';

const usage = `Usage: npm run seed -- --participants <number> [--seed <number>]
Fills the database with made-up cohorts of ${cohortSize}, for measuring. The same seed makes the same people; cohorts
that are there already are left as they are, so that a run that was stopped goes on. Never run it where real people
are: anybody who knows the password of the seed can sign in as any of them.`;
const passedWeeks = 8;
const counted = [
  'profiles',
  'cohorts',
  'training_activities',
  'content_assignments',
  'attendance_records',
  'content_submissions',
  'submission_rounds',
  'performance_feedback',
  'stipend_eligibility',
];

try {
  const { participants, seed } = readArguments();
  await withDatabase(async (db) => {
    const startedAt = performance.now();
    await fill(db, participants, seed);
    await printTotals(db);
    console.log(`Done in ${secondsSince(startedAt)} s. Everybody's password is ${seedPassword}.`);
    console.log(
      `Sign in as seed${seed}-admin@seed.example, seed${seed}-coach-0001@seed.example or seed${seed}-000001@seed.example.`,
    );
  });
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

function readArguments() {
  const { values } = parseArgs({
    options: { participants: { type: 'string' }, seed: { type: 'string', default: '1' } },
  });
  const participants = Number(values.participants);
  const seed = Number(values.seed);
  if (!Number.isInteger(participants) || participants < 1 || !Number.isInteger(seed) || seed < 1)
    throw new Error(usage);
  return { participants, seed };
}

/** One transaction per cohort, so an interrupted run leaves only whole cohorts. */
async function fill(db: Db, participants: number, seed: number): Promise<void> {
  const passwordHash = await hashPassword(seedPassword);
  const cohorts = listCohorts(participants, seed, passwordHash);
  const startedAt = performance.now();
  const tell = (text: string) => console.log(`${secondsSince(startedAt).padStart(7)} s  ${text}`);
  await inTransaction(db, (transaction) => seedCourse(transaction, seed, passwordHash));
  for (const cohort of cohorts) {
    const name = `cohort ${cohort.number} of ${cohorts.length}`;
    if (await isCohortThere(db, cohort)) tell(`${name} is there already`);
    else {
      await inTransaction(db, (transaction) => seedCohort(transaction, cohort));
      tell(`${name}: ${cohort.size} participants`);
      // Without statistics, PostgreSQL would go on planning for empty tables.
      if (Number.isInteger(Math.log2(cohort.number))) await sql`analyze`.execute(db);
    }
  }
  await sql`analyze`.execute(db);
  for (const cohort of cohorts) await inTransaction(db, (transaction) => deriveProgress(transaction, cohort));
  tell('progress derived');
}

function listCohorts(participants: number, seed: number, passwordHash: string): SeededCohort[] {
  const startDate = addDays(lastMonday(), -7 * passedWeeks);
  return Array.from({ length: Math.ceil(participants / cohortSize) }, (_, index) => ({
    seed,
    number: index + 1,
    size: Math.min(cohortSize, participants - index * cohortSize),
    startDate,
    passedWeeks,
    passwordHash,
  }));
}

function lastMonday(): string {
  const today = easternDay(new Date());
  return addDays(today, -((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7));
}

async function printTotals(db: Db): Promise<void> {
  for (const table of counted) {
    const found = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db);
    console.log(`  ${table.padEnd(22)} ${String(found.rows[0]?.n ?? 0).padStart(9)}`);
  }
}

function secondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}

function explain(error: unknown): string {
  if (isEmbeddedDatabaseInUse(error)) return 'The server is running on this database. Stop it first.';
  return error instanceof Error ? error.message : String(error);
}
