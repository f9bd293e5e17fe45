import type { StipendProgramme } from './stipend-programme.ts';

export interface ExpectedStipend {
  fellowId: string;
  activities: string;
  assignments: string;
  rating: number | null;
  attendanceEligible: boolean;
  assignmentEligible: boolean;
  performanceEligible: boolean;
  isMember: boolean;
  overallEligible: boolean;
}

/**
 * The rule of a stipend week once more, person by person and thing by thing. It shares nothing with the product: no
 * SQL, and none of its functions. It is slow, and easy to check by reading.
 * A person who left after the week was over has a row like a member, whatever they are now. A person who left earlier
 * keeps the row that they had, and is not eligible.
 */
export function expectedStipends(
  programme: StipendProgramme,
  { cohortId, week, hadRow = [] }: { cohortId: string; week: number; hadRow?: string[] },
): ExpectedStipend[] {
  const cohort = programme.cohorts.find(({ id }) => id === cohortId);
  if (!cohort) return [];
  const friday = plusDays(cohort.startDate, (week - 1) * 7 + 4);
  const expected: ExpectedStipend[] = [];
  for (const membership of programme.memberships) {
    if (membership.cohortId !== cohortId) continue;
    const person = programme.people.find(({ id }) => id === membership.participantId);
    if (!person) continue;
    const isPaid = person.trackType === 'fellowship' && !person.deletedAt;
    const isIn = membership.status === 'active' && person.role === 'participant';
    const hasLeft = membership.status !== 'active' && membership.endedAt !== null;
    const leftLater = hasLeft && dayInNewYork(membership.endedAt ?? '') > friday;
    const isMember = isPaid && (isIn || leftLater);
    if (!isMember && !hadRow.includes(person.id)) continue;
    const joined = dayInNewYork(membership.enrolledAt);
    const firstCounting = joined > friday ? '0000-00-00' : joined;
    expected.push(expectedStipend(programme, { cohortId, week, fellowId: person.id, firstCounting, isMember }));
  }
  return expected;
}

interface Place {
  cohortId: string;
  week: number;
  fellowId: string;
  firstCounting: string;
  isMember: boolean;
}

function expectedStipend(programme: StipendProgramme, place: Place): ExpectedStipend {
  const { cohortId, week, fellowId, firstCounting, isMember } = place;
  let held = 0;
  let attended = 0;
  let due = 0;
  let handedIn = 0;
  for (const activity of programme.activities) {
    if (activity.weekNumber !== week) continue;
    if (activity.cohortId !== null && activity.cohortId !== cohortId) continue;
    if (!activity.audiences.includes('fellowship') && !activity.audiences.includes('adjunct')) continue;
    if (activity.sessionDate === null || activity.sessionDate >= firstCounting) {
      held += 1;
      if (programme.attendance.some((record) => record.fellowId === fellowId && record.contentId === activity.id)) {
        attended += 1;
      }
    }
    for (const item of programme.items) {
      if (item.trainingActivityId !== activity.id || item.archivedAt) continue;
      for (const assignment of programme.assignments) {
        if (assignment.contentItemId !== item.id || assignment.archivedAt) continue;
        const day = assignment.dueDate ?? item.dueDate ?? activity.sessionDate;
        if (day !== null && day < firstCounting) continue;
        due += 1;
        const work = programme.submissions.find(
          (submission) => submission.userId === fellowId && submission.assignmentId === assignment.id,
        );
        if (work?.status === 'submitted' || work?.status === 'accepted') handedIn += 1;
      }
    }
  }
  const rating =
    programme.ratings.find(
      (given) => given.fellowId === fellowId && given.cohortId === cohortId && given.weekNumber === week,
    )?.overallRating ?? null;
  const attendanceEligible = held === 0 || attended / held >= 0.8;
  const assignmentEligible = handedIn === due;
  const performanceEligible = rating !== null && rating >= 3;
  return {
    fellowId,
    activities: `${attended}/${held}`,
    assignments: `${handedIn}/${due}`,
    rating,
    attendanceEligible,
    assignmentEligible,
    performanceEligible,
    isMember,
    overallEligible: isMember && attendanceEligible && assignmentEligible && performanceEligible,
  };
}

function plusDays(day: string, days: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const later = new Date(Date.UTC(year, month - 1, date + days));
  return later.toISOString().slice(0, 10);
}

function dayInNewYork(instant: string): string {
  const [month, date, year] = new Date(instant)
    .toLocaleDateString('en-US', { timeZone: 'America/New_York', year: 'numeric', month: '2-digit', day: '2-digit' })
    .split('/');
  return `${year}-${month}-${date}`;
}
