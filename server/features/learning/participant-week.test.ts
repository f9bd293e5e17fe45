import { afterAll, beforeAll, expect, test } from 'vitest';
import { specifiedCalendar } from '#contract/default-programme.ts';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildWeeklyRequirement } from '#test/factories/curriculum.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildWeekActivities } from '#test/factories/stipends.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { findParticipantWeek } from './participant-week-queries.ts';

let app: TestApp;
/** Wednesday of week 5 of the cohort that starts on 8 September 2025. */
const now = new Date('2025-10-08T14:00:00Z');

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function member() {
  const cohort = await buildCohort(app.db);
  const participant = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: participant.id });
  const session = (title: string, weekNumber: number, sessionDate: string | null) =>
    buildActivity(app.db, { cohortId: cohort.id, title, weekNumber, sessionDate });
  const attend = (contentId: string) =>
    app.db
      .insertInto('attendanceRecords')
      .values({ fellowId: participant.id, cohortId: cohort.id, contentId, weekNumber: 5 })
      .execute();
  const week = () =>
    findParticipantWeek(
      app.db,
      { id: participant.id, trackType: 'fellowship' },
      { ...cohort, calendar: specifiedCalendar },
      dayAt(now, houseZone),
    );
  return { cohort, participant, session, attend, week };
}

test('FELL-13 FELL-16 done and total of this week; pending is this week first, then earlier ones from the latest on, then what is coming', async () => {
  const { session, attend, week } = await member();
  const done = await session('Done', 5, '2025-10-06');
  await session('Today', 5, '2025-10-08');
  await session('Later', 6, '2025-10-14');
  await session('Long missed', 1, '2025-09-09');
  await session('Missed', 4, '2025-10-01');
  await attend(done.id);
  const { thisWeek, weekActivities, pendingActivities } = await week();
  expect(thisWeek).toMatchObject({ done: 1, total: 2 });
  expect(weekActivities.map(({ title, state }) => [title, state])).toEqual([
    ['Done', 'completed'],
    ['Today', 'today'],
  ]);
  expect(pendingActivities.map(({ title, state }) => [title, state])).toEqual([
    ['Today', 'today'],
    ['Missed', 'overdue'],
    ['Long missed', 'overdue'],
    ['Later', 'locked'],
  ]);
});

test('FELL-19 FELL-21 on track: nothing overdue and half of the week done; an empty week counts', async () => {
  const { session, attend, week } = await member();
  expect((await week()).thisWeek).toEqual({ done: 0, total: 0, isOnTrack: true });
  const first = await session('a', 5, '2025-10-06');
  await session('b', 5, '2025-10-08');
  expect((await week()).thisWeek.isOnTrack).toBe(false);
  await attend(first.id);
  expect((await week()).thisWeek.isOnTrack).toBe(true);
  await session('of an earlier week, one day old', 4, '2025-10-07');
  expect((await week()).thisWeek.isOnTrack).toBe(true);
  const late = await session('of an earlier week, two days old', 4, '2025-10-06');
  expect((await week()).thisWeek.isOnTrack).toBe(false);
  await attend(late.id);
  expect((await week()).thisWeek.isOnTrack).toBe(true);
  await attend((await session('c', 5, '2025-10-07')).id);
  await session('of this week, two days old', 5, '2025-10-06');
  await session('of an earlier week, without a day', 4, null);
  expect((await week()).thisWeek).toEqual({ done: 2, total: 4, isOnTrack: true });
});

test('FELL-23 deadlines: the next five of the cohort, soonest first, marked when due within three days', async () => {
  const { cohort, week } = await member();
  const other = await buildCohort(app.db);
  await buildWeeklyRequirement(app.db, { cohortId: other.id, dueDate: '2025-10-09' });
  for (const days of [20, 4, 3, -1, 8, 9, 10]) {
    await buildWeeklyRequirement(app.db, {
      cohortId: cohort.id,
      title: `In ${days} days`,
      type: 'report',
      dueDate: addDays('2025-10-08', days),
    });
  }
  const { deadlines } = await week();
  expect(deadlines.map(({ title, isDueSoon }) => [title, isDueSoon])).toEqual([
    ['In 3 days', true],
    ['In 4 days', false],
    ['In 8 days', false],
    ['In 9 days', false],
    ['In 10 days', false],
  ]);
  expect(deadlines[0]).toMatchObject({ type: 'report', dueDate: '2025-10-11' });
});

