import { afterAll, beforeAll, expect, test } from 'vitest';
import { approveWeek, changeStipendAmount, denyStipend, listStipends } from '#contract/stipends.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { badlyRated, buildStipend, judgedWeek } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';
import { figuresOf } from '#test/support/stipend-figures.ts';

let app: TestApp;
let ada: BuiltPerson;
let admin: Client;

beforeAll(async () => {
  app = await startTestApp();
  ada = await buildAdmin(app.db);
  admin = await app.as(ada);
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
  expect((await admin.refused(approveWeek, { body: { weekNumber, seen: odd } })).problem).toMatchObject({
    code: 'stale',
    detail:
      'Nothing was approved, because the week has changed since you opened the page. You saw 1 stipend of $500; now it is 0 stipends of $0. Please look again.',
  });
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

const seenOf = async (week: number, cohort?: string) => (await figuresOf(admin, { week, cohort })).pending;

test('a refusal names five stipends at most, by name, and counts the others', async () => {
  const { id: cohortId } = await buildCohort(app.db);
  const weekNumber = 14;
  const seen = await seenOf(weekNumber, cohortId);
  const add = async (lastName: string) => {
    const { id: fellowId } = await buildParticipant(app.db, { firstName: 'Nia', lastName });
    await buildStipend(app.db, { weekNumber, cohortId, fellowId });
  };
  const refusal = async () =>
    (await admin.refused(approveWeek, { body: { weekNumber, cohortId, seen } })).problem.detail;
  for (const lastName of ['Egan', 'Dahl', 'Cobb', 'Bell', 'Abel']) await add(lastName);
  const [abel, ...others] = ['Abel', 'Bell', 'Cobb', 'Dahl', 'Egan'].map((name) => `Nia ${name} (new, $500)`);
  expect(await refusal()).toContain(
    `now it is 5 stipends of $2,500. Different: ${[abel, ...others.slice(0, 3)].join(', ')}, and ${others.at(-1)}. Please`,
  );
  await add('Finn');
  await add('Gray');
  expect(await refusal()).toContain(
    `now it is 7 stipends of $3,500. Different: ${[abel, ...others].join(', ')}, and 2 more. Please`,
  );
});

test('another sum of as many stipends, or another number of the same sum, is said in both numbers', async () => {
  const weekNumber = 15;
  const first = await buildStipend(app.db, { weekNumber });
  const { cohortId } = first;
  const refusal = async (seen: Awaited<ReturnType<typeof seenOf>>) =>
    (await admin.refused(approveWeek, { body: { weekNumber, cohortId, seen } })).problem.detail;
  const before = await seenOf(weekNumber, cohortId);
  const body = { version: first.version, amountCents: 25_000 };
  await admin.call(changeStipendAmount, { params: { id: first.id }, body });
  expect(await refusal(before)).toContain('You saw 1 stipend of $500; now it is 1 stipend of $250.');
  const second = await buildStipend(app.db, { weekNumber, cohortId, stipendAmountCents: 25_000 });
  expect(await refusal(before)).toContain('You saw 1 stipend of $500; now it is 2 stipends of $500.');
  const same = await seenOf(weekNumber, cohortId);
  await app.db.updateTable('stipendEligibility').set({ version: 2 }).where('id', '=', second.id).execute();
  expect(await refusal(same)).toContain(
    'They are still 2 stipends of $500, but the facts behind some of them have changed.',
  );
});

test('a stipend that was seen and is no longer eligible is named so, and nothing is approved', async () => {
  const weekNumber = 16;
  const { id, fellowId } = await buildStipend(app.db, { weekNumber });
  const seen = await seenOf(weekNumber);
  const { criteria } = judgedWeek(badlyRated);
  const failed = { ...badlyRated, criteria, version: 2 };
  await app.db.updateTable('stipendEligibility').set(failed).where('id', '=', id).execute();
  const { lastName } = await nameOf(fellowId);
  const { problem } = await admin.refused(approveWeek, { body: { weekNumber, seen } });
  expect(problem.detail).toContain(`now it is 0 stipends of $0. Different: Robin ${lastName} (no longer eligible).`);
});

test('the approval says how many it approved, first or finally, and leaves out what is the own of the admin', async () => {
  const weekNumber = 11;
  const { cohortId } = await buildStipend(app.db, { weekNumber });
  const ofTwo = await buildCohort(app.db, { needsSecondApprover: true });
  for (let count = 0; count < 2; count += 1) await buildStipend(app.db, { weekNumber, cohortId: ofTwo.id });
  const own = await buildStipend(app.db, { weekNumber, cohortId, fellowId: ada.id });
  const approve = async () => admin.call(approveWeek, { body: { weekNumber, seen: await seenOf(weekNumber) } });
  expect(await approve()).toEqual({ approved: 1, firstApproved: 2, skipped: 0, own: 1 });
  expect(await approve()).toEqual({ approved: 0, firstApproved: 0, skipped: 2, own: 1 });
  const left = app.db.selectFrom('stipendEligibility').select(['paymentStatus', 'version']).where('id', '=', own.id);
  expect(await left.execute()).toEqual([{ paymentStatus: 'pending', version: 1 }]);
});

test('facts that a refused approval found anew are seen at once, and where there are none nobody is told', async () => {
  const weekNumber = 10;
  const { id: cohortId } = await buildCohort(app.db);
  const { id: fellowId } = await buildParticipant(app.db);
  await enrol(app.db, { cohortId, participantId: fellowId });
  await buildStipend(app.db, { weekNumber, cohortId, fellowId });
  const seen = await seenOf(weekNumber, cohortId);
  const refused = () => admin.refused(approveWeek, { body: { weekNumber, cohortId, seen } });
  expect((await toldBy(app, refused))(ada)).toEqual(['stipends']);
  expect((await toldBy(app, refused))(ada)).toEqual([]);
});
