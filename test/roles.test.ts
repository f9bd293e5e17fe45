import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bookSession, readBooking } from '#contract/booking.ts';
import { readBookingSetup, saveBookingSetup } from '#contract/booking-setup.ts';
import { cancelSession, listCoachSessions, updateSession } from '#contract/coach-sessions.ts';
import { enrolInFellowship } from '#contract/cohorts.ts';
import { recordAttendance } from '#contract/documented-functions.ts';
import { readFellowship, selectTrack } from '#contract/fellowship.ts';
import { readAdminDashboard, readCoachDashboard } from '#contract/home.ts';
import { readActivity, readTrainingCalendar } from '#contract/learning.ts';
import { reviewSubmission } from '#contract/reviews.ts';
import { listSubmissions, readAssignment, submitAssignment } from '#contract/submissions.ts';
import { accessList } from '#server/platform/serve.ts';
import { buildAvailability, buildCoachingSession } from './factories/coaching.ts';
import { assignCoach, buildCohort, buildCourse, enrol } from './factories/cohorts.ts';
import { buildActivity, buildAssignment, buildModule, buildTrack } from './factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from './factories/people.ts';
import { buildSubmission } from './factories/submissions.ts';
import { startTestApp, type TestApp } from './support/app.ts';
import { stopClockAt } from './support/clock.ts';
import { readContract } from './support/contract.ts';

let server: TestApp;
let restoreClock: () => void;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());
/** Monday noon in US Eastern, in the week that starts on Sunday, 1 February. */
beforeEach(() => {
  restoreClock = stopClockAt('2026-02-02T17:00:00Z');
});
afterEach(() => restoreClock());

const tenOnWednesday = '2026-02-04T15:00:00.000Z';
let versions = 0;

/** A cohort in its first week. Its member has a coach and an activity with an assignment. */
async function buildClass() {
  const { db } = server;
  versions += 1;
  const cohort = await buildCohort(db, { startDate: '2026-02-02', curriculumVersion: `roles ${versions}` });
  const coach = await buildCoach(db);
  const participant = await buildParticipant(db);
  await enrol(db, { cohortId: cohort.id, participantId: participant.id, coachId: coach.id });
  await assignCoach(db, { participantId: participant.id, coachId: coach.id });
  const activity = await buildActivity(db, { cohortId: cohort.id, weekNumber: 1, sessionDate: '2026-02-02' });
  const assignment = await buildAssignment(db, { trainingActivityId: activity.id });
  const offered = { weekStartDate: '2026-02-01', dayOfWeek: 3, startTime: '10:00', endTime: '11:00' };
  await buildAvailability(db, { coachId: coach.id, ...offered });
  return { cohort, coach, participant, activity, assignment };
}

function sessionsOf(participantId: string) {
  return server.db
    .selectFrom('coachingSessions')
    .select(['coachId', 'participantId'])
    .where('participantId', '=', participantId)
    .execute();
}

