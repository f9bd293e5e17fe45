import { type Expression, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import type { ParsedInputOf, ResponseOf } from '#contract/endpoint.ts';
import type { listSubmissions, readAssignment, SubmissionRow, SubmissionStatus } from '#contract/submissions.ts';
import { easternDay } from '#contract/weeks.ts';
import type { Db } from '#server/db/database.ts';
import { isOwnParticipant } from '#server/features/coaching/coaching-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import {
  loadAssignment,
  mayReview,
  openAssignment,
  submissionCan,
  submitRefusal,
  visibleSubmissions,
} from './submission-access.ts';

type Filters = ParsedInputOf<typeof listSubmissions>['query'];
type Round = NonNullable<ResponseOf<typeof readAssignment>['submission']>['rounds'][number];

const pageSize = 30;

/** Two statements: the assignment through what the person may see, and their own submission with its rounds. */
export async function findAssignment(db: Db, actor: Actor, assignmentId: string) {
  const assignment = await loadAssignment(db, actor, assignmentId);
  const submission = actor.role === 'participant' ? await ownSubmission(db, actor.id, assignmentId) : null;
  const refusal = actor.role === 'participant' ? submitRefusal(assignment, submission) : null;
  const isOpen = actor.role === 'participant' && refusal === null;
  return {
    id: assignment.id,
    title: assignment.title,
    instructions: assignment.instructions,
    assignmentType: assignment.assignmentType,
    dueDate: assignment.dueDate,
    isRequired: assignment.isRequired,
    maxPoints: assignment.maxPoints,
    activity: { id: assignment.activityId, title: assignment.activityTitle, weekNumber: assignment.weekNumber },
    submission,
    can: { submit: isOpen && !submission, resubmit: isOpen && Boolean(submission), grade: mayReview(actor) },
    refusal: refusal?.message ?? null,
    today: easternDay(now()),
  };
}

/** One statement for the page and the count of what waits. */
export async function findSubmissions(db: Db, actor: Actor, filters: Filters) {
  if (filters.view === 'pending' && !mayReview(actor)) {
    throw new AppError('forbidden', 'Only coaches and admins see what waits for review.');
  }
  const isPending = filters.view === 'pending';
  const isMine = filters.mine === 'true' && actor.role === 'coach';
  const after = filters.cursor === undefined ? null : readCursor(filters.cursor);
  const rows = await submissionRows(db, actor)
    .select(() =>
      visibleSubmissions(db, actor)
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('contentSubmissions.status', '=', 'submitted')
        .$if(isMine, (query) => query.where(byOwnParticipant(db, actor)))
        .$castTo<{ n: number }>()
        .as('pendingCount'),
    )
    .$if(isPending, (query) => query.where('contentSubmissions.status', '=', 'submitted'))
    .$if(filters.status !== undefined, (query) => query.where('contentSubmissions.status', '=', filters.status ?? ''))
    .$if(isMine, (query) => query.where(byOwnParticipant(db, actor)))
    .where((eb) => (after ? comesAfter(isPending, after) : eb.lit(true)))
    .orderBy('contentSubmissions.submittedAt', isPending ? 'asc' : 'desc')
    .orderBy('contentSubmissions.id', isPending ? 'asc' : 'desc')
    .limit(pageSize + 1)
    .execute();
  const page = rows.slice(0, pageSize);
  const last = page.at(-1);
  return {
    rows: page.map((row) => toRow(actor, row)),
    nextCursor: rows.length > pageSize && last ? writeCursor(last) : null,
    pendingCount: rows[0]?.pendingCount ?? (await pendingCount(db, actor, isMine)),
  };
}

export async function findSubmission(db: Db, actor: Actor, submissionId: string) {
  const row = await submissionRows(db, actor)
    .select((eb) => [
      'contentAssignments.instructions',
      'contentAssignments.maxPoints',
      roundsOf(eb.ref('contentSubmissions.id')).as('rounds'),
    ])
    .where('contentSubmissions.id', '=', submissionId)
    .executeTakeFirst();
  if (!row) throw notFound('Submission not found');
  return { ...toRow(actor, row), instructions: row.instructions, maxPoints: row.maxPoints, rounds: row.rounds };
}

function byOwnParticipant(db: Db, coach: Actor) {
  return isOwnParticipant(db, coach, sql.ref('contentSubmissions.userId'));
}

function pendingCount(db: Db, actor: Actor, isMine: boolean): Promise<number> {
  return visibleSubmissions(db, actor)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('contentSubmissions.status', '=', 'submitted')
    .$if(isMine, (query) => query.where(byOwnParticipant(db, actor)))
    .executeTakeFirstOrThrow()
    .then(({ n }) => n);
}

