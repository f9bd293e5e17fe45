import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { correctAttendance, readAttendance } from '#contract/activities.ts';
import {
  answerAttendanceCorrection,
  askForAttendanceCorrection,
  listAttendanceCorrections,
  readOwnAttendanceCorrections,
  withdrawAttendanceCorrection,
} from '#contract/attendance-corrections.ts';
import { readActivity } from '#contract/learning.ts';
import { listNotices } from '#contract/notices.ts';
import { followLeftChanges } from '#server/derivations.ts';
import { processWeek } from '#server/features/stipends/stipends.ts';
import { inTransaction } from '#server/platform/transactions.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity } from '#test/factories/curriculum.ts';
import { buildAdmin, buildParticipant } from '#test/factories/people.ts';
import { attend } from '#test/factories/stipends.ts';
import { type Refusal, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { buildCoachedWeek } from '#test/support/coached-week.ts';
import { toldBy } from '#test/support/live-news.ts';
import { somebodyWaits } from '#test/support/waiting-statements.ts';

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

test('what a participant asks for is recorded when the coach accepts it, the week is worked out again and both are told', async () => {
  const { activity, robin, coach, stipend, params, asRobin, asCoach, asOtherCoach } = await buildCoachedWeek(app);
  expect(await stipend()).toMatchObject({ activitiesAccessed: 0, attendanceEligible: false });
  const { id } = await asRobin.call(askForAttendanceCorrection, { params, body: iWasThere });

  const [told] = (await asCoach.call(listNotices, { query: {} })).rows;
  expect(told).toMatchObject({ link: '/attendance-corrections', message: expect.stringContaining('Robin Reyes') });
  const open = await asCoach.call(listAttendanceCorrections, { query: {} });
  expect(open.rows).toEqual([
    expect.objectContaining({
      id,
      participantName: 'Robin Reyes',
      activityTitle: activity.title,
      weekNumber: 5,
      attended: true,
      reason: iWasThere.reason,
      refusal: null,
    }),
  ]);
  expect((await asOtherCoach.call(listAttendanceCorrections, { query: {} })).rows).toEqual([]);

  const answer = { accepts: true, answer: 'I saw you.' };
  await asCoach.call(answerAttendanceCorrection, { params: { id }, body: answer });
  expect(await stipend()).toMatchObject({ activitiesAccessed: 1, attendanceEligible: true });
  const record = await app.db
    .selectFrom('attendanceRecords')
    .select(['recordedBy', 'reason'])
    .where('fellowId', '=', robin.id)
    .executeTakeFirstOrThrow();
  const trail = app.db.selectFrom('auditLog').select(['actorId', 'reason']).where('action', '=', 'attendance.record');
  expect(await trail.execute()).toEqual([{ actorId: coach.id, reason: record.reason }]);
  expect(record.reason).toBe(`Asked by the participant: ${iWasThere.reason} Answer: I saw you.`);
  expect((await asCoach.call(listAttendanceCorrections, { query: {} })).rows).toEqual([]);
  const answered = await asCoach.call(listAttendanceCorrections, { query: { state: 'answered' } });
  expect(answered.rows).toMatchObject([{ id, status: 'accepted', answer: 'I saw you.', answeredBy: 'Cleo Coach' }]);
  expect((await asRobin.call(readOwnAttendanceCorrections, { params })).rows).toMatchObject([{ status: 'accepted' }]);
  const [notice] = (await asRobin.call(listNotices, { query: {} })).rows;
  expect(notice).toMatchObject({ title: 'Your attendance was corrected', link: `/activity/${activity.id}` });
});

test('a declined request changes no record, and says why', async () => {
  const { stipend, params, asRobin, asAdmin } = await buildCoachedWeek(app);
  const { id } = await asRobin.call(askForAttendanceCorrection, { params, body: iWasThere });
  const without = await asAdmin.refused(answerAttendanceCorrection, {
    params: { id },
    body: { accepts: false, answer: ' ' },
  });
  expect(without).toMatchObject({ problem: { code: 'invalid_input' } });
  await asAdmin.call(answerAttendanceCorrection, {
    params: { id },
    body: { accepts: false, answer: 'Not on the list.' },
  });
  expect(await stipend()).toMatchObject({ activitiesAccessed: 0 });
  expect((await asRobin.call(readOwnAttendanceCorrections, { params })).rows).toMatchObject([
    { status: 'declined', answer: 'Not on the list.' },
  ]);
  const again = await asAdmin.refused(answerAttendanceCorrection, {
    params: { id },
    body: { accepts: true, answer: '' },
  });
  expect(again).toMatchObject({ problem: { code: 'stale' } });
});

test('an answer of an admin is told to the coach, and the lists of coach, admins and participant are read again', async () => {
  const { robin, coach, admin, params, asRobin, asCoach, asAdmin } = await buildCoachedWeek(app);
  const screensOf = async (act: () => Promise<unknown>) => {
    const told = await toldBy(app, act);
    for (const person of [admin, coach]) expect(told(person)).toContain('corrections');
    expect(told(robin)).toContain('corrections');
  };
  const ask = async () => (await asRobin.call(askForAttendanceCorrection, { params, body: iWasThere })).id;
  const asked = { id: '' };
  await screensOf(async () => Object.assign(asked, { id: await ask() }));
  await screensOf(() => asRobin.call(withdrawAttendanceCorrection, { params: asked }));
  const again = { id: await ask() };
  const body = { accepts: false, answer: 'Not on the list.' };
  await screensOf(() => asAdmin.call(answerAttendanceCorrection, { params: again, body }));
  expect((await asCoach.call(listNotices, { query: {} })).rows[0]).toMatchObject({
    title: 'A request to correct attendance was declined',
    message: expect.stringContaining('answered the request of Robin Reyes: '),
    link: '/attendance-corrections',
  });
  const own = { id: await ask() };
  const { rows } = await asCoach.call(listNotices, { query: {} });
  await asCoach.call(answerAttendanceCorrection, { params: own, body });
  expect((await asCoach.call(listNotices, { query: {} })).rows).toHaveLength(rows.length);
});

test('attendance of an undecided week is corrected for a person who is in a later cohort by now, or in none', async () => {
  const { cohort, activity, robin, stipend, params, asRobin, asCoach, asAdmin } = await buildCoachedWeek(app);
  const later = await buildCohort(app.db, { startDate: '2025-10-06' });
  await enrol(app.db, { cohortId: later.id, participantId: robin.id });
  const { can, completionBlockedBecause } = await asRobin.call(readActivity, { params });
  expect([can.complete, completionBlockedBecause]).toEqual([false, expect.stringContaining('Ask for a correction')]);
  expect(await asRobin.call(readOwnAttendanceCorrections, { params })).toEqual({ rows: [], refusal: null });
  const { id } = await asRobin.call(askForAttendanceCorrection, { params, body: iWasThere });
  expect((await asCoach.call(listAttendanceCorrections, { query: {} })).rows).toMatchObject([{ id, refusal: null }]);
  const accepting = { accepts: true, answer: '' };
  await asCoach.call(answerAttendanceCorrection, { params: { id }, body: accepting });
  expect(await stipend()).toMatchObject({ activitiesAccessed: 1, attendanceEligible: true });
  const record = app.db.selectFrom('attendanceRecords').select('cohortId').where('fellowId', '=', robin.id);
  expect(await record.execute()).toEqual([{ cohortId: cohort.id }]);

  const { rows } = await asAdmin.call(readAttendance, { params, query: {} });
  expect(rows).toMatchObject([{ participantId: robin.id, attended: true, refusal: null }]);
  const removal = {
    params: { id: activity.id, participantId: robin.id },
    body: { attended: false, reason: 'Mixed up' },
  };
  await asAdmin.call(correctAttendance, removal);
  expect(await stipend()).toMatchObject({ activitiesAccessed: 0 });

  const memberships = app.db.updateTable('cohortParticipants').where('participantId', '=', robin.id);
  const leave = (endedAt: string) => memberships.set({ status: 'withdrawn', endedAt }).execute();
  await leave('2025-10-11T14:00:00Z');
  const again = await asRobin.call(askForAttendanceCorrection, { params, body: iWasThere });
  await leave('2025-10-10T14:00:00Z');
  expect((await asAdmin.call(listAttendanceCorrections, { query: {} })).rows).toMatchObject([
    { id: again.id, refusal: expect.stringContaining('no longer part of') },
  ]);
  expect(await asRobin.refused(readActivity, { params })).toMatchObject({ status: 404 });
  await leave('2025-10-11T14:00:00Z');
  await asAdmin.call(answerAttendanceCorrection, { params: again, body: accepting });
  expect(await stipend()).toMatchObject({ activitiesAccessed: 1 });
});

test('attendance that is recorded wrongly is taken back in the same way', async () => {
  const { activity, robin, stipend, params, asRobin, asCoach } = await buildCoachedWeek(app);
  await attend(app.db, robin.id, [activity]);
  await inTransaction(app.db, followLeftChanges);
  expect(await stipend()).toMatchObject({ activitiesAccessed: 1 });
  const same = await asRobin.refused(askForAttendanceCorrection, { params, body: iWasThere });
  expect(same).toMatchObject({
    problem: { code: 'conflict', detail: 'Your attendance at this activity is already recorded.' },
  });
  const body = { attended: false, reason: 'I pressed it for the wrong day.' };
  const { id } = await asRobin.call(askForAttendanceCorrection, { params, body });
  await asCoach.call(answerAttendanceCorrection, { params: { id }, body: { accepts: true, answer: '' } });
  expect(await stipend()).toMatchObject({ activitiesAccessed: 0 });
});

test('one request at a time, which its participant can take back', async () => {
  const { params, asRobin, asCoach } = await buildCoachedWeek(app);
  const asked = await Promise.allSettled(
    Array.from({ length: 8 }, () => asRobin.call(askForAttendanceCorrection, { params, body: iWasThere })),
  );
  const made = asked.flatMap((result) => (result.status === 'fulfilled' ? [result.value.id] : []));
  expect(made).toHaveLength(1);
  const [id = ''] = made;
  await asRobin.call(withdrawAttendanceCorrection, { params: { id } });
  expect((await asCoach.call(listAttendanceCorrections, { query: {} })).rows).toEqual([]);
  const late = await asCoach.refused(answerAttendanceCorrection, {
    params: { id },
    body: { accepts: true, answer: '' },
  });
  expect(late).toMatchObject({ problem: { code: 'stale' } });
  await asRobin.call(askForAttendanceCorrection, { params, body: iWasThere });
});

test('nothing is asked or accepted once the stipend of the week is decided', async () => {
  const { coach, stipend, params, asRobin, asCoach } = await buildCoachedWeek(app);
  const { id } = await asRobin.call(askForAttendanceCorrection, { params, body: iWasThere });
  await app.db
    .updateTable('stipendEligibility')
    .set({ paymentStatus: 'denied', denialReason: 'Not there', approvedBy: coach.id, approvedAt: new Date() })
    .where('id', '=', (await stipend()).id)
    .execute();
  const words = 'The stipend of week 5 is denied already, so its attendance can no longer be corrected.';
  expect((await asRobin.call(readOwnAttendanceCorrections, { params })).refusal).toBe(words);
  expect((await asCoach.call(listAttendanceCorrections, { query: {} })).rows).toMatchObject([{ refusal: words }]);
  const late = await asCoach.refused(answerAttendanceCorrection, {
    params: { id },
    body: { accepts: true, answer: '' },
  });
  expect(late).toMatchObject({ problem: { code: 'conflict', detail: words } });
  await asCoach.call(answerAttendanceCorrection, { params: { id }, body: { accepts: false, answer: 'Too late.' } });
});

test('without a coach the admins are asked; nobody asks about a session that is still to come', async () => {
  const cohort = await buildCohort(app.db);
  const later = await buildActivity(app.db, { cohortId: cohort.id, weekNumber: 5, sessionDate: '2025-10-10' });
  const held = await buildActivity(app.db, { cohortId: cohort.id, weekNumber: 5, sessionDate: '2025-10-06' });
  const robin = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: robin.id });
  const asRobin = await app.as(robin);
  const asAdmin = await app.as(await buildAdmin(app.db));
  const early = await asRobin.refused(askForAttendanceCorrection, { params: { id: later.id }, body: iWasThere });
  expect(early).toMatchObject({ problem: { code: 'conflict', detail: expect.stringContaining('takes place on') } });
  await asRobin.call(askForAttendanceCorrection, { params: { id: held.id }, body: iWasThere });
  expect((await asAdmin.call(listNotices, { query: {} })).rows).toMatchObject([
    { title: 'Somebody asked to correct attendance' },
  ]);
});

