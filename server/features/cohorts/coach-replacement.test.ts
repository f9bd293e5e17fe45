import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { bookSession, readBooking, withdrawSession } from '#contract/booking.ts';
import { listCoachSessions } from '#contract/coach-sessions.ts';
import { enrolInCohort, previewCoachReplacement } from '#contract/enrolments.ts';
import { listNotices } from '#contract/notices.ts';
import { deleteUser, readUser } from '#contract/user-management.ts';
import { listRoleRequests } from '#contract/users.ts';
import { decideDueNotices } from '#server/features/notices/notice-jobs.ts';
import { buildAvailability, buildCoachingSession } from '#test/factories/coaching.ts';
import { buildCohort, buildCourse } from '#test/factories/cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { jobsAreDone } from '#test/support/sign-in.ts';

let server: TestApp;
let admin: Client;
let courseId: string;
let restoreClock: () => void;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.as(await buildAdmin(server.db));
  courseId = (await buildCourse(server.db)).id;
  await server.runJobs();
});
afterAll(() => server.close());
/** It is Monday noon in US Eastern, in the week that starts on Sunday, 1 February. */
beforeEach(() => {
  restoreClock = stopClockAt('2026-02-02T17:00:00Z');
});
afterEach(() => restoreClock());

const onWednesday = (half: number) => new Date(Date.UTC(2026, 1, 4, 15, 30 * half)).toISOString();

async function buildCoachWithTimes(name: string, times: { startTime: string; endTime: string } | null) {
  const coach = await buildCoach(server.db, { firstName: name, lastName: 'Coach' });
  const week = { coachId: coach.id, weekStartDate: '2026-02-01', dayOfWeek: 3 };
  if (times) await buildAvailability(server.db, { ...week, ...times });
  return coach;
}

/**
 * Ana Alvarez has sessions with Nora at 10:00, 10:30 and 11:00 on Wednesday. Cory offers 10:00 to 11:00, and holds one
 * session at 10:30.
 */
async function world() {
  const cohort = await buildCohort(server.db);
  const nora = await buildCoachWithTimes('Nora', { startTime: '10:00', endTime: '13:00' });
  const cory = await buildCoachWithTimes('Cory', { startTime: '10:00', endTime: '11:00' });
  const ana = await buildParticipant(server.db, { firstName: 'Ana', lastName: 'Alvarez' });
  await server.db.insertInto('userCourses').values({ userId: ana.id, courseId, coachId: nora.id }).execute();
  const booked = [0, 1, 2].map((half) => ({
    coachId: nora.id,
    participantId: ana.id,
    scheduledAt: onWednesday(half),
    agenda: `Question ${half}`,
    teamsLink: 'https://meet.example/nora',
  }));
  const sessions = [];
  for (const one of booked) sessions.push(await buildCoachingSession(server.db, one));
  const other = await buildParticipant(server.db);
  await buildCoachingSession(server.db, { coachId: cory.id, participantId: other.id, scheduledAt: onWednesday(1) });
  return { cohort, nora, cory, ana, ids: sessions.map(({ id }) => id) };
}
type World = Awaited<ReturnType<typeof world>>;

const enrolWith = ({ ana, cohort, cory }: World, bookedSessions?: 'move' | 'keep' | 'cancel') =>
  admin.call(enrolInCohort, { body: { userId: ana.id, cohortId: cohort.id, coachId: cory.id, bookedSessions } });
const standOf = ({ ids }: World) =>
  server.db
    .selectFrom('coachingSessions')
    .select(['coachId', 'status', 'teamsLink', 'agenda'])
    .where('id', 'in', ids)
    .orderBy('scheduledAt')
    .execute();
const linesOf = async (person: { id: string }) =>
  (await (await server.as(person)).call(listNotices, { query: {} })).rows.map(({ message, earlierCount }) => ({
    message,
    earlierCount,
  }));
const told = () => jobsAreDone(server.db, 'tell-of-coach-replacement');

test('before a coach is replaced the admin reads how many sessions are booked and how many the new coach can take', async () => {
  const { ana, cohort, nora, cory } = await world();
  const asked = { userId: ana.id, cohortId: cohort.id, coachId: cory.id };
  expect(await admin.call(previewCoachReplacement, { query: asked })).toEqual({
    formerCoach: { id: nora.id, firstName: 'Nora', lastName: 'Coach' },
    booked: 3,
    movable: 1,
  });
  const nobodyReplaced = { formerCoach: null, booked: 0, movable: 0 };
  expect(await admin.call(previewCoachReplacement, { query: { ...asked, coachId: nora.id } })).toEqual(nobodyReplaced);
  const newcomer = await buildParticipant(server.db);
  expect(await admin.call(previewCoachReplacement, { query: { ...asked, userId: newcomer.id } })).toEqual(
    nobodyReplaced,
  );
});