describe('a participant', () => {
  test('SEC-04 hands in, completes, sees the own completion and submissions, selects a track and books coaching', async () => {
    const { db } = server;
    const { cohort, coach, participant, activity, assignment } = await buildClass();
    const client = await server.as(participant);
    const work = { text: 'Three breakers were open.', fileId: null, basedOnRound: null };
    await client.call(submitAssignment, { params: { id: assignment.id }, body: work });
    expect((await client.call(listSubmissions, { query: {} })).rows.map(({ assignmentId }) => assignmentId)).toEqual([
      assignment.id,
    ]);

    const completion = {
      fellow_id: participant.id,
      cohort_id: cohort.id,
      week_number: 1,
      content_type: 'live_session' as const,
      content_id: activity.id,
      duration_minutes: 60,
    };
    await client.call(recordAttendance, { body: completion });
    expect(await client.call(readActivity, { params: { id: activity.id } })).toMatchObject({ state: 'completed' });

    const module = await buildModule(db, { curriculumVersion: cohort.curriculumVersion });
    const byHand = { participantId: participant.id, cohortId: cohort.id, setBy: coach.id, note: 'Certified before' };
    await db
      .insertInto('participantModuleCompletions')
      .values({ ...byHand, moduleId: module.id })
      .execute();
    const track = await buildTrack(db);
    await client.call(selectTrack, { body: { trackId: track.id, notes: null } });
    expect((await client.call(readFellowship)).selection).toMatchObject({ trackId: track.id });

    await client.call(bookSession, { body: { coachId: coach.id, startsAt: tenOnWednesday, agenda: null } });
    expect(await sessionsOf(participant.id)).toEqual([{ coachId: coach.id, participantId: participant.id }]);
  });

  test('SEC-09 books for nobody else, and with no coach but the own', async () => {
    const { coach, participant } = await buildClass();
    const stranger = await buildClass();
    const client = await server.as(participant);
    const foreign = { coachId: stranger.coach.id, startsAt: tenOnWednesday, agenda: null };
    expect((await client.refused(bookSession, { body: foreign })).status).toBe(403);
    const offered = await client.call(readBooking, { query: { coachId: stranger.coach.id } });
    expect(offered).toMatchObject({ coachId: null, slots: [], sessions: [] });

    const forAnother = { participantId: stranger.participant.id, participant_id: stranger.participant.id };
    const answer = await client.fetch(bookSession.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ coachId: coach.id, startsAt: tenOnWednesday, agenda: null, ...forAnother }),
    });
    expect(answer.status).toBe(200);
    expect(await sessionsOf(participant.id)).toEqual([{ coachId: coach.id, participantId: participant.id }]);
    expect(await sessionsOf(stranger.participant.id)).toEqual([]);
  });
});

describe('a coach', () => {
  test('SEC-10 SEC-14 uses dashboard, sessions and booking setup, and reviews what stands on /submissions, of others too', async () => {
    const { coach } = await buildClass();
    const elsewhere = await buildClass();
    const submission = await buildSubmission(server.db, {
      assignmentId: elsewhere.assignment.id,
      userId: elsewhere.participant.id,
    });
    const client = await server.as(coach);
    expect((await client.call(readCoachDashboard)).counts.participants).toBe(1);
    expect((await client.call(listCoachSessions)).upcoming).toEqual([]);
    const setup = { schedulingEnabled: false, schedulingLink: null, instructions: 'Bring a question.' };
    await client.call(saveBookingSetup, { body: setup });
    expect((await client.call(readBookingSetup)).instructions).toBe('Bring a question.');

    const { rows } = await client.call(listSubmissions, { query: {} });
    expect(rows.map(({ id }) => id)).toContain(submission.id);
    const review = { status: 'accepted', feedback: 'Clear.', roundNumber: 1 } as const;
    await client.call(reviewSubmission, { params: { id: submission.id }, body: review });
    const stored = server.db.selectFrom('contentSubmissions').select(['status', 'reviewedBy']);
    expect(await stored.where('id', '=', submission.id).execute()).toEqual([
      { status: 'accepted', reviewedBy: coach.id },
    ]);
  });

  test('SEC-11 finds on the dashboard own participants, their submissions and own sessions, and nobody of another coach', async () => {
    const own = await buildClass();
    const other = await buildClass();
    const scheduledAt = '2026-02-03T15:00:00Z';
    for (const { coach, participant, assignment } of [own, other]) {
      await buildSubmission(server.db, { assignmentId: assignment.id, userId: participant.id });
      await buildCoachingSession(server.db, { coachId: coach.id, participantId: participant.id, scheduledAt });
    }
    const dashboard = await (await server.as(own.coach)).call(readCoachDashboard);
    expect(dashboard.participants.map(({ id }) => id)).toEqual([own.participant.id]);
    expect(dashboard.pendingEvaluations).toHaveLength(1);
    expect(dashboard.upcomingSessions).toHaveLength(1);
    const text = JSON.stringify(dashboard);
    expect(text).not.toContain(other.participant.id);
    expect(text).not.toContain(other.participant.email);
  });

  test("SEC-12 changes own scheduling fields and own sessions only; another coach's session is refused and stays", async () => {
    const own = await buildClass();
    const other = await buildClass();
    const { id } = await buildCoachingSession(server.db, {
      coachId: other.coach.id,
      participantId: other.participant.id,
      scheduledAt: '2026-02-03T15:00:00Z',
    });
    const client = await server.as(own.coach);
    const facts = async () => ({
      session: await server.db.selectFrom('coachingSessions').selectAll().where('id', '=', id).execute(),
      coach: await server.db.selectFrom('profiles').selectAll().where('id', '=', other.coach.id).execute(),
    });
    const before = await facts();
    expect((await client.refused(updateSession, { params: { id }, body: { notes: 'Mine' } })).status).toBe(404);
    expect((await client.refused(cancelSession, { params: { id }, body: { reason: null } })).status).toBe(404);
    const answer = await client.fetch(saveBookingSetup.path, {
      method: saveBookingSetup.method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ schedulingEnabled: false, schedulingLink: null, instructions: 'Mine' },
        ...{ id: other.coach.id, coachId: other.coach.id, role: 'admin', email: 'mallory@people.example' },
      }),
    });
    expect(answer.status).toBe(200);
    expect(await facts()).toEqual(before);
    const self = await server.db.selectFrom('profiles').selectAll().where('id', '=', own.coach.id).executeTakeFirst();
    expect(self).toMatchObject({ role: 'coach', email: own.coach.email, externalBookingInstructions: 'Mine' });
  });
});

