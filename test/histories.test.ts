/**
 * Eight clients at once ask two processes of the product on one database, and processes are killed meanwhile. What they
 * were told must be what a program would tell that does one act at a time (docs/reliability.md).
 *
 * A seed decides the acts, by which process they go, and after how many acts a process is killed. An act on what only
 * an answer can name, as a session that was booked or a version that was seen, follows from the answers. The order in
 * which the machine carries out what goes on at once is not replayed, so one seed may fail and then pass.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from './support/app.ts';
import { isDeep, sizeOf } from './support/depth.ts';
import { approvalsHistory } from './support/histories/approvals-history.ts';
import { bookingHistory, bookingSettings } from './support/histories/booking-history.ts';
import { claimsHistory } from './support/histories/claims-history.ts';
import { scheduleOf } from './support/histories/clients.ts';
import { drawSeed, expectExplained, expectTaken } from './support/histories/expect-explained.ts';
import { startTwoProcesses, type TwoProcesses } from './support/histories/two-processes.ts';
import { killServerProcesses } from './support/server-process.ts';

let server: TestApp;
let processes: TwoProcesses;
beforeAll(async () => {
  server = await startTestApp();
  processes = await startTwoProcesses(server, bookingSettings);
});
afterAll(async () => {
  await processes.whole();
  killServerProcesses();
  await server.close();
});

const size = { acts: sizeOf({ usual: 80, deep: 500 }), kills: sizeOf({ usual: 1, deep: 12 }) };
/** A few random acts do not always meet everything. */
const atLeast = <Name>(usual: Name[], deep: Name[]): Name[] => (isDeep ? [...usual, ...deep] : usual);

test('COACH-50 what participants and coaches are told of bookings at once could have been told one by one', async ({
  annotate,
}) => {
  const seed = drawSeed();
  const history = await bookingHistory(server, processes, { ...size, seed });
  await annotate(expectExplained(history, seed));
  expectTaken(history.acts, atLeast(['book'], ['move', 'withdraw', 'cancel']));
});

test('what reviewers are told of submissions that they open at once could have been told one by one', async ({
  annotate,
}) => {
  const seed = drawSeed();
  const history = await claimsHistory(server, processes, { ...size, seed });
  await annotate(expectExplained(history, seed));
  expectTaken(history.acts, atLeast(['claim'], ['release', 'review', 'take back']));
});

test('what admins are told of stipends that they decide at once could have been told one by one', async ({
  annotate,
}) => {
  const seed = drawSeed();
  const history = await approvalsHistory(server, processes, { ...size, seed });
  await annotate(expectExplained(history, seed));
  expectTaken(history.acts, atLeast(['set amount'], ['approve', 'approve amount', 'deny']));
});

test('one seed draws the same acts and kills each time, and another one others', () => {
  const drawn = (seed: number) => scheduleOf(fc.nat(99), { seed, acts: 80, kills: 2 });
  expect(drawn(7)).toEqual(drawn(7));
  expect(drawn(8)).not.toEqual(drawn(7));
  expect(drawn(7).clients.map((steps) => steps.length)).toEqual(Array.from({ length: 8 }, () => 10));
  const [first, second] = drawn(7).kills.map(({ after }) => after);
  expect(first).toBeLessThan(40);
  expect(second).toBeGreaterThanOrEqual(40);
});

test('a killed process is up again', async () => {
  await processes.whole();
  expect([processes.up(0).place, processes.up(1).place]).toEqual([0, 1]);
});
