import type { Insertable } from 'kysely';
import { specifiedRules } from '#contract/default-programme.ts';
import { notCounted } from '#contract/stipend-facts.ts';
import { judge } from '#contract/stipend-rules.ts';
import type { Db } from '#server/db/database.ts';
import type {
  ContentSubmissionsTable,
  PerformanceFeedbackTable,
  StipendEligibilityTable,
  TrainingActivitiesTable,
} from '#server/db/schema.gen.ts';
import { newId } from '#server/platform/ids.ts';
import { buildCohort } from './cohorts.ts';
import { buildAdmin, buildCoach, buildParticipant } from './people.ts';

/** An eligible, pending stipend of week 1 that nobody has decided yet. A decided one gets an admin and an instant. */
export async function buildStipend(db: Db, facts: Partial<Insertable<StipendEligibilityTable>> = {}) {
  const isDecided = facts.paymentStatus !== undefined && facts.paymentStatus !== 'pending';
  return db
    .insertInto('stipendEligibility')
    .values({
      weekNumber: 1,
      ...judgedWeek(facts),
      approvedAt: isDecided ? new Date() : null,
      denialReason: facts.paymentStatus === 'denied' ? 'Not what was agreed.' : null,
      ...facts,
      fellowId: facts.fellowId ?? (await buildParticipant(db)).id,
      cohortId: facts.cohortId ?? (await buildCohort(db)).id,
      approvedBy: isDecided ? (facts.approvedBy ?? (await buildAdmin(db)).id) : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A rating below 3.0 makes a stipend ineligible. */
export const badlyRated = { performanceRating: 2.5 };

type CountedFacts = Pick<
  Insertable<StipendEligibilityTable>,
  'activitiesTotal' | 'activitiesAccessed' | 'assignmentsTotal' | 'assignmentsSubmitted' | 'performanceRating'
>;

/** The columns of a week as the rules in force judge it. By default everything was done, and rated 4.0. */
export function judgedWeek(given: Partial<CountedFacts> = {}) {
  const { activitiesTotal = 5, assignmentsTotal = 2, performanceRating = 4 } = given;
  const { activitiesAccessed = activitiesTotal, assignmentsSubmitted = assignmentsTotal } = given;
  const counts = { activitiesTotal, activitiesAccessed, assignmentsTotal, assignmentsSubmitted };
  const assignmentsUntouched = assignmentsTotal - assignmentsSubmitted;
  return {
    ...counts,
    performanceRating,
    attendancePercentage: activitiesTotal === 0 ? 100 : (100 * activitiesAccessed) / activitiesTotal,
    criteria: JSON.stringify(
      judge({ ...notCounted, ...counts, assignmentsUntouched, rating: performanceRating }, specifiedRules),
    ),
    rulesVersion: specifiedRules.version,
  };
}

/** One cohort's activities of one week, in one statement. */
export function buildWeekActivities(
  db: Db,
  count: number,
  facts: Partial<Insertable<TrainingActivitiesTable>> & { cohortId: string },
) {
  return db
    .insertInto('trainingActivities')
    .values(
      Array.from({ length: count }, (_, index) => ({
        title: `Session ${index + 1}`,
        weekNumber: 1,
        applicableFellowship: true,
        ...facts,
      })),
    )
    .returningAll()
    .execute();
}

/** Records the participant's attendance at every one of the activities. */
export async function attend(
  db: Db,
  participantId: string,
  activities: { id: string; cohortId: string | null; weekNumber: number }[],
  facts: { accessedAt?: string } = {},
): Promise<void> {
  if (activities.length === 0) return;
  await db
    .insertInto('attendanceRecords')
    .values(
      activities.map(({ id, cohortId, weekNumber }) => {
        if (!cohortId) throw new Error('Attendance is recorded for the activities of a cohort.');
        return { fellowId: participantId, cohortId, contentId: id, weekNumber, ...facts };
      }),
    )
    .execute();
}

/** Work handed in for an assignment. Any status but 'submitted' comes from a coach's review. */
export async function buildSubmission(
  db: Db,
  facts: Partial<Insertable<ContentSubmissionsTable>> & { assignmentId: string; userId: string },
) {
  const isReviewed = facts.status !== undefined && facts.status !== 'submitted';
  return db
    .insertInto('contentSubmissions')
    .values({
      submissionText: `Answer ${newId()}`,
      reviewedBy: isReviewed ? (facts.reviewedBy ?? (await buildCoach(db)).id) : null,
      reviewedAt: isReviewed ? new Date() : null,
      ...facts,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A rating of 4.0 for week 1. */
export async function buildRating(
  db: Db,
  facts: Partial<Insertable<PerformanceFeedbackTable>> & { fellowId: string; cohortId: string },
) {
  return db
    .insertInto('performanceFeedback')
    .values({ weekNumber: 1, overallRating: 4, ...facts, ratedBy: facts.ratedBy ?? (await buildCoach(db)).id })
    .returningAll()
    .executeTakeFirstOrThrow();
}
