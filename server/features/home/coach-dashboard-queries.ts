import { sql } from 'kysely';
import type { ResponseOf } from '#contract/endpoint.ts';
import type { readCoachDashboard } from '#contract/home.ts';
import { addDays, easternDay, startOfEasternDay } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';

type Dashboard = ResponseOf<typeof readCoachDashboard>;

const shownReviews = 5;
const upcomingSessions = 3;

/** Four statements, each limited to the coach's own participants (SEC-11). */
export async function coachDashboard(db: Db, actor: Actor): Promise<Dashboard> {
  const at = now();
  const participants = await readParticipants(db, actor.id);
  const { todaysSessions, upcoming } = await readSessions(db, actor.id, at);
  const people = new Map(participants.map((participant) => [participant.id, participant.gradedSubmissions]));
  const graded = [...people.values()].filter((count) => count > 0).length;
  return {
    counts: {
      participants: people.size,
      pendingReviews: await countPending(db, actor.id),
      todaysSessions: todaysSessions.length,
      // COACH-07
      completionRate: people.size === 0 ? 0 : Math.round((100 * graded) / people.size),
    },
    participants,
    pendingEvaluations: await readPending(db, actor.id),
    todaysSessions,
    upcomingSessions: upcoming,
  };
}

/** COACH-08: one row a participant, under the course that they joined last. */
async function readParticipants(db: Db, coachId: string): Promise<Dashboard['participants']> {
  const found = await sql<Dashboard['participants'][number]>`
    select * from (
      select distinct on (profiles.id)
        profiles.id, profiles.first_name, profiles.last_name, profiles.email, profiles.track_type,
        courses.title as course_title, enrolled.status, enrolled.start_date,
        (select count(*) from content_submissions where user_id = profiles.id) as total_submissions,
        (select count(*) from content_submissions where user_id = profiles.id and status <> 'submitted') as graded_submissions
      from user_courses enrolled
      join profiles on profiles.id = enrolled.user_id
      join courses on courses.id = enrolled.course_id
      where enrolled.coach_id = ${coachId} and enrolled.status = 'enrolled' and profiles.deleted_at is null
      order by profiles.id, enrolled.start_date desc
    ) own
    order by first_name, last_name, id`.execute(db);
  return found.rows;
}

/** COACH-10, COACH-12: oldest first. */
async function readPending(db: Db, coachId: string): Promise<Dashboard['pendingEvaluations']> {
  const found = await sql<Omit<Dashboard['pendingEvaluations'][number], 'submittedAt'> & { submittedAt: Date }>`
    select submissions.id, content_assignments.title as assignment_title, profiles.first_name, profiles.last_name,
      (select courses.title from user_courses join courses on courses.id = user_courses.course_id
        where user_courses.user_id = profiles.id and user_courses.coach_id = ${coachId} and user_courses.status = 'enrolled'
        order by user_courses.start_date desc, courses.id limit 1) as course_title,
      'Week ' || training_activities.week_number || ': ' || training_activities.title as week_title,
      submissions.submitted_at
    from content_submissions submissions
    join profiles on profiles.id = submissions.user_id
    join content_assignments on content_assignments.id = submissions.assignment_id
    join content_items on content_items.id = content_assignments.content_item_id
    join training_activities on training_activities.id = content_items.training_activity_id
    where submissions.status = 'submitted' and ${isOwn('submissions', coachId)}
    order by submissions.submitted_at, submissions.id
    limit ${shownReviews}`.execute(db);
  return found.rows.map((row) => ({ ...row, submittedAt: row.submittedAt.toISOString() }));
}

async function countPending(db: Db, coachId: string): Promise<number> {
  const found = await sql<{ n: number }>`
    select count(*) as n from content_submissions submissions
    where submissions.status = 'submitted' and ${isOwn('submissions', coachId)}`.execute(db);
  return found.rows[0]?.n ?? 0;
}

function isOwn(table: string, coachId: string) {
  return sql`exists (select 1 from user_courses where user_courses.user_id = ${sql.ref(`${table}.user_id`)}
    and user_courses.coach_id = ${coachId} and user_courses.status = 'enrolled')`;
}

/** COACH-06: today by the US Eastern day, without cancelled ones; COACH-11: from now on, at most three. */
async function readSessions(db: Db, coachId: string, at: Date) {
  const today = easternDay(at);
  const from = startOfEasternDay(today);
  const until = startOfEasternDay(addDays(today, 1));
  const rows = await db
    .selectFrom('coachingSessions')
    .innerJoin('profiles', 'profiles.id', 'coachingSessions.participantId')
    .select([
      'coachingSessions.id',
      'coachingSessions.participantId',
      'profiles.firstName',
      'profiles.lastName',
      'profiles.email',
      'coachingSessions.scheduledAt',
      'coachingSessions.durationMinutes',
      'coachingSessions.agenda',
      'coachingSessions.notes',
      'coachingSessions.status',
      'coachingSessions.teamsLink',
    ])
    .where('coachingSessions.coachId', '=', coachId)
    .where('coachingSessions.status', '<>', 'cancelled')
    .where('coachingSessions.scheduledAt', '>=', from)
    .orderBy('coachingSessions.scheduledAt')
    .orderBy('coachingSessions.id')
    .limit(50)
    .execute();
  const sessions = rows.map((row) => ({ ...row, status: row.status as Dashboard['todaysSessions'][number]['status'] }));
  const shown = (list: typeof sessions) => list.map((row) => ({ ...row, scheduledAt: row.scheduledAt.toISOString() }));
  return {
    todaysSessions: shown(sessions.filter(({ scheduledAt }) => scheduledAt < until)),
    upcoming: shown(
      sessions
        .filter(({ scheduledAt, status }) => scheduledAt >= at && status === 'scheduled')
        .slice(0, upcomingSessions),
    ),
  };
}
