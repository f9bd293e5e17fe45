import { sql } from 'kysely';
import { argumentsOf, runCommand } from '#server/command.ts';
import { readConfig } from '#server/config.ts';
import type { Db } from '#server/db/database.ts';
import { openStorage } from '#server/platform/storage.ts';
import { demoAddresses } from '#server/sign-in/demo-accounts.ts';
import { cohortsAtOnce, fillWithSeed, seedPassword } from './seed/fill.ts';
import { withDatabase } from './with-database.ts';

const usage = `Usage: npm run seed -- --participants <number> [--seed <number>]
Fills an empty instance, or a demo, with a made-up programme: cohorts of up to 200 in all weeks, with everything that
their people did. For measuring and for looking. The same seed makes the same people. Cohorts that are there already
are left as they are, so that a run that was stopped goes on. It refuses an instance with other people: anybody who knows
the password of the seed can sign in as any of them.`;
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
  await withDatabase((db) => fillAndTell(db, participants, seed), { connections: cohortsAtOnce });
});

async function fillAndTell(db: Db, participants: number, seed: number): Promise<void> {
  const startedAt = performance.now();
  await refuseRealPeople(db);
  await fill(db, participants, seed);
  await printTotals(db);
  console.log(`Done in ${secondsSince(startedAt)} s. Everybody's password is ${seedPassword}.`);
  console.log(
    `Sign in as seed${seed}-admin@seed.example, seed${seed}-coach-0001@seed.example or seed${seed}-000001@seed.example.`,
  );
}

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

async function fill(db: Db, participants: number, seed: number): Promise<void> {
  const storage = await openStorage(readConfig());
  const startedAt = performance.now();
  const tell = (text: string) => console.log(`${secondsSince(startedAt).padStart(7)} s  ${text}`);
  await fillWithSeed(db, storage, { participants, seed, tell });
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
