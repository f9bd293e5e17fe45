import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { handOverWeek } from '#contract/payments.ts';
import { listOwnStipendWeeks } from '#contract/stipend-weeks.ts';
import {
  approveStipend,
  approveWeek,
  changeStipendAmount,
  denyStipend,
  listStipends,
  processStipends,
  readStipend,
} from '#contract/stipends.ts';
import { followLeftChanges } from '#server/derivations.ts';
import { processWeek } from '#server/features/stipends/stipends.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { badlyRated, buildRating, buildStipend } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { toldBy } from '#test/support/live-news.ts';
import { figuresOf } from '#test/support/stipend-figures.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof buildAdmin>>;
let admin: Client;
let restoreClock: () => void;

beforeAll(async () => {
  app = await startTestApp();
  ada = await buildAdmin(app.db);
  admin = await app.as(ada);
});
afterAll(() => app.close());
beforeEach(() => {
  restoreClock = stopClockAt('2025-10-08T14:00:00Z');
});
afterEach(() => restoreClock());

function stored(id: string) {
  return app.db.selectFrom('stipendEligibility').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

function auditOf(id: string) {
  return app.db
    .selectFrom('auditLog')
    .select(['action', 'actorId', 'before', 'after'])
    .where('subjectId', '=', id)
    .orderBy('at')
    .execute();
}

function noticesOf(userId: string) {
  return app.db.selectFrom('notices').select(['kind', 'title', 'message']).where('userId', '=', userId).execute();
}

const seenOf = async (week: number) => (await figuresOf(admin, { week })).pending;

function decision(stipend: { id: string; version: number }) {
  return { params: { id: stipend.id }, body: { version: stipend.version } };
}
const denial = (stipend: Parameters<typeof decision>[0]) => ({
  params: { id: stipend.id },
  body: { version: stipend.version, reason: 'You were not at the site.' },
});

test('STIP-37 STIP-39 approving sets status, admin and instant from session and clock, and tells the participant', async () => {
  const stipend = await buildStipend(app.db);
  expect(await admin.call(approveStipend, decision(stipend))).toMatchObject({
    id: stipend.id,
    paymentStatus: 'approved',
    approvedByName: 'Ada Admin',
    approvedAt: '2025-10-08T14:00:00.000Z',
    can: { approve: false, deny: false, changeAmount: true },
  });
  expect(await stored(stipend.id)).toMatchObject({
    paymentStatus: 'approved',
    approvedBy: ada.id,
    approvedAt: new Date('2025-10-08T14:00:00Z'),
    version: 2,
  });
  expect(await auditOf(stipend.id)).toEqual([
    {
      action: 'stipend.approve',
      actorId: ada.id,
      before: { paymentStatus: 'pending', amountCents: 50_000 },
      after: { paymentStatus: 'approved', amountCents: 50_000 },
    },
  ]);
  expect(await noticesOf(stipend.fellowId)).toEqual([
    {
      kind: 'stipend',
      title: 'Stipend of week 1 approved',
      message: 'Your stipend of $500 for week 1 was approved.',
    },
  ]);
});

test('STIP-38 STIP-39 denying sets status, admin and instant', async () => {
  const stipend = await buildStipend(app.db);
  expect(await admin.call(denyStipend, denial(stipend))).toMatchObject({ paymentStatus: 'denied' });
  expect(await stored(stipend.id)).toMatchObject({
    paymentStatus: 'denied',
    approvedBy: ada.id,
    approvedAt: new Date('2025-10-08T14:00:00Z'),
  });
  expect((await auditOf(stipend.id)).map(({ action }) => action)).toEqual(['stipend.deny']);
});

test('a denial says why: in the row, the ledger, to the participant, and never without', async () => {
  const fellow = await buildParticipant(app.db);
  const stipend = await buildStipend(app.db, { fellowId: fellow.id });
  const reason = 'You were not at the site.';
  for (const nothing of ['', '  ']) {
    const without = { ...denial(stipend), body: { version: stipend.version, reason: nothing } };
    expect((await admin.refused(denyStipend, without)).status).toBe(422);
  }
  expect(await admin.call(denyStipend, denial(stipend))).toMatchObject({ denialReason: reason });
  const line = app.db.selectFrom('stipendLedger').select(['kind', 'reason']).where('stipendId', '=', stipend.id);
  expect(await line.execute()).toEqual([{ kind: 'denial', reason }]);
  const own = await (await app.as(fellow)).call(listOwnStipendWeeks);
  expect(own.rows).toMatchObject([{ state: 'denied', denialReason: reason }]);
  expect((await noticesOf(fellow.id))[0]?.message).toContain(`The reason: ${reason}`);
  const silent = await buildStipend(app.db);
  const decided = { paymentStatus: 'denied', approvedBy: ada.id, approvedAt: new Date() };
  const update = app.db.updateTable('stipendEligibility').set(decided).where('id', '=', silent.id);
  await expect(update.execute()).rejects.toThrow('denials_have_a_reason');
});

test('a denial takes one admin also where two approve; the participant sees it at once, and reads where', async () => {
  const { id: cohortId } = await buildCohort(app.db, { needsSecondApprover: true });
  const stipend = await buildStipend(app.db, { cohortId });
  const told = await toldBy(app, () => admin.call(denyStipend, denial(stipend)));
  expect(told({ id: stipend.fellowId })).toContain('stipends');
  expect(await stored(stipend.id)).toMatchObject({ paymentStatus: 'denied', firstApprovedBy: null });
  const trail = app.db.selectFrom('auditLog').select(['subjectType', 'before', 'after', 'reason']);
  expect(await trail.where('subjectId', '=', stipend.id).execute()).toEqual([
    {
      subjectType: 'stipend',
      before: { paymentStatus: 'pending', amountCents: 50_000 },
      after: { paymentStatus: 'denied', amountCents: 50_000 },
      reason: 'You were not at the site.',
    },
  ]);
  const notices = app.db.selectFrom('notices').select(['kind', 'title', 'message', 'link']);
  expect(await notices.where('userId', '=', stipend.fellowId).execute()).toEqual([
    {
      kind: 'stipend',
      title: 'Stipend of week 1 denied',
      message:
        'Your stipend for week 1 was denied. Your coach can tell you more. The reason: You were not at the site.',
      link: '/fellowship-dashboard',
    },
  ]);
  const events = app.db.selectFrom('noticeEvents').select(['category', 'eventKey']);
  expect(await events.where('userId', '=', stipend.fellowId).execute()).toEqual([
    { category: 'stipend_updates', eventKey: `stipend:${stipend.id}:denied` },
  ]);
});

test('a first approval is on record, and its participant is told nothing yet but sees it at once', async () => {
  const { id: cohortId } = await buildCohort(app.db, { needsSecondApprover: true });
  const stipend = await buildStipend(app.db, { cohortId });
  const told = await toldBy(app, () => admin.call(approveStipend, decision(stipend)));
  expect(told({ id: stipend.fellowId })).toEqual(['stipends']);
  const amount = { paymentStatus: 'pending', amountCents: 50_000 };
  expect(await auditOf(stipend.id)).toEqual([
    { action: 'stipend.approve_first', actorId: ada.id, before: amount, after: amount },
  ]);
  expect(await noticesOf(stipend.fellowId)).toEqual([]);
});

test('where nothing waits, a bulk approval changes nothing and tells nobody', async () => {
  const nothing = { weekNumber: 12, seen: { count: 0, totalCents: 0, versions: '' } };
  const told = await toldBy(app, async () => {
    const done = { approved: 0, firstApproved: 0, skipped: 0, own: 0 };
    expect(await admin.call(approveWeek, { body: nothing })).toEqual(done);
  });
  expect(told(ada)).toEqual([]);
});

test('STIP-19 STIP-39 STIP-40 ineligible rows and rows that are not pending are refused, and stay as they are', async () => {
  const rows = [
    { stipend: await buildStipend(app.db, badlyRated), code: 'conflict' },
    { stipend: await buildStipend(app.db, { paymentStatus: 'approved' }), code: 'stale' },
    { stipend: await buildStipend(app.db, { paymentStatus: 'denied' }), code: 'stale' },
    { stipend: await buildStipend(app.db, { paymentStatus: 'paid' }), code: 'stale' },
  ];
  for (const { stipend, code } of rows) {
    for (const act of [approveStipend, denyStipend]) {
      const { status, problem } = await admin.refused(act, denial(stipend));
      expect([status, problem.code], `${act.name} of ${stipend.paymentStatus}`).toEqual([409, code]);
    }
    expect(await stored(stipend.id)).toEqual(stipend);
    expect(await auditOf(stipend.id)).toEqual([]);
  }
});

test('a decision on facts that have changed since they were read is refused', async () => {
  const stipend = await buildStipend(app.db);
  const changed = await admin.call(changeStipendAmount, {
    params: { id: stipend.id },
    body: { version: stipend.version, amountCents: 60_000 },
  });
  for (const act of [approveStipend, denyStipend]) {
    const { status, problem } = await admin.refused(act, denial(stipend));
    expect([status, problem.code]).toEqual([409, 'stale']);
    expect(problem.detail).toContain('has changed since you opened the page');
  }
  expect((await stored(stipend.id)).paymentStatus).toBe('pending');
  expect((await admin.call(approveStipend, decision(changed))).paymentStatus).toBe('approved');
});

test('STIP-39 STIP-42 facts that changed after the week was computed count: nobody is approved on old ones', async () => {
  const weekNumber = 4;
  const cohort = await buildCohort(app.db);
  const fellow = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: fellow.id });
  const rating = await buildRating(app.db, { fellowId: fellow.id, cohortId: cohort.id, weekNumber });
  const stipend = await buildStipend(app.db, {
    fellowId: fellow.id,
    cohortId: cohort.id,
    weekNumber,
    activitiesTotal: 0,
    activitiesAccessed: 0,
    assignmentsTotal: 0,
    assignmentsSubmitted: 0,
  });
  const rate = (overallRating: number) =>
    app.db.updateTable('performanceFeedback').set({ overallRating }).where('id', '=', rating.id).execute();

  await rate(2);
  expect((await admin.refused(approveStipend, decision(stipend))).problem.code).toBe('stale');
  expect(await stored(stipend.id)).toMatchObject({ paymentStatus: 'pending', overallEligible: false, version: 2 });
  await rate(3);
  await inTransaction(app.db, followLeftChanges);
  expect(await admin.call(approveWeek, { body: { weekNumber, seen: await seenOf(weekNumber) } })).toMatchObject({
    approved: 1,
  });
  expect(await stored(stipend.id)).toMatchObject({ paymentStatus: 'approved', performanceRating: 3 });
});

