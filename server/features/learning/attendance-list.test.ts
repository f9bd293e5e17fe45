import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { correctAttendance, readAttendance } from '#contract/activities.ts';
import { recordAttendance } from '#contract/documented-functions.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { judgedWeek } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';

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

/** A coach with two participants in a cohort of three. */
async function coachedCohort() {
  const cohort = await buildCohort(app.db);
  const activity = await buildActivity(app.db, { cohortId: cohort.id, weekNumber: 5, sessionDate: '2025-10-08' });
  const coach = await buildCoach(app.db);
  const member = async (firstName: string, lastName: string, coachId?: string) => {
    const person = await buildParticipant(app.db, { firstName, lastName });
    await enrol(app.db, { cohortId: cohort.id, participantId: person.id, coachId });
    return person;
  };
  const zoe = await member('Zoe', 'Adams', coach.id);
  const amir = await member('Amir', 'Brown', coach.id);
  const other = await member('Otto', 'Carter');
  const asCoach = await app.as(coach);
  const asAdmin = await app.as(await buildAdmin(app.db, { firstName: 'Ada', lastName: 'Admin' }));
  return { cohort, activity, zoe, amir, other, asCoach, asAdmin, params: { id: activity.id } };
}

test('attendance of an activity is listed by name: own participants for a coach, the cohort for an admin', async () => {
  const { cohort, activity, zoe, amir, other, asCoach, asAdmin, params } = await coachedCohort();
  const completion = {
    fellow_id: zoe.id,
    cohort_id: cohort.id,
    week_number: 5,
    content_type: 'live_session' as const,
    content_id: activity.id,
    duration_minutes: 60,
  };
  await (await app.as(zoe)).call(recordAttendance, { body: completion });
  const body = { attended: true, reason: 'Seen in the room' };
  await asAdmin.call(correctAttendance, { params: { ...params, participantId: amir.id }, body });
  const own = await asCoach.call(readAttendance, { params, query: {} });
  expect(own).toMatchObject({ attendedCount: 2, totalCount: 2, nextCursor: null });
  const recordedAt = '2025-10-08T14:00:00.000Z';
  expect(own.rows).toEqual([
    {
      participantId: zoe.id,
      name: 'Zoe Adams',
      email: zoe.email,
      attended: true,
      recordedAt,
      recordedBy: null,
      reason: null,
      ...{ excusedBecause: null, excuseRefusal: null },
      refusal: null,
    },
    {
      participantId: amir.id,
      name: 'Amir Brown',
      email: amir.email,
      attended: true,
      recordedAt,
      recordedBy: 'Ada Admin',
      reason: 'Seen in the room',
      ...{ excusedBecause: null, excuseRefusal: null },
      refusal: null,
    },
  ]);
  const all = await asAdmin.call(readAttendance, { params, query: {} });
  expect(all.rows.map(({ participantId }) => participantId)).toEqual([zoe.id, amir.id, other.id]);
  expect(all).toMatchObject({ attendedCount: 2, totalCount: 3 });
  const found = await asAdmin.call(readAttendance, { params, query: { search: 'otto c' } });
  expect(found.rows).toMatchObject([{ name: 'Otto Carter', attended: false, recordedAt: null, refusal: null }]);
  expect((await asAdmin.call(readAttendance, { params, query: { search: '%' } })).rows).toEqual([]);
  expect((await (await app.as(zoe)).refused(readAttendance, { params, query: {} })).status).toBe(403);
  const stranger = await app.as(await buildCoach(app.db));
  expect((await stranger.call(readAttendance, { params, query: {} })).rows).toEqual([]);
});

test('attendance lists whom an activity is for, by their present cohort and track, and people who recorded something else', async () => {
  const { cohort, zoe, amir, other, asAdmin } = await coachedCohort();
  const later = await buildCohort(app.db, { startDate: '2025-10-06' });
  await enrol(app.db, { cohortId: later.id, participantId: other.id });
  await app.db.updateTable('profiles').set({ trackType: 'adult_mobilization' }).where('id', '=', amir.id).execute();
  const idsIn = async (cohortId: string | null, facts: object = {}) => {
    const { id } = await buildActivity(app.db, { cohortId, sessionDate: '2025-10-08', ...facts });
    const { rows } = await asAdmin.call(readAttendance, { params: { id }, query: {} });
    return rows.map(({ participantId }) => participantId);
  };
  expect(await idsIn(cohort.id)).toEqual([zoe.id]);
  expect(await idsIn(later.id)).toEqual([other.id]);
  expect(await idsIn(cohort.id, { applicableAmp: true, applicableFellowship: false })).toEqual([amir.id]);
  const everywhere = await idsIn(null, { applicableAmp: true });
  for (const { id } of [zoe, amir, other]) expect(everywhere.filter((found) => found === id)).toHaveLength(1);
});

