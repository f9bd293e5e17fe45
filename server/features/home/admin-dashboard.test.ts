import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAdminDashboard } from '#contract/home.ts';
import { houseZone } from '#contract/house-zone.ts';
import { addDays, dayAt } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { buildCohort, buildCourse, enrol } from '#test/factories/cohorts.ts';
import { type BuiltPerson, buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import { judgedWeek } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';

let server: TestApp;
let admin: BuiltPerson;

beforeAll(async () => {
  server = await startTestApp();
  admin = await buildAdmin(server.db);
});
afterAll(() => server.close());

test('ADMIN-02 ADMIN-03 ADMIN-04 ADMIN-05 ADMIN-06 ADMIN-07 ADMIN-08 DATA-25 counts the programme in one answer', async () => {
  const { db } = server;
  const active = await buildCohort(db);
  await buildCohort(db, { status: 'planning' });
  await buildCohort(db, { status: 'planning' });
  await buildCohort(db, { status: 'completed' });
  const coach = await buildCoach(db);
  const [one, two, three] = [
    await buildParticipant(db),
    await buildParticipant(db, { trackType: 'self_learner' }),
    await buildParticipant(db, { trackType: null }),
  ];
  await enrol(db, { cohortId: active.id, participantId: one.id, coachId: coach.id });
  await enrol(db, { cohortId: active.id, participantId: two.id });
  await enrol(db, { cohortId: active.id, participantId: three.id });
  await db
    .updateTable('cohortParticipants')
    .set({ status: 'withdrawn', endedAt: '2025-10-15T12:00:00Z' })
    .where('participantId', '=', three.id)
    .execute();
  const course = await buildCourse(db);
  await db.insertInto('userCourses').values({ userId: two.id, courseId: course.id }).execute();
  await db.updateTable('profiles').set({ requestedRole: 'coach' }).where('id', '=', three.id).execute();

  const now = '2025-10-20T12:00:00Z';
  const sevenDaysAgo = '2025-10-13T12:00:00Z';
  const before = '2025-10-13T11:59:59Z';
  await db.updateTable('profiles').set({ createdAt: before }).execute();
  await db.updateTable('profiles').set({ createdAt: sevenDaysAgo }).where('id', 'in', [one.id, two.id]).execute();
  const joined = db.updateTable('cohortParticipants').set({ enrolledAt: sevenDaysAgo });
  await joined.where('participantId', 'in', [one.id, two.id]).execute();
  await submit(db, one, { submittedAt: sevenDaysAgo });
  await submit(db, one, { submittedAt: before });
  await submit(db, two, { submittedAt: before, reviewedBy: coach.id });
  await uploaded(db, { failedRecords: 2, completedAt: sevenDaysAgo });
  await uploaded(db, { failedRecords: 0, completedAt: sevenDaysAgo });
  await uploaded(db, { failedRecords: 1, completedAt: before });
  await uploaded(db, { failedRecords: 2, completedAt: sevenDaysAgo, undoneAt: sevenDaysAgo, undoneBy: admin.id });
  await owed(db, { fellowId: one.id, cohortId: active.id, weekNumber: 1, isEligible: true });
  await owed(db, { fellowId: one.id, cohortId: active.id, weekNumber: 2, isEligible: false });
  await db
    .insertInto('profiles')
    .values({
      id: active.id,
      email: 'gone@people.example',
      firstName: 'Deleted',
      lastName: 'user',
      deletedAt: sevenDaysAgo,
      createdAt: before,
    })
    .execute();

  const client = await server.as(admin);
  const restart = stopClockAt(now);
  const dashboard = await client.call(readAdminDashboard).finally(restart);

  expect(dashboard).toEqual({
    statistics: { totalUsers: 5, totalCohorts: 1, totalEnrollments: 2, pendingSubmissions: 2 },
    changes: { users: 1, cohorts: 0, enrollments: 1 },
    recentActivity: { newUsersThisWeek: 2, submissionsThisWeek: 1 },
    cohortStats: { active: 1, planning: 2 },
    usersByRole: [
      { role: 'participant', count: 3 },
      { role: 'coach', count: 1 },
      { role: 'admin', count: 1 },
    ],
    participantsByTrack: [
      { trackType: 'fellowship', count: 1 },
      { trackType: 'adult_mobilization', count: 0 },
      { trackType: 'self_learner', count: 1 },
      { trackType: null, count: 1 },
    ],
    queues: {
      roleRequests: 1,
      participantsWithoutCoach: 1,
      failedImports: 1,
      stipendsToApprove: 1,
      oldestStipends: { weekNumber: 1, cohortId: active.id, cohortName: active.name, weeks: 1 },
      stipendQuestions: 0,
      deliveriesGivenUp: 0,
    },
    notLoaded: [],
  });
});

test('a cohort that began in the last 7 days is one more, one whose last day is past one less', async () => {
  const { db } = server;
  const client = await server.as(admin);
  const before = await client.call(readAdminDashboard);
  const today = dayAt(new Date(), houseZone);
  await buildCohort(db, { startDate: today, endDate: addDays(today, 100) });
  await buildCohort(db, { startDate: addDays(today, -6), endDate: addDays(today, 100) });
  await buildCohort(db, { startDate: addDays(today, -7), endDate: addDays(today, 100) });
  await buildCohort(db, { startDate: addDays(today, -100), endDate: addDays(today, -1), status: 'completed' });
  const { changes } = await client.call(readAdminDashboard);
  expect(changes.cohorts - before.changes.cohorts).toBe(1);
});

test('ADMIN-20 of what cannot be read the figures are zeros that are named as not loaded; the others stand', async () => {
  const { db } = server;
  const client = await server.as(admin);
  const whole = await client.call(readAdminDashboard);
  await sql`alter table content_submissions rename to submissions_elsewhere`.execute(db);
  await sql`alter table deliveries rename to deliveries_elsewhere`.execute(db);
  const partial = await client.call(readAdminDashboard);
  await sql`alter table submissions_elsewhere rename to content_submissions`.execute(db);
  await sql`alter table deliveries_elsewhere rename to deliveries`.execute(db);
  expect(partial.notLoaded.toSorted()).toEqual(['queues', 'submissions']);
  expect(partial.statistics).toEqual({ ...whole.statistics, pendingSubmissions: 0 });
  expect(partial.statistics.totalUsers).toBeGreaterThan(0);
  expect((await client.call(readAdminDashboard)).notLoaded).toEqual([]);
});

test('only an admin reads the admin dashboard', async () => {
  for (const person of [await buildParticipant(server.db), await buildCoach(server.db)]) {
    const client = await server.as(person);
    expect(await client.refused(readAdminDashboard)).toMatchObject({ status: 403 });
  }
  expect(await (await server.as(null)).refused(readAdminDashboard)).toMatchObject({ status: 401 });
});

async function submit(db: Db, user: BuiltPerson, facts: { submittedAt: string; reviewedBy?: string }) {
  const activity = await db
    .insertInto('trainingActivities')
    .values({ title: 'Reading a one-line diagram', weekNumber: 1 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const item = await db
    .insertInto('contentItems')
    .values({ trainingActivityId: activity.id, title: 'Symbols' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const assignment = await db
    .insertInto('contentAssignments')
    .values({ contentItemId: item.id, title: 'Draw one', instructions: 'By hand.' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { submittedAt, reviewedBy } = facts;
  await db
    .insertInto('contentSubmissions')
    .values({
      assignmentId: assignment.id,
      userId: user.id,
      submissionText: 'Drawn.',
      submittedAt,
      ...(reviewedBy ? { status: 'accepted', reviewedBy, reviewedAt: submittedAt } : {}),
    })
    .execute();
}

async function uploaded(
  db: Db,
  facts: { failedRecords: number; completedAt: string; undoneAt?: string; undoneBy?: string },
) {
  await db
    .insertInto('bulkImports')
    .values({ filename: 'people.csv', status: 'completed', totalRecords: 3, createdBy: admin.id, ...facts })
    .execute();
}

async function owed(db: Db, facts: { fellowId: string; cohortId: string; weekNumber: number; isEligible: boolean }) {
  const { isEligible, ...row } = facts;
  await db
    .insertInto('stipendEligibility')
    .values({
      ...row,
      ...judgedWeek({ activitiesAccessed: isEligible ? 5 : 0 }),
    })
    .execute();
}

test('the queue of questions counts what waits for this admin, not what they asked themself', async () => {
  const { db } = server;
  const client = await server.as(admin);
  const queued = async () => (await client.call(readAdminDashboard)).queues.stipendQuestions;
  const before = await queued();
  const cohort = await buildCohort(db);
  const ask = (participantId: string) =>
    db
      .insertInto('stipendQuestions')
      .values({ participantId, cohortId: cohort.id, weekNumber: 1, question: 'Why?', facts: [] })
      .execute();
  await ask((await buildParticipant(db)).id);
  await ask(admin.id);
  expect(await queued()).toBe(before + 1);
});
