import type { Db } from '#server/db/database.ts';
import { newId } from '#server/platform/ids.ts';

/** A small world for computing stipends, as plain lists. */
export interface StipendProgramme {
  cohorts: { id: string; startDate: string }[];
  people: { id: string; role: string; trackType: string | null; deletedAt: string | null }[];
  memberships: {
    cohortId: string;
    participantId: string;
    status: string;
    enrolledAt: string;
    endedAt: string | null;
  }[];
  activities: {
    id: string;
    cohortId: string | null;
    weekNumber: number;
    sessionDate: string | null;
    /** Fellowship, adjunct fellowship, AMP, ambassador. */
    audiences: ('fellowship' | 'adjunct' | 'amp' | 'ambassador')[];
  }[];
  items: { id: string; trainingActivityId: string; dueDate: string | null; archivedAt: string | null }[];
  assignments: {
    id: string;
    contentItemId: string;
    dueDate: string | null;
    isRequired: boolean;
    archivedAt: string | null;
  }[];
  attendance: { fellowId: string; contentId: string; cohortId: string; weekNumber: number }[];
  submissions: { assignmentId: string; userId: string; status: string; roundNumber?: number }[];
  ratings: { fellowId: string; cohortId: string; weekNumber: number; overallRating: number }[];
  /** The coach who gives ratings and reviews. */
  coachId: string;
}

export function emptyProgramme(): StipendProgramme {
  return {
    cohorts: [],
    people: [],
    memberships: [],
    activities: [],
    items: [],
    assignments: [],
    attendance: [],
    submissions: [],
    ratings: [],
    coachId: newId(),
  };
}

/** Stores the whole world, table by table. */
export async function storeProgramme(db: Db, programme: StipendProgramme): Promise<void> {
  const people = [
    { id: programme.coachId, role: 'coach', trackType: null, deletedAt: null, firstName: 'Casey', lastName: 'Cole' },
    ...programme.people.map((person) => ({ ...person, firstName: 'Fellow', lastName: 'Fan' })),
  ];
  await db
    .insertInto('profiles')
    .values(people.map((person) => ({ ...person, email: `${person.id}@example.org` })))
    .execute();
  await db
    .insertInto('cohorts')
    .values(
      programme.cohorts.map(({ id, startDate }) => {
        return { id, startDate, endDate: '2027-12-31', name: id, status: 'active', programType: 'fellowship' };
      }),
    )
    .execute();
  if (programme.memberships.length > 0) {
    await db.insertInto('cohortParticipants').values(programme.memberships).execute();
  }
  if (programme.activities.length > 0) {
    await db.insertInto('trainingActivities').values(programme.activities.map(toActivityRow)).execute();
  }
  if (programme.items.length > 0) {
    const rows = programme.items.map((item) => ({ ...item, title: 'Work', contentType: 'assignment' }));
    await db.insertInto('contentItems').values(rows).execute();
  }
  if (programme.assignments.length > 0) {
    const rows = programme.assignments.map((assignment) => ({ ...assignment, title: 'Task', instructions: 'Do it.' }));
    await db.insertInto('contentAssignments').values(rows).execute();
  }
  await storeEvents(db, programme);
}

type Events = Pick<StipendProgramme, 'attendance' | 'submissions' | 'ratings' | 'coachId'>;

/** Stores what happens to people during a week. */
export async function storeEvents(db: Db, { attendance, submissions, ratings, coachId }: Events): Promise<void> {
  if (attendance.length > 0) await db.insertInto('attendanceRecords').values(attendance).execute();
  if (submissions.length > 0) {
    const rows = submissions.map((submission) => ({ ...submission, ...reviewOf(submission, coachId) }));
    await db.insertInto('contentSubmissions').values(rows).execute();
  }
  if (ratings.length > 0) {
    const rows = ratings.map((rating) => ({ ...rating, ratedBy: coachId }));
    await db.insertInto('performanceFeedback').values(rows).execute();
  }
}

function toActivityRow({ audiences, ...activity }: StipendProgramme['activities'][number]) {
  return {
    ...activity,
    title: 'Session',
    applicableFellowship: audiences.includes('fellowship'),
    applicableFellowshipAdjunct: audiences.includes('adjunct'),
    applicableAmp: audiences.includes('amp'),
    applicableAmbassador: audiences.includes('ambassador'),
  };
}

function reviewOf({ status }: { status: string }, coachId: string) {
  const review = { reviewedBy: coachId, reviewedAt: new Date() };
  return { submissionText: 'Done', ...(status === 'submitted' ? { reviewedBy: null, reviewedAt: null } : review) };
}