test('a request is answered by where the activity is now, and by who its participant is', async () => {
  const { cohort, coach, robin, activity, params, asRobin, asCoach } = await buildCoachedWeek(app);
  const { id } = await asRobin.call(askForAttendanceCorrection, { params, body: iWasThere });
  const refusedBecause = async (words: string) => {
    const accepting = { params: { id }, body: { accepts: true, answer: '' } };
    const refusal = await asCoach.refused(answerAttendanceCorrection, accepting);
    expect(refusal.problem).toMatchObject({ code: 'conflict', detail: expect.stringContaining(words) });
    expect((await asCoach.call(listAttendanceCorrections, { query: {} })).rows).toMatchObject([
      { refusal: refusal.problem.detail },
    ]);
  };
  const moveTo = (facts: { weekNumber?: number; sessionDate?: string; cohortId?: string }) =>
    app.db.updateTable('trainingActivities').set(facts).where('id', '=', activity.id).execute();
  await moveTo({ sessionDate: '2025-10-10' });
  await refusedBecause('takes place on');
  await moveTo({ sessionDate: '2025-10-01', weekNumber: 4 });
  await processWeek(app.db, 4, cohort.id);
  await decide(robin.id, 4, coach.id);
  await refusedBecause('The stipend of week 4 is denied');
  await moveTo({ weekNumber: 5, cohortId: (await buildCohort(app.db)).id });
  await refusedBecause("no longer part of this participant's program");
  await moveTo({ cohortId: cohort.id });
  await asCoach.call(answerAttendanceCorrection, { params: { id }, body: { accepts: true, answer: '' } });
});

