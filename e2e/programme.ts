import { specifiedCalendar } from '#contract/default-programme.ts';
import { addDays, programmeWeek } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { insertAssignments, insertContentItems, insertTrainingActivities } from '#server/db/demo/programme-rows.ts';
import { createCohort } from '#server/features/cohorts/cohorts.ts';
import { buildCourse } from '../test/factories/cohorts.ts';

/** An active cohort that is in the given week today, with one activity and one assignment in that week. */
export async function setUpWeek(db: Db, { weekNumber, today }: { weekNumber: number; today: string }) {
  const startDate = addDays(today, -7 * (weekNumber - 1));
  const cohortName = 'Spring Fellowship';
  const activityTitle = 'Reading a feeder load curve';
  const assignmentTitle = 'Feeder measurement report';
  await buildCourse(db, { title: 'Power Systems Fellowship' });
  const cohortId = await createCohort(db, null, {
    name: cohortName,
    startDate,
    endDate: programmeWeek(startDate, specifiedCalendar.weeks, specifiedCalendar).lastDay,
    capacity: 60,
    status: 'active',
    programType: 'fellowship',
  });
  const [activityId = ''] = await insertTrainingActivities(db, null, [
    {
      cohortId,
      title: activityTitle,
      weekNumber,
      sessionDate: today,
      applicableFellowship: true,
      moduleName: 'Electrical System Design',
    },
  ]);
  const [contentItemId = ''] = await insertContentItems(db, null, [
    { trainingActivityId: activityId, title: 'Measure and report', contentType: 'assignment' },
  ]);
  const [assignmentId = ''] = await insertAssignments(db, null, [
    {
      contentItemId,
      title: assignmentTitle,
      instructions: 'Measure the feeder **twice** and compare.',
      dueDate: addDays(today, 2),
    },
  ]);
  return { cohortName, activityTitle, assignmentTitle, assignmentId };
}
