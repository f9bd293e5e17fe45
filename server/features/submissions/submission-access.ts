import { sql } from 'kysely';
import { defaultUnlockedWeeks } from '#contract/default-programme.ts';
import { canResubmit, type SubmissionStatus } from '#contract/submissions.ts';
import { dayAt } from '#contract/weeks.ts';
import { builtOnceByRole } from '#server/db/built-once.ts';
import type { Db } from '#server/db/database.ts';
import { coachIdsOf } from '#server/features/coaching/coaching-access.ts';
import { visibleActivities } from '#server/features/curriculum/curriculum-access.ts';
import { ownUploads, unfinishedUpload } from '#server/features/files/file-access.ts';
import { lockedRefusal, zoneOfActivity } from '#server/features/learning/learning-access.ts';
import type { Actor } from '#server/platform/actor.ts';
import { refusalNamed } from '#server/platform/broken-constraints.ts';
import { now } from '#server/platform/clock.ts';
import { AppError, notFound } from '#server/platform/errors.ts';

type Viewer = Pick<Actor, 'id' | 'role' | 'trackType'>;
type OwnSubmission = { status: SubmissionStatus } | null | undefined;

/** Participants see their own submissions. Coaches and admins see all (SUBM-03 to SUBM-05). */
export function visibleSubmissions(db: Db, viewer: Viewer) {
  const submissions = db.selectFrom('contentSubmissions');
  if (viewer.role === 'participant') return submissions.where('contentSubmissions.userId', '=', viewer.id);
  return submissions;
}

/**
 * Loads an assignment that the person may open. Anything else is not found, and neither is one that was closed before
 * they began. Work that they have begun and no longer see counts as closed: they can read it, but it takes no work.
 */
export async function loadAssignment(db: Db, viewer: Viewer, assignmentId: string) {
  const { id, role, trackType } = viewer;
  const [found] = await assignmentFor(db, role, { id, trackType, assignmentId });
  if (!found) throw notFound('Assignment not found');
  const { isVisible, isBegun: isTheirs, ...assignment } = found;
  const isOpen = isVisible && (assignment.archivedAt === null || mayReview(viewer));
  if (!isOpen && !isTheirs) throw notFound('Assignment not found');
  return { ...assignment, archivedAt: assignment.archivedAt ?? (isVisible ? null : now()) };
}

/** What a role sees is other text, so each has its own statement. */
const assignmentFor = builtOnceByRole(
  (db, role, { assignmentId, ...person }: Omit<Viewer, 'role'> & { assignmentId: string }) => {
    const viewer = { ...person, role };
    const visible = visibleAssignments(db, viewer)
      .select('contentAssignments.id')
      .where('contentAssignments.id', '=', assignmentId);
    return allAssignments(db)
      .select((eb) => [
        'contentAssignments.id',
        'contentAssignments.title',
        'contentAssignments.instructions',
        'contentAssignments.assignmentType',
        'contentAssignments.dueDate',
        'contentAssignments.isRequired',
        'contentAssignments.maxPoints',
        'contentAssignments.archivedAt',
        'trainingActivities.id as activityId',
        'trainingActivities.title as activityTitle',
        'trainingActivities.weekNumber',
        'trainingActivities.sessionDate',
        'trainingActivities.cohortId',
        zoneOfActivity,
        unlockedWeeks(db).as('unlockedWeeks'),
        eb.exists(visible).$castTo<boolean>().as('isVisible'),
        isBegun(viewer).as('isBegun'),
      ])
      .where('contentAssignments.id', '=', assignmentId);
  },
);

/**
 * Loads what handing in starts from: the assignment, the person's own submission, locked, and the named upload. The
 * submission is null before the first one. Then there is nothing to lock, and the database lets one of two requests
 * through.
 */