test('a first approval lapses when the facts that it was given on change', async () => {
  const weekNumber = 13;
  const cohort = await buildCohort(app.db, { needsSecondApprover: true });
  const fellow = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: fellow.id });
  const rating = await buildRating(app.db, { fellowId: fellow.id, cohortId: cohort.id, weekNumber });
  await processWeek(app.db, weekNumber, cohort.id);
  const row = await app.db
    .selectFrom('stipendEligibility')
    .selectAll()
    .where('fellowId', '=', fellow.id)
    .executeTakeFirstOrThrow();
  expect((await admin.call(approveStipend, decision(row))).firstApproval).not.toBeNull();
  await inTransaction(app.db, async (db) => {
    await db.updateTable('performanceFeedback').set({ overallRating: 3 }).where('id', '=', rating.id).execute();
  });
  expect(await stored(row.id)).toMatchObject({ paymentStatus: 'pending', performanceRating: 3, firstApprovedBy: null });
});

test('of 20 approvals of one row at once exactly one happens, with one audit row and one notice', async () => {
  const stipend = await buildStipend(app.db);
  const answers = await Promise.allSettled(
    Array.from({ length: 20 }, () => admin.call(approveStipend, decision(stipend))),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const answer of answers) {
    if (answer.status === 'rejected') expect(String(answer.reason)).toContain('409 stale');
  }
  expect(await auditOf(stipend.id)).toHaveLength(1);
  expect(await noticesOf(stipend.fellowId)).toHaveLength(1);
  expect((await stored(stipend.id)).version).toBe(2);
});

