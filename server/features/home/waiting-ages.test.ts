import { afterAll, beforeAll, expect, test } from 'vitest';
import { listAttendanceCorrections } from '#contract/attendance-corrections.ts';
import { readWaitingAges } from '#contract/programme-figures.ts';
import { listStipendQuestions } from '#contract/stipend-questions.ts';
import { listStipends } from '#contract/stipends.ts';
import { listSubmissions } from '#contract/submissions.ts';
import { waitingAges } from '#contract/waiting-age.ts';
import type { Db } from '#server/db/database.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { badlyRated, buildStipend, buildSubmission } from '#test/factories/stipends.ts';
import { type Client, startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';
import { countStatements } from '#test/support/statements.ts';

let server: TestApp;
let restore: () => void;
const now = '2025-10-15T16:00:00.000Z';
beforeAll(async () => {
  server = await startTestApp();
  restore = stopClockAt(now);
});
afterAll(async () => {
  restore();
  await server.close();
});

/** Hours before now, on both sides of each bound. */
const hours = {
  underOneDay: [0, 23.99],
  underThreeDays: [24, 71.99],
  underSevenDays: [72, 167.99],
  fromSevenDays: [168, 900],
};
const ago = (hoursAgo: number) => new Date(Date.parse(now) - hoursAgo * 3_600_000).toISOString();
const everyAge = Object.values(hours).flat();

async function askAll(db: Db) {
  const cohort = await buildCohort(db);
  const person = await buildParticipant(db);
  await enrol(db, { cohortId: cohort.id, participantId: person.id });
  const gone = await buildParticipant(db);
  await db.updateTable('profiles').set({ deletedAt: now }).where('id', '=', gone.id).execute();
  for (const [index, hour] of everyAge.entries()) {
    const { id: assignmentId } = await buildAssignment(db);
    await buildSubmission(db, { assignmentId, userId: person.id, submittedAt: ago(hour) });
    const question = { cohortId: cohort.id, question: 'Why?', facts: ['Week'], askedAt: ago(hour) };
    await db
      .insertInto('stipendQuestions')
      .values([
        { ...question, participantId: person.id, weekNumber: index + 1 },
        { ...question, participantId: gone.id, weekNumber: index + 1 },
      ])
      .execute();
    const activity = await buildActivity(db, { cohortId: cohort.id });
    await db
      .insertInto('attendanceCorrections')
      .values({
        participantId: person.id,
        cohortId: cohort.id,
        weekNumber: 1,
        activityId: activity.id,
        attended: true,
        reason: 'I was there.',
        askedAt: ago(hour),
      })
      .execute();
  }
  const { id: assignmentId } = await buildAssignment(db);
  await buildSubmission(db, { assignmentId, userId: person.id, status: 'accepted', submittedAt: ago(1) });
  return { cohort, person };
}

async function listed(client: Client, age: (typeof waitingAges)[number]) {
  const [reviews, questions, corrections] = [
    await client.call(listSubmissions, { query: { view: 'pending', age } }),
    await client.call(listStipendQuestions, { query: { state: 'open', age } }),
    await client.call(listAttendanceCorrections, { query: { state: 'open', age } }),
  ];
  return [reviews.rows.length, questions.rows.length, corrections.rows.length];
}

test('what waits is counted by its age, and each list shows what its figure counts', async () => {
  const { db } = server;
  const { cohort, person } = await askAll(db);
  // Week 5 was over at the end of Friday, 10 October. Week 4 was over a week before it, and week 6 still runs.
  for (const weekNumber of [4, 5, 6]) {
    await buildStipend(db, { cohortId: cohort.id, fellowId: person.id, weekNumber });
  }
  const another = await buildParticipant(db);
  await buildStipend(db, { cohortId: cohort.id, fellowId: another.id, weekNumber: 4 });
  await buildStipend(db, { cohortId: cohort.id, fellowId: another.id, weekNumber: 5, ...badlyRated });
  const admin = await server.as(await buildAdmin(db));
  const found = await admin.call(readWaitingAges);
  const twoEach = { underOneDay: 2, underThreeDays: 2, underSevenDays: 2, fromSevenDays: 2 };
  expect(found).toMatchObject({ reviews: twoEach, questions: twoEach, corrections: twoEach });
  expect(found.stipends).toEqual({ underOneDay: 1, underThreeDays: 0, underSevenDays: 1, fromSevenDays: 2 });
  const week = { cohortId: cohort.id, cohortName: cohort.name };
  expect(found.stipendWeeks).toEqual([
    { ...week, weekNumber: 4, age: 'fromSevenDays', count: 2 },
    { ...week, weekNumber: 5, age: 'underSevenDays', count: 1 },
    { ...week, weekNumber: 6, age: 'underOneDay', count: 1 },
  ]);
  for (const { weekNumber, count } of found.stipendWeeks) {
    const query = { week: weekNumber, cohort: cohort.id, status: 'pending', eligibility: 'eligible' } as const;
    expect((await admin.call(listStipends, { query })).matching).toBe(count);
  }
  for (const age of waitingAges) expect([age, await listed(admin, age)]).toEqual([age, [2, 2, 2]]);
});

test('only admins read it, in two statements beside the one that asks who they are', async () => {
  const admin = await server.as(await buildAdmin(server.db));
  expect(await countStatements(server.app.pool, () => admin.call(readWaitingAges))).toBe(3);
  for (const person of [await buildCoach(server.db), await buildParticipant(server.db)]) {
    expect((await (await server.as(person)).refused(readWaitingAges)).status).toBe(403);
  }
});
