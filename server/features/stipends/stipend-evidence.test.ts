import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateActivity } from '#contract/programme-items.ts';
import { listOwnStipendWeeks } from '#contract/stipend-weeks.ts';
import { approveStipend, listStipends, readStipend } from '#contract/stipends.ts';
import { followLeftChanges } from '#server/derivations.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAssignment, buildContentItem } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend, buildRating, buildSubmission, buildWeekActivities } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { processWeek } from './stipends.ts';

let app: TestApp;
let admin: Client;

beforeAll(async () => {
  app = await startTestApp();
  admin = await app.as(await buildAdmin(app.db));
});
afterAll(() => app.close());

/** An eligible member of a cohort that began on 8 September. They attended and handed in everything of week 1. */
async function buildEligible() {
  const cohort = await buildCohort(app.db);
  const fellow = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: fellow.id });
  const activities = await buildWeekActivities(app.db, 5, { cohortId: cohort.id, sessionDate: '2025-09-10' });
  const essay = await buildAssignment(app.db, { trainingActivityId: activities[0]?.id ?? '', title: 'Essay' });
  await attend(app.db, fellow.id, activities);
  const work = await buildSubmission(app.db, { assignmentId: essay.id, userId: fellow.id });
  await buildRating(app.db, { fellowId: fellow.id, cohortId: cohort.id, comment: 'Steady.' });
  await processWeek(app.db, 1, cohort.id);
  return { cohort, fellow, activities, essay, work };
}

function storedOf(fellowId: string) {
  return app.db.selectFrom('stipendEligibility').selectAll().where('fellowId', '=', fellowId).executeTakeFirstOrThrow();
}

async function rowOf(fellow: { email: string }) {
  const { rows } = await admin.call(listStipends, { query: { week: 1, search: fellow.email } });
  if (!rows[0]) throw new Error('The list does not have the row.');
  return rows[0];
}

/** Follows what a test writes to the database directly, as the job does. */
const followed = () => inTransaction(app.db, followLeftChanges);

test('STIP-34 STIP-35 work that is sent back and handed in again is followed while the row is undecided', async () => {
  const { fellow, work } = await buildEligible();
  const reviewer = await buildCoach(app.db);
  const review = (status: string) =>
    app.db
      .updateTable('contentSubmissions')
      .set(
        status === 'submitted'
          ? { status, roundNumber: 2, reviewedBy: null, reviewedAt: null }
          : { status, reviewedBy: reviewer.id, reviewedAt: new Date() },
      )
      .where('id', '=', work.id)
      .execute();
  const seen: [string, boolean, number][] = [];
  for (const status of ['needs_revision', 'submitted', 'rejected', 'accepted']) {
    await review(status);
    await followed();
    const { overallEligible, version } = await storedOf(fellow.id);
    seen.push([status, Boolean(overallEligible), version]);
  }
  expect(seen).toEqual([
    ['needs_revision', false, 2],
    ['submitted', true, 3],
    ['rejected', false, 4],
    ['accepted', true, 5],
  ]);
});

test('a decided row keeps the evidence it was decided on, whatever happens to attendance, work, rating and content', async () => {
  const { cohort, fellow, activities, essay } = await buildEligible();
  const row = await rowOf(fellow);
  await admin.call(approveStipend, { params: { id: row.id }, body: { version: row.version } });
  const before = await storedOf(fellow.id);
  await app.db.deleteFrom('attendanceRecords').where('fellowId', '=', fellow.id).execute();
  await app.db.deleteFrom('contentSubmissions').where('userId', '=', fellow.id).execute();
  await app.db.deleteFrom('performanceFeedback').where('fellowId', '=', fellow.id).execute();
  await app.db.updateTable('contentAssignments').set({ title: 'Renamed' }).where('id', '=', essay.id).execute();
  await app.db
    .deleteFrom('trainingActivities')
    .where('id', '=', activities[4]?.id ?? '')
    .execute();
  const hidden = {
    applicableFellowship: false,
    applicableFellowshipAdjunct: false,
    applicableAmp: false,
    applicableAmbassador: false,
  };
  await app.db
    .updateTable('trainingActivities')
    .set(hidden)
    .where('id', '=', activities[3]?.id ?? '')
    .execute();
  await processWeek(app.db, 1, cohort.id);
  expect(await storedOf(fellow.id)).toEqual(before);
  const detail = await admin.call(readStipend, { params: { id: row.id } });
  expect(detail.attendance.filter(({ accessedAt }) => accessedAt !== null)).toHaveLength(5);
  expect(detail.assignments).toMatchObject([{ title: 'Essay', status: 'submitted', counts: true }]);
  expect(detail).toMatchObject({ ratingComment: 'Steady.', rulesVersion: 1, overallEligible: true });
});