function submissionRows(db: Db, actor: Actor) {
  return visibleSubmissions(db, actor)
    .innerJoin('contentAssignments', 'contentAssignments.id', 'contentSubmissions.assignmentId')
    .innerJoin('contentItems', 'contentItems.id', 'contentAssignments.contentItemId')
    .innerJoin('trainingActivities', 'trainingActivities.id', 'contentItems.trainingActivityId')
    .innerJoin('profiles', 'profiles.id', 'contentSubmissions.userId')
    .leftJoin('storedFiles', 'storedFiles.path', 'contentSubmissions.filePath')
    .select((eb) => [
      'contentSubmissions.id',
      'contentSubmissions.assignmentId',
      'contentSubmissions.userId',
      'contentSubmissions.status',
      'contentSubmissions.roundNumber',
      'contentSubmissions.submittedAt',
      'contentSubmissions.feedback',
      'contentAssignments.title as assignmentTitle',
      'trainingActivities.title as activityTitle',
      'trainingActivities.weekNumber',
      'profiles.firstName',
      'profiles.lastName',
      'storedFiles.id as fileId',
      eb.exists(openAssignment(db, actor)).$castTo<boolean>().as('isAssignmentOpen'),
      instant('contentSubmissions.submittedAt', 'US').as('submittedAtExactly'),
    ]);
}

type StoredRow = Awaited<ReturnType<ReturnType<typeof submissionRows>['execute']>>[number];

function toRow(actor: Actor, row: StoredRow) {
  const status = row.status as SubmissionStatus;
  return {
    id: row.id,
    assignmentId: row.assignmentId,
    assignmentTitle: row.assignmentTitle,
    activityTitle: row.activityTitle,
    weekNumber: row.weekNumber,
    participantId: row.userId,
    participantName: `${row.firstName} ${row.lastName}`,
    status,
    roundNumber: row.roundNumber,
    submittedAt: row.submittedAt.toISOString(),
    feedback: row.feedback,
    hasFile: row.fileId !== null,
    fileId: row.fileId,
    can: submissionCan(actor, { ...row, status }),
  } satisfies SubmissionRow;
}

/** The latest submission by assignment and person (ASSIGN-28, SUBM-24). */
async function ownSubmission(db: Db, userId: string, assignmentId: string) {
  const found = await db
    .selectFrom('contentSubmissions')
    .leftJoin('profiles as reviewer', 'reviewer.id', 'contentSubmissions.reviewedBy')
    .select((eb) => [
      'contentSubmissions.id',
      'contentSubmissions.status',
      'contentSubmissions.roundNumber',
      'contentSubmissions.submissionText as text',
      'contentSubmissions.submittedAt',
      'contentSubmissions.feedback',
      'contentSubmissions.reviewedAt',
      fileAt(eb.ref('contentSubmissions.filePath')).as('file'),
      roundsOf(eb.ref('contentSubmissions.id')).as('rounds'),
      sql<string | null>`reviewer.first_name || ' ' || reviewer.last_name`.as('reviewerName'),
    ])
    .where('contentSubmissions.assignmentId', '=', assignmentId)
    .where('contentSubmissions.userId', '=', userId)
    .executeTakeFirst();
  if (!found) return null;
  return {
    ...found,
    status: found.status as SubmissionStatus,
    submittedAt: found.submittedAt.toISOString(),
    reviewedAt: found.reviewedAt?.toISOString() ?? null,
  };
}

function fileAt(path: Expression<string | null>) {
  return sql<
    Round['file']
  >`(select jsonb_build_object('id', id, 'name', display_name, 'size', size, 'mimeType', mime_type)
    from stored_files where stored_files.path = ${path})`;
}

/** Newest first. */
function roundsOf(submissionId: Expression<string>) {
  return sql<Round[]>`(select coalesce(jsonb_agg(jsonb_build_object(
      'roundNumber', rounds.round_number,
      'text', rounds.submission_text,
      'file', ${fileAt(sql.ref('rounds.file_path'))},
      'submittedAt', ${instant('rounds.submitted_at')},
      'reviewStatus', rounds.review_status,
      'feedback', rounds.feedback,
      'reviewerName', reviewer.first_name || ' ' || reviewer.last_name,
      'reviewedAt', ${instant('rounds.reviewed_at')}
    ) order by rounds.round_number desc), '[]')
    from submission_rounds rounds left join profiles reviewer on reviewer.id = rounds.reviewed_by
    where rounds.submission_id = ${submissionId})`;
}

function instant(column: string, fraction: 'MS' | 'US' = 'MS') {
  const format = `YYYY-MM-DD"T"HH24:MI:SS.${fraction}"Z"`;
  return sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', ${sql.lit(format)})`;
}

/** The time to the microsecond, as the database orders by it: one rounded to milliseconds would skip rows. */
const PageKey = z.tuple([z.iso.datetime(), z.uuid()]);
type PageKey = z.infer<typeof PageKey>;

function comesAfter(isAscending: boolean, [at, id]: PageKey): Expression<SqlBool> {
  const sign = isAscending ? sql`>` : sql`<`;
  return sql<SqlBool>`(content_submissions.submitted_at, content_submissions.id) ${sign} (${at}::timestamptz, ${id}::uuid)`;
}

function writeCursor({ submittedAtExactly, id }: { submittedAtExactly: string; id: string }): string {
  return Buffer.from(`${submittedAtExactly}_${id}`).toString('base64url');
}

function readCursor(cursor: string): PageKey {
  const key = PageKey.safeParse(Buffer.from(cursor, 'base64url').toString().split('_'));
  if (key.success) return key.data;
  throw new AppError('invalid_input', 'This page does not exist any more. Please start from the first one.');
}
