import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readCoachDashboard } from '#contract/home.ts';
import { type Happened, listPersonHistory, readPerson } from '#contract/people.ts';
import { buildCoachingSession } from '#test/factories/coaching.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildAssignment } from '#test/factories/curriculum.ts';
import { buildGivenUpDelivery } from '#test/factories/deliveries.ts';
import { buildNotice } from '#test/factories/notices.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { attend, buildRating } from '#test/factories/stipends.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { buildCoachedWeek } from '#test/support/coached-week.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
let restoreClock: () => void;
const fifthWeek = { weekNumber: 5, payPeriod: 'week', firstDay: '2025-10-06' };

beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());
// It is Wednesday of week 5.
beforeEach(() => {
  restoreClock = stopClockAt('2025-10-08T16:00:00Z');
});
afterEach(() => restoreClock());

async function historyOf(client: Client, id: string, part?: 'learning' | 'coaching' | 'pay' | 'notices' | 'account') {
  const entries: { at: string; happened: Happened }[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await client.call(listPersonHistory, { params: { id }, query: { part, cursor } });
    entries.push(...page.rows);
    cursor = page.nextCursor;
  }
  return entries;
}

test('a coach reads of an own participant what the list says of them, and an admin reads the same', async () => {
  const { robin, asCoach, asAdmin, cohort, activity } = await buildCoachedWeek(server);
  await buildAssignment(server.db, { trainingActivityId: activity.id, dueDate: '2025-10-06' });
  const [row] = (await asCoach.call(readCoachDashboard)).participants;
  for (const client of [asCoach, asAdmin]) {
    const { person, standing } = await client.call(readPerson, { params: { id: robin.id } });
    expect(person).toMatchObject({ firstName: 'Robin', email: robin.email, coach: { firstName: 'Cleo' } });
    expect(standing).toMatchObject({
      cohort: { id: cohort.id, name: cohort.name },
      weekNumber: 5,
      progress: row?.progress,
      isStipendAtRisk: row?.isStipendAtRisk,
      missedActivities: row?.missedActivities,
      overdueAssignments: row?.overdueAssignments,
      submissionsToRevise: row?.submissionsToRevise,
      missedSessions: row?.missedSessions,
      isSilent: row?.isSilent,
      week: { weekNumber: 5, cohortId: cohort.id },
    });
    expect(standing).toMatchObject({ missedActivities: 1, overdueAssignments: 1 });
  }
});

test('a participant whom nobody coaches is read without missed sessions', async () => {
  const cohort = await buildCohort(server.db);
  const admin = await server.as(await buildAdmin(server.db));
  for (const firstName of ['Alma', 'Bela', 'Cora']) {
    const { id } = await buildParticipant(server.db, { firstName });
    await enrol(server.db, { cohortId: cohort.id, participantId: id });
    const { person, standing } = await admin.call(readPerson, { params: { id } });
    expect(person).toMatchObject({ id, firstName, coach: null });
    expect(standing).toMatchObject({ cohort: { id: cohort.id }, weekNumber: 5, missedSessions: 0 });
  }
});

test('an admin may manage the account and not write, a coach the other way round', async () => {
  const { robin, asCoach, asAdmin } = await buildCoachedWeek(server);
  const input = { params: { id: robin.id } };
  const seen = await asAdmin.call(readPerson, input);
  expect(seen.can).toEqual({ manage: true, message: false, readNotes: true });
  expect(seen.person.can).toMatchObject({ changeRole: true, delete: true, enrol: true });
  const coached = await asCoach.call(readPerson, input);
  expect(coached.can).toEqual({ manage: false, message: true, readNotes: true });
  expect(Object.values(coached.person.can)).toEqual([false, false, false, false]);
});

test('nobody but the own coach and admins reads a person, and a deleted person is not there', async () => {
  const { robin, coach, asOtherCoach, asCoach, asAdmin } = await buildCoachedWeek(server);
  const input = { params: { id: robin.id } };
  expect((await asOtherCoach.refused(readPerson, input)).status).toBe(404);
  expect((await asOtherCoach.refused(listPersonHistory, { ...input, query: {} })).status).toBe(404);
  expect((await asCoach.refused(readPerson, { params: { id: coach.id } })).status).toBe(404);
  expect((await asAdmin.call(readPerson, { params: { id: coach.id } })).standing).toBeNull();
  await server.db.updateTable('profiles').set({ deletedAt: new Date() }).where('id', '=', robin.id).execute();
  expect((await asAdmin.refused(readPerson, input)).status).toBe(404);
});

