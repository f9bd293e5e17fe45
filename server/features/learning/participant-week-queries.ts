import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readParticipantDashboard } from '#contract/home.ts';
import type { ProgrammeCalendar } from '#contract/pay-periods.ts';
import { SubmissionStatus } from '#contract/submissions.ts';
import { addDays, currentWeek, daysBetween } from '#contract/weeks.ts';
import { soonInDays } from '#contract/work-standing.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { assignmentsBelow } from '#server/features/curriculum/curriculum-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import type { Membership } from './fellowship-access.ts';
import { noProgress, standingsOf } from './fellowship-queries.ts';
import { activityState } from './learning-access.ts';
import { calendarActivities } from './learning-queries.ts';

type Dashboard = ResponseOf<typeof readParticipantDashboard>;
export type ParticipantWeek = Pick<
  Dashboard,
  'progress' | 'thisWeek' | 'weekActivities' | 'nextStep' | 'pendingActivities' | 'openAssignments' | 'deadlines'
>;
type NextStep = NonNullable<Dashboard['nextStep']>;
type PendingActivity = Dashboard['pendingActivities'][number];

/** An assignment up to this week that is not handed in, or has to be handed in again. */
interface OpenAssignment {
  id: string;
  title: string;
  weekNumber: number;
  ownDueDate: string | null;
  dueDate: string | null;
  submissionId: string | null;
  status: string | null;
}

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

/** Finds how far a participant is and what their week asks of them, in two statements. */
export async function findParticipantWeek(
  db: Db,
  participant: Participant,
  cohort: Cohort,
  today: string,
): Promise<ParticipantWeek> {
  const week = currentWeek(cohort.startDate, today, cohort.calendar);
  const [{ activities, assignments }, progressAndDeadlines] = await Promise.all([
    findWork(db, participant, cohort, { week, today }),
    findProgressAndDeadlines(db, { participantId: participant.id, cohortId: cohort.id }, today),
  ]);
  const pendingActivities = activities.filter(({ state }) => state !== 'completed').sort(fromWeek(week));
  return {
    thisWeek: weekFigures(activities, week, today),
    weekActivities: activities.filter(({ weekNumber }) => weekNumber === week),
    nextStep: nextStepOf(pendingActivities, assignments, { week, today }),
    pendingActivities,
    openAssignments: datedOf(assignments, week),
    ...progressAndDeadlines,
  };
}

async function findWork(
  db: Db,
  participant: Participant,
  cohort: Cohort,
  { week, today }: { week: number; today: string },
) {
  const { id, trackType } = participant;
  const rows = await workOf(db, { id, trackType, week });
  const activities = rows.map(
    ({ openAssignments: _, ...row }): PendingActivity => ({
      ...row,
      state: activityState(row, today, cohort.unlockedWeeks),
    }),
  );
  const assignments = rows
    .flatMap(({ openAssignments }) => openAssignments ?? [])
    .sort(fromLatestWeek)
    .slice(0, mostAssignments);
  return { activities, assignments };
}

interface WeekOf extends Participant {
  week: number;
}

const workOf = builtOnce((db, { id, trackType, week }: WeekOf) =>
  calendarActivities(db, { id, trackType, role: 'participant' })
    .select(openAssignmentsOf(id, week).as('openAssignments'))
    .orderBy('trainingActivities.weekNumber')
    .orderBy('trainingActivities.sessionDate')
    .orderBy('trainingActivities.id')
    .limit(mostActivities),
);

/** A column over the row of `training_activities`. It is null if there are none. */
function openAssignmentsOf(participantId: string, week: number) {
  return sql<OpenAssignment[] | null>`case when training_activities.week_number <= ${week} then (
    select jsonb_agg(jsonb_build_object('id', assignment.id, 'title', assignment.title,
      'weekNumber', training_activities.week_number, 'ownDueDate', assignment.own_due_date,
      'dueDate', assignment.due_date, 'submissionId', submission.id, 'status', submission.status))
    from ${assignmentsBelow(sql.ref('trainingActivities.id'))} assignment
    left join content_submissions submission
      on submission.assignment_id = assignment.id and submission.user_id = ${participantId}
    where submission.status is null or submission.status in ('needs_revision', 'rejected')) end`;
}

/** Of a week, what is due first comes first, and what has no date last. */
function fromLatestWeek(a: OpenAssignment, b: OpenAssignment): number {
  const turnOf = ({ ownDueDate, id }: OpenAssignment) => `${ownDueDate ?? '9999'} ${id}`;
  return b.weekNumber - a.weekNumber || (turnOf(a) < turnOf(b) ? -1 : 1);
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
      dueDate === null
        ? []
        : [{ id, submissionId, status: status === null ? null : SubmissionStatus.parse(status), title, dueDate }],
    )
    .sort(byDueDate);
}

/** FELL-23: the next requirements of the cohort, beside the progress of its member. */
async function findProgressAndDeadlines(db: Db, membership: Membership, today: string) {
  const { participantId, cohortId } = membership;
  const [found] = await progressAndRequirements(db, { participantId, cohortId, today });
  if (!found) return { progress: noProgress, deadlines: [] };
  const { requirements, ...progress } = found;
  const deadlines = requirements.map((row) => ({ ...row, isDueSoon: daysBetween(today, row.dueDate) <= soonInDays }));
  return { progress, deadlines };
}

interface MemberOn extends Membership {
  today: string;
}

const progressAndRequirements = builtOnce((db, { participantId, cohortId, today }: MemberOn) =>
  standingsOf(db, { participantId, cohortId }).select((eb) =>
    jsonArrayFrom(
      eb
        .selectFrom('weeklyRequirements')
        .select(['id', 'title', 'type', 'dueDate'])
        .where('cohortId', '=', cohortId)
        .where('dueDate', '>=', today)
        .orderBy('dueDate')
        .orderBy('id')
        .limit(mostDeadlines),
    ).as('requirements'),
  ),
);
