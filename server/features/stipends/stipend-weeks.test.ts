import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { specifiedRules } from '#contract/default-programme.ts';
import { readParticipantDashboard } from '#contract/home.ts';
import { houseZone } from '#contract/house-zone.ts';
import type { WeekFacts } from '#contract/stipend-facts.ts';
import { judge } from '#contract/stipend-rules.ts';
import { listOwnStipendWeeks } from '#contract/stipend-weeks.ts';
import { listStipends, processStipends, readStipendWeek } from '#contract/stipends.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAssignment } from '#test/factories/curriculum.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import {
  attend,
  buildRating,
  buildStipend,
  buildSubmission,
  buildWeekActivities,
  judgedWeek,
} from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { stipendCases } from '#test/support/stipend-cases.ts';

let app: TestApp;
let admin: Client;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.as(await buildAdmin(app.db));
});
afterAll(() => app.close());
/** The cohorts of one test must not be the documented one of the next. */
afterEach(async () => {
  await app.db.updateTable('cohorts').set({ status: 'completed' }).execute();
});

async function buildMember(cohortId: string, facts: Parameters<typeof buildParticipant>[1] = {}) {
  const participant = await buildParticipant(app.db, facts);
  await enrol(app.db, { cohortId, participantId: participant.id });
  return participant;
}

function processWeek(weekNumber: number) {
  return admin.call(processStipends, { body: { weekNumber } });
}

function stipendsOf(cohortId: string, weekNumber: number) {
  return app.db
    .selectFrom('stipendEligibility')
    .selectAll()
    .where('cohortId', '=', cohortId)
    .where('weekNumber', '=', weekNumber)
    .execute();
}

test('STIP-31 STIP-32 STIP-33 STIP-34 STIP-35 STIP0-02 eligibility follows from attendance, submissions and rating', async () => {
  const cohort = await buildCohort(app.db);
  const activities = await buildWeekActivities(app.db, 100, { cohortId: cohort.id });
  const otherWeek = await buildWeekActivities(app.db, 30, { cohortId: cohort.id, weekNumber: 2 });
  const [first, second] = activities;
  const assignments = [
    await buildAssignment(app.db, { trainingActivityId: first?.id ?? '' }),
    await buildAssignment(app.db, { trainingActivityId: second?.id ?? '', isRequired: false }),
  ];
  const cases = [
    { name: 'all', attended: 80, work: ['submitted', 'accepted'], rating: 3, expected: [true, true, true, true] },
    { name: '79 %', attended: 79, work: ['submitted', 'accepted'], rating: 3, expected: [false, true, true, false] },
    { name: 'one missing', attended: 100, work: ['submitted'], rating: 5, expected: [true, false, true, false] },
    {
      name: 'sent back',
      attended: 100,
      work: ['accepted', 'needs_revision'],
      rating: 5,
      expected: [true, false, true, false],
    },
    {
      name: 'rejected',
      attended: 100,
      work: ['accepted', 'rejected'],
      rating: 5,
      expected: [true, false, true, false],
    },
    { name: '2.5', attended: 100, work: ['accepted', 'accepted'], rating: 2.5, expected: [true, true, false, false] },
    {
      name: 'unrated',
      attended: 100,
      work: ['accepted', 'accepted'],
      rating: null,
      expected: [true, true, false, false],
    },
    { name: 'nothing', attended: 0, work: [], rating: null, expected: [false, false, false, false] },
  ];
  const people = new Map<string, (typeof cases)[number]>();
  for (const given of cases) {
    const { id } = await buildMember(cohort.id);
    people.set(id, given);
    await attend(app.db, id, [...activities.slice(0, given.attended), ...otherWeek]);
    for (const [index, status] of given.work.entries()) {
      await buildSubmission(app.db, { assignmentId: assignments[index]?.id ?? '', userId: id, status });
    }
    if (given.rating !== null) {
      await buildRating(app.db, { fellowId: id, cohortId: cohort.id, overallRating: given.rating });
    }
  }
  expect(await processWeek(1)).toEqual({ cohortId: cohort.id, changedRows: cases.length });
  const rows = await stipendsOf(cohort.id, 1);
  expect(rows).toHaveLength(cases.length);
  for (const row of rows) {
    const given = people.get(row.fellowId);
    expect(
      [row.attendanceEligible, row.assignmentEligible, row.performanceEligible, row.overallEligible],
      given?.name,
    ).toEqual(given?.expected);
    expect([row.attendancePercentage, row.performanceRating], given?.name).toEqual([given?.attended, given?.rating]);
    const counted = given?.work.filter((status) => status === 'submitted' || status === 'accepted');
    expect([row.assignmentsSubmitted, row.assignmentsTotal], given?.name).toEqual([counted?.length, 2]);
  }
});

