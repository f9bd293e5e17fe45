import { sql } from 'kysely';
import { z } from 'zod';
import { type CoachDashboard, firstParticipants } from '#contract/home.ts';
import { easternDay } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { ownParticipants } from '#server/features/coaching/coaching-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { readCursor, writeCursor } from '#server/platform/cursors.ts';
import {
  isSilent,
  isStipendAtRisk,
  missedActivities,
  missedSessions,
  overdueAssignments,
} from './attention-queries.ts';

const pageSize = 25;
/** Missed activities, first and last name, id. */
const Place = z.tuple([z.number(), z.string(), z.string(), z.uuid()]);
type Place = z.infer<typeof Place>;

/** Each own participant once, under the course that they joined last (COACH-04, COACH-08). */
export function eachOwnParticipant(db: Db, coach: Pick<Actor, 'id'>) {
  return ownParticipants(db, coach)
    .innerJoin('courses', 'courses.id', 'userCourses.courseId')
    .distinctOn('profiles.id')
    .select([
      'profiles.id',
      'profiles.firstName',
      'profiles.lastName',
      'profiles.email',
      'profiles.trackType',
      'courses.title as courseTitle',
      'userCourses.status',
      'userCourses.startDate',
    ])
    .orderBy('profiles.id')
    .orderBy('userCourses.startDate', 'desc')
    .orderBy('courses.id');
}

/** The first ones with the figures of all; COACH-07: the rate counts reviewed work, which is any status but 'submitted'. */
export async function findFirstParticipants(db: Db, coach: Pick<Actor, 'id'>, at: Date) {
  const rows = await participantRows(db, coach, { at, after: null, most: firstParticipants });
  const [first] = rows;
  return { participants: rows, total: first?.total ?? 0, completionRate: first?.completionRate ?? 0 };
}

export async function findCoachParticipants(
  db: Db,
  coach: Pick<Actor, 'id'>,
  { at, cursor }: { at: Date; cursor: string | undefined },
) {
  const after = cursor === undefined ? null : readCursor(cursor, Place);
  const found = await participantRows(db, coach, { at, after, most: pageSize + 1 });
  const rows = found.slice(0, pageSize);
  const last = rows.at(-1);
  const isMore = found.length > pageSize && last !== undefined;
  return {
    rows,
    nextCursor: isMore ? writeCursor([last.missedActivities, last.firstName, last.lastName, last.id]) : null,
  };
}

/** Who missed most first. What takes long is asked of the page alone. */
function participantRows(
  db: Db,
  coach: Pick<Actor, 'id'>,
  { at, after, most }: { at: Date; after: Place | null; most: number },
) {
  const today = easternDay(at);
  return db
    .with('own', () => eachOwnParticipant(db, coach))
    .with('figures', (query) =>
      query
        .selectFrom('own')
        .leftJoin('contentSubmissions', 'contentSubmissions.userId', 'own.id')
        .select((eb) => [
          'own.id as participantId',
          eb.fn.count<number>('contentSubmissions.id').as('totalSubmissions'),
          eb.fn
            .count<number>('contentSubmissions.id')
            .filterWhere('contentSubmissions.status', '<>', 'submitted')
            .as('gradedSubmissions'),
          eb.fn
            .count<number>('contentSubmissions.id')
            .filterWhere('contentSubmissions.status', 'in', ['needs_revision', 'rejected'])
            .as('submissionsToRevise'),
        ])
        .groupBy('own.id'),
    )
    .with('ranked', (query) =>
      query
        .selectFrom('own')
        .innerJoin('figures', 'figures.participantId', 'own.id')
        .selectAll('own')
        .select(['figures.totalSubmissions', 'figures.gradedSubmissions', 'figures.submissionsToRevise'])
        .select([
          missedActivities(today).as('missedActivities'),
          sql<number>`count(*) over ()`.as('total'),
          sql<number>`round(100.0 * count(*) filter (where graded_submissions > 0) over () / count(*) over ())`.as(
            'completionRate',
          ),
        ]),
    )
    .with('page', (query) =>
      query
        .selectFrom('ranked')
        .selectAll()
        .$if(after !== null, (page) =>
          page.where(
            sql<boolean>`(-missed_activities, first_name, last_name, id) > (${-(after?.[0] ?? 0)}::bigint, ${after?.[1]}::text, ${after?.[2]}::text, ${after?.[3]}::uuid)`,
          ),
        )
        .orderBy('missedActivities', 'desc')
        .orderBy('firstName')
        .orderBy('lastName')
        .orderBy('id')
        .limit(most),
    )
    .selectFrom('page as own')
    .selectAll('own')
    .select([
      overdueAssignments(today).as('overdueAssignments'),
      missedSessions(coach, at).as('missedSessions'),
      isSilent(at).as('isSilent'),
      isStipendAtRisk(today).as('isStipendAtRisk'),
    ])
    .orderBy('missedActivities', 'desc')
    .orderBy('firstName')
    .orderBy('lastName')
    .orderBy('id')
    .$narrowType<Pick<CoachDashboard['participants'][number], 'trackType'>>()
    .execute();
}
