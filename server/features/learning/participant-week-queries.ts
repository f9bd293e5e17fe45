import type { ResponseOf } from '#contract/endpoint.ts';
import type { readParticipantDashboard } from '#contract/home.ts';
import type { ProgrammeCalendar } from '#contract/pay-periods.ts';
import { SubmissionStatus } from '#contract/submissions.ts';
import { addDays, currentWeek, daysBetween } from '#contract/weeks.ts';
import { soonInDays } from '#contract/work-standing.ts';
import type { Db } from '#server/db/database.ts';
import { assignmentsBelow, visibleActivities } from '#server/features/curriculum/curriculum-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { activityState } from './learning-access.ts';
import { calendarActivities } from './learning-queries.ts';

type Dashboard = ResponseOf<typeof readParticipantDashboard>;
export type ParticipantWeek = Pick<
  Dashboard,
  'thisWeek' | 'weekActivities' | 'nextStep' | 'pendingActivities' | 'openAssignments' | 'deadlines'
>;
type NextStep = NonNullable<Dashboard['nextStep']>;
type PendingActivity = Dashboard['pendingActivities'][number];
type OpenAssignment = Awaited<ReturnType<typeof findOpenAssignments>>[number];

type Participant = Pick<Actor, 'id' | 'trackType'>;

interface Cohort {
  id: string;
  startDate: string;
  calendar: ProgrammeCalendar;
  unlockedWeeks: number;
}

const mostActivities = 500;
const mostAssignments = 50;
const mostDeadlines = 5;

/** Finds what a participant's week asks of them, in three statements. */
export async function findParticipantWeek(
  db: Db,
  participant: Participant,
  cohort: Cohort,
  today: string,
): Promise<ParticipantWeek> {
  const week = currentWeek(cohort.startDate, today, cohort.calendar);
  const activities = await activitiesOf(db, participant, cohort, today);
  const assignments = await findOpenAssignments(db, participant, week);
  const pendingActivities = activities.filter(({ state }) => state !== 'completed').sort(fromWeek(week));
  return {
    thisWeek: weekFigures(activities, week, today),
    weekActivities: activities.filter(({ weekNumber }) => weekNumber === week),
    nextStep: nextStepOf(pendingActivities, assignments, { week, today }),
    pendingActivities,
    openAssignments: datedOf(assignments, week),
    deadlines: await deadlinesOf(db, cohort.id, today),
  };
}

async function activitiesOf(db: Db, participant: Participant, cohort: Cohort, today: string) {
  const rows = await calendarActivities(db, { ...participant, role: 'participant' })
    .orderBy('trainingActivities.weekNumber')
    .orderBy('trainingActivities.sessionDate')
    .orderBy('trainingActivities.id')
    .limit(mostActivities)
    .execute();
  return rows.map(
    (row): PendingActivity => ({
      ...row,
      state: activityState({ ...row, isCompleted: Boolean(row.isCompleted) }, today, cohort.unlockedWeeks),
    }),
  );
}

/**
 * This week comes first, because its pay is open. The weeks before it follow from the latest on, then the coming ones.
 */
function fromWeek(week: number) {
  const placeOf = ({ weekNumber }: PendingActivity) => (weekNumber <= week ? week - weekNumber : weekNumber);
  return (a: PendingActivity, b: PendingActivity) => placeOf(a) - placeOf(b);
}

/** FELL-13, FELL-19, FELL-21 */
function weekFigures(activities: PendingActivity[], week: number, today: string): Dashboard['thisWeek'] {
  const ofWeek = activities.filter(({ weekNumber }) => weekNumber === week);
  const done = ofWeek.filter(({ state }) => state === 'completed').length;
  const yesterday = addDays(today, -1);
  const isLate = activities.some(
    ({ state, weekNumber, sessionDate }) =>
      state === 'overdue' && weekNumber < week && sessionDate !== null && sessionDate < yesterday,
  );
  return { done, total: ofWeek.length, isOnTrack: !isLate && done * 2 >= ofWeek.length };
}

