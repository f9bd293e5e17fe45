import { type RawBuilder, sql } from 'kysely';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import { ReviewStatus } from '#contract/reviews.ts';
import type { listSubmissions, SubmissionRow, SubmissionStatus } from '#contract/submissions.ts';
import { builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { isOwnParticipant, mayOpenPerson } from '#server/features/coaching/coaching-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { AppError, notFound } from '#server/platform/errors.ts';
import { isAsItOpens } from '#server/platform/pages.ts';
import { isReviewCorrected, isWeekDecided, submissionCan, takeBackUntil } from './review-access.ts';
import { mayReview, openAssignment, visibleSubmissions } from './submission-access.ts';
import { claimOf, instant, roundsOf } from './submission-columns.ts';
import { type Choice, pageOf, pagesIn } from './submission-pages.ts';
import { talliedWaiting } from './tallied-queries.ts';

type Person = Pick<Actor, 'id' | 'trackType'>;
type Viewer = Person & Pick<Actor, 'role'>;
type Filters = ParsedInputOf<typeof listSubmissions>['query'];

/** Takes one statement for the page and the count of what waits. */
export async function findSubmissions(db: Db, actor: Actor, filters: Filters) {
  const isPending = filters.view === 'pending';
  if (isPending && !mayReview(actor)) {
    throw new AppError('forbidden', 'Only coaches and admins see what waits for review.');
  }
  const isMine = filters.mine === 'true' && actor.role === 'coach';
  const order = filters.order ?? (isPending ? 'oldest' : 'newest');
  const filtered = {
    status: isPending ? 'submitted' : filters.status,
    search: filters.search || undefined,
    assignmentId: filters.assignment,
    age: filters.age,
    participantIds: filters.participants?.split(','),
    cursor: filters.cursor,
  };
  const found =
    order === 'newest' && !isMine && isAsItOpens(filtered)
      ? await newestFor(db, actor.role, { id: actor.id, trackType: actor.trackType })
      : await pageRows(db, actor, { ...filtered, isMine, order }).execute();
  const { rows, nextCursor } = pagesIn[order].cut(found, ({ submittedAtExactly, id }) => [submittedAtExactly, id]);
  return {
    rows: rows.map((row) => toRow(actor, row)),
    nextCursor,
    pendingCount: found[0]?.pendingCount ?? (await countWaiting(db, actor, isMine)),
  };
}

function pageRows(db: Db, viewer: Viewer, choice: Choice) {
  return submissionRows(db, viewer, pageOf(db, viewer, choice))
    .select(waiting(db, viewer, choice.isMine).as('pendingCount'))
    .orderBy(pagesIn[choice.order].inOrder);
}

const newestFor = builtOnceByRole((db, role, person: Person) =>
  pageRows(db, { ...person, role }, { isMine: false, order: 'newest' }),
);

export async function findSubmission(db: Db, actor: Actor, submissionId: string) {
  const [row] = await submissionFor(db, actor.role, { id: actor.id, trackType: actor.trackType, submissionId });
  if (!row) throw notFound('Submission not found');
  const shown = toRow(actor, row);
  return {
    ...shown,
    participantFirstName: row.firstName,
    instructions: row.instructions,
    rounds: row.rounds,
    draft: toDraft(row),
    takeBackUntil: takeBackUntil(actor, { ...row, status: shown.status }),
  };
}

/** What a role sees and may do is other text, so each has its own statement. */
const submissionFor = builtOnceByRole((db, role, { submissionId, ...person }: Person & { submissionId: string }) => {
  const viewer = { ...person, role };
  const visible = visibleSubmissions(db, viewer).select('id').where('id', '=', submissionId);
  return submissionRows(db, viewer, sql`${visible}`).select((eb) => [
    'contentAssignments.instructions',
    'contentSubmissions.reviewedAt',
    isReviewCorrected.as('isCorrected'),
    roundsOf(eb.ref('contentSubmissions.id')).as('rounds'),
    'ownDraft.roundNumber as draftRoundNumber',
    'ownDraft.reviewStatus as draftStatus',
    'ownDraft.feedback as draftFeedback',
    'ownDraft.pointsEarned as draftPointsEarned',
    'ownDraft.updatedAt as draftUpdatedAt',
  ]);
});

async function countWaiting(db: Db, actor: Actor, isMine: boolean): Promise<number> {
  const { n } = await db.selectNoFrom(waiting(db, actor, isMine).as('n')).executeTakeFirstOrThrow();
  return n;
}

/** Counts what waits for review, of all people for a reviewer. */
function waiting(db: Db, actor: Viewer, isMine: boolean): RawBuilder<number> {
  if (mayReview(actor) && !isMine) return talliedWaiting;
  return sql<number>`(${visibleSubmissions(db, actor)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('contentSubmissions.status', '=', sql.lit('submitted'))
    .$if(isMine, (query) => query.where(isOwnParticipant(db, actor, sql.ref('contentSubmissions.userId'))))})`;
}

/** The page comes first, because PostgreSQL weighs the order of at most eight tables. The others follow its rows. */
function submissionRows(db: Db, actor: Viewer, page: RawBuilder<{ id: string }>) {
  return db
    .selectFrom(page.as('page'))
    .innerJoin('contentSubmissions', 'contentSubmissions.id', 'page.id')
    .innerJoin('contentAssignments', 'contentAssignments.id', 'contentSubmissions.assignmentId')
    .innerJoin('contentItems', 'contentItems.id', 'contentAssignments.contentItemId')
    .innerJoin('trainingActivities', 'trainingActivities.id', 'contentItems.trainingActivityId')
    .innerJoin('profiles', 'profiles.id', 'contentSubmissions.userId')
    .leftJoin('storedFiles', 'storedFiles.path', 'contentSubmissions.filePath')
    .leftJoin('contentEvaluations', 'contentEvaluations.submissionId', 'contentSubmissions.id')
    .leftJoin('reviewDrafts as ownDraft', (join) =>
      join.onRef('ownDraft.submissionId', '=', 'contentSubmissions.id').on('ownDraft.reviewerId', '=', actor.id),
    )
    .select((eb) => [
      'contentSubmissions.id',
      'contentSubmissions.assignmentId',
      'contentSubmissions.userId',
      'contentSubmissions.status',
      'contentSubmissions.roundNumber',
      'contentSubmissions.submittedAt',
      'contentSubmissions.feedback',
      'contentSubmissions.reviewedBy',
      isWeekDecided.as('isWeekDecided'),
      'contentEvaluations.pointsEarned',
      'contentAssignments.title as assignmentTitle',
      'contentAssignments.maxPoints',
      'trainingActivities.title as activityTitle',
      'trainingActivities.weekNumber',
      'profiles.firstName',
      'profiles.lastName',
      'storedFiles.id as fileId',
      eb('ownDraft.reviewerId', 'is not', null).$castTo<boolean>().as('hasOwnDraft'),
      claimOf(db, actor).as('claim'),
      mayOpenPerson(db, actor, eb.ref('contentSubmissions.userId')).as('canOpenPerson'),
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
    pointsEarned: row.pointsEarned,
    maxPoints: row.maxPoints,
    hasFile: row.fileId !== null,
    fileId: row.fileId,
    claim: mayReview(actor) && status === 'submitted' ? row.claim : null,
    hasOwnDraft: row.hasOwnDraft,
    can: { ...submissionCan(actor, { ...row, status }), openPerson: mayReview(actor) && row.canOpenPerson },
  } satisfies SubmissionRow;
}

interface StoredDraft {
  draftRoundNumber: number | null;
  draftStatus: string | null;
  draftFeedback: string | null;
  draftPointsEarned: number | null;
  draftUpdatedAt: Date | null;
}

function toDraft(row: StoredDraft) {
  if (row.draftRoundNumber === null || row.draftUpdatedAt === null) return null;
  return {
    roundNumber: row.draftRoundNumber,
    status: ReviewStatus.parse(row.draftStatus),
    feedback: row.draftFeedback ?? '',
    pointsEarned: row.draftPointsEarned,
    updatedAt: row.draftUpdatedAt.toISOString(),
  };
}