test('a record that a decided stipend counts stays, wherever its activity was moved since', async () => {
  const { coach, robin, activity, params, asRobin, asCoach } = await buildCoachedWeek(app);
  await attend(app.db, robin.id, [activity]);
  await decide(robin.id, 5, coach.id);
  await app.db.updateTable('trainingActivities').set({ weekNumber: 4 }).where('id', '=', activity.id).execute();
  const words = 'The stipend of week 5 is denied already, so its attendance can no longer be corrected.';
  const body = { attended: false, reason: 'Was somebody else' };
  const correction = { params: { id: activity.id, participantId: robin.id }, body };
  expect((await asCoach.refused(correctAttendance, correction)).problem.detail).toBe(words);
  expect((await asCoach.call(readAttendance, { params, query: {} })).rows).toMatchObject([{ refusal: words }]);
  expect((await asRobin.refused(askForAttendanceCorrection, { params, body })).problem.detail).toBe(words);
  expect((await asRobin.call(readOwnAttendanceCorrections, { params })).refusal).toBe(words);
});

test('a correction by the coach answers the open request for it; one that changes nothing is told and kept as that', async () => {
  const { robin, params, activity, asRobin, asCoach } = await buildCoachedWeek(app);
  const asked = await asRobin.call(askForAttendanceCorrection, { params, body: iWasThere });
  const participant = { id: activity.id, participantId: robin.id };
  const body = { attended: true, reason: 'I have seen you' };
  await asCoach.call(correctAttendance, { params: participant, body });
  expect((await asRobin.call(readOwnAttendanceCorrections, { params })).rows).toMatchObject([
    { id: asked.id, status: 'accepted', answer: 'I have seen you', answeredBy: 'Cleo Coach' },
  ]);
  const [told] = (await asRobin.call(listNotices, { query: {} })).rows;
  expect(told).toMatchObject({ title: 'Your attendance was corrected', message: expect.stringContaining('seen you') });

  await asCoach.call(correctAttendance, { params: participant, body: { attended: false, reason: 'Mixed up' } });
  const again = await asRobin.call(askForAttendanceCorrection, { params, body: iWasThere });
  await attend(app.db, robin.id, [activity]);
  const accepting = { params: { id: again.id }, body: { accepts: true, answer: '' } };
  await asCoach.call(answerAttendanceCorrection, accepting);
  const [latest] = (await asRobin.call(listNotices, { query: {} })).rows;
  expect(latest?.title).toBe('Your attendance was recorded like this already');
  const trail = app.db.selectFrom('auditLog').select('action').where('subjectId', '=', again.id);
  expect(await trail.execute()).toEqual([{ action: 'attendance.correction_accepted' }]);
});

