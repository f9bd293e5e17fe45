/** Histories find what is wrong: here a database that does not refuse what it should (see histories.test.ts). */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from './support/app.ts';
import { approvalsHistory } from './support/histories/approvals-history.ts';
import { bookingHistory, bookingSettings } from './support/histories/booking-history.ts';
import { claimsHistory } from './support/histories/claims-history.ts';
import type { HistorySize } from './support/histories/clients.ts';
import { type Contradiction, findContradiction, printContradiction } from './support/histories/contradictions.ts';
import { drawSeed, type History } from './support/histories/expect-explained.ts';
import { startTwoProcesses, type TwoProcesses } from './support/histories/two-processes.ts';
import { killServerProcesses } from './support/server-process.ts';

let server: TestApp;
let processes: TwoProcesses;
beforeAll(async () => {
  server = await startTestApp();
  processes = await startTwoProcesses(server, bookingSettings);
});
afterAll(async () => {
  killServerProcesses();
  await server.close();
});

/** Runs one history after another until one is a contradiction. Random acts may miss the fault at first. */
async function findFault<Call, State>(
  acts: number,
  run: (server: TestApp, processes: TwoProcesses, size: HistorySize) => Promise<History<Call, State>>,
): Promise<{ found: Contradiction<Call>; printed: string }> {
  const first = drawSeed();
  for (let seed = first; seed < first + 20; seed += 1) {
    const history = await run(server, processes, { seed, acts, kills: 0 });
    const found = findContradiction(history.model, history.acts);
    if (found) return { found, printed: printContradiction(history.model, found) };
  }
  throw new Error(`Nothing was found from HISTORIES_SEED=${first} on.`);
}

test('two sessions of a coach at one time, where the database lets them be', async ({ annotate }) => {
  await sql`alter table coaching_sessions
    drop constraint coach_is_never_double_booked, drop constraint participant_is_never_double_booked`.execute(
    server.db,
  );
  const { rows } = await sql<{ definition: string }>`
    select pg_get_functiondef('free_slots'::regproc) as definition`.execute(server.db);
  const rule = "where status = 'scheduled'";
  expect(rows[0]?.definition).toContain(rule);
  // What is shown stays right. One half hour, as a booking asks for it, is always free.
  const fault = `${rule} and not_after - not_before > interval '1 minute'`;
  await sql.raw(rows[0]?.definition.replace(rule, fault) ?? '').execute(server.db);

  const { found, printed } = await findFault(80, bookingHistory);
  await annotate(printed);
  expect(found.acts.length).toBeLessThanOrEqual(5);
});

test('a second reviewer who gets a submission that another one has open', async ({ annotate }) => {
  await sql`create function let_go() returns trigger language plpgsql as $$
    begin
      delete from review_claims where submission_id = new.submission_id;
      return new;
    end $$`.execute(server.db);
  await sql`create trigger let_go before insert on review_claims for each row execute function let_go()`.execute(
    server.db,
  );

  const { found, printed } = await findFault(80, claimsHistory);
  await annotate(printed);
  expect(found.acts.length).toBeLessThanOrEqual(5);
});

test('an admin who is second to themself, where the database forgets who set an amount', async ({ annotate }) => {
  await sql`alter table stipend_eligibility disable trigger amount_setters_are_kept`.execute(server.db);

  const { found, printed } = await findFault(240, approvalsHistory);
  await annotate(printed);
  expect(found.acts.length).toBeLessThanOrEqual(5);
});
