import { afterAll, beforeAll, expect, test } from 'vitest';
import { approveStipends, denyStipends } from '#contract/stipend-sets.ts';
import { listStipends } from '#contract/stipends.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { badlyRated, buildRating, buildStipend } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { toldBy } from '#test/support/live-news.ts';

let app: TestApp;
let ada: BuiltPerson;
let admin: Client;

beforeAll(async () => {
  app = await startTestApp();
  ada = await buildAdmin(app.db);
  admin = await app.as(ada);
});
afterAll(() => app.close());

const standingOf = (ids: string[]) =>
  app.db
    .selectFrom('stipendEligibility')
    .select(['id', 'paymentStatus', 'approvedBy', 'denialReason', 'version'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
const trailOf = (ids: string[]) =>
  app.db.selectFrom('auditLog').select(['action', 'subjectId', 'reason']).where('subjectId', 'in', ids).execute();
const seen = (rows: { id: string; version: number }[]) => rows.map(({ id, version }) => ({ id, version }));

test('STIP-39 chosen stipends are approved at once, and each that cannot be says why and stays', async () => {
  const { id: cohortId } = await buildCohort(app.db, { status: 'planning' });
  const week = { cohortId, weekNumber: 2 };
  const open = [await buildStipend(app.db, week), await buildStipend(app.db, week)];
  const failed = await buildStipend(app.db, { ...week, ...badlyRated });
  const paid = await buildStipend(app.db, { ...week, paymentStatus: 'paid' });
  const changed = await buildStipend(app.db, week);
  const own = await buildStipend(app.db, { ...week, fellowId: ada.id });
  const untouched = await buildStipend(app.db, week);
  const rows = [...seen([...open, failed, paid, own]), { id: changed.id, version: changed.version - 1 }];
  const reply = await admin.call(approveStipends, { body: { rows: [...rows, ...seen(open)] } });
  expect(reply).toMatchObject({ approved: 2, firstApproved: 0 });
  expect(Object.fromEntries(reply.refused.map(({ id, reason }) => [id, reason]))).toEqual({
    [failed.id]: 'This participant is not eligible for the week.',
    [paid.id]: 'This stipend is paid already.',
    [changed.id]: 'This row has changed since you opened the page. It now shows the new facts; please decide again.',
    [own.id]: expect.stringContaining('own'),
  });
  const ids = open.map(({ id }) => id);
  expect(await standingOf(ids)).toMatchObject(
    ids.toSorted().map((id) => ({ id, paymentStatus: 'approved', approvedBy: ada.id, version: 2 })),
  );
  for (const { id } of [failed, changed, own, untouched]) {
    expect(await standingOf([id])).toMatchObject([{ paymentStatus: 'pending', version: 1 }]);
  }
  expect(await trailOf([...rows.map(({ id }) => id), untouched.id])).toHaveLength(2);
});

test('the same approval sent twice, also at once, approves each stipend once', async () => {
  const { id: cohortId } = await buildCohort(app.db, { status: 'planning' });
  const open = [];
  for (let count = 0; count < 3; count += 1) open.push(await buildStipend(app.db, { cohortId, weekNumber: 3 }));
  const body = { rows: seen(open) };
  const other = await app.as(await buildAdmin(app.db));
  const replies = await Promise.all([
    admin.call(approveStipends, { body }),
    other.call(approveStipends, { body: { rows: body.rows.toReversed() } }),
  ]);
  expect(replies.map(({ approved }) => approved).toSorted()).toEqual([0, 3]);
  expect(await admin.call(approveStipends, { body })).toMatchObject({ approved: 0, refused: { length: 3 } });
  expect(await trailOf(open.map(({ id }) => id))).toHaveLength(3);
});

test('where two admins approve, the chosen stipends wait for the second, and the first cannot be both', async () => {
  const { id: cohortId } = await buildCohort(app.db, { status: 'planning', needsSecondApprover: true });
  const first = await buildStipend(app.db, { cohortId, weekNumber: 4 });
  expect(await admin.call(approveStipends, { body: { rows: seen([first]) } })).toMatchObject({
    approved: 0,
    firstApproved: 1,
    refused: [],
  });
  const again = { rows: [{ id: first.id, version: 2 }] };
  const refused = await admin.call(approveStipends, { body: again });
  expect(refused.refused.map(({ reason }) => reason)).toEqual([
    'You approved this stipend first. Another admin has to approve it too.',
  ]);
  const other = await app.as(await buildAdmin(app.db));
  expect(await other.call(approveStipends, { body: again })).toMatchObject({ approved: 1, refused: [] });
});

test('STIP-38 chosen stipends are denied with one reason, which each participant is told; decided ones stay', async () => {
  const { id: cohortId } = await buildCohort(app.db, { status: 'planning' });
  const week = { cohortId, weekNumber: 5 };
  const open = [await buildStipend(app.db, week), await buildStipend(app.db, week)];
  const approved = await buildStipend(app.db, { ...week, paymentStatus: 'approved' });
  const own = await buildStipend(app.db, { ...week, fellowId: ada.id });
  const body = { rows: seen([...open, approved, own]), reason: '  Not at the site. ' };
  const reply = await admin.call(denyStipends, { body });
  expect(reply.denied).toBe(2);
  expect(reply.refused).toHaveLength(2);
  expect(reply.refused).toEqual(
    expect.arrayContaining([
      { id: approved.id, participantName: 'Robin Reyes', reason: 'This stipend is approved already.' },
      {
        id: own.id,
        participantName: 'Ada Admin',
        reason: 'This is your own. Somebody else has to decide about it.',
      },
    ]),
  );
  const denied = { paymentStatus: 'denied', denialReason: 'Not at the site.', approvedBy: ada.id, version: 2 };
  expect(await standingOf(open.map(({ id }) => id))).toMatchObject([denied, denied]);
  expect(await standingOf([approved.id])).toMatchObject([{ paymentStatus: 'approved', version: 1 }]);
  const told = await app.db
    .selectFrom('noticeEvents')
    .select('userId')
    .where(
      'userId',
      'in',
      [...open, approved, own].map(({ fellowId }) => fellowId),
    )
    .execute();
  expect(told.map(({ userId }) => userId).toSorted()).toEqual(open.map(({ fellowId }) => fellowId).toSorted());
  expect(await admin.call(denyStipends, { body })).toMatchObject({ denied: 0, refused: { length: 4 } });
});

test.for(['approval', 'denial'] as const)(
  'STIP-39 no %s of chosen stipends rests on facts that are no more: the new ones are kept and seen at once',
  async (kind) => {
    const { id: cohortId } = await buildCohort(app.db, { status: 'planning' });
    const { id: fellowId } = await buildParticipant(app.db);
    await enrol(app.db, { cohortId, participantId: fellowId });
    await buildRating(app.db, { fellowId, cohortId, overallRating: 2 });
    const counted = { activitiesTotal: 0, activitiesAccessed: 0, assignmentsTotal: 0, assignmentsSubmitted: 0 };
    const stipend = await buildStipend(app.db, { fellowId, cohortId, ...counted });
    const rows = seen([stipend]);
    let reply: unknown;
    const told = await toldBy(app, async () => {
      reply =
        kind === 'approval'
          ? await admin.call(approveStipends, { body: { rows } })
          : await admin.call(denyStipends, { body: { rows, reason: 'Not there.' } });
    });
    const reason = 'This participant is not eligible for the week.';
    expect(reply).toMatchObject({ refused: [{ id: stipend.id, reason }] });
    expect(await standingOf([stipend.id])).toMatchObject([{ paymentStatus: 'pending', version: 2 }]);
    expect(told(ada)).toEqual(['stipends']);
  },
);

test('nothing is decided without rows or a reason, nor where one of the rows is not there', async () => {
  const stipend = await buildStipend(app.db, { weekNumber: 6 });
  const rows = seen([stipend]);
  expect((await admin.refused(approveStipends, { body: { rows: [] } })).status).toBe(422);
  expect((await admin.refused(denyStipends, { body: { rows, reason: ' ' } })).status).toBe(422);
  const gone = { rows: [...rows, { id: newId(), version: 1 }] };
  expect(await admin.refused(approveStipends, { body: gone })).toMatchObject({
    status: 404,
    problem: { detail: 'Some of these stipends no longer exist. Please look at the list again.' },
  });
  expect(await standingOf([stipend.id])).toMatchObject([{ paymentStatus: 'pending', version: 1 }]);
});

test('the list says the exact sum of what its filters leave, on all pages', async () => {
  const { id: cohort } = await buildCohort(app.db, { status: 'planning' });
  for (let count = 0; count < 52; count += 1) {
    await buildStipend(app.db, { cohortId: cohort, weekNumber: 7, stipendAmountCents: 10_000 + count });
  }
  await buildStipend(app.db, { cohortId: cohort, weekNumber: 7, paymentStatus: 'denied', stipendAmountCents: 7 });
  const { rows, matching, matchingCents } = await admin.call(listStipends, {
    query: { week: 7, cohort, status: 'pending' },
  });
  expect([rows.length, matching, matchingCents]).toEqual([50, 52, 52 * 10_000 + (51 * 52) / 2]);
  const failing = await buildParticipant(app.db);
  await buildStipend(app.db, {
    ...{ cohortId: cohort, weekNumber: 7, fellowId: failing.id, stipendAmountCents: 5 },
    ...badlyRated,
  });
  for (const [search, eligible] of [
    [undefined, 52 * 10_000 + (51 * 52) / 2 + 7],
    [failing.email, 0],
  ] as const) {
    const found = await admin.call(listStipends, { query: { week: 7, cohort, search } });
    expect([found.matchingEligibleCents, found.matchingCents]).toEqual([eligible, eligible + 5]);
  }
});
