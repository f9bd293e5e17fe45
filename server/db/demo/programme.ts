import { specifiedCalendar } from '#contract/default-programme.ts';
import { addDays } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { createCohort } from '#server/features/cohorts/cohorts.ts';
import type { Actor } from '#server/platform/actor.ts';
import {
  insertAssignments,
  insertContentItems,
  insertModules,
  insertTracks,
  insertTrainingActivities,
  insertWeeklyRequirements,
} from './programme-rows.ts';
import { type WeekPlan, weekPlans } from './programme-weeks.ts';

export interface DemoCohort {
  id: string;
  startDate: string;
  activities: { id: string; title: string; weekNumber: number; day: string }[];
  assignments: { id: string; title: string; weekNumber: number }[];
}

type Kind = 'selfPaced' | 'live' | 'lab';
type Facts = { name: string; startDate: string; status: string; capacity: number; description: string };

/** The first five weeks teach these. People can choose a track from the sixth week on. */
const coreModules = [
  'Energy Technology and Applications',
  'Industry & Sector drivers',
  'Policy (Safety, Justice, and Incentives)',
  'Career Readiness',
];
const tracks = [
  {
    name: 'Field Service and Electrical Design',
    description: 'Testing, commissioning and designing the equipment of substations, plants and microgrids.',
    modules: ['Field Service Engineering', 'Electrical System Design'],
  },
  {
    name: 'Project Coordination and Quality',
    description: 'Planning outages and builds, and proving that the work is what was ordered.',
    modules: ['Project Management/Project Coordination', 'Quality Assurance'],
  },
  {
    name: 'Policy and Customer Programs',
    description: 'Siting, stakeholders, and the programs that bring efficiency to households.',
    modules: ['Policy & Stakeholder Engagement', 'Case Management'],
  },
  {
    name: 'Industry Placement',
    description: 'A project with an employer, mock interviews, and the way to the first offer.',
    modules: ['Industry Projects', 'Mock Interviews', 'Career Center'],
  },
];

/** Makes the core modules, and the specialization tracks with their own modules. */
export async function makeModules(db: Db, admin: Actor): Promise<void> {
  const trackIds = await insertTracks(
    db,
    admin,
    tracks.map(({ name, description }) => ({ name, description, durationWeeks: 4 })),
  );
  await insertModules(db, admin, [
    ...coreModules.map((title, index) => ({ title, moduleType: 'core', orderIndex: index + 1 })),
    ...tracks.flatMap(({ modules }, track) =>
      modules.map((title, index) => ({
        title,
        moduleType: 'specialization',
        specializationTrackId: trackIds[track],
        orderIndex: index + 1,
      })),
    ),
  ]);
}

/** Makes a cohort with its sixteen weeks: sessions, contents, an assignment and the requirements of each. */
export async function makeCohort(db: Db, admin: Actor, facts: Facts): Promise<DemoCohort> {
  const { startDate } = facts;
  const endDate = addDays(startDate, specifiedCalendar.weeks * 7 - 3);
  const id = await createCohort(db, admin, { ...facts, endDate, programType: 'fellowship' });
  const sessions = weekPlans.flatMap((plan, index) => sessionsOf(plan, index + 1, startDate));
  const activityIds = await insertTrainingActivities(
    db,
    admin,
    sessions.map(({ kind: _kind, plan: _plan, ...session }) => ({
      ...session,
      cohortId: id,
      applicableFellowship: true,
    })),
  );
  const taught = sessions.map((session, index) => ({ ...session, id: activityIds[index] ?? '' }));
  const labs = taught.filter(({ kind }) => kind === 'lab');
  await insertContentItems(db, admin, taught.flatMap(contentsOf));
  const assignments = await makeAssignments(db, admin, labs);
  await insertWeeklyRequirements(
    db,
    admin,
    labs.map(({ plan, weekNumber, sessionDate }) => ({
      cohortId: id,
      weekNumber,
      title: plan.assignment,
      type: 'assignment',
      dueDate: addDays(sessionDate, 1),
    })),
  );
  return {
    id,
    startDate,
    activities: taught.map(({ id: activityId, title, weekNumber, sessionDate }) => ({
      id: activityId,
      title,
      weekNumber,
      day: sessionDate,
    })),
    assignments,
  };
}

type NewContent = Parameters<typeof insertContentItems>[2][number];
type Session = ReturnType<typeof sessionsOf>[number] & { id: string };

