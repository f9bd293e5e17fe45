import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { correctAttendance, readActivityContent } from '#contract/activities.ts';
import { recordAttendance } from '#contract/documented-functions.ts';
import { readFellowship } from '#contract/fellowship.ts';
import { readActivity, readTrainingCalendar } from '#contract/learning.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildContentItem } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { createPerson } from '#test/support/second-factor.ts';
import { signInWith } from '#test/support/sign-in.ts';

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

async function memberWithSession(facts: { sessionDate?: string | null; weekNumber?: number } = {}) {
  const cohort = await buildCohort(app.db);
  const participant = await buildParticipant(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: participant.id });
  const activity = await buildActivity(app.db, {
    cohortId: cohort.id,
    weekNumber: 5,
    sessionDate: '2025-10-08',
    ...facts,
  });
  return { cohort, participant, activity, client: await app.as(participant) };
}

type Member = Awaited<ReturnType<typeof memberWithSession>>;

interface Completion extends Pick<Member, 'cohort' | 'activity'> {
  participant: { id: string };
}

function payload({ participant, cohort, activity }: Completion) {
  return {
    fellow_id: participant.id,
    cohort_id: cohort.id,
    week_number: activity.weekNumber,
    content_type: 'live_session' as const,
    content_id: activity.id,
    duration_minutes: 60,
  };
}

function attendanceOf(participantId: string) {
  return app.db.selectFrom('attendanceRecords').selectAll().where('fellowId', '=', participantId).execute();
}

function auditOf(action: string, actorId: string) {
  return app.db
    .selectFrom('auditLog')
    .selectAll()
    .where('action', '=', action)
    .where('actorId', '=', actorId)
    .execute();
}

test('ACT-18 ACT-19 ACT-21 a completion is one row, and shows on the activity and the calendar', async () => {
  const member = await memberWithSession();
  const { client, participant, cohort, activity } = member;
  expect(await client.call(readActivity, { params: { id: activity.id } })).toMatchObject({
    state: 'today',
    completedAt: null,
    completion: { fellowId: participant.id, cohortId: cohort.id },
    can: { complete: true },
  });
  expect(await client.call(recordAttendance, { body: payload(member) })).toEqual({ success: true, error: null });
  expect(await client.call(recordAttendance, { body: payload(member) })).toEqual({ success: true, error: null });
  const rows = await attendanceOf(participant.id);
  expect(rows).toMatchObject([
    {
      fellowId: participant.id,
      cohortId: cohort.id,
      contentId: activity.id,
      weekNumber: 5,
      contentType: 'live_session',
      durationMinutes: 60,
      accessedAt: new Date('2025-10-08T14:00:00Z'),
      recordedBy: null,
    },
  ]);
  expect(await auditOf('attendance.record', participant.id)).toHaveLength(1);
  expect(await client.call(readActivity, { params: { id: activity.id } })).toMatchObject({
    state: 'completed',
    completedAt: '2025-10-08T14:00:00.000Z',
    can: { complete: false },
    completionBlockedBecause: null,
  });
  const { activities } = await client.call(readTrainingCalendar, { query: { week: 5 } });
  expect(activities.find(({ id }) => id === activity.id)?.state).toBe('completed');
});

test('ACT-21 two completions at once make one row', async () => {
  const member = await memberWithSession();
  const body = payload(member);
  const answers = await Promise.all(Array.from({ length: 6 }, () => member.client.call(recordAttendance, { body })));
  expect(answers.every(({ success }) => success)).toBe(true);
  expect(await attendanceOf(member.participant.id)).toHaveLength(1);
  expect(await auditOf('attendance.record', member.participant.id)).toHaveLength(1);
});

test('two different completions at once both count for progress', async () => {
  const member = await memberWithSession();
  const second = await buildActivity(app.db, { cohortId: member.cohort.id, weekNumber: 5, sessionDate: '2025-10-07' });
  await Promise.all([
    member.client.call(recordAttendance, { body: payload(member) }),
    member.client.call(recordAttendance, { body: payload({ ...member, activity: second }) }),
  ]);
  const { progress } = await member.client.call(readFellowship);
  expect(progress).toMatchObject({ overallPercentage: 100, status: 'ahead' });
});

