import { afterAll, beforeAll, expect, test } from 'vitest';
import { approveWeek, denyStipend, listStipends } from '#contract/stipends.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { figuresOf } from '#test/support/stipend-figures.ts';

let app: TestApp;
let admin: Client;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.as(await buildAdmin(app.db));
});
afterAll(() => app.close());

const nameOf = (id: string) =>
  app.db.selectFrom('profiles').select('lastName').where('id', '=', id).executeTakeFirstOrThrow();

test('a bulk approval of other rows than were seen is refused, and says what is different', async () => {
  const weekNumber = 12;
  await buildStipend(app.db, { weekNumber });
  const seen = (await figuresOf(admin, { week: weekNumber })).pending;
  expect(seen).toMatchObject({ count: 1, totalCents: 50_000 });
  const larry = await buildParticipant(app.db, { firstName: 'Larry' });
  const late = await buildStipend(app.db, { weekNumber, fellowId: larry.id, stipendAmountCents: 40_000 });
  const refusal = await admin.refused(approveWeek, { body: { weekNumber, seen } });
  expect(refusal.problem).toMatchObject({ code: 'stale' });
  expect(refusal.problem.detail).toContain('You saw 1 stipend of $500; now it is 2 stipends of $900.');
  const { lastName } = await nameOf(late.fellowId);
  expect(refusal.problem.detail).toContain(`Different: Larry ${lastName} (new, $400).`);
  const pending = async () =>
    (await admin.call(listStipends, { query: { week: weekNumber, status: 'pending' } })).matching;
  expect(await pending()).toBe(2);

  const again = (await figuresOf(admin, { week: weekNumber })).pending;
  await app.db.updateTable('stipendEligibility').set({ version: 2 }).where('id', '=', late.id).execute();
  const other = await admin.refused(approveWeek, { body: { weekNumber, seen: again } });
  expect(other.problem.detail).toContain('the facts behind some of them have changed');
  expect(other.problem.detail).toContain(`Different: Larry ${lastName} (now $400).`);
  const now = (await figuresOf(admin, { week: weekNumber })).pending;
  expect(await admin.call(approveWeek, { body: { weekNumber, seen: now } })).toMatchObject({ approved: 2 });
  expect(await pending()).toBe(0);

  const gone = await buildStipend(app.db, { weekNumber, fellowId: larry.id });
  const before = (await figuresOf(admin, { week: weekNumber })).pending;
  await admin.call(denyStipend, { params: { id: gone.id }, body: { version: gone.version, reason: 'Not there' } });
  const denied = await admin.refused(approveWeek, { body: { weekNumber, seen: before } });
  expect(denied.problem.detail).toContain(`Different: Larry ${lastName} (denied).`);
  const odd = { ...before, versions: "x'.,,.y" };
  expect((await admin.refused(approveWeek, { body: { weekNumber, seen: odd } })).problem.code).toBe('stale');
});

test('a picked cohort has its own list, cards and bulk approval', async () => {
  const week = 13;
  const here = await buildStipend(app.db, { weekNumber: week });
  const there = await buildStipend(app.db, { weekNumber: week });
  const { rows } = await admin.call(listStipends, { query: { week, cohort: here.cohortId } });
  const summary = await figuresOf(admin, { week, cohort: here.cohortId });
  expect(rows.map(({ id }) => id)).toEqual([here.id]);
  expect(summary).toMatchObject({ totalParticipants: 1, pendingApproval: 1 });
  const picked = { weekNumber: week, cohortId: here.cohortId, seen: summary.pending };
  expect(await admin.call(approveWeek, { body: picked })).toMatchObject({ approved: 1 });
  const all = await admin.call(listStipends, { query: { week, status: 'pending' } });
  expect(all.rows.map(({ id }) => id)).toEqual([there.id]);
});