async function decide(fellowId: string, weekNumber: number, coachId: string): Promise<void> {
  await app.db
    .updateTable('stipendEligibility')
    .set({ paymentStatus: 'denied', denialReason: 'Not there', approvedBy: coachId, approvedAt: new Date() })
    .where('fellowId', '=', fellowId)
    .where('weekNumber', '=', weekNumber)
    .execute();
}

test('an answer that is given while another one is waits for that, and is refused', async () => {
  const { robin, params, asRobin, asCoach } = await buildCoachedWeek(app);
  await asRobin.call(askForAttendanceCorrection, { params, body: iWasThere });
  const asked = app.db.selectFrom('attendanceCorrections').select('id').where('participantId', '=', robin.id);
  const { id } = await asked.executeTakeFirstOrThrow();
  let refused: Promise<Refusal> | undefined;
  await app.db.transaction().execute(async (withdrawing) => {
    await sql`select from attendance_corrections where id = ${id} for update`.execute(withdrawing);
    refused = asCoach.refused(answerAttendanceCorrection, { params: { id }, body: { accepts: true, answer: '' } });
    await somebodyWaits(app.db);
    await sql`update attendance_corrections set status = 'withdrawn' where id = ${id}`.execute(withdrawing);
  });
  expect((await refused)?.problem.code).toBe('stale');
});