/** Assignments up to this week that are not handed in, or have to be handed in again. The latest week comes first. */
function findOpenAssignments(db: Db, participant: Participant, week: number) {
  return visibleActivities(db, { ...participant, role: 'participant' })
    .innerJoinLateral(
      (eb) => assignmentsBelow(eb.ref('trainingActivities.id')).as('assignment'),
      (join) => join.onTrue(),
    )
    .leftJoin('contentSubmissions', (join) =>
      join
        .onRef('contentSubmissions.assignmentId', '=', 'assignment.id')
        .on('contentSubmissions.userId', '=', participant.id),
    )
    .select([
      'assignment.id',
      'assignment.title',
      'assignment.dueDate',
      'trainingActivities.weekNumber',
      'contentSubmissions.id as submissionId',
      'contentSubmissions.status',
    ])
    .where('trainingActivities.weekNumber', '<=', week)
    .where((eb) =>
      eb.or([
        eb('contentSubmissions.status', 'is', null),
        eb('contentSubmissions.status', 'in', ['needs_revision', 'rejected']),
      ]),
    )
    .orderBy('trainingActivities.weekNumber', 'desc')
    .orderBy('assignment.ownDueDate')
    .orderBy('assignment.id')
    .limit(mostAssignments)
    .execute();
}

/**
 * Chooses the one thing to do next. Work that came back from the coach comes first. What is due first this week
 * follows, because the week's pay depends on it. Earlier weeks come next, and then the next upcoming activity.
 */
function nextStepOf(
  pending: PendingActivity[],
  assignments: OpenAssignment[],
  { week, today }: { week: number; today: string },
): NextStep | null {
  const returned = assignments.find(({ status }) => status !== null);
  if (returned) return stepOfAssignment(returned, 'resubmit');
  const isOpen = ({ weekNumber, state }: PendingActivity) => weekNumber <= week && state !== 'locked';
  const firstOf = (isMeant: (item: { weekNumber: number }) => boolean): NextStep | undefined =>
    [
      ...pending.filter(isOpen).filter(isMeant).map(stepOfActivity),
      ...assignments.filter(isMeant).map((assignment) => stepOfAssignment(assignment, 'assignment')),
    ].sort((a, b) => turnOf(a, today).localeCompare(turnOf(b, today)))[0];
  const upcoming = pending.find(({ state }) => state === 'upcoming');
  return (
    firstOf(({ weekNumber }) => weekNumber === week) ??
    firstOf(({ weekNumber }) => weekNumber < week) ??
    (upcoming ? stepOfActivity(upcoming) : null)
  );
}

function stepOfAssignment({ id, title, dueDate, submissionId }: OpenAssignment, kind: NextStep['kind']): NextStep {
  return { kind, id, submissionId, title, dueDate };
}

function stepOfActivity({ id, title, sessionDate }: PendingActivity): NextStep {
  return { kind: 'activity', id, submissionId: null, title, dueDate: sessionDate };
}

/** A session that is over can only be caught up on. Today's items come before it, and one without a day comes last. */
function turnOf({ kind, dueDate }: NextStep, today: string): string {
  if (dueDate === null) return '9999';
  return kind === 'activity' && dueDate < today ? `${today} over` : dueDate;
}

function byDueDate(a: { dueDate: string }, b: { dueDate: string }): number {
  return a.dueDate.localeCompare(b.dueDate);
}

function datedOf(assignments: OpenAssignment[], week: number): Dashboard['openAssignments'] {
  return assignments
    .filter(({ weekNumber }) => weekNumber === week)
    .flatMap(({ id, submissionId, status, title, dueDate }) =>
      dueDate === null ? [] : [{ id, submissionId, status: SubmissionStatus.nullable().parse(status), title, dueDate }],
    )
    .sort(byDueDate);
}

/** FELL-23 */
async function deadlinesOf(db: Db, cohortId: string, today: string): Promise<Dashboard['deadlines']> {
  const requirements = await db
    .selectFrom('weeklyRequirements')
    .select(['id', 'title', 'type', 'dueDate'])
    .where('cohortId', '=', cohortId)
    .where('dueDate', '>=', today)
    .orderBy('dueDate')
    .orderBy('id')
    .limit(mostDeadlines)
    .execute();
  return requirements.map((row) => ({ ...row, isDueSoon: daysBetween(today, row.dueDate) <= soonInDays }));
}