test('STIP-42 bulk approval takes the eligible pending rows of the week and no other', async () => {
  const weekNumber = 2;
  const eligible = [await buildStipend(app.db, { weekNumber }), await buildStipend(app.db, { weekNumber })];
  const others = [
    await buildStipend(app.db, { weekNumber, ...badlyRated }),
    await buildStipend(app.db, { weekNumber, paymentStatus: 'denied' }),
    await buildStipend(app.db, { weekNumber, paymentStatus: 'paid' }),
    await buildStipend(app.db, { weekNumber, paymentStatus: 'approved' }),
    await buildStipend(app.db, { weekNumber: 3 }),
  ];
  const seen = await seenOf(weekNumber);
  const answers = await Promise.allSettled(
    Array.from({ length: 5 }, () => admin.call(approveWeek, { body: { weekNumber, seen } })),
  );
  expect(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.approved] : []))).toEqual([2]);
  for (const answer of answers) if (answer.status === 'rejected') expect(String(answer.reason)).toContain('409 stale');
  for (const { id, fellowId } of eligible) {
    expect(await stored(id)).toMatchObject({
      paymentStatus: 'approved',
      approvedBy: ada.id,
      approvedAt: new Date('2025-10-08T14:00:00Z'),
      version: 2,
    });
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['stipend.approve']);
    expect(await noticesOf(fellowId)).toHaveLength(1);
  }
  for (const other of others) {
    expect(await stored(other.id)).toEqual(other);
    expect(await auditOf(other.id)).toEqual([]);
  }
});

