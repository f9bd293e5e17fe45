import { sql } from 'kysely';
import { addDays } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { rateWeek } from '#server/features/coaching/ratings.ts';
import { recordAttendance } from '#server/features/learning/attendance.ts';
import { reviewSubmission } from '#server/features/submissions/reviews.ts';
import { submitAssignment } from '#server/features/submissions/submissions.ts';
import { standingAt } from '#server/platform/clock.ts';
import { attendanceOnRecord } from './attendance-on-record.ts';
import { easternTimeSoFar } from './past.ts';
import type { DemoFellow } from './people.ts';
import type { DemoCohort } from './programme.ts';

type Outcome = 'accepted' | 'needs_revision' | 'revised' | 'rejected' | 'waiting';

const weekOfActs = 4;
const ratings = [4, 3.5, 4.5, 5, 3, 4, 4.5, 3.5, 2.5, 4];
const comments = [
  'Steady work, and good questions in the lab.',
  'Clear progress; the reports could be shorter.',
  null,
  'Helped two others with the test set. Thank you!',
  'Please come to office hours before the next assignment.',
];
const feedback: Record<Exclude<Outcome, 'waiting'>, string> = {
  accepted: 'Well done: complete, and the numbers are right.',
  needs_revision:
    'Good start. Please add the protection zones, and say what you would change about the second observation.',
  revised: 'The idea is right, the calculation is missing. Please add it and hand it in again.',
  rejected: 'This is the work of another week. Please hand in the right one.',
};

const points: Record<Exclude<Outcome, 'waiting'>, number | null> = {
  accepted: 92,
  needs_revision: 60,
  revised: 55,
  rejected: null,
};

/** Lives through one week: people attend sessions, hand in work, get reviews and the coach's rating. */
export async function liveWeek(db: Db, cohort: DemoCohort, fellows: DemoFellow[], week: number): Promise<void> {
  const monday = addDays(cohort.startDate, 7 * (week - 1));
  const assignment = cohort.assignments.find(({ weekNumber }) => weekNumber === week);
  if (!assignment) throw new Error(`Week ${week} of the demo has no assignment.`);
  await attendWeek(db, cohort, fellows, week);
  for (const [index, fellow] of fellows.entries()) {
    if (!handsIn(index, week)) continue;
    const work = await handIn(db, fellow, assignment, easternTimeSoFar(addDays(monday, 3), '19:20'), null);
    await review(db, fellow, assignment, { ...work, monday, outcome: outcomeOf(index, week) });
  }
  await standingAt(easternTimeSoFar(addDays(monday, 4), '17:00'), () => rateAll(db, fellows, week));
}

/**
 * Begins the week in which the demo opens. Some acts are done, most are not, and nothing that is still to come has
 * happened.
 */
export async function beginWeek(db: Db, cohort: DemoCohort, fellows: DemoFellow[], week: number): Promise<void> {
  const monday = addDays(cohort.startDate, 7 * (week - 1));
  const opened = cohort.activities.filter(({ weekNumber, day }) => weekNumber === week && day === monday);
  const assignment = cohort.assignments.find(({ weekNumber }) => weekNumber === week);
  const at = easternTimeSoFar(monday, '11:45');
  for (const [index, fellow] of fellows.entries()) {
    const done = index === 0 ? 2 : opened.length - (index % 4);
    for (const activity of opened.slice(0, done)) {
      await standingAt(at, () => attend(db, cohort, fellow, activity));
    }
    if (assignment && index > 0 && index % 4 < 2) await handIn(db, fellow, assignment, at, null);
  }
  const ahead = fellows.filter((_, index) => index > 0 && index % 4 === 0);
  await standingAt(at, () => rateAll(db, ahead, week));
}

/**
 * The act records the last passed week, once for each person and session. Each earlier week is one set, for a quick
 * start. Its entries in the log are those of the act.
 */