test('the evidence has the assignments by the day they are taught on, then as they are ordered, and no rating of nobody', async () => {
  const cohort = await buildCohort(app.db);
  const fellow = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: fellow.id });
  const ofDay = (sessionDate: string) => buildWeekActivities(app.db, 1, { cohortId: cohort.id, sessionDate });
  const [later, earlier] = [...(await ofDay('2025-09-11')), ...(await ofDay('2025-09-09'))].map(({ id }) => id);
  const places = [
    { trainingActivityId: later, orderIndex: 1, title: 'Third' },
    { trainingActivityId: earlier, orderIndex: 2, title: 'Second' },
    { trainingActivityId: earlier, orderIndex: 1, title: 'First' },
  ];
  for (const { trainingActivityId = '', orderIndex, title } of places) {
    const item = await buildContentItem(app.db, { trainingActivityId, orderIndex, contentType: 'assignment' });
    await buildAssignment(app.db, { contentItemId: item.id, title });
  }
  await processWeek(app.db, 1, cohort.id);
  const { id, evidence } = await storedOf(fellow.id);
  expect(evidence).toMatchObject({ rating: null });
  const { assignments, ratingComment } = await admin.call(readStipend, { params: { id } });
  expect(assignments.map(({ title }) => title)).toEqual(['First', 'Second', 'Third']);
  expect(ratingComment).toBeNull();
});

test('an activity that is hidden leaves the undecided rows of its week, and comes back into them with its work', async () => {
  const { cohort, fellow, activities } = await buildEligible();
  const [activity] = activities;
  if (!activity) throw new Error('There is no activity.');
  const facts = {
    title: activity.title,
    cohortId: cohort.id,
    weekNumber: 1,
    sessionDate: '2025-09-10',
    sessionTime: null,
    duration: null,
    durationMinutes: null,
    location: null,
    deliveryPartner: null,
    deliveryMedium: null,
    trainingDeliveryMode: null,
    moduleName: null,
    description: null,
    isRequired: false,
  };
  const counts = async () => {
    const { activitiesTotal, activitiesAccessed, assignmentsTotal } = await storedOf(fellow.id);
    return [activitiesTotal, activitiesAccessed, assignmentsTotal];
  };
  expect(await counts()).toEqual([5, 5, 1]);
  const jobs = await app.runJobs();
  const given = { params: { id: activity.id }, body: { ...facts, audiences: [], version: 0 } };
  await admin.call(updateActivity, given);
  await expect.poll(counts).toEqual([4, 4, 0]);
  await admin.call(updateActivity, { ...given, body: { ...facts, audiences: ['fellowship'], version: 1 } });
  await expect.poll(counts).toEqual([5, 5, 1]);
  await jobs.stop();
});

test('somebody who leaves during the week is not eligible for it, and a person who leaves afterwards keeps it', async () => {
  for (const { endedAt, isEligible, note } of [
    { endedAt: '2025-09-13T03:59:00Z', isEligible: false, note: 'Left the cohort on Sep 12' },
    { endedAt: '2025-09-13T12:00:00Z', isEligible: true, note: null },
  ]) {
    const { cohort, fellow } = await buildEligible();
    await app.db
      .updateTable('cohortParticipants')
      .set({ status: 'withdrawn', endedAt })
      .where('participantId', '=', fellow.id)
      .execute();
    await followed();
    const row = await rowOf(fellow);
    expect(row).toMatchObject({ overallEligible: isEligible, membershipNote: note, paymentStatus: 'pending' });
    expect(row.can.approve).toBe(isEligible);
    await processWeek(app.db, 1, cohort.id);
    expect((await rowOf(fellow)).overallEligible).toBe(isEligible);
    if (!isEligible) {
      const decision = { params: { id: row.id }, body: { version: row.version } };
      expect((await admin.refused(approveStipend, decision)).problem.code).toBe('conflict');
    }
  }
});

test('a person who leaves after a week has it although nobody had opened it before, in the list and in their own weeks', async () => {
  const cohort = await buildCohort(app.db);
  const fellow = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: fellow.id });
  await attend(app.db, fellow.id, await buildWeekActivities(app.db, 5, { cohortId: cohort.id }));
  await buildRating(app.db, { fellowId: fellow.id, cohortId: cohort.id });
  await app.db
    .updateTable('cohortParticipants')
    .set({ enrolledAt: '2025-09-01T12:00:00Z', status: 'withdrawn', endedAt: '2025-09-15T13:00:00Z' })
    .where('participantId', '=', fellow.id)
    .execute();
  const asFellow = await app.as(fellow);
  const week = { weekNumber: 1, isEligible: true, membershipNote: null };
  expect((await asFellow.call(listOwnStipendWeeks, { query: {} })).rows).toMatchObject([
    { ...week, isWorkedOut: false },
  ]);
  for (const weekNumber of [1, 2]) await processWeek(app.db, weekNumber, cohort.id);
  expect(await rowOf(fellow)).toMatchObject({ overallEligible: true, can: { approve: true } });
  expect((await asFellow.call(listOwnStipendWeeks, { query: {} })).rows).toMatchObject([
    { ...week, isWorkedOut: true },
  ]);
});