test('before another role or a deletion the admin reads how many sessions would be cancelled', async () => {
  const { ana, nora } = await world();
  for (const { id } of [ana, nora]) {
    expect((await admin.call(readUser, { params: { id } })).sessionsToCome).toBe(3);
  }
  await server.db.updateTable('profiles').set({ requestedRole: 'admin' }).where('id', '=', nora.id).execute();
  const { rows } = await admin.call(listRoleRequests, { query: {} });
  expect(rows).toMatchObject([{ id: nora.id, sessionsToCome: 3 }]);
});

test('sessions move to the new coach at the same time where that coach is free, without the former link; the rest is cancelled', async () => {
  const given = await world();
  expect(await enrolWith(given, 'move')).toMatchObject({ sessions: { moved: 1, cancelled: 2 } });
  const { cory, nora, ana } = given;
  expect(await standOf(given)).toEqual([
    { coachId: cory.id, status: 'scheduled', teamsLink: null, agenda: 'Question 0' },
    { coachId: nora.id, status: 'cancelled', teamsLink: 'https://meet.example/nora', agenda: 'Question 1' },
    { coachId: nora.id, status: 'cancelled', teamsLink: 'https://meet.example/nora', agenda: 'Question 2' },
  ]);
  const own = await (await server.as(ana)).call(readBooking, { query: {} });
  expect(own.sessions).toMatchObject([{ coachName: 'Cory Coach', can: { move: true, cancel: true } }]);
  expect((await (await server.as(nora)).call(listCoachSessions)).upcoming).toEqual([]);
  const noted = await server.db
    .selectFrom('auditLog')
    .select(['action', 'before', 'after', 'reason'])
    .where('subjectId', 'in', given.ids)
    .orderBy('action')
    .execute();
  const cancelled = {
    action: 'session.cancel',
    before: { status: 'scheduled' },
    after: { status: 'cancelled' },
    reason: 'The participant has a new coach',
  };
  expect(noted).toEqual([
    cancelled,
    cancelled,
    { action: 'session.change_coach', before: { coachId: nora.id }, after: { coachId: cory.id }, reason: null },
  ]);
});

test('everybody is told: the participant of each session, either coach in one line; calendars follow', async () => {
  const given = await world();
  await enrolWith(given, 'move');
  await told();
  const at = (time: string) => `Wed 4 Feb, ${time} AM ET`;
  const reason = 'Reason: The participant has a new coach';
  expect(await linesOf(given.ana)).toEqual(
    expect.arrayContaining([
      { message: `Your session on ${at('10:00')} is now with Cory Coach.`, earlierCount: 0 },
      { message: `The session on ${at('10:30')} is cancelled. ${reason}`, earlierCount: 0 },
    ]),
  );
  expect(await linesOf(given.cory)).toContainEqual({
    message: `You now have the session on ${at('10:00')} with Ana Alvarez.`,
    earlierCount: 0,
  });
  const former = (await linesOf(given.nora)).filter(({ message }) => message.includes('session'));
  expect(former).toEqual([{ message: `The session on ${at('11:00')} is cancelled. ${reason}`, earlierCount: 2 }]);

  await decideDueNotices(server.app);
  const [movedId = ''] = given.ids;
  const readMails = () =>
    server.db
      .selectFrom('deliveries')
      .innerJoin('noticeEvents', 'noticeEvents.id', 'deliveries.eventId')
      .select(['recipientId', 'calendarMethod'])
      .where('noticeEvents.subjectId', '=', movedId)
      .execute();
  // The job of the full minute may be deciding them at this moment.
  await vi.waitFor(
    async () => {
      const mails = await readMails();
      expect(new Map(mails.map(({ recipientId, calendarMethod }) => [recipientId, calendarMethod]))).toEqual(
        new Map([
          [given.ana.id, 'REQUEST'],
          [given.cory.id, 'REQUEST'],
          [given.nora.id, 'CANCEL'],
        ]),
      );
    },
    { interval: 50 },
  );
});

