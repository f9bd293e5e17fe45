import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readCoachDashboard } from '#contract/home.ts';
import { processWeek } from '#server/features/stipends/stipends.ts';
import { assignCoach, buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity, buildAssignment } from '#test/factories/curriculum.ts';
import { buildCoach, buildParticipant } from '#test/factories/people.ts';
import { buildWeekActivities } from '#test/factories/stipends.ts';
import { startTestApp, type TestApp } from '#test/support/app.ts';
import { stopClockAt } from '#test/support/clock.ts';

let server: TestApp;
let restoreClock: () => void;

beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());
// It is Wednesday of week 5.
beforeEach(() => {
  restoreClock = stopClockAt('2025-10-08T16:00:00Z');
});
afterEach(() => restoreClock());

const bothWays = [
  { name: 'before the week is worked out', isWorkedOut: false },
  { name: 'as the week was judged', isWorkedOut: true },
];

/** Builds a fellow in week 5 of a cohort. Returns what their coach's list says of them, once the week is worked out too. */
async function coached(isWorkedOut: boolean, facts: { enrolledAt?: string } = {}) {
  const coach = await buildCoach(server.db);
  const fellow = await buildParticipant(server.db);
  const cohort = await buildCohort(server.db);
  await enrol(server.db, { cohortId: cohort.id, participantId: fellow.id });
  await assignCoach(server.db, { participantId: fellow.id, coachId: coach.id });
  if (facts.enrolledAt) {
    await server.db
      .updateTable('cohortParticipants')
      .set({ enrolledAt: facts.enrolledAt })
      .where('participantId', '=', fellow.id)
      .execute();
  }
  const asCoach = await server.as(coach);
  const attention = async () => {
    if (isWorkedOut) await processWeek(server.db, 5, cohort.id);
    const [row] = (await asCoach.call(readCoachDashboard)).participants;
    return { isStipendAtRisk: row?.isStipendAtRisk, overdueAssignments: row?.overdueAssignments };
  };
  return { cohort, fellow, attention };
}

test.each(bothWays)(
  'a missed activity of no cohort, the only one of the week, puts its pay at risk, $name',
  async ({ isWorkedOut }) => {
    const { attention } = await coached(isWorkedOut);
    const { id } = await buildActivity(server.db, { cohortId: null, weekNumber: 5, sessionDate: '2025-10-06' });
    expect(await attention()).toMatchObject({ isStipendAtRisk: true });
    await server.db.deleteFrom('trainingActivities').where('id', '=', id).execute();
  },
);

test.each(bothWays)(
  'what was held before somebody joined in this week does not count, and is no risk, $name',
  async ({ isWorkedOut }) => {
    const { cohort, attention } = await coached(isWorkedOut, { enrolledAt: '2025-10-07T14:00:00Z' });
    const { id } = await buildActivity(server.db, { cohortId: cohort.id, weekNumber: 5, sessionDate: '2025-10-06' });
    await buildAssignment(server.db, { trainingActivityId: id, dueDate: '2025-10-06' });
    await buildWeekActivities(server.db, 2, { cohortId: cohort.id, weekNumber: 5, sessionDate: '2025-10-09' });
    expect(await attention()).toEqual({ isStipendAtRisk: false, overdueAssignments: 0 });
  },
);

test.each(bothWays)('work below an archived item is neither overdue nor a risk, $name', async ({ isWorkedOut }) => {
  const { cohort, attention } = await coached(isWorkedOut);
  const activity = await buildActivity(server.db, { cohortId: cohort.id, weekNumber: 5, sessionDate: '2025-10-09' });
  const { contentItemId } = await buildAssignment(server.db, {
    trainingActivityId: activity.id,
    dueDate: '2025-10-07',
  });
  expect(await attention()).toEqual({ isStipendAtRisk: true, overdueAssignments: 1 });
  await server.db.updateTable('contentItems').set({ archivedAt: new Date() }).where('id', '=', contentItemId).execute();
  expect(await attention()).toEqual({ isStipendAtRisk: false, overdueAssignments: 0 });
});
