import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { answerAttendanceCorrection, askForAttendanceCorrection } from '#contract/attendance-corrections.ts';
import { bookSession } from '#contract/booking.ts';
import { assignCoach } from '#contract/coach-assignment.ts';
import { sendMessage } from '#contract/messages.ts';
import {
  defaultPreferences,
  type NoticeCategory,
  noticeCategories,
  saveNotificationPreferences,
} from '#contract/notices.ts';
import { markStipendPaid } from '#contract/payments.ts';
import { reviewSubmission } from '#contract/reviews.ts';
import { setSecondApprover } from '#contract/stipend-cohorts.ts';
import { answerStipendQuestion, askAboutStipend } from '#contract/stipend-questions.ts';
import { approveStipend } from '#contract/stipends.ts';
import { submitAssignment } from '#contract/submissions.ts';
import { assignActivity } from '#contract/training-activities.ts';
import { processWeek } from '#server/features/stipends/stipends.ts';
import { buildAvailability } from '#test/factories/coaching.ts';
import { buildCohort, buildCourse, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildStipend } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { mailsTo } from '#test/support/sign-in.ts';
import { decideDueNotices } from './notice-jobs.ts';

let server: TestApp;
let restoreClock: () => void;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());
/** Wednesday of week 5 of the cohort, which starts on 8 September 2025. */
beforeEach(() => {
  restoreClock = stopClockAt('2025-10-08T14:00:00Z');
});
afterEach(() => restoreClock());

type Told = Record<'participant' | 'coach' | 'admin', string[]>;

type People = Record<keyof Told, BuiltPerson>;

/** Does one of each act that tells somebody, among these people. */
async function doAllActs(): Promise<People> {
  const { db } = server;
  const cohort = await buildCohort(db);
  const coach = await buildCoach(db);
  const participant = await buildParticipant(db);
  const admin = await buildAdmin(db);
  await enrol(db, { cohortId: cohort.id, participantId: participant.id });
  await db
    .insertInto('userCourses')
    .values({ userId: participant.id, courseId: (await buildCourse(db)).id })
    .execute();
  const [asCoach, asParticipant, asActingAdmin] = [
    await server.as(coach),
    await server.as(participant),
    await server.as(await buildAdmin(db)),
  ];
  const activity = await buildActivity(db, { cohortId: cohort.id, weekNumber: 5, sessionDate: '2025-10-07' });
  const assignment = await buildAssignment(db, { trainingActivityId: activity.id });
  await processWeek(db, 5, cohort.id);

  // This participant has no coach, so an admin answers.
  const other = await buildParticipant(db);
  await enrol(db, { cohortId: cohort.id, participantId: other.id });
  await (await server.as(other)).call(askForAttendanceCorrection, {
    params: { id: activity.id },
    body: { attended: true, reason: 'I was in the room.' },
  });
  await asActingAdmin.call(assignCoach, { body: { participantIds: [participant.id], coachId: coach.id } });
  await asActingAdmin.call(assignActivity, {
    params: { id: activity.id },
    body: { cohortId: cohort.id, coachId: coach.id },
  });

  const text = { clientKey: randomUUID(), text: 'Hello', fileId: null };
  await asCoach.call(sendMessage, { params: { id: participant.id }, body: text });
  await asParticipant.call(sendMessage, {
    params: { id: coach.id },
    body: { ...text, clientKey: randomUUID() },
  });
  await buildAvailability(db, {
    coachId: coach.id,
    weekStartDate: '2025-10-12',
    dayOfWeek: 3,
    startTime: '10:00',
    endTime: '11:00',
  });
  await asParticipant.call(bookSession, {
    body: { coachId: coach.id, startsAt: '2025-10-15T14:00:00Z', agenda: null },
  });

  const work = await asParticipant.call(submitAssignment, {
    params: { id: assignment.id },
    body: { text: 'Three breakers.', fileId: null, basedOnRound: null },
  });
  await asCoach.call(reviewSubmission, {
    params: { id: work.id },
    body: { status: 'accepted', feedback: 'Well seen.', roundNumber: 1 },
  });

  const correction = await asParticipant.call(askForAttendanceCorrection, {
    params: { id: activity.id },
    body: { attended: true, reason: 'I was in the room.' },
  });
  await asCoach.call(answerAttendanceCorrection, {
    params: { id: correction.id },
    body: { accepts: false, answer: 'Not on the list.' },
  });
  const question = await asParticipant.call(askAboutStipend, {
    body: { cohortId: cohort.id, weekNumber: 5, question: 'Why?' },
  });
  await asActingAdmin.call(answerStipendQuestion, {
    params: { id: question.id },
    body: { closes: false, answer: 'Because.' },
  });
  const stipend = await buildStipend(db, { fellowId: participant.id });
  const approved = await asActingAdmin.call(approveStipend, {
    params: { id: stipend.id },
    body: { version: stipend.version },
  });
  await asActingAdmin.call(markStipendPaid, {
    params: { id: stipend.id },
    body: { version: approved.version, reference: 'CHK 1' },
  });
  await asActingAdmin.call(setSecondApprover, { params: { id: cohort.id }, body: { isNeeded: true } });

  return { participant, coach, admin };
}

/** Decides the same acts anew for people who have switched off all categories but one, and returns their mails. */
async function mailsWith(kept: NoticeCategory, people: People): Promise<Told> {
  const { db } = server;
  const off = { assignmentReminders: false, deadlineAlerts: false, performanceFeedback: false };
  const body = { ...defaultPreferences, ...off, stipendUpdates: false, coachMessages: false, [kept]: true };
  for (const person of Object.values(people)) {
    await (await server.as(person)).call(saveNotificationPreferences, { body });
  }
  await db.deleteFrom('deliveries').execute();
  await db.updateTable('noticeEvents').set({ decidedAt: null, outcome: null }).execute();
  // By now a review cannot be taken back any more.
  const restore = stopClockAt('2025-10-08T14:02:00Z');
  await decideDueNotices(server.app);
  restore();
  return {
    participant: await kindsMailedTo(people.participant),
    coach: await kindsMailedTo(people.coach),
    admin: await kindsMailedTo(people.admin),
  };
}

async function kindsMailedTo({ email }: BuiltPerson): Promise<string[]> {
  return (await mailsTo(server.db, email)).map(({ kind }) => kind).sort();
}

/** What the page of preferences says of each switch, person by person. due-events.test.ts has the reminders. */
const told: Record<NoticeCategory, Told> = {
  assignmentReminders: { participant: [], coach: ['submission'], admin: [] },
  deadlineAlerts: { participant: [], coach: ['activity'], admin: [] },
  performanceFeedback: { participant: ['review'], coach: [], admin: [] },
  stipendUpdates: {
    participant: ['attendance_correction', 'stipend', 'stipend', 'stipend_question'],
    coach: ['attendance_correction'],
    admin: ['attendance_correction', 'second_approver'],
  },
  coachMessages: {
    participant: ['coach_assignment', 'coaching_session', 'message'],
    coach: ['coach_assignment', 'coaching_session', 'message'],
    admin: [],
  },
};

test('PREF-13 each category lets through just the kinds of notices that the preferences name for it', async () => {
  const people = await doAllActs();
  for (const category of noticeCategories) expect(await mailsWith(category, people)).toEqual(told[category]);
});
