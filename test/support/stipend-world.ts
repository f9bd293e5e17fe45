import { newId } from '#server/platform/ids.ts';
import { emptyProgramme, type StipendProgramme } from './stipend-programme.ts';

type Audience = StipendProgramme['activities'][number]['audiences'][number];

interface MembershipFacts {
  participantId: string;
  cohortId: string;
  enrolledAt?: string;
  status?: string;
  endedAt?: string | null;
}

interface ActivityFacts {
  cohortId?: string | null;
  week?: number;
  day?: string | null;
  audiences?: Audience[];
  attendedBy?: string[];
}

interface AssignmentFacts {
  activityId?: string;
  due?: string | null;
  itemDue?: string | null;
  isRequired?: boolean;
  isArchived?: boolean;
  isItemArchived?: boolean;
  /** The status of the fellow's work. Without one there is no work. */
  status?: string;
}

export const firstMonday = '2025-09-08';

/** A programme with one cohort and one fellow, and the functions that change it. */
export function buildWorld(startDate = firstMonday) {
  const programme = emptyProgramme();
  const cohortId = addCohort(startDate);
  const fellowId = addFellow({ cohortId });

  function addCohort(start: string): string {
    const id = newId();
    programme.cohorts.push({ id, startDate: start });
    return id;
  }

  function addPerson(facts: Partial<StipendProgramme['people'][number]> = {}): string {
    const id = newId();
    programme.people.push({ id, role: 'participant', trackType: 'fellowship', deletedAt: null, ...facts });
    return id;
  }

  function join(facts: MembershipFacts): void {
    programme.memberships.push({ status: 'active', enrolledAt: '2025-08-01T12:00:00Z', endedAt: null, ...facts });
  }

  function addFellow(facts: { cohortId: string; enrolledAt?: string }): string {
    const participantId = addPerson();
    join({ participantId, ...facts });
    return participantId;
  }

  function addActivity(facts: ActivityFacts = {}): string {
    const { week: weekNumber = 1, day: sessionDate = null, audiences = ['fellowship'], attendedBy = [] } = facts;
    const id = newId();
    const inCohort = facts.cohortId === undefined ? cohortId : facts.cohortId;
    programme.activities.push({ id, cohortId: inCohort, weekNumber, sessionDate, audiences });
    for (const person of attendedBy) {
      programme.attendance.push({ fellowId: person, contentId: id, cohortId: inCohort ?? cohortId, weekNumber });
    }
    return id;
  }

  /** Adds `total` activities of the week. The fellow attended `attended` of them. */
  function addActivities(total: number, attended: number, facts: ActivityFacts = {}): string[] {
    return Array.from({ length: total }, (_, index) =>
      addActivity({ ...facts, attendedBy: index < attended ? [fellowId] : [] }),
    );
  }

  /** Adds its own activity, which the fellow attended, unless one is given. */
  function addAssignment(facts: AssignmentFacts = {}): string {
    const trainingActivityId = facts.activityId ?? addActivity({ attendedBy: [fellowId] });
    const item = { id: newId(), trainingActivityId, dueDate: facts.itemDue ?? null };
    const archivedAt = '2025-09-01T00:00:00Z';
    programme.items.push({ ...item, archivedAt: facts.isItemArchived ? archivedAt : null });
    const id = newId();
    programme.assignments.push({
      id,
      contentItemId: item.id,
      dueDate: facts.due ?? null,
      isRequired: facts.isRequired ?? true,
      archivedAt: facts.isArchived ? archivedAt : null,
    });
    if (facts.status) programme.submissions.push({ assignmentId: id, userId: fellowId, status: facts.status });
    return id;
  }

  function rate(overallRating: number, facts: { week?: number; fellowId?: string; cohortId?: string } = {}): void {
    const { week: weekNumber = 1 } = facts;
    const person = facts.fellowId ?? fellowId;
    programme.ratings.push({
      fellowId: person,
      cohortId: facts.cohortId ?? cohortId,
      weekNumber,
      overallRating,
    });
  }

  function enrolledAt(instant: string): void {
    for (const membership of programme.memberships) membership.enrolledAt = instant;
  }

  return {
    programme,
    cohortId,
    fellowId,
    addCohort,
    addPerson,
    addFellow,
    join,
    addActivity,
    addActivities,
    addAssignment,
    rate,
    enrolledAt,
  };
}

export type StipendWorld = ReturnType<typeof buildWorld>;