export async function loadForWork(db: Db, viewer: Viewer, assignmentId: string, fileId: string | null) {
  const found = await visibleAssignments(db, viewer)
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('contentSubmissions')
          .select(['contentSubmissions.id', 'contentSubmissions.status', 'contentSubmissions.roundNumber'])
          .whereRef('contentSubmissions.assignmentId', '=', 'contentAssignments.id')
          .where('contentSubmissions.userId', '=', viewer.id)
          .forUpdate()
          .as('own'),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      ownUploads(db, viewer, 'submissions')
        .select('storedFiles.path')
        .where('storedFiles.id', '=', fileId)
        .forShare()
        .as('file'),
      (join) => join.onTrue(),
    )
    .select((eb) => [
      'contentAssignments.title',
      'contentAssignments.archivedAt',
      'trainingActivities.weekNumber',
      'trainingActivities.sessionDate',
      'trainingActivities.cohortId',
      zoneOfActivity,
      unlockedWeeks(db).as('unlockedWeeks'),
      'own.id as ownId',
      'own.status',
      'own.roundNumber',
      'file.path as filePath',
      eb
        .exists(
          eb
            .selectFrom('submissionRounds')
            .innerJoin('contentSubmissions', 'contentSubmissions.id', 'submissionRounds.submissionId')
            .select('contentSubmissions.id')
            .where('contentSubmissions.userId', '=', viewer.id)
            .whereRef('contentSubmissions.assignmentId', '<>', 'contentAssignments.id')
            .whereRef('submissionRounds.filePath', '=', 'file.path'),
        )
        .as('isFileElsewhere'),
      coachIdsOf(db, sql.val(viewer.id)).as('coachIds'),
    ])
    .where('contentAssignments.id', '=', assignmentId)
    .executeTakeFirst();
  if (!found) throw notFound('Assignment not found');
  const { ownId, status, roundNumber, filePath, isFileElsewhere, ...assignment } = found;
  const own = ownId && roundNumber ? { id: ownId, status: status as SubmissionStatus, roundNumber } : null;
  return { assignment, own, file: filePath ? { path: filePath, isElsewhere: Boolean(isFileElsewhere) } : null };
}

/**
 * Expects the row of `content_submissions`. Finds its assignment while this person can open it and it takes work.
 * Because of the offset PostgreSQL looks up this assignment. It would rather list all that the person can open.
 */
export function openAssignment(db: Db, viewer: Viewer) {
  return visibleAssignments(db, viewer)
    .select('contentAssignments.id')
    .where('contentAssignments.id', '=', sql.ref<string>('contentSubmissions.assignmentId'))
    .where('contentAssignments.archivedAt', 'is', null)
    .offset(sql.lit(0));
}

interface AssignmentFacts {
  archivedAt: Date | null;
  weekNumber: number;
  sessionDate: string | null;
  zone: string;
  unlockedWeeks: number | null;
}

/**
 * The reason why this participant cannot hand in now, or null (ASSIGN-22, ASSIGN-26). A locked week takes no first
 * round, because its activities cannot be completed either.
 */
export function submitRefusal(assignment: AssignmentFacts, existing: OwnSubmission): AppError | null {
  if (assignment.archivedAt) return new AppError('conflict', 'This assignment is closed.');
  if (!existing) {
    const { unlockedWeeks } = assignment;
    const activity = { ...assignment, isCompleted: false };
    return lockedRefusal(activity, unlockedWeeks ?? defaultUnlockedWeeks, dayAt(now(), assignment.zone));
  }
  if (canResubmit(existing.status)) return null;
  if (existing.status === 'submitted') {
    return new AppError('conflict', 'You have handed this in already. Your coach will review it.');
  }
  return new AppError('conflict', 'This assignment is reviewed and complete. Nothing more is needed.');
}

/**
 * The reason why the named upload cannot be handed in, or null. An upload of an earlier round may stay. One of another
 * submission may not.
 */
export function fileRefusal(fileId: string | null, file: { isElsewhere: boolean } | null): AppError | null {
  if (!fileId) return null;
  if (!file) return unfinishedUpload();
  return file.isElsewhere ? refusalNamed('one_submission_a_file') : null;
}

export function mayReview(viewer: Pick<Actor, 'role'>): boolean {
  return viewer.role === 'coach' || viewer.role === 'admin';
}

/** Expects the row of `training_activities`. Tells how many weeks of its cohort are open. */
function unlockedWeeks(db: Db) {
  return db
    .selectFrom('cohorts')
    .select('cohorts.unlockedWeeks')
    .where('cohorts.id', '=', sql.ref<string>('training_activities.cohort_id'));
}

/**
 * Participants keep access to what they handed in, or typed without handing it in. This holds if the assignment is
 * archived, its activity is hidden, or the participant moves to another cohort.
 */
function isBegun({ id }: Viewer) {
  return sql<boolean>`(exists (select from content_submissions
      where assignment_id = content_assignments.id and user_id = ${id})
    or exists (select from assignment_drafts
      where assignment_id = content_assignments.id and user_id = ${id}))`;
}

/**
 * Reviewers open every assignment, because they review every submission. Participants open those of the activities they
 * see.
 */
export function visibleAssignments(db: Db, viewer: Viewer) {
  const assignments = allAssignments(db);
  if (mayReview(viewer)) return assignments;
  return assignments.where(
    'trainingActivities.id',
    'in',
    visibleActivities(db, viewer).select('trainingActivities.id'),
  );
}

function allAssignments(db: Db) {
  return db
    .selectFrom('trainingActivities')
    .innerJoin('contentItems', 'contentItems.trainingActivityId', 'trainingActivities.id')
    .innerJoin('contentAssignments', 'contentAssignments.contentItemId', 'contentItems.id');
}
