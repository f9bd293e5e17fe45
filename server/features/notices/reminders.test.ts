import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { tellOfSession } from '#server/features/coaching/session-notices.ts';
import { now } from '#server/platform/clock.ts';
import { buildCoachingSession } from '#test/factories/coaching.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildWeeklyRequirement } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { mailsTo } from '#test/support/sign-in.ts';
import { decideDueNotices } from './notice-jobs.ts';
import { recordReminders } from './reminders.ts';

let server: TestApp;
let restoreClock = () => {};
beforeAll(async () => {
  server = await startTestApp({ PUBLIC_URL: 'https://switchyard.example' });
});
afterEach(() => restoreClock());
afterAll(() => server.close());

/** Does what the job does every five minutes, at an instant. */
async function remindAt(instant: string): Promise<void> {
  restoreClock();
  restoreClock = stopClockAt(instant);
  await recordReminders(server.db, now());
  await decideDueNotices(server.app);
}

async function memberOf(cohort: { id: string }, facts = {}) {
  const participant = await buildParticipant(server.db, facts);
  await enrol(server.db, { cohortId: cohort.id, participantId: participant.id });
  return participant;
}

async function mailCounts(...people: BuiltPerson[]): Promise<number[]> {
  const mails = await Promise.all(people.map(({ email }) => mailsTo(server.db, email)));
  return mails.map(({ length }) => length);
}

function noticesOf({ id }: BuiltPerson) {
  return server.db
    .selectFrom('notices')
    .select(['title', 'message', 'link'])
    .where('userId', '=', id)
    .orderBy('id')
    .execute();
}

