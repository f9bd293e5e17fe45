import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp } from '#test/support/app.ts';
import { createTestDatabase, type TestDatabase } from '#test/support/database.ts';
import { signInWith } from '#test/support/sign-in.ts';

const run = promisify(execFile);
let databases: TestDatabase[];

beforeAll(async () => {
  databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
});
afterAll(() => Promise.all(databases.map((database) => database.leave())));

/** Runs `npm run seed -- --participants 30` on the database and returns the totals that it prints. */
async function seed({ connectionString }: TestDatabase): Promise<Record<string, number>> {
  const { stdout } = await run(process.execPath, ['scripts/seed.ts', '--participants', '30'], {
    env: { PATH: process.env.PATH, DATABASE_URL: connectionString },
  });
  return Object.fromEntries(
    [...stdout.matchAll(/^ {2}(\w+) +(\d+)$/gm)].map(([, table, count]) => [table, Number(count)]),
  );
}

/** Describes the people, work and money that resulted, whenever the rows were written. */
async function outcomeOf({ db }: TestDatabase): Promise<unknown> {
  const { rows } = await sql`
    select profiles.id, profiles.email, first_name, last_name, role,
      (select json_agg(json_build_array(title, submission_text, status, round_number) order by title, submission_text, status)
         from content_submissions join content_assignments on content_assignments.id = assignment_id
        where user_id = profiles.id) as work,
      (select json_agg(json_build_array(week_number, stipend_amount_cents, overall_eligible) order by week_number)
         from stipend_eligibility where fellow_id = profiles.id) as money
    from profiles order by email`.execute(db);
  return rows;
}

test('npm run seed makes the same programme on any empty instance, leaves it as it is when run again, and people sign in', async () => {
  const [first, second] = databases as [TestDatabase, TestDatabase];
  const totals = await Promise.all([seed(first), seed(second)]);
  expect(totals[0]).toMatchObject({ profiles: 33, cohorts: 1 });
  for (const count of Object.values(totals[0] ?? {})) expect(count).toBeGreaterThan(0);
  expect(totals[1]).toEqual(totals[0]);
  const outcome = await outcomeOf(first);
  expect(await outcomeOf(second)).toEqual(outcome);

  expect(await seed(first)).toEqual(totals[0]);
  expect(await outcomeOf(first)).toEqual(outcome);

  const app = await openTestApp(first.connectionString, {});
  expect((await signInWith(app, 'seed1-000001@seed.example', 'Power-Up-2026!')).status).toBe(200);
  await app.close();
});