test('STIP-45 STIP-48 the amount of any row can be set, and what was there before is kept', async () => {
  const rows = [
    await buildStipend(app.db),
    await buildStipend(app.db, badlyRated),
    await buildStipend(app.db, { paymentStatus: 'approved' }),
    await buildStipend(app.db, { paymentStatus: 'denied' }),
    await buildStipend(app.db, { paymentStatus: 'paid' }),
  ];
  for (const { id, version, paymentStatus } of rows) {
    const changed = await admin.call(changeStipendAmount, {
      params: { id },
      body: { version, amountCents: 61_250 },
    });
    expect(changed).toMatchObject({ amountCents: 61_250, paymentStatus, version: version + 1 });
    expect(await stored(id)).toMatchObject({ stipendAmountCents: 61_250, isAmountSetByHand: true });
    expect(await auditOf(id)).toEqual([
      {
        action: 'stipend.change_amount',
        actorId: ada.id,
        before: { amountCents: 50_000 },
        after: { amountCents: 61_250 },
      },
    ]);
  }
});

test('STIP-47 0 is an amount; a negative one, a fraction of a cent and more than a million dollars are not stored', async () => {
  const { id, version } = await buildStipend(app.db);
  const send = (amountCents: number) => ({ params: { id }, body: { version, amountCents } });
  for (const amountCents of [-1, -50_000, 0.5, 100_000_001]) {
    expect((await admin.refused(changeStipendAmount, send(amountCents))).status).toBe(422);
  }
  expect((await stored(id)).stipendAmountCents).toBe(50_000);
  expect((await admin.call(changeStipendAmount, send(0))).amountCents).toBe(0);
  expect((await admin.refused(changeStipendAmount, send(5_000))).problem.code).toBe('stale');
});

test('the details show who changed what, newest first', async () => {
  const stipend = await buildStipend(app.db);
  const changed = await admin.call(changeStipendAmount, {
    params: { id: stipend.id },
    body: { version: 1, amountCents: 60_000 },
  });
  await admin.call(approveStipend, decision(changed));
  const { history } = await admin.call(readStipend, { params: { id: stipend.id } });
  expect(history.map(({ action, actorName, detail }) => `${action} by ${actorName}: ${detail}`)).toEqual([
    'approval by Ada Admin: pending, $600 → approved, $600',
    'amount by Ada Admin: pending, $500 → pending, $600',
  ]);
});

test('STIP-39 STIP0-06 HOOK-13 nobody but an admin reads stipends of others, decides on them or sends them', async () => {
  const fellow = await buildParticipant(app.db);
  const stipend = await buildStipend(app.db, { fellowId: fellow.id });
  const week = { body: { weekNumber: 1 } };
  for (const person of [fellow, await buildCoach(app.db), null]) {
    const client = await app.as(person);
    const answers = [
      await client.refused(listStipends, { query: { week: 1 } }),
      await client.refused(readStipend, { params: { id: stipend.id } }),
      await client.refused(processStipends, week),
      await client.refused(approveStipend, decision(stipend)),
      await client.refused(denyStipend, denial(stipend)),
      await client.refused(approveWeek, { body: { ...week.body, seen: { count: 0, totalCents: 0, versions: '' } } }),
      await client.refused(changeStipendAmount, { params: { id: stipend.id }, body: { version: 1, amountCents: 1 } }),
      await client.refused(handOverWeek, week),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => (person ? 403 : 401)));
  }
  expect(await stored(stipend.id)).toEqual(stipend);
});