async function makeAssignments(db: Db, admin: Actor, labs: Session[]) {
  const itemIds = await insertContentItems(
    db,
    admin,
    labs.map(({ id, plan, sessionDate }) => ({
      trainingActivityId: id,
      title: plan.assignment,
      contentType: 'assignment',
      orderIndex: 2,
      estimatedMinutes: 120,
      dueDate: addDays(sessionDate, 1),
    })),
  );
  const assignments = labs.map(({ plan, sessionDate }, index) => ({
    contentItemId: itemIds[index] ?? '',
    title: plan.assignment,
    instructions: plan.instructions,
    assignmentType: plan.assignmentType,
    dueDate: addDays(sessionDate, 1),
  }));
  const ids = await insertAssignments(db, admin, assignments);
  return labs.map(({ plan, weekNumber }, index) => ({ id: ids[index] ?? '', title: plan.assignment, weekNumber }));
}

/**
 * Self-paced work opens on Monday. The live session is on Tuesday, or on Monday in a week with much self-paced work.
 * The lab is on Thursday.
 */
function sessionsOf(plan: WeekPlan, weekNumber: number, startDate: string) {
  const monday = addDays(startDate, 7 * (weekNumber - 1));
  const session = { weekNumber, plan, moduleName: plan.module };
  return [
    ...plan.selfPaced.map((title) => ({
      ...session,
      kind: 'selfPaced' as Kind,
      title,
      moduleName: plan.selfPacedModule ?? plan.module,
      sessionDate: monday,
      sessionTime: null,
      durationMinutes: 60,
      duration: '1 hour, anytime this week',
      location: null,
      deliveryPartner: 'Learning Library',
      deliveryMedium: 'Online',
      trainingDeliveryMode: 'Self-paced Online',
      description: 'Work through the contents at your own pace, then mark the activity as complete.',
    })),
    {
      ...session,
      kind: 'live' as Kind,
      title: plan.live,
      sessionDate: addDays(monday, plan.selfPaced.length > 1 ? 0 : 1),
      sessionTime: '10:00',
      durationMinutes: 90,
      duration: '90 minutes',
      location: `https://meet.example/power-up-week-${weekNumber}`,
      deliveryPartner: 'Great Lakes Power Institute',
      deliveryMedium: 'Virtual',
      trainingDeliveryMode: 'SME-delivered Webconference',
      description: 'With a subject matter expert. Bring a question from the self-paced work.',
    },
    {
      ...session,
      kind: 'lab' as Kind,
      title: plan.lab,
      sessionDate: addDays(monday, 3),
      sessionTime: '13:00',
      durationMinutes: 180,
      duration: '3 hours',
      location: 'Training Center, Lab 2, 400 Riverside Avenue',
      deliveryPartner: 'Training Center',
      deliveryMedium: 'In-person',
      trainingDeliveryMode: 'SME-delivered In-person',
      description: 'Safety shoes and glasses are provided; please arrive ten minutes early.',
    },
  ];
}

function contentsOf({ id: trainingActivityId, kind, title, plan, weekNumber }: Session): NewContent[] {
  if (kind === 'live') {
    const contentUrl = `https://media.example/power-up/week-${weekNumber}.mp4`;
    return [
      { trainingActivityId, title: `Recording: ${title}`, contentType: 'video', contentUrl, estimatedMinutes: 90 },
    ];
  }
  const contentText = `## Before you begin\n\nThis belongs to **${plan.module}**.\n\n- Read the summary.\n- Write down what is new to you.\n- Bring one question.`;
  const reading = {
    trainingActivityId,
    title: kind === 'lab' ? 'What to read before the lab' : `Reading: ${title}`,
    contentType: 'reading',
    contentText,
    estimatedMinutes: 25,
  };
  if (kind === 'lab') return [reading];
  const contentUrl = `https://learn.example/power-up/week-${weekNumber}`;
  return [
    reading,
    {
      trainingActivityId,
      title: 'Exercise in the learning library',
      contentType: 'link_task',
      contentUrl,
      orderIndex: 2,
      estimatedMinutes: 30,
    },
    ...(weekNumber % 3 === 1
      ? [
          {
            trainingActivityId,
            title: 'Your certificate of this course',
            contentType: 'certificate',
            contentUrl,
            orderIndex: 3,
            estimatedMinutes: 5,
            isRequired: false,
          },
        ]
      : []),
  ];
}