test('the admin may cancel them all or keep them with the former coach; an admin who says nothing keeps them', async () => {
  const cancelled = await world();
  expect(await enrolWith(cancelled, 'cancel')).toMatchObject({ sessions: { moved: 0, cancelled: 3 } });
  expect((await standOf(cancelled)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  for (const choice of ['keep', undefined] as const) {
    const kept = await world();
    expect(await enrolWith(kept, choice)).toMatchObject({ sessions: { moved: 0, cancelled: 0 } });
    const stand = await standOf(kept);
    expect(stand.map(({ coachId, status }) => [coachId, status])).toEqual(Array(3).fill([kept.nora.id, 'scheduled']));
  }
});

test('sessions that began, that the coach holds with others, or of a coach who stays by another course are left alone', async () => {
  const given = await world();
  const { nora, ana } = given;
  const begun = await buildCoachingSession(server.db, {
    coachId: nora.id,
    participantId: ana.id,
    scheduledAt: '2026-02-02T16:45:00Z',
  });
  const foreign = await buildCoachingSession(server.db, {
    coachId: nora.id,
    participantId: (await buildParticipant(server.db)).id,
    scheduledAt: onWednesday(5),
  });
  await enrolWith(given, 'cancel');
  expect((await standOf({ ...given, ids: [begun.id, foreign.id] })).map(({ status }) => status)).toEqual([
    'scheduled',
    'scheduled',
  ]);

  const twice = await world();
  const second = (await buildCourse(server.db)).id;
  await server.db
    .insertInto('userCourses')
    .values({ userId: twice.ana.id, courseId: second, coachId: twice.nora.id })
    .execute();
  const query = { userId: twice.ana.id, cohortId: twice.cohort.id, coachId: twice.cory.id };
  expect(await admin.call(previewCoachReplacement, { query })).toMatchObject({ booked: 0, movable: 0 });
  expect(await enrolWith(twice, 'cancel')).toMatchObject({ sessions: { moved: 0, cancelled: 0 } });
});

test('what is booked or cancelled while the coach is replaced is neither lost nor doubled', async () => {
  for (let round = 0; round < 3; round += 1) {
    const given = await world();
    const { ana, nora, cory, ids } = given;
    const rival = await buildParticipant(server.db);
    await server.db.insertInto('userCourses').values({ userId: rival.id, courseId, coachId: cory.id }).execute();
    const byAna = await server.as(ana);
    const byRival = await server.as(rival);
    const book = (client: Client, coach: { id: string }, half: number) =>
      client.call(bookSession, { body: { coachId: coach.id, startsAt: onWednesday(half), agenda: null } });
    const [, second = '', third = ''] = ids;
    const answers = await Promise.allSettled([
      enrolWith(given, 'move'),
      book(byAna, nora, 3),
      book(byRival, cory, 0),
      byAna.call(withdrawSession, { params: { id: third } }),
      book(byAna, nora, 4),
      book(byRival, cory, 0),
      byAna.call(withdrawSession, { params: { id: second } }),
      book(byAna, cory, 0),
      book(byRival, cory, 1),
      enrolWith(given, 'move'),
    ]);
    const refusals = answers.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(refusals.filter((words) => !/ answered (403|409) /.test(words))).toEqual([]);
    const left = await server.db
      .selectFrom('coachingSessions')
      .select(['participantId', 'coachId', 'scheduledAt'])
      .where('status', '=', 'scheduled')
      .where('participantId', 'in', [ana.id, rival.id])
      .execute();
    expect(left.filter(({ participantId, coachId }) => participantId === ana.id && coachId === nora.id)).toEqual([]);
    const atTen = left.filter(({ scheduledAt }) => scheduledAt.toISOString() === onWednesday(0));
    expect(atTen).toHaveLength(1);
    expect(atTen).toMatchObject([{ coachId: cory.id }]);
  }
});

test('a former coach who is deleted is forgotten in what was told of the sessions that they gave away', async () => {
  const given = await world();
  const { ana, cohort, nora, cory } = given;
  const client = await server.as(ana);
  const body = { coachId: nora.id, startsAt: onWednesday(3), agenda: null };
  await buildAvailability(server.db, {
    coachId: cory.id,
    weekStartDate: '2026-02-01',
    dayOfWeek: 3,
    startTime: '11:30',
    endTime: '12:00',
  });
  await client.call(bookSession, { body });
  expect(JSON.stringify(await linesOf(ana))).toContain('Nora Coach');
  await admin.call(enrolInCohort, {
    body: { userId: ana.id, cohortId: cohort.id, coachId: cory.id, bookedSessions: 'move' },
  });
  await told();
  await admin.call(deleteUser, { params: { id: nora.id } });
  await jobsAreDone(server.db, 'cancel-sessions-of-person');
  for (const person of [ana, cory]) expect(JSON.stringify(await linesOf(person))).not.toContain('Nora Coach');
  expect(JSON.stringify(await linesOf(ana))).toContain('now with Cory Coach');
});

test('participants and coaches neither preview nor replace', async () => {
  const { ana, cohort, nora, cory } = await world();
  const query = { userId: ana.id, cohortId: cohort.id, coachId: cory.id };
  for (const person of [ana, nora]) {
    expect((await (await server.as(person)).refused(previewCoachReplacement, { query })).status).toBe(403);
  }
});
