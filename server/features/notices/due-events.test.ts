import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { markConversationRead, sendMessage } from '#contract/messages.ts';
import {
  defaultPreferences,
  type NoticeCategory,
  type NotificationPreferences,
  noticeCategories,
  saveNotificationPreferences,
} from '#contract/notices.ts';
import { notify } from '#server/platform/notices.ts';
import { buildCoachingSession } from '#test/factories/coaching.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment, buildWeeklyRequirement } from '#test/factories/curriculum.ts';
import { buildPair } from '#test/factories/messages.ts';
import { type BuiltPerson, buildParticipant } from '#test/factories/people.ts';
import { openTestApp, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { mailsTo, waitForMails } from '#test/support/sign-in.ts';
import { decideDueNotices } from './notice-jobs.ts';
import { recordReminders } from './reminders.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

function noticeFor(userId: string, preference: NoticeCategory) {
  const link = '/dashboard';
  return { userId, kind: 'note', title: preference, message: 'Text', link, preference, eventKey: randomUUID() };
}

async function choose(person: BuiltPerson, chosen: Partial<NotificationPreferences>): Promise<void> {
  const body = { ...defaultPreferences, ...chosen };
  await (await server.as(person)).call(saveNotificationPreferences, { body });
}

async function subjectsTo({ email }: BuiltPerson): Promise<string[]> {
  return (await mailsTo(server.db, email)).map(({ subject }) => subject).sort();
}

async function outcomesOf({ id }: BuiltPerson): Promise<(string | null)[]> {
  const events = await server.db.selectFrom('noticeEvents').select('outcome').where('userId', '=', id).execute();
  return events.map(({ outcome }) => outcome);
}

test('PREF-13 of each category nothing is mailed to people who switched it off, and all others are', async () => {
  for (const category of noticeCategories) {
    const person = await buildParticipant(server.db);
    await choose(person, { [category]: false });
    await notify(
      server.db,
      noticeCategories.map((preference) => noticeFor(person.id, preference)),
    );
    await decideDueNotices(server.app);
    expect(await subjectsTo(person)).toEqual(noticeCategories.filter((kept) => kept !== category).toSorted());
  }
});

test('PREF-13 reminders come on no channel and in no category that is switched off', async () => {
  const { db } = server;
  const cohort = await buildCohort(db, { startDate: '2026-01-05' });
  const coach = (await buildPair(db)).coach;
  const activity = await buildActivity(db, { cohortId: cohort.id });
  await buildAssignment(db, { trainingActivityId: activity.id, dueDate: '2026-02-10' });
  await buildWeeklyRequirement(db, { cohortId: cohort.id, dueDate: '2026-02-10' });
  const member = async (chosen: Partial<NotificationPreferences> | null, hour: number) => {
    const person = await buildParticipant(db);
    await enrol(db, { cohortId: cohort.id, participantId: person.id });
    const scheduledAt = `2026-02-10T${hour}:00:00Z`;
    await buildCoachingSession(db, { coachId: coach.id, participantId: person.id, scheduledAt });
    if (chosen) await choose(person, chosen);
    return person;
  };
  const people = [
    await member(null, 14),
    await member({ emailEnabled: false }, 15),
    await member({ assignmentReminders: false }, 16),
    await member({ deadlineAlerts: false }, 17),
    await member({ assignmentReminders: false, deadlineAlerts: false }, 18),
  ];
  const restoreClock = stopClockAt('2026-02-10T12:00:00Z');
  await recordReminders(db, new Date('2026-02-10T12:00:00Z'));
  await decideDueNotices(server.app);
  restoreClock();
  const session = 'Coaching session within 24 hours';
  const requirement = 'Deadline within 24 hours';
  const assignment = 'Due within 24 hours';
  const all = [session, requirement, assignment];
  const alerts = [session, requirement];
  expect(await Promise.all(people.map(subjectsTo))).toEqual([all, [], alerts, [assignment], []]);
  const listed = await Promise.all(
    people.map(async ({ id }) => {
      const rows = await db.selectFrom('notices').select('title').where('userId', '=', id).execute();
      return rows.map(({ title }) => title).sort();
    }),
  );
  expect(listed).toEqual([all, all, alerts, [assignment], []]);
});

test('the same event is told and mailed once, also when two processes decide at the same moment', async () => {
  const second = await openTestApp(server.connectionString, {});
  const people = await Promise.all(Array.from({ length: 25 }, () => buildParticipant(server.db)));
  const notices = people.map(({ id }) => noticeFor(id, 'stipendUpdates'));
  await notify(server.db, notices);
  await notify(server.db, notices);
  await Promise.all([server, second, server, second].map(({ app }) => decideDueNotices(app)));
  const mails = await Promise.all(people.map(subjectsTo));
  expect(mails.flat()).toHaveLength(25);
  expect(mails.every(({ length }) => length === 1)).toBe(true);
  const listed = await server.db
    .selectFrom('notices')
    .select('userId')
    .where(
      'userId',
      'in',
      people.map(({ id }) => id),
    )
    .execute();
  expect(listed).toHaveLength(25);
  await second.close();
});

test('more events than one batch takes are all decided', async () => {
  const person = await buildParticipant(server.db);
  await notify(
    server.db,
    Array.from({ length: 401 }, () => noticeFor(person.id, 'stipendUpdates')),
  );
  await decideDueNotices(server.app);
  expect(await subjectsTo(person)).toHaveLength(401);
  expect(new Set(await outcomesOf(person))).toEqual(new Set(['sent']));
});

test('what an act that fails wanted to tell is never told; nor is anybody who was deleted', async () => {
  const [robin, gone, deletedLater] = [
    await buildParticipant(server.db),
    await buildParticipant(server.db),
    await buildParticipant(server.db),
  ];
  const remove = (id: string) =>
    server.db.updateTable('profiles').set({ deletedAt: new Date() }).where('id', '=', id).execute();
  const failing = server.db.transaction().execute(async (transaction) => {
    await notify(transaction, [noticeFor(robin.id, 'stipendUpdates')]);
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  await remove(gone.id);
  await notify(server.db, [noticeFor(gone.id, 'stipendUpdates'), noticeFor(deletedLater.id, 'stipendUpdates')]);
  await remove(deletedLater.id);
  await decideDueNotices(server.app);
  for (const person of [robin, gone, deletedLater]) expect(await subjectsTo(person)).toEqual([]);
  expect([await outcomesOf(robin), await outcomesOf(gone), await outcomesOf(deletedLater)]).toEqual([
    [],
    [],
    ['person_deleted'],
  ]);
});

test('a message that was read before the decision is not mailed', async () => {
  const { coach, participant } = await buildPair(server.db);
  const body = { clientKey: randomUUID(), text: 'Look here', fileId: null };
  const sent = await (await server.as(coach)).call(sendMessage, { params: { id: participant.id }, body });
  const seen = { params: { id: coach.id }, body: { upToId: sent.id } };
  await (await server.as(participant)).call(markConversationRead, seen);
  await decideDueNotices(server.app);
  expect([await subjectsTo(participant), await outcomesOf(participant)]).toEqual([[], ['no_longer_needed']]);
});

test('PREF-11 a message is mailed as soon as it is sent, by a running server', async () => {
  const running = await startTestApp();
  await running.runJobs();
  const { coach, participant } = await buildPair(running.db);
  const body = { clientKey: randomUUID(), text: 'Bring your gloves.', fileId: null };
  await (await running.as(coach)).call(sendMessage, { params: { id: participant.id }, body });
  await waitForMails(running.db, participant.email, 1);
  const [mail] = await mailsTo(running.db, participant.email);
  expect(mail).toMatchObject({ kind: 'message', subject: 'New Message' });
  expect(mail?.textBody).toContain('Casey Cole: Bring your gloves.');
  await running.close();
});