test('a person is read in ten statements with the session, the history in three', async () => {
  const { robin, asAdmin } = await buildCoachedWeek(server);
  const params = { id: robin.id };
  const count = (read: () => Promise<unknown>) => countStatements(server.app.pool, read);
  expect(await count(() => asAdmin.call(readPerson, { params }))).toBeLessThanOrEqual(9);
  expect(await count(() => asAdmin.call(listPersonHistory, { params, query: {} }))).toBe(3);
});

test('the history tells what is on record, latest first, and each part its own', async () => {
  const { robin, coach, cohort, activity, admin, asCoach } = await buildCoachedWeek(server);
  const { db } = server;
  await attend(db, robin.id, [activity]);
  const assignment = await buildAssignment(db, { trainingActivityId: activity.id, title: 'Read a meter' });
  await buildSubmission(db, {
    assignmentId: assignment.id,
    userId: robin.id,
    status: 'needs_revision',
    reviewedBy: coach.id,
    submittedAt: new Date('2025-10-07T20:00:00Z'),
  });
  await buildRating(db, {
    fellowId: robin.id,
    cohortId: cohort.id,
    weekNumber: 5,
    overallRating: 4.5,
    ratedBy: coach.id,
  });
  const sides = { coachId: coach.id, participantId: robin.id };
  await buildCoachingSession(db, { ...sides, scheduledAt: '2025-10-06T15:00:00Z', status: 'completed' });
  await buildCoachingSession(db, { ...sides, scheduledAt: '2025-10-20T15:00:00Z' });
  const event = await db
    .insertInto('noticeEvents')
    .values({ userId: robin.id, kind: 'review', eventKey: `told ${robin.id}` })
    .returning('id')
    .executeTakeFirstOrThrow();
  await buildNotice(db, { userId: robin.id, eventId: event.id, title: 'Your work was reviewed' });
  await buildGivenUpDelivery(db, { eventId: event.id, recipientId: robin.id });

  const kinds = async (part: Parameters<typeof historyOf>[2]) =>
    (await historyOf(asCoach, robin.id, part)).map(({ happened }) => happened);
  expect(await kinds('learning')).toContainEqual({
    kind: 'attended',
    activity: { id: activity.id, title: activity.title },
    recordedBy: null,
  });
  expect(await kinds('learning')).toContainEqual(
    expect.objectContaining({ kind: 'reviewed', status: 'needs_revision', reviewedBy: 'Cleo Coach' }),
  );
  expect(await kinds('learning')).toContainEqual(
    expect.objectContaining({ kind: 'handed_in', round: 1, assignment: { id: assignment.id, title: 'Read a meter' } }),
  );
  expect(await kinds('coaching')).toEqual(
    expect.arrayContaining([
      { kind: 'rated', ...fifthWeek, rating: 4.5, ratedBy: 'Cleo Coach' },
      { kind: 'session', status: 'completed', coach: 'Cleo Coach' },
    ]),
  );
  expect((await kinds('coaching')).length).toBe(2);
  expect(await kinds('notices')).toEqual([
    { kind: 'notice', title: 'Your work was reviewed', readAt: null, isBounced: true },
  ]);
  expect((await kinds('account')).map(({ kind }) => kind).toSorted()).toEqual(['account_made', 'joined']);
  const all = await historyOf(await server.as(admin), robin.id);
  expect(all.map(({ at }) => at)).toEqual(
    all
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  );
  expect(all.length).toBe(8);
});

test('the history of pay has decisions, changed amounts and payments, as the person sees them', async () => {
  const { robin, admin, asCoach, stipend } = await buildCoachedWeek(server);
  const { id } = await stipend();
  const decide = (changes: object) =>
    server.db.updateTable('stipendEligibility').set(changes).where('id', '=', id).execute();
  await decide({ paymentStatus: 'denied', approvedBy: admin.id, approvedAt: new Date(), denialReason: 'Was away' });
  expect((await historyOf(asCoach, robin.id, 'pay')).map(({ happened }) => happened)).toEqual([
    { kind: 'denied', ...fifthWeek, reason: 'Was away' },
  ]);
});

test('a long history is read page by page, each line once', async () => {
  const coach = await buildCoach(server.db);
  const person = await buildParticipant(server.db);
  const at = new Date('2025-10-01T12:00:00Z');
  for (let number = 0; number < 65; number += 1) {
    await buildNotice(server.db, { userId: person.id, title: `Told ${number}`, createdAt: at });
  }
  const asAdmin = await server.as(await buildAdmin(server.db));
  const lines = await historyOf(asAdmin, person.id, 'notices');
  const titles = lines.map(({ happened }) => (happened.kind === 'notice' ? happened.title : ''));
  expect(new Set(titles).size).toBe(65);
  expect(titles.length).toBe(65);
  expect(
    (await (await server.as(coach)).refused(listPersonHistory, { params: { id: person.id }, query: {} })).status,
  ).toBe(404);
});
