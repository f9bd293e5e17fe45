import { sql } from 'kysely';
import type { ParsedInputOf, ReplyOf } from '#contract/endpoint.ts';
import type { EnrolmentTarget, previewCoachReplacement } from '#contract/enrolments.ts';
import { builtOnce } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import type { BookingLimits } from '#server/features/coaching/booking-queries.ts';
import { type CoachReplacement, countBookedSessions } from '#server/features/coaching/coach-replacement-queries.ts';
import { now } from '#server/platform/clock.ts';
import { openStatuses, runningFirst } from './cohort-queries.ts';

/** USER-27 */
export function findEnrolmentTargets(db: Db): Promise<EnrolmentTarget[]> {
  return openCohorts(db, {});
}

const openCohorts = builtOnce((db, _: Record<never, string>) =>
  db
    .selectFrom('cohorts')
    .select(['id', 'name', 'programType', 'capacity', 'currentEnrollment'])
    .select(sql<EnrolmentTarget['status']>`status`.as('status'))
    .where('status', 'in', openStatuses)
    .orderBy(runningFirst),
);

export interface Standing {
  /** The status of the membership in the cohort, or null without one. */
  membership: string | null;
  /** The oldest course on offer in the cohort's programme. */
  courseId: string | null;
  /** The person's coach in that course now. */
  coach: { id: string; firstName: string; lastName: string } | null;
  /**
   * True if this coach has the person in another course too. Then they stay the person's coach, whoever gets this
   * course.
   */
  isCoachElsewhere: boolean;
}

/** Returns how a person stands to a cohort that they are to be enrolled in. */
export async function findStanding(db: Db, personId: string, cohortId: string): Promise<Standing> {
  const [standing] = (await findStandings(db, [personId], cohortId)).values();
  if (!standing) throw new Error('A person who was asked about has no standing.');
  return standing;
}

/** The same for any number of people, in one statement. */
export async function findStandings(
  db: Db,
  personIds: readonly string[],
  cohortId: string,
): Promise<Map<string, Standing>> {
  const found = await sql<Standing & { personId: string }>`
    with course as (
      select courses.id from courses join cohorts on cohorts.program_type = courses.track_type
      where cohorts.id = ${cohortId} and courses.archived_at is null order by courses.created_at, courses.id limit 1
    )
    select asked.id as person_id, member.status as membership, (select id from course) as course_id,
      case when coach.id is not null
        then json_build_object('id', coach.id, 'firstName', coach.first_name, 'lastName', coach.last_name) end as coach,
      exists (select from user_courses other
        where other.user_id = asked.id and other.status = 'enrolled' and other.coach_id = coach.id
          and other.course_id <> (select id from course)) as is_coach_elsewhere
    from unnest(${personIds}::uuid[]) as asked (id)
    left join cohort_participants member on member.participant_id = asked.id and member.cohort_id = ${cohortId}
    left join user_courses taken on taken.user_id = asked.id and taken.course_id = (select id from course)
      and taken.status = 'enrolled'
    left join profiles coach on coach.id = taken.coach_id`.execute(db);
  return new Map(found.rows.map(({ personId, ...standing }) => [personId, standing]));
}

/** Returns whom the chosen coach would replace, and the sessions that are booked with them. */
export async function findCoachReplacement(
  db: Db,
  { userId, cohortId, coachId }: ParsedInputOf<typeof previewCoachReplacement>['query'],
  limits: BookingLimits,
): Promise<ReplyOf<typeof previewCoachReplacement>> {
  const standing = await findStanding(db, userId, cohortId);
  const formerCoach = standing.coach?.id === coachId ? null : standing.coach;
  const replacement = replacementOf(standing, { participantId: userId, newCoachId: coachId, at: now(), limits });
  const counts = replacement ? await countBookedSessions(db, replacement) : { booked: 0, movable: 0 };
  return { formerCoach, ...counts };
}

/** Returns null if nobody is replaced whose sessions would be without their coach. */
export function replacementOf(
  { coach, isCoachElsewhere }: Standing,
  taking: Omit<CoachReplacement, 'formerCoachId'>,
): CoachReplacement | null {
  if (!coach || coach.id === taking.newCoachId || isCoachElsewhere) return null;
  return { ...taking, formerCoachId: coach.id };
}