test('ACT-19 ACT-20 nobody records for another person, without a session, or in a cohort that is not theirs', async () => {
  const member = await memberWithSession();
  const stranger = await memberWithSession();
  const body = payload(member);
  const forAnother = await stranger.client.refused(recordAttendance, { body });
  expect(forAnother.status).toBe(403);
  expect(forAnother.problem).toMatchObject({ success: false, error: 'You can only record your own attendance.' });

  const asAdmin = await app.as(await buildAdmin(app.db));
  expect((await asAdmin.refused(recordAttendance, { body })).status).toBe(403);

  const nobody = await app.as(null);
  const signedOut = await nobody.refused(recordAttendance, { body });
  expect(signedOut.status).toBe(401);
  expect(signedOut.problem).toMatchObject({ success: false, error: 'Not authenticated' });
  const invalidToken = await nobody.fetch(recordAttendance.path, {
    method: 'POST',
    headers: { authorization: 'Bearer invented.token', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(invalidToken.status).toBe(401);

  const foreignCohort = await member.client.refused(recordAttendance, {
    body: { ...body, cohort_id: stranger.cohort.id },
  });
  expect(foreignCohort.problem.detail).toBe('You are not an active member of this cohort.');
  const foreignActivity = await member.client.refused(recordAttendance, {
    body: { ...body, content_id: stranger.activity.id },
  });
  expect([foreignActivity.status, foreignActivity.problem.detail]).toEqual([404, 'Activity not found']);
  expect(await attendanceOf(member.participant.id)).toEqual([]);
});

test('ACT-17 a completion with the person’s bearer token instead of the cookie is recorded', async () => {
  const person = await createPerson(app, 'participant');
  const { bearer } = await signInWith(app, person.email, person.password);
  const cohort = await buildCohort(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: person.id });
  const activity = await buildActivity(app.db, { cohortId: cohort.id, weekNumber: 5, sessionDate: '2025-10-08' });
  const answer = await fetch(`${app.url}/functions/v1/record-attendance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(payload({ participant: person, cohort, activity })),
  });
  expect([answer.status, await answer.json()]).toEqual([200, { success: true, error: null }]);
  expect(await attendanceOf(person.id)).toMatchObject([{ contentId: activity.id }]);
});

test('ACT-20 somebody who left the cohort, or never was in one, records nothing', async () => {
  const member = await memberWithSession();
  await app.db
    .updateTable('cohortParticipants')
    .set({ status: 'withdrawn' })
    .where('participantId', '=', member.participant.id)
    .execute();
  expect((await member.client.refused(recordAttendance, { body: payload(member) })).status).toBe(404);

  const unassigned = await buildActivity(app.db, {
    sessionDate: '2025-10-08',
    applicableFellowship: false,
    applicableAmp: true,
  });
  const newcomer = await buildParticipant(app.db, { trackType: 'adult_mobilization' });
  const client = await app.as(newcomer);
  const body = payload({ participant: newcomer, cohort: member.cohort, activity: unassigned });
  const refused = await client.refused(recordAttendance, { body });
  expect(refused.problem.detail).toBe('You have no active cohort, so nothing can be recorded.');
  expect(await client.call(readActivity, { params: { id: unassigned.id } })).toMatchObject({
    completion: null,
    can: { complete: false },
    completionBlockedBecause: 'You have no active cohort, so nothing can be recorded.',
  });
  expect(await attendanceOf(newcomer.id)).toEqual([]);
});

test.each([
  { sessionDate: '2025-10-09', weekNumber: 5, because: /takes place on Thu 9 Oct/ },
  { sessionDate: '2025-10-13', weekNumber: 6, because: /^Opens Mon 13 Oct$/ },
  { sessionDate: null, weekNumber: 6, because: /^Not open yet$/ },
])('ACT-22 a session on $sessionDate of week $weekNumber cannot be completed', async ({ because, ...facts }) => {
  const member = await memberWithSession(facts);
  const refused = await member.client.refused(recordAttendance, { body: payload(member) });
  expect(refused.status).toBe(409);
  expect(refused.problem.detail).toMatch(because);
  const activity = await member.client.call(readActivity, { params: { id: member.activity.id } });
  expect(activity.can.complete).toBe(false);
  expect(activity.completionBlockedBecause).toBe(refused.problem.detail);
  expect(await attendanceOf(member.participant.id)).toEqual([]);
});

test('what is recorded is a session or one of the kinds of content that exist', async () => {
  const member = await memberWithSession();
  const answer = await member.client.fetch(recordAttendance.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...payload(member), content_type: 'dance' }),
  });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ success: false, error: expect.stringContaining('kind of content') });
  expect(await attendanceOf(member.participant.id)).toEqual([]);
  const body = { ...payload(member), content_type: 'quiz' as const };
  expect(await member.client.call(recordAttendance, { body })).toEqual({ success: true, error: null });
});

test('ACT-22 a session can be completed from the first minute of its US Eastern day', async () => {
  const member = await memberWithSession({ sessionDate: '2025-10-09' });
  const at = async (instant: string) => {
    const restore = stopClockAt(instant);
    const activity = await member.client.call(readActivity, { params: { id: member.activity.id } });
    restore();
    return activity.can.complete;
  };
  expect(await at('2025-10-09T03:59:59Z')).toBe(false);
  expect(await at('2025-10-09T04:00:00Z')).toBe(true);
});

test('a week that is not the activity’s own is refused', async () => {
  const member = await memberWithSession();
  const refused = await member.client.refused(recordAttendance, { body: { ...payload(member), week_number: 4 } });
  expect(refused.status).toBe(422);
  expect(refused.problem.detail).toBe('This activity belongs to week 5.');
  expect(await attendanceOf(member.participant.id)).toEqual([]);
});

test('a coach records and takes back attendance of an own participant, with a reason in the audit', async () => {
  const { participant, activity, client } = await memberWithSession({ sessionDate: '2025-10-07' });
  const coach = await buildCoach(app.db);
  await assignCoach(app.db, { participantId: participant.id, coachId: coach.id });
  const asCoach = await app.as(coach);
  const params = { id: activity.id, participantId: participant.id };
  const correct = (attended: boolean, reason: string) =>
    asCoach.call(correctAttendance, { params, body: { attended, reason } });

  expect(await correct(true, 'Joined by phone')).toEqual({ attended: true });
  await correct(true, 'Once more');
  expect(await attendanceOf(participant.id)).toMatchObject([{ recordedBy: coach.id, reason: 'Joined by phone' }]);
  expect((await client.call(readFellowship)).progress.overallPercentage).toBe(100);

  expect(await correct(false, 'Was somebody else')).toEqual({ attended: false });
  expect(await attendanceOf(participant.id)).toEqual([]);
  expect((await client.call(readFellowship)).progress).toMatchObject({ overallPercentage: 0, status: 'at_risk' });
  expect(await auditOf('attendance.record', coach.id)).toMatchObject([{ reason: 'Joined by phone' }]);
  expect(await auditOf('attendance.remove', coach.id)).toMatchObject([
    { reason: 'Was somebody else', before: { fellowId: participant.id, contentId: activity.id } },
  ]);
});

test('attendance is corrected by nobody but an own coach and admins, with a reason, and not of a future session', async () => {
  const { participant, activity, cohort, client } = await memberWithSession();
  const params = { id: activity.id, participantId: participant.id };
  const body = { attended: true, reason: 'Seen in the room' };
  const otherCoach = await app.as(await buildCoach(app.db));
  expect((await otherCoach.refused(correctAttendance, { params, body })).problem.detail).toBe('Participant not found');
  expect((await client.refused(correctAttendance, { params, body })).status).toBe(403);
  const admin = await app.as(await buildAdmin(app.db));
  const withoutReason = await admin.refused(correctAttendance, { params, body: { ...body, reason: '  ' } });
  expect(withoutReason.status).toBe(422);
  const future = await buildActivity(app.db, { cohortId: cohort.id, sessionDate: '2025-10-09', weekNumber: 5 });
  const early = await admin.refused(correctAttendance, { params: { ...params, id: future.id }, body });
  expect(early.problem.code).toBe('conflict');
  expect(await attendanceOf(participant.id)).toEqual([]);
  expect(await admin.call(correctAttendance, { params, body })).toEqual({ attended: true });
});

test('the contents of an activity are read by themselves, and only by those who see it', async () => {
  const { client, activity } = await memberWithSession();
  await buildContentItem(app.db, { trainingActivityId: activity.id, title: 'A chapter' });
  const params = { id: activity.id };
  expect((await client.call(readActivityContent, { params })).items).toMatchObject([{ title: 'A chapter' }]);
  const stranger = await memberWithSession();
  expect((await stranger.client.refused(readActivityContent, { params })).problem.detail).toBe('Activity not found');
});

test('ACT-23 an activity is read by its id, and activities by their week', async () => {
  const { client, cohort, activity } = await memberWithSession();
  const next = await buildActivity(app.db, { cohortId: cohort.id, weekNumber: 6, sessionDate: '2025-10-14' });
  expect(await client.call(readActivity, { params: { id: activity.id } })).toMatchObject({
    id: activity.id,
    title: activity.title,
    weekNumber: 5,
  });
  const idsOf = async (week: number) => {
    const { activities } = await client.call(readTrainingCalendar, { query: { week } });
    return activities.filter(({ cohortName }) => cohortName === cohort.name).map(({ id }) => id);
  };
  expect(await idsOf(5)).toEqual([activity.id]);
  expect(await idsOf(6)).toEqual([next.id]);
});