test('attendance of a cohort that has ended lists who completed it, also from a later cohort, and not who left before', async () => {
  const { cohort, zoe, amir, other, asAdmin, params } = await coachedCohort();
  await asAdmin.call(correctAttendance, {
    params: { ...params, participantId: zoe.id },
    body: { attended: true, reason: 'Seen in the room' },
  });
  const later = await buildCohort(app.db, { startDate: '2026-02-02' });
  await enrol(app.db, { cohortId: later.id, participantId: amir.id });
  const end = (participantId: string, status: 'completed' | 'withdrawn', endedAt: string) =>
    app.db
      .updateTable('cohortParticipants')
      .set({ status, endedAt })
      .where('cohortId', '=', cohort.id)
      .where('participantId', '=', participantId)
      .execute();
  await end(zoe.id, 'completed', '2025-12-26T17:00:00Z');
  await end(amir.id, 'completed', '2025-12-26T17:00:00Z');
  await end(other.id, 'withdrawn', '2025-12-26T17:00:00Z');
  const list = await asAdmin.call(readAttendance, { params, query: {} });
  expect(list.rows.map(({ name, attended }) => [name, attended])).toEqual([
    ['Zoe Adams', true],
    ['Amir Brown', false],
  ]);
  expect(list).toMatchObject({ attendedCount: 1, totalCount: 2 });
  // What the list offers can be done.
  expect(list.rows.map(({ refusal }) => refusal)).toEqual([null, null]);
  const body = { attended: true, reason: 'On the paper list' };
  await asAdmin.call(correctAttendance, { params: { ...params, participantId: amir.id }, body });
  expect((await asAdmin.call(readAttendance, { params, query: {} })).attendedCount).toBe(2);
  // They had completed the cohort before this activity's week was over.
  await end(amir.id, 'completed', '2025-10-07T17:00:00Z');
  const { rows } = await asAdmin.call(readAttendance, { params, query: {} });
  expect(rows.map(({ participantId }) => participantId)).toEqual([zoe.id]);
});

test('attendance is paged by name without a gap or a repetition, also where names are equal', async () => {
  const { cohort, asAdmin, params } = await coachedCohort();
  for (let number = 0; number < 60; number += 1) {
    const person = await buildParticipant(app.db, { firstName: 'Same', lastName: 'Name' });
    await enrol(app.db, { cohortId: cohort.id, participantId: person.id });
  }
  const first = await asAdmin.call(readAttendance, { params, query: {} });
  const second = await asAdmin.call(readAttendance, { params, query: { cursor: first.nextCursor ?? '' } });
  expect([first.rows.length, second.rows.length, second.nextCursor]).toEqual([50, 13, null]);
  expect(new Set([...first.rows, ...second.rows].map(({ participantId }) => participantId)).size).toBe(63);
  const wrong = await asAdmin.refused(readAttendance, { params, query: { cursor: 'nonsense' } });
  expect(wrong.problem.code).toBe('invalid_input');
});

test.each(['approved', 'paid', 'denied'])(
  'attendance of a week whose stipend is %s is not corrected any more, and the list says why',
  async (paymentStatus) => {
    const { cohort, zoe, amir, asCoach, asAdmin, params } = await coachedCohort();
    const admin = await buildAdmin(app.db);
    const stipend = (fellowId: string, decision: object) =>
      app.db
        .insertInto('stipendEligibility')
        .values({
          fellowId,
          cohortId: cohort.id,
          weekNumber: 5,
          ...judgedWeek(),
          ...decision,
        })
        .execute();
    const denialReason = paymentStatus === 'denied' ? 'Not what was agreed.' : null;
    await stipend(zoe.id, { paymentStatus, denialReason, approvedBy: admin.id, approvedAt: new Date() });
    await stipend(amir.id, {});
    const because = `The stipend of week 5 is ${paymentStatus} already, so its attendance can no longer be corrected.`;
    const { rows } = await asCoach.call(readAttendance, { params, query: {} });
    expect(rows.map(({ refusal }) => refusal)).toEqual([because, null]);
    for (const attended of [true, false]) {
      const body = { attended, reason: 'Too late' };
      const call = { params: { ...params, participantId: zoe.id }, body };
      for (const client of [asCoach, asAdmin]) {
        const { status, problem } = await client.refused(correctAttendance, call);
        expect([status, problem.detail]).toEqual([409, because]);
      }
      await asCoach.call(correctAttendance, { params: { ...params, participantId: amir.id }, body });
    }
    const recorded = await app.db.selectFrom('attendanceRecords').select('id').where('fellowId', '=', zoe.id).execute();
    expect(recorded).toEqual([]);
  },
);

test('attendance of a session that is still to come is listed, and says from when it can be recorded', async () => {
  const { cohort, asCoach } = await coachedCohort();
  const { id } = await buildActivity(app.db, { cohortId: cohort.id, weekNumber: 5, sessionDate: '2025-10-09' });
  const { rows } = await asCoach.call(readAttendance, { params: { id }, query: {} });
  expect(rows).toHaveLength(2);
  for (const { refusal } of rows) expect(refusal).toMatch(/takes place on Thu,? 9 Oct/);
});