test('STIP0-02 STIP-31 STIP-33 STIP-35 every example of the rule is decided so in the database, and shown so to admin and participant', async () => {
  const cohort = await buildCohort(app.db, { startDate: '2025-09-08' });
  const member = await buildMember(cohort.id);
  const asMember = await app.as(member);
  for (const [index, given] of stipendCases.entries()) {
    const week = { cohortId: cohort.id, weekNumber: index + 1 };
    await buildFacts(member.id, week, given.facts);
    await processWeek(week.weekNumber);

    const [row] = await stipendsOf(cohort.id, week.weekNumber);
    const { attendance, assignments, performance } = given.isMet;
    const isEligible = attendance && assignments && performance;
    expect(row, given.name).toMatchObject({
      attendanceEligible: attendance,
      assignmentEligible: assignments,
      performanceEligible: performance,
      overallEligible: isEligible,
    });
    const query = { week: week.weekNumber, search: member.email };
    const { rows } = await admin.call(listStipends, { query });
    expect(rows, given.name).toMatchObject([
      { overallEligible: isEligible, criteria: judge(given.facts, specifiedRules) },
    ]);
    const restoreClock = stopClockAt(`${addDays(cohort.startDate, 7 * index + 2)}T16:00:00Z`);
    const { stipend } = await asMember.call(readParticipantDashboard).finally(restoreClock);
    expect(stipend, given.name).toMatchObject({
      isEligible,
      criteria: rows[0]?.criteria,
    });
  }
});

async function buildFacts(fellowId: string, week: { cohortId: string; weekNumber: number }, facts: WeekFacts) {
  if (facts.activitiesTotal > 0) {
    const activities = await buildWeekActivities(app.db, facts.activitiesTotal, week);
    await attend(app.db, fellowId, activities.slice(0, facts.activitiesAccessed));
    for (let n = 0; n < facts.assignmentsTotal; n += 1) {
      const { id } = await buildAssignment(app.db, { trainingActivityId: activities[0]?.id ?? '' });
      if (n < facts.assignmentsSubmitted) await buildSubmission(app.db, { assignmentId: id, userId: fellowId });
    }
  }
  if (facts.rating !== null) await buildRating(app.db, { fellowId, ...week, overallRating: facts.rating });
}

test('STIP-31 a week without activities and assignments rests on the rating alone', async () => {
  const cohort = await buildCohort(app.db);
  const rated = await buildMember(cohort.id);
  const unrated = await buildMember(cohort.id);
  await buildRating(app.db, { fellowId: rated.id, cohortId: cohort.id, weekNumber: 3, overallRating: 3 });
  await processWeek(3);
  const rows = await stipendsOf(cohort.id, 3);
  const eligible = (id: string) => rows.find(({ fellowId }) => fellowId === id)?.overallEligible;
  expect([eligible(rated.id), eligible(unrated.id)]).toEqual([true, false]);
  const { rows: shown } = await admin.call(listStipends, { query: { week: 3, eligibility: 'eligible' } });
  expect(shown[0]?.criteria).toMatchObject([
    { name: 'Attendance', isMet: true, reason: 'No activities to attend' },
    { name: 'Assignments', isMet: true, reason: 'No assignments to hand in' },
    { name: 'Performance', isMet: true, reason: 'Rated 3.0 of 5' },
  ]);
});

test('STIP-25 STIP0-01 DATA1-19 one pending row of 500 dollars for every active fellowship participant, and nobody else', async () => {
  const cohort = await buildCohort(app.db);
  const member = await buildMember(cohort.id);
  await buildMember(cohort.id, { trackType: 'adult_mobilization' });
  const withdrawn = await buildMember(cohort.id);
  await app.db
    .updateTable('cohortParticipants')
    .set({ status: 'withdrawn' })
    .where('participantId', '=', withdrawn.id)
    .execute();
  await buildParticipant(app.db);
  await processWeek(4);
  const rows = await stipendsOf(cohort.id, 4);
  expect(rows).toEqual([
    {
      id: expect.any(String),
      fellowId: member.id,
      cohortId: cohort.id,
      weekNumber: 4,
      attendanceEligible: true,
      assignmentEligible: true,
      performanceEligible: false,
      overallEligible: false,
      isMember: true,
      evidence: expect.any(Object),
      criteria: expect.any(Array),
      rulesVersion: 1,
      attendancePercentage: 100,
      performanceRating: null,
      activitiesTotal: 0,
      activitiesAccessed: 0,
      assignmentsTotal: 0,
      assignmentsSubmitted: 0,
      stipendAmountCents: 50_000,
      ruleAmountCents: 50_000,
      amountLines: [{ name: 'Period', count: null, cents: 50_000 }],
      moreFacts: expect.objectContaining({ daysEnrolled: 5, daysInPeriod: 5, unexcusedAbsences: 0 }),
      isAmountSetByHand: false,
      paymentStatus: 'pending',
      approvedBy: null,
      approvedAt: null,
      firstApprovedBy: null,
      firstApprovedAt: null,
      amountSetBy: null,
      amountSetters: [],
      amountApprovedBy: null,
      amountApprovedAt: null,
      amountReason: null,
      denialReason: null,
      payeeName: null,
      payeeEmail: null,
      payeeRenewedBy: null,
      payeeRenewedAt: null,
      version: 1,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    },
  ]);
});

