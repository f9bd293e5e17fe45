import { type ImportRecord, noCoachError } from './import-checks.ts';

export interface WaitingRow {
  rowNumber: number;
  record: ImportRecord;
}

/** A row with what it gets, or the reason why it cannot get in. */
export interface PlacedRow extends ImportRecord {
  rowNumber: number;
  courseId: string | null;
  coachId: string | null;
  error: string | null;
}

export interface PlacingCohort {
  id: string;
  name: string;
  programType: string;
  status: string;
  capacity: number;
  currentEnrollment: number;
}

interface Places {
  cohorts: PlacingCohort[];
  courses: { id: string; programType: string }[];
  /** The id of each coach, by lower-case email. */
  coaches: ReadonlyMap<string, string>;
}

/** Gives the free places of cohorts to participants in the order of the rows. */
export function placeRows(rows: WaitingRow[], { cohorts, courses, coaches }: Places): PlacedRow[] {
  const cohortOf = new Map(cohorts.map((cohort) => [cohort.id, { ...cohort, places: freePlacesOf(cohort) }]));
  const courseOf = new Map(courses.map(({ id, programType }) => [programType, id]));
  return rows.map(({ rowNumber, record }) => {
    const cohort = cohortOf.get(record.cohortId);
    const isParticipant = record.role === 'participant';
    const courseId = (isParticipant && cohort && courseOf.get(cohort.programType)) || null;
    const coachId = (record.coachEmail && coaches.get(record.coachEmail)) || null;
    const error = placeError(record, cohort, courseId, coachId);
    if (error === null && isParticipant && cohort) cohort.places -= 1;
    return { ...record, rowNumber, courseId, coachId, error };
  });
}

export function freePlacesOf({ capacity, currentEnrollment }: PlacingCohort): number {
  return Math.max(0, capacity - currentEnrollment);
}

function placeError(
  { role, coachEmail }: ImportRecord,
  cohort: (PlacingCohort & { places: number }) | undefined,
  courseId: string | null,
  coachId: string | null,
): string | null {
  if (!cohort || !['active', 'planning'].includes(cohort.status)) {
    return 'The cohort is no longer active or planning';
  }
  if (role === 'participant' && cohort.places <= 0) {
    return `Cohort "${cohort.name}" is full: all ${cohort.capacity.toLocaleString('en-US')} places are taken`;
  }
  if (coachEmail && !coachId) return noCoachError(coachEmail);
  if (coachEmail && !courseId) {
    return `Program "${cohort.programType}" has no course, so we cannot assign a coach`;
  }
  return null;
}