test('SEC-15 an admin reads statistics over all users, filters by programme, sees all of them, enrols and reviews', async () => {
  const { db } = server;
  await buildCourse(db);
  const { assignment, participant } = await buildClass();
  const submission = await buildSubmission(db, { assignmentId: assignment.id, userId: participant.id });
  const adjunct = await buildActivity(db, {
    weekNumber: 1,
    applicableFellowship: false,
    applicableFellowshipAdjunct: true,
    applicableAmp: true,
  });
  const admin = await server.as(await buildAdmin(db));
  const { count } = await db
    .selectFrom('profiles')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect((await admin.call(readAdminDashboard)).statistics.totalUsers).toBe(count);
  const { activities } = await admin.call(readTrainingCalendar, { query: { programme: 'fellowship_adjunct' } });
  expect(activities.map(({ id }) => id)).toEqual([adjunct.id]);
  const { audiences } = await admin.call(readActivity, { params: { id: adjunct.id } });
  expect(audiences.map(({ key }) => key).toSorted()).toEqual(['amp', 'fellowship_adjunct']);
  const newcomer = await buildParticipant(db);
  await admin.call(enrolInFellowship, { body: { userId: newcomer.id } });
  const review = { status: 'accepted', feedback: 'Clear.', roundNumber: 1 } as const;
  await admin.call(reviewSubmission, { params: { id: submission.id }, body: review });
  const read = await (await server.as(participant)).call(readAssignment, { params: { id: assignment.id } });
  expect(read.submission).toMatchObject({ status: 'accepted' });
});

test('SEC-17 only an admin writes users, cohorts, training, content, resources and stipends', async () => {
  const managed =
    /^\/api\/(users|role-requests|cohorts|cohort-enrolments|coach-assignments|fellowship-enrolments|imports|programme|programme-copies|training-activities|activity-assignments|contents?|content-items|content-assignments|resources|stipends)(\/|$)/;
  // A tick is the participant's own. The payment system signs what it confirms (HOOK).
  const others = ['setContentTick', 'confirmPayments'];
  const writes = (await readContract()).filter(
    ({ name, method, path }) => method !== 'GET' && managed.test(path) && !others.includes(name),
  );
  expect(writes.length).toBeGreaterThan(30);
  expect(writes.filter((endpoint) => String(accessList(endpoint)) !== 'admin').map(({ name }) => name)).toEqual([]);
  const people = [await server.as(await buildParticipant(server.db)), await server.as(await buildCoach(server.db))];
  for (const { name, method, path, body } of writes) {
    for (const client of people) {
      const answer = await client.fetch(path.replace(/:\w+/g, '00000000-0000-7000-8000-00000000000b'), {
        method,
        ...(body ? { headers: { 'content-type': 'application/json' }, body: '{}' } : {}),
      });
      expect({ name, status: answer.status }).toEqual({ name, status: 403 });
    }
  }
});