test('STIP-26 a second run refreshes pending rows and leaves decided ones and amounts set by hand', async () => {
  const cohort = await buildCohort(app.db);
  const people = {
    pending: await buildMember(cohort.id),
    approved: await buildMember(cohort.id),
    paid: await buildMember(cohort.id),
    denied: await buildMember(cohort.id),
  };
  for (const [paymentStatus, { id: fellowId }] of Object.entries(people)) {
    await buildStipend(app.db, {
      fellowId,
      cohortId: cohort.id,
      weekNumber: 5,
      paymentStatus,
      stipendAmountCents: 12_300,
      isAmountSetByHand: true,
    });
  }
  const before = await stipendsOf(cohort.id, 5);
  expect(await processWeek(5)).toEqual({ cohortId: cohort.id, changedRows: 1 });
  const after = await stipendsOf(cohort.id, 5);
  expect(after).toHaveLength(4);
  for (const row of after) {
    const earlier = before.find(({ id }) => id === row.id);
    if (row.paymentStatus === 'pending') {
      expect(row).toMatchObject({ stipendAmountCents: 12_300, performanceRating: null, overallEligible: false });
      expect(row.version).toBe((earlier?.version ?? 0) + 1);
    } else expect(row).toEqual(earlier);
  }
  expect(await processWeek(5)).toEqual({ cohortId: cohort.id, changedRows: 0 });
});

test('STIP-26 a second run refreshes the undecided row of somebody who left, and leaves their decided ones', async () => {
  const cohort = await buildCohort(app.db);
  const left = await buildMember(cohort.id);
  await app.db
    .updateTable('cohortParticipants')
    .set({ status: 'withdrawn', endedAt: '2025-09-09T12:00:00Z' })
    .where('participantId', '=', left.id)
    .execute();
  const ofWeek = (weekNumber: number) => ({ fellowId: left.id, cohortId: cohort.id, weekNumber });
  await buildStipend(app.db, ofWeek(1));
  const denied = await buildStipend(app.db, { ...ofWeek(2), paymentStatus: 'denied' });
  expect((await processWeek(1)).changedRows).toBe(1);
  expect(await stipendsOf(cohort.id, 1)).toMatchObject([{ isMember: false, overallEligible: false, version: 2 }]);
  expect((await processWeek(2)).changedRows).toBe(0);
  expect(await stipendsOf(cohort.id, 2)).toEqual([denied]);
});

