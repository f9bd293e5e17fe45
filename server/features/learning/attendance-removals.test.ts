import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { correctAttendance } from '#contract/activities.ts';
import {
  answerAttendanceCorrection,
  askForAttendanceCorrection,
  listAttendanceCorrections,
  readOwnAttendanceCorrections,
} from '#contract/attendance-corrections.ts';
import { recordAttendance } from '#contract/documented-functions.ts';
import { readActivity } from '#contract/learning.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { buildCoachedWeek } from '#test/support/coached-week.ts';
import { lockMemberships } from './progress-derivation.ts';

let app: TestApp;
let restoreClock: () => void;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
/** Wednesday of week 5 of the cohort that starts on 8 September 2025, in the morning in New York. */
beforeEach(() => {
  restoreClock = stopClockAt('2025-10-08T14:00:00Z');
});
afterEach(() => restoreClock());

const iWasThere = { attended: true, reason: 'I was in the room, my phone was empty.' };

test('what was taken back is not recorded again by its participant, who asks for it; recording it ends that', async () => {
  const { cohort, robin, params, activity, asRobin, asCoach } = await buildCoachedWeek(app);
  const completion = {
    fellow_id: robin.id,
    cohort_id: cohort.id,
    week_number: 5,
    content_type: 'live_session' as const,
    content_id: activity.id,
    duration_minutes: 60,
  };
  const correct = (attended: boolean, reason: string) =>
    asCoach.call(correctAttendance, {
      params: { id: activity.id, participantId: robin.id },
      body: { attended, reason },
    });
  await asRobin.call(recordAttendance, { body: completion });
  await correct(false, 'You left after five minutes');
  const words = 'Your attendance was removed: You left after five minutes';
  expect((await asRobin.refused(recordAttendance, { body: completion })).problem.detail).toBe(words);
  expect(await asRobin.call(readActivity, { params })).toMatchObject({
    can: { complete: false },
    completionBlockedBecause: words,
  });
  const { id } = await asRobin.call(askForAttendanceCorrection, { params, body: iWasThere });
  await asCoach.call(answerAttendanceCorrection, { params: { id }, body: { accepts: true, answer: '' } });
  expect(await asRobin.call(readActivity, { params })).toMatchObject({ state: 'completed' });
  expect(await app.db.selectFrom('attendanceRemovals').selectAll().execute()).not.toContainEqual(
    expect.objectContaining({ activityId: activity.id }),
  );
});

test('what is taken back while its participant completes it once more stays taken back', async () => {
  const { cohort, robin, activity, asRobin, coach } = await buildCoachedWeek(app);
  const body = { fellow_id: robin.id, cohort_id: cohort.id, week_number: 5, content_id: activity.id };
  const complete = { body: { ...body, content_type: 'live_session' as const, duration_minutes: 60 } };
  await asRobin.call(recordAttendance, complete);
  const { repeated } = await app.db.transaction().execute(async (db) => {
    await lockMemberships(db, [robin.id]);
    await db.deleteFrom('attendanceRecords').where('contentId', '=', activity.id).execute();
    const removal = { participantId: robin.id, activityId: activity.id, removedBy: coach.id, reason: 'You left' };
    await db
      .insertInto('attendanceRemovals')
      .values({ ...removal, removedAt: new Date() })
      .execute();
    const repeated = asRobin.refused(recordAttendance, complete);
    await expect.poll(countWaiting).toBe(1);
    return { repeated };
  });
  expect((await repeated).problem.detail).toBe('Your attendance was removed: You left');
});

test('a person who records an attendance that they had asked for asks no longer', async () => {
  const { cohort, robin, params, activity, asRobin, asCoach } = await buildCoachedWeek(app);
  await asRobin.call(askForAttendanceCorrection, { params, body: iWasThere });
  const body = { fellow_id: robin.id, cohort_id: cohort.id, week_number: 5, content_id: activity.id };
  await asRobin.call(recordAttendance, {
    body: { ...body, content_type: 'live_session' as const, duration_minutes: 60 },
  });
  expect((await asRobin.call(readOwnAttendanceCorrections, { params })).rows).toMatchObject([{ status: 'withdrawn' }]);
  expect((await asCoach.call(listAttendanceCorrections, { query: {} })).rows).toEqual([]);
});

/** Counts statements that wait for a row that another transaction holds. */
async function countWaiting(): Promise<number> {
  const found = await sql<{ n: number }>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
  return found.rows[0]?.n ?? 0;
}