describe('assignments', () => {
  test.each([
    // A usual day, the day of 23 hours and the day of 25 hours each end at midnight in US Eastern.
    ['2026-05-12', '2026-05-12T03:59:59Z', '2026-05-12T04:00:00Z', 'Tue 12 May'],
    ['2026-03-08', '2026-03-08T03:59:59Z', '2026-03-08T04:00:00Z', 'Sun 8 Mar'],
    ['2026-11-01', '2026-11-01T04:59:59Z', '2026-11-01T05:00:00Z', 'Sun 1 Nov'],
  ])('PREF-09 what is due on %s reminds 24 hours before that day ends, once', async (dueDate, before, at, day) => {
    const cohort = await buildCohort(server.db, { startDate: '2026-01-05' });
    const participant = await memberOf(cohort);
    const activity = await buildActivity(server.db, { cohortId: cohort.id });
    const assignment = await buildAssignment(server.db, {
      trainingActivityId: activity.id,
      dueDate,
      title: 'One-line',
    });
    await remindAt(before);
    expect(await mailCounts(participant)).toEqual([0]);
    for (const instant of [at, at, new Date(Date.parse(at) + 3_600_000).toISOString()]) await remindAt(instant);
    const [mail, ...others] = await mailsTo(server.db, participant.email);
    expect(others).toEqual([]);
    const message = `One-line is due on ${day}, by the end of the day (US Eastern).`;
    expect(mail).toMatchObject({ kind: 'assignment_reminder', subject: 'Due within 24 hours' });
    expect(mail?.textBody).toContain(message);
    expect(mail?.textBody).toContain(`https://switchyard.example/assignment/${assignment.id}`);
    expect(await noticesOf(participant)).toEqual([
      { title: 'Due within 24 hours', message, link: `/assignment/${assignment.id}` },
    ]);
  });

  test('PREF-09 reminds people who have not handed in or has to hand in again, of what they can open', async () => {
    const { db } = server;
    const cohort = await buildCohort(db, { startDate: '2026-01-05', unlockedWeeks: 5 });
    const [open, returned, submitted, approved, deleted, otherTrack] = [
      await memberOf(cohort),
      await memberOf(cohort),
      await memberOf(cohort),
      await memberOf(cohort),
      await memberOf(cohort),
      await memberOf(cohort, { trackType: 'adult_mobilization' }),
    ];
    const elsewhere = await memberOf(await buildCohort(db, { startDate: '2026-01-05' }));
    const left = await memberOf(cohort);
    await db
      .updateTable('cohortParticipants')
      .set({ status: 'withdrawn' })
      .where('participantId', '=', left.id)
      .execute();
    await db.updateTable('profiles').set({ deletedAt: new Date() }).where('id', '=', deleted.id).execute();
    const activity = await buildActivity(db, { cohortId: cohort.id });
    const locked = await buildActivity(db, { cohortId: cohort.id, weekNumber: 6, sessionDate: '2026-02-20' });
    const dueDate = '2026-02-10';
    const assignment = await buildAssignment(db, { trainingActivityId: activity.id, dueDate });
    await buildAssignment(db, { trainingActivityId: activity.id, dueDate, archivedAt: new Date() });
    await buildAssignment(db, { trainingActivityId: locked.id, dueDate });
    const reviewer = await buildCoach(db);
    const submissions = [
      [returned, 'needs_revision'],
      [submitted, 'submitted'],
      [approved, 'approved'],
    ] as const;
    for (const [person, status] of submissions) {
      await buildSubmission(db, { assignmentId: assignment.id, userId: person.id, status, reviewedBy: reviewer.id });
    }
    await remindAt('2026-02-10T12:00:00Z');
    expect(await mailCounts(open, returned)).toEqual([1, 1]);
    expect(await mailCounts(submitted, approved, deleted, otherTrack, elsewhere, left)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('the members of a cohort that is completed or cancelled are reminded of nothing any more', async () => {
    const dueDate = '2026-06-10';
    const people: BuiltPerson[] = [];
    for (const status of ['active', 'completed', 'cancelled']) {
      const cohort = await buildCohort(server.db, { startDate: '2026-01-05', status });
      const activity = await buildActivity(server.db, { cohortId: cohort.id });
      await buildAssignment(server.db, { trainingActivityId: activity.id, dueDate });
      await buildWeeklyRequirement(server.db, { cohortId: cohort.id, dueDate });
      people.push(await memberOf(cohort));
    }
    await remindAt('2026-06-10T12:00:00Z');
    expect(await mailCounts(...people)).toEqual([2, 0, 0]);
  });

  test('PREF-09 a due date that is moved reminds again before the new one; over is over', async () => {
    const cohort = await buildCohort(server.db, { startDate: '2026-01-05' });
    const participant = await memberOf(cohort);
    const activity = await buildActivity(server.db, { cohortId: cohort.id });
    const { id } = await buildAssignment(server.db, { trainingActivityId: activity.id, dueDate: '2026-02-10' });
    await remindAt('2026-02-10T12:00:00Z');
    await server.db.updateTable('contentAssignments').set({ dueDate: '2026-02-13' }).where('id', '=', id).execute();
    await remindAt('2026-02-10T13:00:00Z');
    expect(await mailCounts(participant)).toEqual([1]);
    await remindAt('2026-02-13T12:00:00Z');
    expect(await mailCounts(participant)).toEqual([2]);

    const late = await memberOf(cohort);
    await remindAt('2026-02-14T05:00:00Z');
    expect(await mailCounts(late)).toEqual([0]);
  });

  test('what is handed in between the recording and the decision reminds of nothing', async () => {
    const cohort = await buildCohort(server.db, { startDate: '2026-01-05' });
    const participant = await memberOf(cohort);
    const activity = await buildActivity(server.db, { cohortId: cohort.id });
    const assignment = await buildAssignment(server.db, { trainingActivityId: activity.id, dueDate: '2026-02-17' });
    restoreClock = stopClockAt('2026-02-17T12:00:00Z');
    await recordReminders(server.db, now());
    await buildSubmission(server.db, { assignmentId: assignment.id, userId: participant.id });
    await decideDueNotices(server.app);
    expect([await mailCounts(participant), await noticesOf(participant)]).toEqual([[0], []]);
    const events = await server.db
      .selectFrom('noticeEvents')
      .select('outcome')
      .where('userId', '=', participant.id)
      .execute();
    expect(events).toEqual([{ outcome: 'no_longer_needed' }]);
  });
});

test('weekly requirements remind the members of their cohort 24 hours before the day ends', async () => {
  const cohort = await buildCohort(server.db, { startDate: '2026-01-05' });
  const [member, stranger] = [
    await memberOf(cohort),
    await memberOf(await buildCohort(server.db, { startDate: '2026-01-05' })),
  ];
  await buildWeeklyRequirement(server.db, { cohortId: cohort.id, dueDate: '2026-03-20', title: 'Safety quiz' });
  await remindAt('2026-03-20T03:59:59Z');
  expect(await mailCounts(member)).toEqual([0]);
  await remindAt('2026-03-20T04:00:00Z');
  expect(await mailCounts(member, stranger)).toEqual([1, 0]);
  expect(await noticesOf(member)).toMatchObject([{ title: 'Deadline within 24 hours', link: '/training-calendar' }]);
});

describe('coaching sessions', () => {
  async function book(scheduledAt: string) {
    const coach = await buildCoach(server.db);
    const participant = await buildParticipant(server.db);
    const session = await buildCoachingSession(server.db, {
      coachId: coach.id,
      participantId: participant.id,
      scheduledAt,
    });
    return { coach, participant, session };
  }

  test('PREF-10 both sides are reminded 24 hours before the session, across the change of the clocks too', async () => {
    const { coach, participant } = await book('2026-03-08T18:00:00Z');
    await remindAt('2026-03-07T17:59:59Z');
    expect(await mailCounts(coach, participant)).toEqual([0, 0]);
    await remindAt('2026-03-07T18:00:00Z');
    await remindAt('2026-03-07T18:05:00Z');
    expect(await mailCounts(coach, participant)).toEqual([1, 1]);
    expect(await noticesOf(participant)).toEqual([
      {
        title: 'Coaching session within 24 hours',
        message: 'Your session with Casey Cole is on Sun 8 Mar, 2:00 PM ET.',
        link: '/dashboard',
      },
    ]);
    expect((await noticesOf(coach))[0]?.message).toBe('Your session with Robin Reyes is on Sun 8 Mar, 2:00 PM ET.');
  });

  test('PREF-10 a cancelled session reminds of nothing, a moved one before its new time', async () => {
    const cancelled = await book('2026-04-08T18:00:00Z');
    const moved = await book('2026-04-08T18:00:00Z');
    await server.db
      .updateTable('coachingSessions')
      .set({ status: 'cancelled' })
      .where('id', '=', cancelled.session.id)
      .execute();
    await remindAt('2026-04-07T19:00:00Z');
    await server.db
      .updateTable('coachingSessions')
      .set({ scheduledAt: new Date('2026-04-10T18:00:00Z') })
      .where('id', '=', moved.session.id)
      .execute();
    await remindAt('2026-04-08T19:00:00Z');
    expect(await mailCounts(cancelled.participant, moved.participant)).toEqual([0, 1]);
    await remindAt('2026-04-09T18:00:00Z');
    expect(await mailCounts(cancelled.coach, moved.coach, moved.participant)).toEqual([0, 2, 2]);
  });

  test('PREF-10 a person who was told of a session within its last 24 hours is not reminded at once, unless such news is switched off', async () => {
    restoreClock = stopClockAt('2026-05-04T18:00:00Z');
    const [late, early] = [await book('2026-05-05T12:00:00Z'), await book('2026-05-07T12:00:00Z')];
    await server.db
      .insertInto('notificationPreferences')
      .values({ userId: late.coach.id, coachMessages: false })
      .execute();
    for (const { session } of [late, early]) {
      await tellOfSession(server.db, session.id, { kind: 'booked', by: 'participant' });
    }
    await remindAt('2026-05-04T18:05:00Z');
    await remindAt('2026-05-04T18:10:00Z');
    const kinds = async ({ email }: BuiltPerson) => (await mailsTo(server.db, email)).map(({ kind }) => kind);
    expect(await kinds(late.participant)).toEqual(['coaching_session']);
    expect(await kinds(late.coach)).toEqual(['session_reminder']);
    expect(await kinds(early.participant)).toEqual(['coaching_session']);
    await remindAt('2026-05-06T12:00:00Z');
    expect((await kinds(early.participant)).sort()).toEqual(['coaching_session', 'session_reminder']);
  });
});