test('a change of track or role is followed by the undecided rows at once, and its way back too', async () => {
  const { fellow } = await buildEligible();
  const becomes = async (facts: { trackType?: string; role?: string }) => {
    await app.db.updateTable('profiles').set(facts).where('id', '=', fellow.id).execute();
    await followed();
    const { overallEligible, can } = await rowOf(fellow);
    return [overallEligible, can.approve];
  };
  expect(await becomes({ trackType: 'adult_mobilization' })).toEqual([false, false]);
  expect(await becomes({ trackType: 'fellowship' })).toEqual([true, true]);
  expect(await becomes({ role: 'coach' })).toEqual([false, false]);
  expect(await becomes({ role: 'participant' })).toEqual([true, true]);
  const { version } = await storedOf(fellow.id);
  await app.db
    .updateTable('profiles')
    .set({ schedulingLink: 'https://book.example/me' })
    .where('id', '=', fellow.id)
    .execute();
  await followed();
  expect(await storedOf(fellow.id)).toMatchObject({ version });
});

test('a person who joined late is shown what does not count, and why', async () => {
  const cohort = await buildCohort(app.db);
  const fellow = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: fellow.id });
  await app.db
    .updateTable('cohortParticipants')
    .set({ enrolledAt: '2025-09-10T14:00:00Z' })
    .where('participantId', '=', fellow.id)
    .execute();
  const early = await buildWeekActivities(app.db, 2, { cohortId: cohort.id, sessionDate: '2025-09-08' });
  await buildAssignment(app.db, { trainingActivityId: early[0]?.id ?? '', dueDate: '2025-09-08' });
  const late = await buildWeekActivities(app.db, 3, { cohortId: cohort.id, sessionDate: '2025-09-11' });
  await attend(app.db, fellow.id, late);
  await buildRating(app.db, { fellowId: fellow.id, cohortId: cohort.id });
  await processWeek(app.db, 1, cohort.id);
  const row = await rowOf(fellow);
  expect(row.criteria[0]?.reason).toBe('3 of 3 activities attended (100%)');
  expect(row).toMatchObject({ requiredSubmissions: 0, isOutOfReach: false, lostCriteria: [] });
  expect(row.membershipNote).toBe('Joined on Sep 10: sessions and due dates before that day do not count');
  const { attendance } = await admin.call(readStipend, { params: { id: row.id } });
  expect(attendance.filter(({ counts }) => !counts).map(({ activityId }) => activityId)).toEqual(
    expect.arrayContaining(early.map(({ id }) => id)),
  );
  expect(attendance).toHaveLength(5);
});

test('work that is due today is not lost yet, and work that was due before somebody joined does not count', async () => {
  const restoreClock = stopClockAt('2025-09-12T16:00:00Z');
  const { id: cohortId } = await buildCohort(app.db);
  const fellow = await buildParticipant(app.db);
  await enrol(app.db, { cohortId, participantId: fellow.id });
  const joined = app.db.updateTable('cohortParticipants').set({ enrolledAt: '2025-09-10T14:00:00Z' });
  await joined.where('participantId', '=', fellow.id).execute();
  const [activity] = await buildWeekActivities(app.db, 1, { cohortId, sessionDate: '2025-09-12' });
  for (const dueDate of ['2025-09-08', '2025-09-12']) {
    await buildAssignment(app.db, { trainingActivityId: activity?.id ?? '', dueDate });
  }
  await processWeek(app.db, 1, cohortId);
  const row = await rowOf(fellow);
  restoreClock();
  expect(row).toMatchObject({
    ...{ requiredSubmissions: 1, isOutOfReach: false, lostCriteria: [] },
    membershipNote: 'Joined on Sep 10: sessions and due dates before that day do not count',
  });
});

test.each(['before', 'at the same moment only'])(
  'attendance recorded by many at once is counted, none lost, with the week processed %s',
  async (processed) => {
    const cohort = await buildCohort(app.db);
    const fellow = await buildParticipant(app.db);
    await enrol(app.db, { cohortId: cohort.id, participantId: fellow.id });
    const activities = await buildWeekActivities(app.db, 6, { cohortId: cohort.id });
    if (processed === 'before') await processWeek(app.db, 1, cohort.id);
    await Promise.all([
      ...activities.map((activity) => inTransaction(app.db, (db) => attend(db, fellow.id, [activity]))),
      ...activities.map(() => inTransaction(app.db, (db) => processWeek(db, 1, cohort.id))),
    ]);
    expect((await storedOf(fellow.id)).activitiesAccessed).toBe(6);
  },
);