test('everything that is pending can be shown, however much it is', async () => {
  const { cohort, week } = await member();
  await buildWeekActivities(app.db, 70, { cohortId: cohort.id, weekNumber: 7 });
  expect((await week()).pendingActivities).toHaveLength(70);
});

test("this week's assignments with a day are open until they are in, first due first; those of other weeks are not named", async () => {
  const { participant, session, week } = await member();
  const thisWeek = { trainingActivityId: (await session('This week', 5, '2025-10-06')).id };
  const before = { trainingActivityId: (await session('Week before', 4, '2025-10-01')).id };
  const later = await buildAssignment(app.db, { ...thisWeek, dueDate: '2025-10-07', title: 'Second' });
  await buildAssignment(app.db, { ...thisWeek, dueDate: '2025-10-06', title: 'First' });
  await buildAssignment(app.db, { ...thisWeek, dueDate: '2025-10-08', title: 'Due today' });
  await buildAssignment(app.db, { ...thisWeek, dueDate: null, title: 'Without a day' });
  await buildAssignment(app.db, { ...before, dueDate: '2025-10-02', title: 'Of the week before' });
  const handedIn = await buildAssignment(app.db, { ...thisWeek, dueDate: '2025-10-06', title: 'Handed in' });
  await buildSubmission(app.db, { assignmentId: handedIn.id, userId: participant.id });
  const open = async () => (await week()).openAssignments.map(({ title, dueDate }) => [title, dueDate]);
  expect(await open()).toEqual([
    ['First', '2025-10-06'],
    ['Second', '2025-10-07'],
    ['Due today', '2025-10-08'],
  ]);
  const returned = await buildSubmission(app.db, {
    assignmentId: later.id,
    userId: participant.id,
    status: 'needs_revision',
    reviewedBy: (await buildCoach(app.db)).id,
  });
  expect((await week()).openAssignments[1]).toEqual({
    id: later.id,
    submissionId: returned.id,
    status: 'needs_revision',
    title: 'Second',
    dueDate: '2025-10-07',
  });
});

test('a session of today is the next step before one that is over', async () => {
  const { session, attend, week } = await member();
  const past = await session('Monday', 5, '2025-10-06');
  const todays = await session('Today', 5, '2025-10-08');
  await session('Tomorrow', 5, '2025-10-09');
  expect((await week()).nextStep).toMatchObject({ kind: 'activity', id: todays.id });
  await attend(todays.id);
  expect((await week()).nextStep).toMatchObject({ kind: 'activity', id: past.id });
});

test('the next step is of this week before earlier ones, for its pay hangs on it', async () => {
  const { session, attend, week } = await member();
  const missed = await session('Missed', 2, '2025-09-16');
  const todays = await session('Today', 5, '2025-10-08');
  expect((await week()).nextStep).toMatchObject({ kind: 'activity', id: todays.id });
  await attend(todays.id);
  expect((await week()).nextStep).toMatchObject({ kind: 'activity', id: missed.id });
});

test('the next step is work that came back, else what is due first, else what is coming up', async () => {
  const { participant, session, attend, week } = await member();
  expect((await week()).nextStep).toBeNull();
  const coming = await session('Coming', 5, '2025-10-10');
  const todays = await session('Today', 5, '2025-10-08');
  expect((await week()).nextStep).toMatchObject({ kind: 'activity', id: todays.id, dueDate: '2025-10-08' });
  const assignment = await buildAssignment(app.db, { trainingActivityId: todays.id, dueDate: '2025-10-07' });
  expect((await week()).nextStep).toMatchObject({ kind: 'assignment', id: assignment.id, dueDate: '2025-10-07' });
  await attend(todays.id);
  const submission = await app.db
    .insertInto('contentSubmissions')
    .values({ assignmentId: assignment.id, userId: participant.id, submissionText: 'Done' })
    .returning('id')
    .executeTakeFirstOrThrow();
  expect((await week()).nextStep).toMatchObject({ kind: 'activity', id: coming.id });
  await app.db
    .updateTable('contentSubmissions')
    .set({ status: 'needs_revision', reviewedBy: (await buildCoach(app.db)).id, reviewedAt: now })
    .execute();
  expect((await week()).nextStep).toMatchObject({
    kind: 'resubmit',
    id: assignment.id,
    submissionId: submission.id,
  });
});
