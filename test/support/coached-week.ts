import { processWeek } from '#server/features/stipends/stipends.ts';
import { buildCohort, enrol } from '#test/factories/cohorts.ts';
import { buildActivity } from '#test/factories/curriculum.ts';
import { buildAdmin, buildCoach, buildParticipant } from '#test/factories/people.ts';
import type { TestApp } from '#test/support/app.ts';

/** A participant in week 5 with a coach, another coach, an admin, and the week's stipend computed. */
export async function buildCoachedWeek(app: TestApp) {
  const cohort = await buildCohort(app.db);
  const activity = await buildActivity(app.db, { cohortId: cohort.id, weekNumber: 5, sessionDate: '2025-10-07' });
  const coach = await buildCoach(app.db, { firstName: 'Cleo', lastName: 'Coach' });
  const robin = await buildParticipant(app.db, { firstName: 'Robin', lastName: 'Reyes' });
  const admin = await buildAdmin(app.db);
  await enrol(app.db, { cohortId: cohort.id, participantId: robin.id, coachId: coach.id });
  const stipend = async () =>
    app.db
      .selectFrom('stipendEligibility')
      .select(['id', 'activitiesAccessed', 'attendanceEligible', 'paymentStatus'])
      .where('fellowId', '=', robin.id)
      .executeTakeFirstOrThrow();
  await processWeek(app.db, 5, cohort.id);
  return {
    cohort,
    activity,
    robin,
    coach,
    admin,
    stipend,
    params: { id: activity.id },
    asRobin: await app.as(robin),
    asCoach: await app.as(coach),
    asOtherCoach: await app.as(await buildCoach(app.db)),
    asAdmin: await app.as(admin),
  };
}