test('STIP-26 after the rule has changed, pending rows follow it without new facts, and decided ones stay', async () => {
  const cohort = await buildCohort(app.db);
  const people = [await buildMember(cohort.id), await buildMember(cohort.id)];
  for (const { id } of people) await buildRating(app.db, { fellowId: id, cohortId: cohort.id, weekNumber: 8 });
  await processWeek(8);
  const byAnotherRule = {
    criteria: judgedWeek({ activitiesAccessed: 0 }).criteria,
    stipendAmountCents: 12_300,
    isAmountSetByHand: true,
  };
  await app.db.updateTable('stipendEligibility').set(byAnotherRule).where('cohortId', '=', cohort.id).execute();
  const [pending, denied] = await stipendsOf(cohort.id, 8);
  const decision = {
    paymentStatus: 'denied',
    denialReason: 'Not there',
    approvedAt: new Date(),
    approvedBy: (await buildAdmin(app.db)).id,
  };
  await app.db
    .updateTable('stipendEligibility')
    .set(decision)
    .where('id', '=', denied?.id ?? '')
    .execute();
  expect((await processWeek(8)).changedRows).toBe(1);
  const after = await stipendsOf(cohort.id, 8);
  expect(after.find(({ id }) => id === pending?.id)).toMatchObject({
    attendanceEligible: true,
    overallEligible: true,
    stipendAmountCents: 12_300,
    version: 2,
  });
  expect(after.find(({ id }) => id === denied?.id)).toMatchObject({ attendanceEligible: false, version: 1 });
  expect((await processWeek(8)).changedRows).toBe(0);

  // A decided row is explained by the rule that decided it.
  const criteria = JSON.parse(byAnotherRule.criteria);
  const { rows } = await admin.call(listStipends, { query: { week: 8, status: 'denied' } });
  expect(rows).toMatchObject([{ overallEligible: false, criteria }]);
  const deniedPerson = people.find(({ id }) => id === denied?.fellowId);
  if (!deniedPerson) throw new Error('The denied row is of one of the two.');
  const asDenied = await app.as(deniedPerson);
  const own = await asDenied.call(listOwnStipendWeeks, { query: {} });
  expect(own.rows.find(({ weekNumber }) => weekNumber === 8)).toMatchObject({ isEligible: false, criteria });
  const restoreClock = stopClockAt(`${addDays(cohort.startDate, 7 * 7 + 2)}T16:00:00Z`);
  const { stipend } = await asDenied.call(readParticipantDashboard).finally(restoreClock);
  expect(stipend).toMatchObject({ isEligible: false, criteria, recentWeeks: [{ isEligible: false, criteria }] });
});

test('DATA1-26 a person has one stipend a cohort and week, one membership a cohort, and an address is one person', async () => {
  const cohort = await buildCohort(app.db);
  const member = await buildMember(cohort.id);
  await buildMember(cohort.id);
  await Promise.all(Array.from({ length: 10 }, () => processWeek(6)));
  expect(await stipendsOf(cohort.id, 6)).toHaveLength(2);
  const again = { fellowId: member.id, cohortId: cohort.id, weekNumber: 6 };
  await expect(buildStipend(app.db, again)).rejects.toMatchObject({ code: '23505' });
  await expect(enrol(app.db, { cohortId: cohort.id, participantId: member.id })).rejects.toMatchObject({
    code: '23505',
  });
  const facts = { id: newId(), firstName: 'Other', lastName: 'Person', role: 'participant' };
  await expect(
    app.db
      .insertInto('profiles')
      .values({ ...facts, email: member.email.toUpperCase() })
      .execute(),
  ).rejects.toMatchObject({ code: '23505' });
});

test('STIP-22 the cohort is the oldest active one with more than one active participant, otherwise the oldest active one', async () => {
  const chosen = async () => (await processWeek(7)).cohortId;
  expect(await chosen()).toBeNull();

  const planned = await buildCohort(app.db, { status: 'planning', createdAt: '2025-01-01T00:00:00Z' });
  await buildMember(planned.id);
  await buildMember(planned.id);
  expect(await chosen()).toBeNull();

  const younger = await buildCohort(app.db, { createdAt: '2025-03-01T00:00:00Z' });
  const older = await buildCohort(app.db, { createdAt: '2025-02-01T00:00:00Z' });
  expect(await chosen()).toBe(older.id);
  await buildMember(older.id);
  await buildMember(younger.id);
  expect(await chosen()).toBe(older.id);
  await buildMember(younger.id);
  expect(await chosen()).toBe(younger.id);
  await buildMember(older.id);
  expect(await chosen()).toBe(older.id);
});

test('the screen opens with the current week of the documented cohort, and with week 1 where there is none', async () => {
  expect(await admin.call(readStipendWeek, { query: {} })).toEqual({
    ...{ cohortId: null, weekNumber: 1, cohortName: null, firstDay: null, lastDay: null },
    ...{ payPeriod: 'week', weeks: 16, today: dayAt(new Date(), houseZone) },
  });
  const restoreClock = stopClockAt('2025-10-08T14:00:00Z');
  const cohort = await buildCohort(app.db, { startDate: '2025-09-08' });
  expect(await admin.call(readStipendWeek, { query: {} })).toEqual({
    cohortId: cohort.id,
    weekNumber: 5,
    cohortName: cohort.name,
    firstDay: '2025-10-06',
    lastDay: '2025-10-10',
    ...{ payPeriod: 'week', weeks: 16, today: '2025-10-08' },
  });
  restoreClock();
  for (const weekNumber of [0, 17, 1.5]) {
    expect((await admin.refused(processStipends, { body: { weekNumber } })).status).toBe(422);
  }
});