async function attendWeek(db: Db, cohort: DemoCohort, fellows: DemoFellow[], week: number): Promise<void> {
  const activities = cohort.activities.filter(({ weekNumber }) => weekNumber === week);
  const attended = fellows.flatMap((fellow, index) =>
    activities
      .filter((_, position) => !misses(index, week, position))
      .map((activity) => ({ fellow, activity, at: easternTimeSoFar(activity.day, '16:05') })),
  );
  if (week < weekOfActs) {
    const rows = attended.map(({ fellow, activity, at }) => ({ fellowId: fellow.id, contentId: activity.id, at }));
    await sql`
      with made as (
        insert into attendance_records (fellow_id, cohort_id, content_id, week_number, duration_minutes, accessed_at)
        select "fellowId", ${cohort.id}, "contentId", ${week}, 60, at
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given
          ("fellowId" uuid, "contentId" uuid, at timestamptz)
        returning *
      ) ${attendanceOnRecord}`.execute(db);
    return;
  }
  for (const { fellow, activity, at } of attended) {
    await standingAt(at, () => attend(db, cohort, fellow, activity));
  }
}

function attend(db: Db, cohort: DemoCohort, fellow: DemoFellow, activity: DemoCohort['activities'][number]) {
  return recordAttendance(db, fellow, {
    fellow_id: fellow.id,
    cohort_id: cohort.id,
    week_number: activity.weekNumber,
    content_type: 'live_session' as const,
    content_id: activity.id,
    duration_minutes: 60,
  });
}

type Assignment = DemoCohort['assignments'][number];

function handIn(db: Db, fellow: DemoFellow, assignment: Assignment, at: Date, basedOnRound: number | null) {
  const opening = basedOnRound === null ? 'First version' : 'Second version, with the changes that were asked for';
  const text = `${opening} of “${assignment.title}”.\n\nI compared three sources and measured twice in the lab. The values:\n\nVoltage: 12.47 kV\nCurrent: 208 A`;
  return standingAt(at, () => submitAssignment(db, fellow, assignment.id, { text, fileId: null, basedOnRound }));
}

interface Reviewed {
  id: string;
  roundNumber: number;
  monday: string;
  outcome: Outcome;
}

async function review(db: Db, fellow: DemoFellow, assignment: Assignment, work: Reviewed): Promise<void> {
  const { id, roundNumber, monday, outcome } = work;
  if (outcome === 'waiting') return;
  const status = outcome === 'revised' ? 'needs_revision' : outcome;
  const time = roundNumber > 1 ? '16:20' : '09:30';
  await standingAt(easternTimeSoFar(addDays(monday, 4), time), () =>
    reviewSubmission(db, fellow.coach, id, {
      status,
      feedback: feedback[outcome],
      pointsEarned: points[outcome],
      roundNumber,
    }),
  );
  if (outcome !== 'revised') return;
  const second = await handIn(db, fellow, assignment, easternTimeSoFar(addDays(monday, 4), '15:10'), roundNumber);
  await review(db, fellow, assignment, { ...second, monday, outcome: 'accepted' });
}

async function rateAll(db: Db, fellows: DemoFellow[], week: number): Promise<void> {
  for (const [index, fellow] of fellows.entries()) {
    if ((index + week) % 20 === 11) continue;
    const rating = ratings[(index + week) % ratings.length] ?? 4;
    const comment = comments[(index + week) % comments.length] ?? null;
    await rateWeek(db, fellow.coach, { participantId: fellow.id, weekNumber: week, rating, comment });
  }
}

/** The demo's participant misses nothing. Two people miss much. */
function misses(index: number, week: number, position: number): boolean {
  if (index === 0) return false;
  if (index === 5 || index === 15) return (week + position) % 2 === 0;
  return (index * 7 + week * 3 + position * 5) % 23 === 0;
}

function handsIn(index: number, week: number): boolean {
  return index === 0 || (index * 5 + week * 7) % 16 !== 0;
}

function outcomeOf(index: number, week: number): Outcome {
  if (index === 0) return week === 4 ? 'needs_revision' : 'accepted';
  if (week === 4 && index % 5 === 3) return 'waiting';
  if ((index + week * 4) % 19 === 0) return 'rejected';
  if ((index + week * 4) % 9 === 0) return week < 4 ? 'revised' : 'needs_revision';
  return 'accepted';
}
