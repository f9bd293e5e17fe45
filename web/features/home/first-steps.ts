import type { AdminDashboard, CoachDashboard, ParticipantDashboard } from '#contract/home.ts';
import { paths } from '../../app/paths.ts';
import type { FirstStep } from './FirstSteps.tsx';

/** In a participant's first week, or before it. */
export function participantSteps({ week, thisWeek, coaching, today }: ParticipantDashboard): FirstStep[] {
  if (!week || week.number > 1 || !coaching) return [];
  return unlessDone([
    {
      label: 'Look at your activities',
      isDone: today >= week.firstDay && thisWeek.done > 0,
      to: paths.trainingCalendar,
    },
    {
      label: coaching.coach ? 'Book your first coaching session' : 'Get a coach: one is being assigned to you',
      isDone: coaching.nextSession !== null,
      ...(coaching.coach ? { to: paths.coaching } : {}),
    },
    { label: 'Read your messages', isDone: coaching.unreadMessages === 0, to: paths.messages },
  ]);
}

export function coachSteps({ counts, firstSteps }: CoachDashboard): FirstStep[] {
  return unlessDone([
    { label: 'Offer times for coaching', isDone: firstSteps.hasTimes, to: `${paths.dashboard}?tab=booking` },
    { label: 'Get your participants: an admin assigns them', isDone: counts.participants > 0 },
    { label: 'Plan your first session', isDone: firstSteps.hasSessions, to: `${paths.dashboard}?tab=sessions` },
  ]);
}

/** Figures that could not be read say nothing about what is done. */
export function adminSteps({ cohortStats, usersByRole, statistics, notLoaded }: AdminDashboard): FirstStep[] {
  if (notLoaded.length > 0) return [];
  const has = (wanted: string) => usersByRole.some(({ role, count }) => role === wanted && count > 0);
  return unlessDone([
    {
      label: 'Create your first cohort',
      isDone: cohortStats.active + cohortStats.planning > 0 || statistics.totalEnrollments > 0,
      to: paths.programmeSetup,
    },
    { label: 'Add coaches', isDone: has('coach'), to: paths.bulkInvitations },
    { label: 'Add participants', isDone: has('participant'), to: paths.bulkInvitations },
    { label: 'Enroll participants in the cohort', isDone: statistics.totalEnrollments > 0, to: paths.userManagement },
  ]);
}

function unlessDone(steps: FirstStep[]): FirstStep[] {
  return steps.every(({ isDone }) => isDone) ? [] : steps;
}
