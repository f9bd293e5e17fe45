import { afterAll, beforeAll, expect, test } from 'vitest';
import { listCoachSessions } from '#contract/coach-sessions.ts';
import { readCoachDashboard } from '#contract/home.ts';
import { readPerson } from '#contract/people.ts';
import { listSubmissions } from '#contract/submissions.ts';
import { buildCoachingSession } from '#test/factories/coaching.ts';
import { assignCoach } from '#test/factories/cohorts.ts';
import { buildAssignment } from '#test/factories/curriculum.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildSubmission } from '#test/factories/submissions.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

/** Work and a past session of people: the coach's own one, a former one, another coach's, and one who was deleted. */
async function coachAndPeople() {
  const { db } = server;
  const coach = await buildCoach(db);
  const own = await buildParticipant(db);
  const former = await buildParticipant(db);
  const others = await buildParticipant(db);
  const deleted = await buildParticipant(db);
  for (const { id } of [own, former, deleted]) await assignCoach(db, { participantId: id, coachId: coach.id });
  await assignCoach(db, { participantId: others.id, coachId: (await buildCoach(db)).id });
  await db.updateTable('userCourses').set({ status: 'completed' }).where('userId', '=', former.id).execute();
  const { id: assignmentId } = await buildAssignment(db);
  const people = [own, former, others, deleted];
  for (const [place, { id }] of people.entries()) {
    await buildSubmission(db, { assignmentId, userId: id });
    const scheduledAt = `2025-10-0${place + 1}T15:00:00Z`;
    await buildCoachingSession(db, { coachId: coach.id, participantId: id, scheduledAt, status: 'completed' });
  }
  await db.updateTable('profiles').set({ deletedAt: new Date() }).where('id', '=', deleted.id).execute();
  return { coach, own, people, assignmentId };
}

test('a name leads to the page of a person exactly where that opens, in submissions, sessions and reviews', async () => {
  const { coach, own, people, assignmentId } = await coachAndPeople();
  const [byCoach, byAdmin] = [await server.as(coach), await server.as(await buildAdmin(server.db))];
  const opens = async (client: typeof byCoach, { id }: BuiltPerson) =>
    (await client.fetch(readPerson.path.replace(':id', id))).status === 200;
  for (const client of [byCoach, byAdmin]) {
    const { rows } = await client.call(listSubmissions, { query: { assignment: assignmentId } });
    expect(rows).toHaveLength(people.length);
    for (const person of people) {
      const row = rows.find(({ participantId }) => participantId === person.id);
      expect(row?.can.openPerson, person.email).toBe(await opens(client, person));
    }
  }
  const { past } = await byCoach.call(listCoachSessions);
  expect(past).toHaveLength(people.length);
  for (const person of people) {
    const session = past.find(({ participantId }) => participantId === person.id);
    expect(session?.can.openPerson, person.email).toBe(await opens(byCoach, person));
  }
  const { pendingEvaluations } = await byCoach.call(readCoachDashboard);
  expect(pendingEvaluations).toMatchObject([{ participantId: own.id, can: { openPerson: true } }]);
  const byOwn = await server.as(own);
  const { rows } = await byOwn.call(listSubmissions, { query: {} });
  expect(rows).toMatchObject([{ can: { openPerson: false } }]);
});
